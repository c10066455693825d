//go:build unix

package workspace

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestSpecialFiles would hang where an open waits for the other end.
func TestSpecialFiles(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		if err := unix.Mkfifo(filepath.Join(ws, "fifo"), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Chdir(ws) // a socket's path must be short
		l, err := net.Listen("unix", "socket")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		})
		special := []string{"fifo", "socket", "link", "abs"}
		if os.Geteuid() == 0 {
			if err := unix.Mknod(filepath.Join(ws, "device"), unix.S_IFCHR|0o666, 1<<8|3); err == nil {
				special = append(special, "device")
			}
		}
		tree(t, ws, "link -> fifo", "abs -> "+filepath.Join(ws, "fifo"), "hard")
		r := open(ws, Options{})
		for _, name := range special {
			_, err := r.Open(name)
			wantCode(t, err, fault.NotAFile)
			_, err = r.WriteFile(name, []byte("x"), WriteOptions{})
			wantCode(t, err, fault.NotAFile)
			if i, err := r.Stat(name); err != nil || i.Mode().IsRegular() {
				t.Errorf("Stat(%s): %v, %v", name, i, err)
			}
		}
		if list, err := r.ReadDir("."); err != nil || len(list) != len(special)+1 {
			t.Errorf("%v, %v", list, err)
		}
		if err := r.Remove("fifo"); err != nil {
			t.Error(err)
		}
	})
}

func TestOpenedFileBlocks(t *testing.T) {
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		ws, _ := workspaceDir(t)
		tree(t, ws, "file", "d/")
		r := open(ws, Options{})
		for _, name := range []string{"file", "d"} {
			f, err := r.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			control(f, func(fd int) {
				flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
				if err != nil || flags&unix.O_NONBLOCK != 0 {
					t.Errorf("%s: flags %#x, %v", name, flags, err)
				}
				if flags, err = unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
					t.Errorf("%s: inherited by programs, %v", name, err)
				}
			})
		}
	})
}

// TestUnprivileged runs what a privileged process is never refused.
func TestUnprivileged(t *testing.T) {
	for name := range openers {
		t.Run(name, func(t *testing.T) {
			ws, above := workspaceDir(t)
			tree(t, ws, "closed/in", "listless/in = text", "listless/d/", "unsearchable/a", "unsearchable/b/",
				"private", "readonly = old", "fixed/writable = old", "fixed/readonly = old", "fixed/script = old")
			for name, mode := range map[string]os.FileMode{
				"closed": 0, "private": 0, "readonly": 0o444, "fixed/readonly": 0o444, "fixed/script": 0o755,
			} {
				if err := os.Chmod(filepath.Join(ws, name), mode); err != nil {
					t.Fatal(err)
				}
			}
			// All of it belongs to the user that the role becomes.
			const nobody = 65534
			if os.Geteuid() == 0 {
				for name := range snapshot(t, above) {
					if err := os.Lchown(name, nobody, nobody); err != nil {
						t.Fatal(err)
					}
				}
				for dir := above; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
					if err := os.Chmod(dir, 0o755); err != nil {
						t.Fatal(err)
					}
				}
			}
			for name, mode := range map[string]os.FileMode{"listless": 0o311, "unsearchable": 0o444, "fixed": 0o555} {
				p := filepath.Join(ws, name)
				if err := os.Chmod(p, mode); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() {
					if err := os.Chmod(p, 0o755); err != nil {
						t.Error(err)
					}
				})
			}
			inRole(t, role(t, "unprivileged", name, ws))
			wantText(t, filepath.Join(ws, "readonly"), "old")
			wantText(t, filepath.Join(ws, "fixed/readonly"), "old")
			wantText(t, filepath.Join(ws, "fixed/writable"), "new contents")
			wantText(t, filepath.Join(ws, "fixed/script"), "")
			wantNames(t, filepath.Join(ws, "fixed"), "readonly", "script", "writable")
			if i, err := os.Stat(filepath.Join(ws, "fixed/script")); err != nil || i.Mode() != 0o755 {
				t.Errorf("%v, %v", i, err)
			}
		})
	}
}

func init() {
	roles["unprivileged"] = func(args []string) error {
		if os.Geteuid() == 0 {
			const nobody = 65534
			if err := syscall.Setgroups([]int{}); err != nil {
				return err
			}
			if err := syscall.Setregid(nobody, nobody); err != nil {
				return err
			}
			if err := syscall.Setreuid(nobody, nobody); err != nil {
				return err
			}
		}
		var failed errorList
		r, err := openers[args[0]](args[1], Options{})
		if err != nil {
			return err
		}
		denied := func(err error) {
			if !fault.Is(err, fault.PermissionDenied) {
				failed.add("got %v, want %s", err, fault.PermissionDenied)
			}
		}
		_, err = r.Open("private")
		denied(err)
		_, err = r.Open("closed/in")
		denied(err)
		_, err = r.ReadDir("closed")
		denied(err)
		_, err = r.ReadDir("listless")
		denied(err)
		_, err = r.WriteFile("readonly", []byte("new"), WriteOptions{})
		denied(err)
		_, err = r.WriteFile("fixed/readonly", []byte("new"), WriteOptions{})
		denied(err)
		_, err = r.WriteFile("fixed/new", []byte("new"), WriteOptions{})
		denied(err)
		_, err = r.MkdirAll("fixed/a/b")
		denied(err)
		denied(r.Remove("fixed/readonly"))
		denied(r.Rename("fixed/readonly", "x", false))

		entries, err := r.ReadDir("unsearchable")
		if err != nil || len(entries) != 2 {
			failed.add("unsearchable lists %v, %v", entries, err)
		}
		for _, e := range entries {
			if !fault.Is(e.Err, fault.PermissionDenied) || e.Info != nil {
				failed.add("an entry that cannot be described: %+v", e)
			}
		}
		// A directory that may be entered and not listed holds no one up.
		w, err := r.WriteFile("listless/in", []byte("new"), WriteOptions{})
		if err != nil || w.InPlace {
			failed.add("listless: %+v, %v", w, err)
		}
		if _, err := r.WriteFile("listless/d/x/y", []byte("new"), WriteOptions{Parents: true}); err != nil {
			failed.add("below listless: %v", err)
		}
		// Where no file can be made, the one that is there is overwritten.
		for name, text := range map[string]string{"writable": "new contents", "script": ""} {
			w, err := r.WriteFile("fixed/"+name, []byte(text), WriteOptions{})
			if err != nil || !w.InPlace || w.Created {
				failed.add("%s: %+v, %v", name, w, err)
			}
		}
		return failed.err()
	}
}
