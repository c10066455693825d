//go:build linux && (amd64 || arm64)

package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// TestRestoringStaysInside leads the protected paths elsewhere: what is put back,
// and what is cleared away for it, must not be what they lead to.
func TestRestoringStaysInside(t *testing.T) {
	for _, c := range []struct{ name, before, script string }{
		{"the directory swapped for a link", "", "mv .git moved && ln -s %s .git"},
		{"a link where nothing was", "rm -r .git", "ln -s %s .git"},
		{"a part swapped for a link", "", "rm -r .git/hooks && ln -s %s/hooks .git/hooks"},
		{"a link swapped for another", "mv .git real; ln -s real .git", "rm .git && ln -s %s .git"},
		{"a link swapped for a directory", "mv .git real; ln -s real .git", "rm .git && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"},
		{"what a link leads to", "mv .git/hooks hooks; ln -s ../hooks .git/hooks", "echo x > hooks/pre-commit"},
		{"a file in the way", "", "mv .git moved; mv a .git"},
	} {
		for _, kind := range kinds(t) {
			t.Run(c.name+"/"+string(kind), func(t *testing.T) {
				dir := outsideDir(t)
				p := workspaceIn(t, dir)
				other := filepath.Join(filepath.Dir(p.Workspace), "other")
				prepare := exec.Command("sh", "-ec", "mkdir -p ../other/hooks; echo other > ../other/hooks/mine; echo other > ../other/config; "+c.before)
				prepare.Dir = p.Workspace
				if out, err := prepare.CombinedOutput(); err != nil {
					t.Fatal(err, string(out))
				}
				before := census(t, filepath.Dir(p.Workspace), p.Workspace, p.Temp)
				o := run(t, kind, p, "sh", "-c", strings.ReplaceAll(c.script, "%s", other))
				if _, err := o.sb.Restored(); err != nil {
					t.Fatal(err, o.out)
				}
				if changed := differences(before, census(t, filepath.Dir(p.Workspace), p.Workspace, p.Temp)); len(changed) > 0 {
					t.Errorf("%q", changed)
				}
				if _, err := os.Stat(filepath.Join(p.Workspace, ".git/hooks/pre-commit")); err == nil {
					t.Error("there is a hook")
				}
				if data, err := os.ReadFile(filepath.Join(p.Workspace, ".git/config")); err == nil && string(data) != "[core]\n" {
					t.Errorf("the settings are %q", data)
				}
			})
		}
	}
}

// TestMovedAside loses nothing that was in the place of what is put back.
func TestMovedAside(t *testing.T) {
	for _, kind := range kinds(t) {
		p := newProfile(t)
		o := run(t, kind, p, "sh", "-c", "mkdir src && echo work > src/x && mv src .helve")
		if _, err := o.sb.Restored(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(filepath.Join(p.Workspace, ".helve")); err == nil {
			t.Errorf("%s: .helve is there", kind)
		}
		aside := o.sb.snapshot.aside
		if len(aside) != 1 || read(t, filepath.Join(aside[0], "x")) != "work\n" {
			t.Errorf("%s: %q", kind, aside)
		}
	}
}

// TestDescriptors starts a command from a process that was given one open.
func TestDescriptors(t *testing.T) {
	p := newProfile(t)
	fd, err := unix.Open(filepath.Join(filepath.Dir(p.Workspace), "secret/key"), unix.O_RDONLY, 0) // and not closed on exec
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for _, kind := range append(kinds(t), sandbox.None) {
		if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0); err != nil {
			t.Fatal(err)
		}
		if o := run(t, kind, p, "sh", "-c", "ls /proc/self/fd | tr '\\n' ' '"); o.out != "0 1 2 3 " { // 3 is the directory itself
			t.Errorf("%s: %q", kind, o.out)
		}
	}
}
