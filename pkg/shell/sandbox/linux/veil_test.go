//go:build linux && (amd64 || arm64)

package linux

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/workspace"
)

// veiled are the files of the tests that are hidden: by a name that a rule has, by a name
// in a directory, with a directory, and with all of a tree.
var veiled = []string{"key.pem", "sub/deep/cert.pem", ".ssh/id", "closed/a/b"}

// unveilings are the ways to read a hidden file by what the command may change.
var unveilings = []struct {
	name string
	read func(path string) ([]byte, error)
}{
	{"by its name", os.ReadFile},
	{"by a link", func(path string) ([]byte, error) {
		here, err := os.Getwd()
		return after(errors.Join(err, os.Symlink(filepath.Join(here, path), "plain/link")), "plain/link")
	}},
	{"by another name of it", func(path string) ([]byte, error) { return after(os.Link(path, "plain/twin"), "plain/twin") }},
	{"by another name beside it", func(path string) ([]byte, error) { return after(os.Link(path, path+"2"), path+"2") }},
	{"renamed", func(path string) ([]byte, error) { return after(os.Rename(path, "plain/moved"), "plain/moved") }},
	{"renamed in its place", func(path string) ([]byte, error) { return after(os.Rename(path, path+"2"), path+"2") }},
	{"with its directory renamed", func(path string) ([]byte, error) {
		top, _, _ := strings.Cut(path, "/")
		return after(os.Rename(top, "plain/top"), "plain/top"+strings.TrimPrefix(path, top))
	}},
	{"with its directory renamed in its place", func(path string) ([]byte, error) {
		top, _, _ := strings.Cut(path, "/")
		return after(os.Rename(top, "top"), "top"+strings.TrimPrefix(path, top))
	}},
	{"exchanged", func(path string) ([]byte, error) {
		err := errors.Join(os.WriteFile("plain/other", nil, 0o600), unix.Renameat2(unix.AT_FDCWD, path, unix.AT_FDCWD, "plain/other", unix.RENAME_EXCHANGE))
		return after(err, "plain/other")
	}},
	{"opened for both", func(path string) ([]byte, error) { return both(path, os.O_RDWR) }},
	{"opened for both, or made", func(path string) ([]byte, error) { return both(path, os.O_RDWR|os.O_CREATE) }},
	{"opened by a link for both", func(path string) ([]byte, error) {
		here, err := os.Getwd()
		if err := errors.Join(err, os.Symlink(filepath.Join(here, path), "plain/link2")); err != nil {
			return nil, err
		}
		return both("plain/link2", os.O_RDWR)
	}},
	{"by its directory", func(path string) ([]byte, error) {
		dir, err := unix.Open(filepath.Dir(path), unix.O_PATH|unix.O_DIRECTORY, 0)
		if err != nil {
			return nil, err
		}
		defer unix.Close(dir)
		return after(nil, fmt.Sprintf("/proc/self/fd/%d/%s", dir, filepath.Base(path)))
	}},
	{"by a descriptor without rights", func(path string) ([]byte, error) {
		fd, err := unix.Open(path, unix.O_PATH, 0)
		if err != nil {
			return nil, err
		}
		defer unix.Close(fd)
		return both(fmt.Sprintf("/proc/self/fd/%d", fd), os.O_RDWR)
	}},
	{"as a program", func(path string) ([]byte, error) {
		return nil, unix.Exec(path, []string{path}, nil)
	}},
}

// after reads a file unless what had to go before failed.
func after(err error, path string) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func both(path string, flags int) ([]byte, error) {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, 64)
	n, err := f.Read(data)
	return data[:n], err
}

// unveil tries all ways and prints those in which it could read.
func unveil() int {
	for _, path := range veiled {
		for _, way := range unveilings {
			if data, err := way.read(path); strings.Contains(string(data), "sesame") {
				fmt.Printf("READ %s %s\n", path, way.name)
			} else if err == nil {
				fmt.Printf("nothing in %s %s\n", path, way.name)
			}
		}
	}
	fmt.Println("tried", len(veiled)*len(unveilings))
	return 0
}

// abis are the versions of Landlock that the kernel has or can pretend to be.
func abis(t *testing.T) (all []int) {
	t.Helper()
	if support.LandlockABI == 0 {
		t.Skip("no Landlock here")
	}
	for _, abi := range []int{1, 2, 4, 5, 6, 7} {
		if abi < support.LandlockABI {
			all = append(all, abi)
		}
	}
	return append(all, support.LandlockABI)
}

// veiledProfile has a workspace with hidden files and others.
func veiledProfile(t *testing.T) sandbox.Profile {
	t.Helper()
	p := newProfile(t)
	lay(t, p.Workspace, "key.pem=sesame", "sub/", "sub/deep/", "sub/deep/cert.pem=sesame", "sub/open=x", ".ssh/", ".ssh/id=sesame", "closed/", "closed/a/", "closed/a/b=sesame", "plain/", "plain/f=x")
	for _, name := range []string{"key.pem", "sub/deep/cert.pem", ".ssh", "closed"} {
		p.Secrets = append(p.Secrets, filepath.Join(p.Workspace, name))
	}
	survey := workspace.SurveyOf(p.Workspace)
	p.Survey = &survey
	p.Hides = func(rel string) bool { return strings.HasSuffix(rel, ".pem") }
	return p
}

// TestVeil reads what is hidden in a writable workspace in all ways, and does in it what
// commands do.
func TestVeil(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, abi := range abis(t) {
		t.Run(fmt.Sprintf("version %d", abi), func(t *testing.T) {
			t.Parallel()
			p := veiledProfile(t)
			s := support
			s.LandlockABI = abi
			p.Readable = append(p.Readable, program)
			o := runOn(t, s, sandbox.Landlock, p, nil, program, "__unveil")
			if want := fmt.Sprintf("tried %d\n", len(veiled)*len(unveilings)); o.out != want {
				t.Errorf("%s", o.out)
			}
			for _, name := range veiled {
				if got := read(t, filepath.Join(p.Workspace, name)); got != "sesame" {
					t.Errorf("%s holds %q", name, got)
				}
			}
			o = runOn(t, s, sandbox.Landlock, p, nil, "sh", "-e", "-c", `
				echo 1 > new; cat new; mv new newer; cat newer; cat sub/open plain/f
				mkdir -p made/below; echo 2 > made/below/f; cat made/below/f
				printf '#!/bin/sh\necho 3\n' > run; chmod +x run; ./run
				echo 4 > plain/g; mv plain/g g; cat g; ln -s g link; cat link
				echo 5 > sub/deep/f; cat sub/deep/f; ls > /dev/null; umask 077; echo > tight; mkdir narrow; stat -c %a tight narrow
				(! echo > other.pem; ! mv g g.pem; ! cat key.pem) 2>&-`)
			if o.out != "1\n1\nxx2\n3\n4\n4\n5\n600\n700\n" || o.ExitCode != 0 {
				t.Errorf("%+v %s", o.State, o.out)
			}
			if slices.Contains(o.sb.Report().Degraded, sandbox.NewUnreadable) {
				t.Errorf("%q", o.sb.Report().Degraded)
			}
			if left, err := filepath.Glob(filepath.Join(p.Workspace, ".helve-*")); err != nil || len(left) > 0 {
				t.Errorf("%q, %v", left, err)
			}
		})
	}
}

// TestVeilAlone has no nursery: nothing hidden can be read, nor what is new beside it, which
// the report says.
func TestVeilAlone(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, abi := range abis(t) {
		p, s := veiledProfile(t), support
		p.Survey, p.Readable = nil, append(p.Readable, program)
		s.LandlockABI, s.Broker = abi, false
		o := runOn(t, s, sandbox.Landlock, p, nil, program, "__unveil")
		if strings.Contains(o.out, "READ") || !strings.Contains(o.out, "tried") || !slices.Contains(o.sb.Report().Degraded, sandbox.NewUnreadable) {
			t.Errorf("version %d: %q %s", abi, o.sb.Report().Degraded, o.out)
		}
	}
}

// TestVeilSpent makes more than is in store: that is there, and cannot be read meanwhile.
func TestVeilSpent(t *testing.T) {
	t.Parallel()
	if support.LandlockABI == 0 {
		t.Skip("no Landlock here")
	}
	p := veiledProfile(t)
	o := run(t, sandbox.Landlock, p, "sh", "-c", fmt.Sprintf(`for i in $(seq %d); do echo $i > f$i; done; cat f1; cat f%[1]d 2>&-`, storedFiles+5))
	if o.out != "1\n" || o.ExitCode != 1 || !exists(filepath.Join(p.Workspace, fmt.Sprint("f", storedFiles+5))) {
		t.Errorf("%+v %s", o.State, o.out)
	}
	if _, err := o.sb.Restored(); err != nil || !slices.Contains(o.sb.Report().Degraded, sandbox.NewUnreadable) {
		t.Errorf("%v, %q", err, o.sb.Report().Degraded)
	}
}
