//go:build unix

package workspace

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const crashSize = 300_000

// TestKilledBetweenSteps kills a writer before each of its steps in turn.
func TestKilledBetweenSteps(t *testing.T) {
	old, text := strings.Repeat("o", crashSize), strings.Repeat("n", crashSize+7)
	tests := []struct {
		what    string
		entries []string
		args    []string // name and kind
		file    string
		old     string // "": there was none
		steps   int    // at least
	}{
		{"replace", []string{"f = " + old}, []string{"f", "plain"}, "f", old, 10},
		{"new", nil, []string{"f", "plain"}, "f", "", 7},
		{"create", nil, []string{"f", "create"}, "f", "", 7},
		{"through link", []string{"d/f = " + old, "link -> d/f"}, []string{"link", "plain"}, "d/f", old, 10},
		{"with parents", nil, []string{"a/b/f", "parents"}, "a/b/f", "", 7},
	}
	unnamed := makesUnnamed(t)
	for mode := range openers {
		for i, tt := range tests {
			if i > 0 && i < len(tests)-1 && mode != "openat2" && len(openers) > 1 {
				continue // the ways differ in how directories are reached and made
			}
			t.Run(mode+"/"+tt.what, func(t *testing.T) {
				for step := 0; ; step++ {
					ws, _ := workspaceDir(t)
					tree(t, ws, tt.entries...)
					cmd := role(t, "killed", append([]string{mode, ws, strconv.Itoa(step)}, tt.args...)...)
					out, err := cmd.CombinedOutput()
					file := filepath.Join(ws, tt.file)
					got, readErr := os.ReadFile(file)
					switch {
					case errors.Is(readErr, os.ErrNotExist) && tt.old == "":
					case readErr != nil:
						t.Fatal(readErr)
					case string(got) != tt.old && string(got) != text:
						t.Errorf("killed before step %d: %d bytes that are neither old nor new", step, len(got))
					}
					if err == nil {
						if string(got) != text {
							t.Error("finished without the new text")
						}
						if step < tt.steps {
							t.Errorf("only %d steps could be interrupted", step)
						}
						return
					}
					if !killed(err) {
						t.Fatalf("%v\n%s", err, out)
					}
					if unnamed {
						for name := range snapshot(t, ws) {
							if IsTemporary(filepath.Base(name)) {
								t.Errorf("killed before step %d: %s is there", step, name)
							}
						}
					}
					r, err := opened(ws, Options{})
					if err != nil {
						t.Fatal(err)
					}
					beside := filepath.ToSlash(filepath.Join(filepath.Dir(tt.file), "beside"))
					if _, err := r.WriteFile(beside, nil, WriteOptions{Parents: true}); err != nil {
						t.Error(err)
					}
					for name := range snapshot(t, ws) {
						if IsTemporary(filepath.Base(name)) {
							t.Errorf("killed before step %d: %s remains", step, name)
						}
					}
					if err := r.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// TestKilledAnywhere kills a writer that replaces a file over and over.
func TestKilledAnywhere(t *testing.T) {
	ws, _ := workspaceDir(t)
	file := filepath.Join(ws, "f")
	for round := range 25 {
		cmd := role(t, "rewriter", ws)
		pipe, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(pipe)
		for range round%5 + 1 {
			if !lines.Scan() {
				t.Fatal("the writer stopped by itself")
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); !killed(err) {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil || len(got) != crashSize || string(got) != strings.Repeat(string(got[:1]), crashSize) {
			t.Fatalf("round %d: the file is torn: %d bytes, %v", round, len(got), err)
		}
	}
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.WriteFile("g", nil, WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	wantNames(t, ws, "f", "g")
}

// beside returns the directory above the workspace as [Options.Aside].
func beside(ws string) func() (string, error) {
	return func() (string, error) { return filepath.Dir(ws), nil }
}

// makesUnnamed reports whether files without names can be made here.
func makesUnnamed(t *testing.T) bool {
	t.Helper()
	ws, _ := workspaceDir(t)
	r, err := opened(ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	d, _, err := r.handle.directory(".", false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	u := d.newUnnamed(0o600)
	if u == nil {
		return false
	}
	named := u.giveName(nil) == nil
	if err := u.discard(); err != nil {
		t.Fatal(err)
	}
	return named
}

func killed(err error) bool {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func init() {
	roles["killed"] = func(args []string) error {
		r, err := openers[args[0]](args[1], Options{Aside: beside(args[1])})
		if err != nil {
			return err
		}
		left, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		o := WriteOptions{Create: args[4] == "create", Parents: args[4] == "parents"}
		o.Probe = func(string) {
			if left == 0 {
				if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
					panic(err)
				}
				select {}
			}
			left--
		}
		_, err = r.WriteFile(args[3], []byte(strings.Repeat("n", crashSize+7)), o)
		return err
	}
	roles["rewriter"] = func(args []string) error {
		r, err := opened(args[0], Options{})
		if err != nil {
			return err
		}
		for n := 0; ; n++ {
			text := strings.Repeat(string(rune('a'+n%26)), crashSize)
			if _, err := r.WriteFile("f", []byte(text), WriteOptions{}); err != nil {
				return err
			}
			fmt.Println(n)
		}
	}
}
