package workspace

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// TestSwappedWhileUsed exchanges directories and files for links that lead out,
// as fast as it can, while every method is used on them. Nothing outside may be
// seen or changed. The exchange is atomic, so each path exists all the time.
func TestSwappedWhileUsed(t *testing.T) {
	if memory := "/dev/shm"; unix.Access(memory, unix.W_OK) == nil {
		t.Setenv("TMPDIR", memory) // the more swaps between two calls
	}
	everyMode(t, func(t *testing.T, open func(string, Options) asked) {
		for _, links := range []Symlinks{Follow, Never} {
			ws, above := workspaceDir(t)
			tree(t, above, "out/x = "+secret, "out/sub/x = "+secret, "secret = "+secret)
			tree(t, ws, "d/x = inside", "d/sub/x = inside", "d.other -> ../out", "top/mid/x = inside", "top/mid/sub/x = inside",
				"mid.other -> "+filepath.Join(above, "out"), "leaf = inside", "leaf.other -> ../secret",
				"via -> top/mid", "abs -> "+filepath.Join(ws, "d"), ".git/hooks/", "g/y = inside", "g.other -> .git/hooks")
			outside := func() map[string]string {
				all := snapshot(t, above)
				for name := range all {
					if strings.HasPrefix(name, ws) || name == above {
						delete(all, name)
					}
				}
				return all
			}
			before := outside()
			r := open(ws, Options{Symlinks: links})
			var stop atomic.Bool
			var swaps atomic.Int64
			var attackers sync.WaitGroup
			attackers.Go(func() {
				pairs := [][2]string{{"d", "d.other"}, {"top/mid", "mid.other"}, {"leaf", "leaf.other"}, {"g", "g.other"}}
				for !stop.Load() {
					pair := pairs[swaps.Add(1)%4]
					a, b := filepath.Join(ws, pair[0]), filepath.Join(ws, pair[1])
					if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE); err != nil {
						t.Error(err)
						return
					}
				}
			})
			const rounds = 40
			seen := 0
			look := func(name string) {
				f, err := r.Open(name)
				if err != nil {
					return
				}
				defer f.Close()
				text, err := io.ReadAll(f)
				switch {
				case err != nil:
					t.Error(err)
				case strings.Contains(string(text), secret):
					t.Errorf("%s showed what is outside", name)
				default:
					seen++
				}
			}
			for n := range rounds {
				for range 10 {
					for _, name := range []string{"d/x", "d/sub/x", "top/mid/x", "via/sub/x", "abs/x", "leaf", "abs/sub/../sub/x"} {
						look(name)
					}
				}
				for _, name := range []string{"d", "top/mid", "abs"} {
					entries, err := r.ReadDir(name)
					for _, e := range entries {
						if err == nil && e.Err == nil && e.Info.Size() == int64(len(secret)) && e.Info.Mode().IsRegular() {
							t.Errorf("%s/%s was described", name, e.Name)
						}
					}
					if i, err := r.Stat(name + "/x"); err == nil && i.Size() == int64(len(secret)) {
						t.Errorf("%s/x was described", name)
					}
				}
				// What these give back depends on the moment; what matters is what
				// they did, which is looked at in the end.
				text := fmt.Append([]byte("inside"), n)
				_, _ = r.WriteFile("d/x", text, WriteOptions{})
				_, _ = r.WriteFile("top/mid/sub/x", text, WriteOptions{Parents: true})
				_, _ = r.WriteFile("leaf", text, WriteOptions{})
				_, _ = r.WriteFile(fmt.Sprint("d/new", n), text, WriteOptions{Create: true})
				for i := range 5 {
					_, _ = r.WriteFile(fmt.Sprint("g/new", n, i), text, WriteOptions{})
				}
				_, _ = r.MkdirAll(fmt.Sprint("top/mid/made/", n))
				_ = r.Mkdir(fmt.Sprint("abs/made", n))
				_ = r.Chmod("d/x", 0o777)
				_ = r.Chmod("leaf", 0o777)
				_ = r.Remove("top/mid/x")
				_ = r.Rename("d/x", "top/mid/x", true)
				_ = r.Rename("top/mid/x", "d/x", false)
			}
			stop.Store(true)
			attackers.Wait()
			if seen == 0 || swaps.Load() < rounds {
				t.Errorf("nothing raced: %d files were read, %d swaps made", seen, swaps.Load())
			}
			if diff := cmp.Diff(before, outside()); diff != "" {
				t.Errorf("something outside changed (-before +after)\n%s", diff)
			}
			if hooks, err := os.ReadDir(filepath.Join(ws, ".git/hooks")); err != nil || len(hooks) > 0 {
				t.Errorf("hooks appeared: %v, %v", hooks, err)
			}
		}
	})
}
