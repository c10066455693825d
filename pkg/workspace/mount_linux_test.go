package workspace

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// inMounts runs a role in a mount namespace of its own, so that what it mounts
// is gone with it.
func inMounts(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skip("no mount namespace here:", err)
	}
	roleResult(t, out, err)
}

// mount reports a mount that is not allowed as a reason to skip.
func mount(source, target, kind string, flags uintptr, data string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return skipRole{err}
	}
	if err := unix.Mount(source, target, kind, flags, data); err != nil {
		return skipRole{fmt.Errorf("mount %s on %s: %w", kind, target, err)}
	}
	return nil
}

type skipRole struct{ error }

func skipped(err error) error {
	if _, ok := errors.AsType[skipRole](err); ok {
		fmt.Println("skip:", err)
		return nil
	}
	return err
}

func TestNoSpace(t *testing.T) {
	for mode := range openers {
		t.Run(mode, func(t *testing.T) {
			ws, _ := workspaceDir(t)
			inMounts(t, role(t, "no space", mode, ws))
		})
	}
}

func TestMountsInside(t *testing.T) {
	for mode := range openers {
		t.Run(mode, func(t *testing.T) {
			ws, above := workspaceDir(t)
			tree(t, ws, "target = old", "disk/", "proc/", "f = f")
			tree(t, above, "source = old")
			inMounts(t, role(t, "mounts", mode, ws, filepath.Join(above, "source")))
			wantText(t, filepath.Join(above, "source"), "new")
			wantText(t, filepath.Join(ws, "target"), "old")
			wantNames(t, ws, "disk", "f", "proc", "target")
		})
	}
}

func init() {
	roles["no space"] = func(args []string) error {
		ws := args[1]
		if err := mount("tmpfs", ws, "tmpfs", 0, "size=128k"); err != nil {
			return skipped(err)
		}
		r, err := openers[args[0]](ws, Options{})
		if err != nil {
			return err
		}
		old := bytes.Repeat([]byte("o"), 20_000)
		for _, name := range []string{"alone", "hard"} {
			if err := os.WriteFile(filepath.Join(ws, name), old, 0o644); err != nil {
				return err
			}
		}
		if err := os.Link(filepath.Join(ws, "hard"), filepath.Join(ws, "hard2")); err != nil {
			return err
		}
		var failed errorList
		big := bytes.Repeat([]byte("n"), 200_000)
		for _, name := range []string{"alone", "hard", "new"} {
			w, err := r.WriteFile(name, big, WriteOptions{})
			failed.want(err, fault.IOError)
			if !errors.Is(err, unix.ENOSPC) || w.Created {
				failed.add("%s: %+v, %v", name, w, err)
			}
		}
		check := func(when string) {
			entries, err := os.ReadDir(ws)
			if err != nil || len(entries) != 3 {
				failed.add("%s: %v, %v", when, entries, err)
			}
			for _, e := range entries {
				got, err := os.ReadFile(filepath.Join(ws, e.Name()))
				if err != nil || !bytes.Equal(got, old) {
					failed.add("%s: %s holds %d bytes, %v", when, e.Name(), len(got), err)
				}
			}
		}
		check("after failing")
		if _, err := r.WriteFile("alone", old, WriteOptions{}); err != nil {
			failed.add("with space: %v", err)
		}
		check("after succeeding")
		return failed.err()
	}

	roles["mounts"] = func(args []string) error {
		ws, source := args[1], args[2]
		if err := errors.Join(
			mount(source, filepath.Join(ws, "target"), "", unix.MS_BIND, ""),
			mount("tmpfs", filepath.Join(ws, "disk"), "tmpfs", 0, "size=1m"),
		); err != nil {
			return skipped(err)
		}
		r, err := openers[args[0]](ws, Options{})
		if err != nil {
			return err
		}
		var failed errorList
		w, err := r.WriteFile("target", []byte("new"), WriteOptions{})
		if err != nil || !w.InPlace {
			failed.add("over a mount point: %+v, %v", w, err)
		}
		if _, err := r.WriteFile("disk/x", []byte("new"), WriteOptions{}); err != nil {
			failed.add("in a mount: %v", err)
		}
		failed.want(r.Rename("f", "disk/f", false), fault.Unsupported)
		failed.want(r.Rename("disk/x", "x", true), fault.Unsupported)
		// A new procfs may be refused where an old one may be bound.
		if unix.Mount("proc", filepath.Join(ws, "proc"), "proc", 0, "") == nil ||
			unix.Mount("/proc", filepath.Join(ws, "proc"), "", unix.MS_BIND|unix.MS_REC, "") == nil {
			_, err = r.Open("proc/self/environ")
			failed.want(err, fault.PermissionDenied)
			_, err = r.ReadDir("proc")
			failed.want(err, fault.PermissionDenied)
			_, err = r.WriteFile("proc/self/comm", []byte("x"), WriteOptions{})
			failed.want(err, fault.PermissionDenied)
		}
		return failed.err()
	}
}
