package approvals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// proposals returns how many calls the audit log has seen.
func proposals(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "state", "*", "*audit*"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		raw, _ := os.ReadFile(file) // it may be rotated just now
		n += bytes.Count(raw, []byte(`"event":"proposed"`))
	}
	return n
}

// outcome returns what "approvals show" says of a request's call.
func outcome(t *testing.T, dir, id string) map[string]any {
	t.Helper()
	a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approvals", "show", id))
	o, ok := a.Data["outcome"].(map[string]any)
	if !ok {
		t.Fatalf("no outcome: %+v", a)
	}
	return o
}

// TestOutcomeReachesAsker shows the same result to the process that waited, to the one
// that passes the approval, and to the person who looks, whoever ran the call.
func TestOutcomeReachesAsker(t *testing.T) {
	t.Parallel()
	args := `{"path":"SOUL.md","mode":"append","content":"more\n"}`
	for _, decider := range [][]string{{"approve"}, {"approve", "--no-run"}} {
		dir, soul := cmdtest.Asked(t)
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", args))
		id := a.Error.Details["approval"].(map[string]any)["id"].(string)
		if !strings.Contains(a.Error.Hint, "--approval "+id) {
			t.Errorf("hint %q", a.Error.Hint)
		}
		before := proposals(t, dir)
		waiter := cmdtest.Start(t, cmdtest.Person(t, dir, "--approval-wait", "1m", "write", args))
		cmdtest.Eventually(t, "the waiter comes", func() bool { return proposals(t, dir) > before })
		<-time.After(300 * time.Millisecond) // it asks, and then waits
		decided, _ := cmdtest.Call(t, cmdtest.Person(t, dir, append(decider, id)...))
		if !decided.OK {
			t.Fatalf("%v: %+v", decider, decided)
		}
		want := waiter.Answer(t)
		if !want.OK || want.Data["undo_id"] == nil || len(decider) == 1 && cmdtest.JSON(decided.Data) != cmdtest.JSON(want.Data) {
			t.Errorf("%v: decider %+v, waiter %+v", decider, decided, want)
		}
		for range 2 {
			if again, exit := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "write", args)); cmdtest.JSON(again) != cmdtest.JSON(want) || exit != 0 {
				t.Errorf("%v: again exit %d, %+v, want %+v", decider, exit, again, want)
			}
		}
		said, err := cmdtest.Helve(dir, "-o", "text", "--approval", id, "write", args).Output()
		if err != nil || !strings.Contains(string(said), "appended") {
			t.Errorf("%v: as text: %v %q", decider, err, said)
		}
		if o := outcome(t, dir, id); o["status"] != "done" || cmdtest.JSON(o["data"]) != cmdtest.JSON(want.Data) {
			t.Errorf("%v: show says %v", decider, o)
		}
		if got := cmdtest.Content(t, soul); got != "old\nmore\n" {
			t.Errorf("%v: %q", decider, got)
		}
		if other, exit := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "write", `{"path":"SOUL.md","content":"other\n"}`)); other.Error.Code != "approval_stale" || exit != 3 {
			t.Errorf("%v: another call: exit %d, %+v", decider, exit, other)
		}
	}
}

// TestOutcomeAfterMove returns the result of a call although nothing is left of what it
// was about, and runs it not again where it could.
func TestOutcomeAfterMove(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"move","decision":"ask"}]}`)
	cmdtest.Put(t, dir, "a", "a")
	args := `{"from":"a","to":"b"}`
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "move", args))
	if a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	id := a.Error.Details["approval"].(map[string]any)["id"].(string)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); !a.OK {
		t.Fatalf("%+v", a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "move", args)); !a.OK || a.Data["to"] != "b" {
		t.Errorf("%+v", a)
	}
	cmdtest.Put(t, dir, "a", "a new one") // to be moved by a second run
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "move", args)); !a.OK || a.Data["to"] != "b" {
			t.Errorf("%+v", a)
		}
	}
	if got := cmdtest.Content(t, filepath.Join(dir, "a")); got != "a new one" {
		t.Errorf("%q", got)
	}
	a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id))
	if a.Error.Code != "approval_invalid" || exit != 3 || !strings.Contains(a.Error.Hint, "approvals show "+id) || strings.Contains(a.Error.Hint, "make the call again") {
		t.Errorf("exit %d, %+v", exit, a)
	}
}

// TestApprovalSpentWhenStale lets no process use a decision again that was stale once.
func TestApprovalSpentWhenStale(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	id := cmdtest.Ask(t, dir)
	cmdtest.Put(t, dir, "SOUL.md", "changed by others\n")
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); a.Error.Code != "approval_stale" {
		t.Fatalf("%+v", a)
	}
	cmdtest.Put(t, dir, "SOUL.md", "old\n")
	for _, c := range []*exec.Cmd{cmdtest.Person(t, dir, "approve", id), cmdtest.Helve(dir, "--approval", id, "write", `{"path":"SOUL.md","content":"new\n"}`)} {
		if a, exit := cmdtest.Call(t, c); a.Error.Code != "approval_stale" || exit != 3 {
			t.Errorf("exit %d, %+v", exit, a)
		}
	}
	if got := cmdtest.Content(t, soul); got != "old\n" {
		t.Errorf("%q", got)
	}
}

// TestAllowedMeanwhile runs a call once that was approved and is allowed since.
func TestAllowedMeanwhile(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	args := `{"path":"SOUL.md","mode":"append","content":"more\n"}`
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", args))
	id := a.Error.Details["approval"].(map[string]any)["id"].(string)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", "--no-run", id)); !a.OK {
		t.Fatalf("%+v", a)
	}
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{}`)
	for range 2 {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "write", args)); !a.OK {
			t.Errorf("%+v", a)
		}
	}
	if got := cmdtest.Content(t, soul); got != "old\nmore\n" {
		t.Errorf("%q", got)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "write", `{"path":"free.txt","content":"x"}`)); !a.OK {
		t.Errorf("a call that needs no approval: %+v", a)
	}
}

// TestOutcomeRace runs fifty times at once: two processes that wait, one that passes
// the approval, and one that approves. One of them runs the call, and all say the same.
func TestOutcomeRace(t *testing.T) {
	t.Parallel()
	const runs = 50
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"path":"soul/*","write":"ask","edit":"ask"}]}`)
	type run struct {
		id, args string
		waiters  [2]*cmdtest.Started
	}
	all := make([]run, runs)
	var group sync.WaitGroup
	each := func(do func(i int, r *run)) {
		for i := range all {
			group.Go(func() { do(i, &all[i]) })
		}
		group.Wait()
	}
	each(func(i int, r *run) {
		r.args = fmt.Sprintf(`{"path":"soul/%d","mode":"append","content":"line\n"}`, i)
		var a cmdtest.Answer
		raw, _ := cmdtest.Person(t, dir, "write", r.args).Output()
		if err := json.Unmarshal(raw, &a); err != nil || a.Error.Code != "approval_required" {
			t.Errorf("%v %s", err, raw)
			return
		}
		r.id = a.Error.Details["approval"].(map[string]any)["id"].(string)
	})
	if t.Failed() {
		t.FailNow()
	}
	before := proposals(t, dir)
	for i := range all {
		for w := range all[i].waiters {
			all[i].waiters[w] = cmdtest.Start(t, cmdtest.Person(t, dir, "--approval-wait", "20s", "write", all[i].args))
		}
	}
	cmdtest.Eventually(t, "the waiters come", func() bool { return proposals(t, dir) >= before+2*runs })
	<-time.After(time.Second) // they ask, and then wait
	var mu sync.Mutex
	late := 0
	each(func(i int, r *run) {
		approver := cmdtest.Start(t, cmdtest.Person(t, dir, "approve", r.id))
		var passed cmdtest.Answer
		for passed.Error.Code = "approval_required"; passed.Error.Code == "approval_required"; {
			passed = cmdtest.Start(t, cmdtest.Person(t, dir, "--approval", r.id, "write", r.args)).Answer(t)
		}
		want := approver.Answer(t)
		if !want.OK || cmdtest.JSON(passed) != cmdtest.JSON(want) {
			t.Errorf("approver %+v, passed %+v", want, passed)
		}
		for _, w := range r.waiters {
			got := w.Answer(t)
			if got.Error.Code == "approval_required" { // it came so late that it asked anew
				mu.Lock()
				late++
				mu.Unlock()
			} else if cmdtest.JSON(got) != cmdtest.JSON(want) {
				t.Errorf("approver %+v, waiter %+v", want, got)
			}
		}
		if o := outcome(t, dir, r.id); o["status"] != "done" || cmdtest.JSON(o["data"]) != cmdtest.JSON(want.Data) {
			t.Errorf("show %v", o)
		}
		if got := cmdtest.Content(t, filepath.Join(dir, "soul", fmt.Sprint(i))); got != "line\n" {
			t.Errorf("run %d: %q", i, got)
		}
	})
	if late == 2*runs {
		t.Error("all waiters came too late")
	}
}

// TestKilledWhileApproved kills the process that carries a call out. All who ask
// hear that its outcome is unknown, and nobody runs it again.
func TestKilledWhileApproved(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no kill -9")
	}
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"tool":"slow","decision":"ask"}]}`)
	manifest := cmdtest.Put(t, t.TempDir(), "slow.json", `{"name":"slow","description":"Be slow.","risk":"write","run":{"argv":["sh","-c","echo ran >> log.txt; sleep 20"]}}`)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "tools", "register", manifest)); !a.OK {
		t.Fatalf("%+v", a)
	}
	args := `{}`
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "slow", args))
	if a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	id := a.Error.Details["approval"].(map[string]any)["id"].(string)
	before := proposals(t, dir)
	waiter := cmdtest.Start(t, cmdtest.Person(t, dir, "--approval-wait", "1m", "slow", args))
	cmdtest.Eventually(t, "the waiter comes", func() bool { return proposals(t, dir) > before })
	<-time.After(300 * time.Millisecond) // it asks, and then waits
	approver := cmdtest.Start(t, cmdtest.Person(t, dir, "approve", id))
	ran := func() bool { // the file is there before the line is in it
		info, err := os.Stat(filepath.Join(dir, "log.txt"))
		return err == nil && info.Size() > 0
	}
	cmdtest.Eventually(t, "the command runs", ran)
	runner, other := approver, waiter
	if runs(t, dir, waiter.Process.Pid) {
		runner, other = waiter, approver
	}
	if o := outcome(t, dir, id); o["status"] != "running" {
		t.Errorf("show %v", o)
	}
	if err := runner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = runner.Wait() // killed
	lost := other.Answer(t)
	if lost.Error.Code != "approval_invalid" || !strings.Contains(lost.Error.Message, "unknown") || !strings.Contains(lost.Error.Hint, "helve history") {
		t.Errorf("%+v", lost)
	}
	if again, exit := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "slow", args)); again.Error.Code != "approval_invalid" || exit != 3 {
		t.Errorf("exit %d, %+v", exit, again)
	}
	if o := outcome(t, dir, id); o["status"] != "lost" || o["ok"] != false {
		t.Errorf("show %v", o)
	}
	if got := cmdtest.Content(t, filepath.Join(dir, "log.txt")); got != "ran\n" {
		t.Errorf("%q", got)
	}
}

// runs reports whether a process is the one that was allowed to carry a call out, by
// the audit log.
func runs(t *testing.T, dir string, pid int) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "state", "*", "*audit*"))
	for _, file := range files {
		for line := range strings.Lines(cmdtest.Content(t, file)) {
			if strings.Contains(line, `"event":"decided"`) && strings.Contains(line, `"outcome":"ok"`) && strings.Contains(line, fmt.Sprintf(`"pid":%d,`, pid)) {
				return true
			}
		}
	}
	return false
}
