package state

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The test binary is also the other process that the tests need: with childEnv
// set it does one job in a state directory instead of running tests.
const childEnv = "STATE_TEST_CHILD"

var jobs = map[string]func(d *Dir, args []string) error{
	"hold":   jobHold,
	"count":  jobCount,
	"append": jobAppend,
	"open":   jobOpen,
}

func TestMain(m *testing.M) {
	if name := os.Getenv(childEnv); name != "" {
		d, err := Open(os.Args[1], os.Args[2], Options{LockWait: time.Minute})
		if err == nil {
			err = jobs[name](d, os.Args[3:])
		}
		if err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child is a process that does a job in the same directory.
func child(t *testing.T, d *Dir, job string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", append([]string{d.base, d.root}, args...)...)
	if exe, err := os.Executable(); err == nil {
		cmd.Path = exe
	}
	cmd.Env = append(os.Environ(), childEnv+"="+job)
	return cmd
}

// jobHold locks keys, says so, and lives until its stdin ends.
func jobHold(d *Dir, keys []string) error {
	if _, err := d.Lock(context.Background(), keys...); err != nil {
		return err
	}
	fmt.Println("held")
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}

// jobCount adds one to the number in a file, several times, under a lock.
func jobCount(d *Dir, args []string) error {
	times, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	for range times {
		unlock, err := d.Lock(context.Background(), "counter")
		if err != nil {
			return err
		}
		if err := addOne(args[0]); err != nil {
			return err
		}
		if err := unlock(); err != nil {
			return err
		}
	}
	return nil
}

func addOne(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(string(data))
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strconv.Itoa(n+1)), 0o600)
}

// jobAppend adds records to a log.
func jobAppend(d *Dir, args []string) error {
	most, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return err
	}
	l, err := d.Log("events", most)
	if err != nil {
		return err
	}
	times, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	for i := range times {
		if err := l.Append(fmt.Appendf(nil, `{"who":%s,"n":%d}`, args[0], i), false); err != nil {
			return err
		}
	}
	return nil
}

// jobOpen says whether the directory can be used.
func jobOpen(d *Dir, _ []string) error {
	_, err := d.Path()
	return err
}

// start runs a child up to its first line, which it returns. The child ends with
// the test, if it was not killed before.
func start(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // how it ends is the caller's business
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// fresh is a state directory for a workspace of its own.
func fresh(t *testing.T, opt Options) *Dir {
	t.Helper()
	base, root := filepath.Join(t.TempDir(), "state"), t.TempDir()
	d, err := Open(base, root, opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func at(t *testing.T, d *Dir, name string) string {
	t.Helper()
	dir, err := d.Path()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
