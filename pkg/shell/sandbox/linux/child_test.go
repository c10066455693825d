//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestFirstProcess looks at the first process of a namespace from within: it is
// a fork of the one that runs the tests, with all of its memory.
func TestFirstProcess(t *testing.T) {
	if !support.Namespaces {
		t.Skip("no namespaces here: ", support.Reason)
	}
	t.Setenv("HELVE_TEST_OWN", "of the tests")
	o := run(t, sandbox.Namespaces, newProfile(t), "sh", "-c", `
		for f in environ mem maps auxv stack; do head -c 1 /proc/1/$f 2>&1 | tr -d '\0'; done
		ls /proc/1/cwd/ /proc/1/root/ 2>&1
		for n in 3 4 5; do echo x > /proc/1/fd/$n; done 2>&1 | grep 3
		echo "[$(tr -d '\0' < /proc/1/cmdline)]"
		kill -KILL 1; { echo x > /proc/1/comm; } 2> /dev/null; cat /proc/1/comm`)
	for line := range strings.Lines(o.out) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasSuffix(line, "Permission denied"), strings.HasSuffix(line, "Operation not permitted"), line == "[]", line == approval.SandboxName:
		default:
			t.Errorf("%q", line)
		}
	}
	if n := strings.Count(o.out, "\n"); n < 9 || o.ExitCode != 0 {
		t.Errorf("%+v %q", o.State, o.out)
	}
}

// TestSaysWhatFailed makes a step fail before there is a namespace, one in it,
// and one that arranges descriptors.
func TestSaysWhatFailed(t *testing.T) {
	if !support.Namespaces {
		t.Skip("no namespaces here: ", support.Reason)
	}
	c := sandbox.Command{Path: "/bin/true", Argv: []string{"true"}, Dir: "/", Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	gone := filepath.Join(t.TempDir(), "gone")
	start := func(change func(*sandbox.Profile), c sandbox.Command) error {
		p := newProfile(t)
		change(&p)
		sb, err := newConfined(p, support, sandbox.Namespaces)
		if err != nil {
			t.Fatal(err)
		}
		process, err := sb.Start(c)
		if err == nil {
			_, err = process.Finish()
			t.Error("it started", err)
		}
		return err
	}
	for name, change := range map[string]func(*sandbox.Profile){
		"before": func(p *sandbox.Profile) { p.Writable = []string{gone} },
		"within": func(p *sandbox.Profile) { p.Preview = &sandbox.Preview{Upper: gone, Work: gone} },
	} {
		if err := start(change, c); !fault.Is(err, fault.SandboxUnavailable) || !errors.Is(err, unix.ENOENT) || name == "before" && !strings.Contains(err.Error(), gone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	w.Close()
	c.Stdin = r
	if err := start(func(*sandbox.Profile) {}, c); !errors.Is(err, unix.EBADF) {
		t.Errorf("closed: %v", err)
	}
}

// TestScript carries out what is harmless: what is forgiven leaves out its
// steps, and what is not ends the script and is named.
func TestScript(t *testing.T) {
	var s script
	dir := t.TempDir()
	fd := new(int32)
	mkdir := func(name string) *step {
		return s.call("mkdir", name, unix.SYS_MKDIRAT, 0, s.text(name), 0o700).on(fd)
	}
	s.call("open", dir, unix.SYS_OPENAT, atCWD, s.text(dir), unix.O_DIRECTORY|unix.O_CLOEXEC, 0).into = fd
	mkdir("a")
	mkdir("a").ignore(ifExists, 1)
	mkdir("left out")
	mkdir("gone/b").ignore(ifMissing, 0)
	mkdir("b")
	mkdir("a")
	mkdir("too late")
	step, errno := s.run()
	if err := s.err(step, errno); !errors.Is(err, unix.EEXIST) || err.Error() != "mkdir a: file exists" {
		t.Error(step, err)
	}
	unix.Close(int(*fd))
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 || entries[0].Name() != "a" || entries[1].Name() != "b" {
		t.Error(entries, err)
	}
}
