package history_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// shown describes a workspace: names, kinds, modes, targets and bytes.
func shown(t *testing.T, dir string) []string {
	t.Helper()
	c := exec.Command("sh", "-ec", "find . -path ./.helve -prune -o -printf '%P %y %m %l\n' -type f -exec cksum {} +")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return slices.Sorted(strings.Lines(string(out)))
}

// files makes a workspace with a few files.
func files(t *testing.T) (dir string) {
	dir = cmdtest.Commands(t)
	cmdtest.Put(t, dir, "a", "first\n")
	cmdtest.Put(t, dir, "b", "second\n")
	if err := os.Chmod(cmdtest.Put(t, dir, "c", "third\n"), 0o750); err != nil {
		t.Fatal(err)
	}
	return dir
}

// begun starts a command that prints "ready" and goes on, and returns when it has.
func begun(t *testing.T, dir string, args map[string]any) *exec.Cmd {
	t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	c := cmdtest.Person(t, dir, "exec", "--stream", string(text))
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, "ready") {
		t.Fatalf("%q %v", line, err)
	}
	return c
}

func kill(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	ended(c.Dir)
}

// ended waits until no process works in a directory: what a command started dies with its
// helve, but the kernel takes a moment for it.
func ended(dir string) {
	for {
		busy := false
		links, _ := filepath.Glob("/proc/[0-9]*/cwd") // the pattern is valid
		for _, link := range links {
			at, err := os.Readlink(link)
			busy = busy || err == nil && (at == dir || strings.HasPrefix(at, dir+"/"))
		}
		if !busy {
			return
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // they are not children of this process
	}
}

// A command whose helve is killed is recorded by the next call, and undone like any other.
func TestKilledHelve(t *testing.T) {
	t.Parallel()
	dir := files(t)
	before := shown(t, dir)
	line := "echo more >> a; mv b d; chmod 700 c; mkdir n; ln -s a n/l; echo ready; sleep 68.5"
	kill(t, begun(t, dir, map[string]any{"command": line}))
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "history"))
	entries, _ := a.Data["entries"].([]any)
	if len(entries) != 1 || len(a.Warnings) != 1 || !strings.Contains(a.Warnings[0], "helve was stopped while echo more >> a; ") {
		t.Fatalf("%+v", a)
	}
	if one := entries[0].(map[string]any); one["tool"] != "exec" || one["command"] != line || one["stopped"] != true || one["undoable"] != true {
		t.Errorf("%+v", one)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "undo")); !a.OK || len(a.Warnings) > 0 {
		t.Errorf("%+v", a)
	}
	if diff := cmp.Diff(before, shown(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Undo finds by itself what the last command did, wherever helve was killed.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	dir := files(t)
	before := shown(t, dir)
	rounds := 10
	if testing.Short() {
		rounds = 5
	}
	interrupted := 0
	for range rounds {
		c := cmdtest.Person(t, dir, "exec", "for i in 1 2 3 4 5 6 7 8 9; do echo $i >> a; echo $i > n$i; done; mv b d; chmod 700 c")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(rand.Int64N(int64(40*time.Millisecond))), func() { _ = c.Process.Kill() }) // it may have ended
		_ = c.Wait()                                                                                                     // see above
		timer.Stop()
		ended(dir)
		if c.ProcessState.ExitCode() > 0 {
			t.Fatal(c.ProcessState) // it was refused
		}
		a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "undo"))
		if a.Error.Code == "no_history" {
			a.OK = true // it had changed nothing yet
		}
		if !a.OK {
			t.Fatalf("%+v", a)
		}
		if len(a.Warnings) > 0 {
			interrupted++
		}
		if diff := cmp.Diff(before, shown(t, dir)); diff != "" {
			t.Fatalf("%s after %+v", diff, a)
		}
	}
	t.Logf("%d of %d commands were interrupted", interrupted, rounds)
	if left, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "state", "*", "track", "*.run")); err != nil || len(left) > 0 {
		t.Errorf("%s %v", left, err)
	}
}

// Two commands run at the same time: each names what the other changed, with the id that
// undoes it, and undoes its own.
func TestAlsoChangedBy(t *testing.T) {
	t.Parallel()
	dir := files(t)
	before := shown(t, dir)
	args, err := json.Marshal(map[string]any{"command": "echo long >> a; echo ready; until test -e go; do sleep 0.01; done"})
	if err != nil {
		t.Fatal(err)
	}
	long := cmdtest.Person(t, dir, "exec", "--stream", string(args))
	out, err := long.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := long.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "ready") {
		t.Fatalf("%q %v", line, err)
	}
	short := cmdtest.Exec(t, dir, map[string]any{"command": "echo short >> b"})
	wrote, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "write", `{"path":"w","content":"w"}`))
	cmdtest.Put(t, dir, "go", "") // by a person, so that it counts as changed by the command
	var last string
	for line, err := lines.ReadString('\n'); err == nil; line, err = lines.ReadString('\n') {
		last = line
	}
	if err := long.Wait(); err != nil {
		t.Fatal(err)
	}
	var a cmdtest.Answer
	if err := json.Unmarshal([]byte(last), &a); err != nil {
		t.Fatalf("%q %v", last, err)
	}
	type object = map[string]any
	want := []any{object{"path": "b", "tool": "exec", "undo_id": short.Data["undo_id"]}, object{"path": "w", "tool": "write", "undo_id": wrote.Data["undo_id"]}}
	if diff := cmp.Diff(want, a.Data["also_changed_by"]); diff != "" {
		t.Errorf("%s in %+v and %+v", diff, a, short)
	}
	for _, id := range []any{a.Data["undo_id"], short.Data["undo_id"], wrote.Data["undo_id"]} {
		if u, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "undo", "--id", id.(string))); !u.OK {
			t.Errorf("%v: %+v", id, u)
		}
	}
	if diff := cmp.Diff(before, shown(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Of a repository that undo restores, the result names the directory and how much of it,
// and shows no differences.
func TestUndoOfCommit(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := files(t)
	setup := exec.Command("sh", "-ec", "git init -q . && git config user.name a && git config user.email a@b.c && git add a && git commit -qm 1")
	setup.Dir = dir
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if a := cmdtest.Exec(t, dir, map[string]any{"command": "echo more >> b; git add b; git commit -qm 2"}); a.Data["exit_code"] != 0.0 {
		t.Fatalf("%+v", a)
	}
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "undo"))
	var of []string
	items, _ := a.Data["undone"].([]any)
	for _, one := range items {
		one := one.(map[string]any)
		of = append(of, one["path"].(string))
		if one["path"] == ".git" && one["entries"].(float64) < 3 {
			t.Errorf("%+v", one)
		}
	}
	slices.Sort(of)
	if text, _ := a.Data["diff"].(string); !slices.Equal(of, []string{".git", "b"}) || strings.Contains(text, ".git") || !strings.Contains(text, "-more") {
		t.Errorf("%s %+v", of, a)
	}
}
