package browser

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/web"
)

// TestMain is two programs: the tests, and one that shows a page.
func TestMain(m *testing.M) {
	if len(os.Args) > 4 && os.Args[1] == "__show" {
		os.Exit(showOne(os.Args[2], os.Args[3], os.Args[4]))
	}
	os.Exit(m.Run())
}

// showOne shows a page with a browser whose profiles are below dir, and prints it.
func showOne(url, dir, kind string) int {
	kept, err := state.Open(filepath.Join(dir, "state"), filepath.Join(dir, "root"), state.Options{})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	b := New(Options{
		Program: Auto, State: func() (*state.Dir, error) { return kept, nil }, Environ: os.Environ(),
		Client: web.New(web.Options{Allow: []netip.Prefix{netip.MustParsePrefix(open + "/32")}}),
		Support: func() sandbox.Support {
			s := support()
			s.Namespaces = s.Namespaces && kind == "namespaces"
			return s
		},
	})
	defer func() { _ = b.Close() }()
	p, err := b.Open(context.Background(), Request{URL: web.At(url), Timeout: 2 * time.Minute})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println(p.HTML)
	return 0
}

// helper returns the program that shows a page, and the directory of its profiles. It runs
// as an ordinary user where this process may have it so.
func helper(t *testing.T, url, kind string, ordinary bool) (c *exec.Cmd, dir string) {
	t.Helper()
	if _, err := find(Auto, os.Environ()); err != nil {
		t.Skip("no chromium here")
	}
	dir, err := os.MkdirTemp("", "browser-") //nolint:usetesting // a directory of the test is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "program")
	data, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, data, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"state", "root", "home"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c = exec.Command(mine, "__show", url, dir, kind)
	c.Env = append(os.Environ(), "HOME="+filepath.Join(dir, "home"), "TMPDIR="+dir)
	c.Stderr = os.Stderr
	if ordinary {
		const nobody = 65534
		err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if err == nil {
				err = os.Chown(path, nobody, nobody)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		c.Dir = dir
	}
	return c, dir
}

// A browser ends with the process that started it, also where that is killed.
func TestKilled(t *testing.T) {
	for _, kind := range []string{"namespaces", "own"} {
		t.Run(kind, func(t *testing.T) {
			if kind == "own" && os.Geteuid() != 0 || !support().Namespaces {
				t.Skip("needs namespaces and, to start the browser as an ordinary user, root")
			}
			arrived := make(chan struct{}, 8)
			s := serve(t, map[string]http.HandlerFunc{"/": func(_ http.ResponseWriter, r *http.Request) {
				select {
				case arrived <- struct{}{}:
				default:
				}
				<-r.Context().Done()
			}})
			c, dir := helper(t, s.URL, kind, kind == "own")
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			said := make(chan string, 1)
			go func() {
				line, _ := bufio.NewReader(out).ReadString('\n')
				said <- line
			}()
			select {
			case <-arrived:
			case line := <-said:
				_ = c.Wait()
				t.Skipf("it does not run here: %s", line)
			}
			if n := len(using(t, dir)); n < 3 {
				t.Errorf("only %d processes are seen", n)
			}
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = c.Wait() // it was killed
			for deadline := time.Now().Add(time.Minute); ; {
				left := using(t, dir)
				if len(left) == 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("processes are left: %v", left)
				}
			}
		})
	}
}

// An ordinary user sees pages, too: in a sandbox of namespaces, and in the browser's own.
func TestOrdinary(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the other tests run as an ordinary user")
	}
	s := serve(t, map[string]http.HandlerFunc{"/": shell(`<script>app.textContent = "Hel" + "lo"</script>`)})
	for _, kind := range []string{"namespaces", "own"} {
		t.Run(kind, func(t *testing.T) {
			c, dir := helper(t, s.URL, kind, true)
			out, err := c.Output()
			if strings.Contains(string(out), "sandbox_unavailable") {
				t.Skipf("%s", out)
			}
			if err != nil || !strings.Contains(string(out), "Hello") {
				t.Errorf("%s, %v", out, err)
			}
			if left := using(t, dir); len(left) > 0 {
				t.Errorf("processes are left: %v", left)
			}
		})
	}
}
