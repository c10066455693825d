// Package cmdtest holds what the tests of several packages of commands use: texts of commands
// in both languages for the tests inside a package, and for those outside of it workspaces
// with a home and an environment of their own, and helve as a process, which [Main] and
// [Program] make. Only tests import it. It does not know the command line as a whole, so that
// the tests inside a package can use it.
package cmdtest

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
)

// Home gives the process of the test a workspace and a home of its own, and returns the
// file of the person's settings. It is for what reads the environment; [New] is for all else.
func Home(t *testing.T) (workspace, settings string) {
	t.Helper()
	workspace, dir := t.TempDir(), t.TempDir()
	for name, value := range map[string]string{"HELVE_HOME": dir, "HELVE_ROOT": workspace, "HELVE_SESSION": "", "HELVE_LANG": "", "HELVE_OUTPUT": "", "HELVE_READONLY": "", "HELVE_PROJECT": "", "HELVE": ""} {
		t.Setenv(name, value)
	}
	return workspace, filepath.Join(dir, "config.json")
}

// World is a workspace and a home of helve, whatever the environment says.
type World struct {
	Root string // of the workspace
	Dirs host.Dirs
}

// New returns an empty world.
func New(t *testing.T) *World {
	t.Helper()
	return &World{Root: t.TempDir(), Dirs: dirs(t.TempDir())}
}

// dirs returns the directories of helve in a home, and no configuration of the system.
func dirs(home string) host.Dirs {
	return host.Dirs{
		State: filepath.Join(home, "state"), Cache: filepath.Join(home, "cache"), UserConfig: filepath.Join(home, "config.json"),
		SystemConfig: filepath.Join(home, "absent.json"),
	}
}

// HostOf returns what composes calls in a workspace of [Workspace], which the caller closes.
func HostOf(dir string) *host.Host {
	w := World{Root: dir, Dirs: dirs(HomeOf(dir))}
	return w.host(fault.English)
}

// Host returns what composes calls in the world, until the test ends.
func (w *World) Host(t *testing.T, lang fault.Lang) *host.Host {
	t.Helper()
	h := w.host(lang)
	t.Cleanup(h.Close)
	return h
}

func (w *World) host(lang fault.Lang) *host.Host {
	h := host.New(host.Options{Root: w.Root, Session: host.DefaultSession, Lang: lang, Wrong: map[string]fault.Text{}, Version: func() string { return "dev" }})
	h.Dirs = w.Dirs
	return h
}

// Builder makes one command.
type Builder func(*host.Host, *out.Printer) *cobra.Command

// Text runs one command, which need not be below helve, and returns what it prints as
// text. An error is printed too.
func (w *World) Text(t *testing.T, lang fault.Lang, build Builder, args ...string) string {
	t.Helper()
	var b bytes.Buffer
	p := out.New(&b, io.Discard)
	p.Format, p.Lang = "text", lang
	c := build(w.Host(t, lang), p)
	c.SilenceErrors, c.SilenceUsage, c.CompletionOptions.DisableDefaultCmd = true, true, true
	c.SetArgs(args)
	c.SetIn(strings.NewReader(""))
	if err := c.ExecuteContext(t.Context()); err != nil {
		p.Fail(fault.As(err))
	}
	return b.String()
}

// Prints runs a command in each language and compares its text with the wanted one, in
// which "…" is any text.
func (w *World) Prints(t *testing.T, build Builder, args, english, chinese string) {
	t.Helper()
	for _, want := range []struct {
		lang fault.Lang
		text string
	}{{fault.English, english}, {fault.Chinese, chinese}} {
		if got := w.Text(t, want.lang, build, strings.Fields(args)...); !Matches(got, want.text) {
			t.Errorf("%s %s:\n%s", args, want.lang, cmp.Diff(want.text, got))
		}
	}
}

// Matches reports whether text is as wanted, where "…" stands for any text.
func Matches(text, want string) bool {
	parts := strings.Split(want, "…")
	if len(parts) == 1 {
		return text == want
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}
