package cmd_test

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
)

// started is a process that runs.
type started struct {
	*exec.Cmd
	out bytes.Buffer
}

func start(t *testing.T, c *exec.Cmd) *started {
	t.Helper()
	s := &started{Cmd: c}
	c.Stdout = &s.out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// answer waits for the process and returns its document.
func (s *started) answer(t *testing.T) answer {
	t.Helper()
	_ = s.Wait() // the status is in the document
	var a answer
	if err := json.Unmarshal(s.out.Bytes(), &a); err != nil {
		t.Errorf("%v: %v %q", s.Args, err, s.out.String())
	}
	return a
}

// proposals returns how many calls the audit log has seen.
func proposals(t *testing.T, dir string) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(homeOf(dir), "state", "*", "*audit*"))
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

// eventually waits until something is so.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
		<-time.After(10 * time.Millisecond)
	}
}

func text(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// outcome returns what "approvals show" says of a request's call.
func outcome(t *testing.T, dir, id string) map[string]any {
	t.Helper()
	a, _ := call(t, person(t, dir, "approvals", "show", id))
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
		dir, soul := asked(t)
		a, _ := call(t, helve(dir, "write", args))
		id := a.Error.Details["approval"].(map[string]any)["id"].(string)
		if !strings.Contains(a.Error.Hint, "--approval "+id) {
			t.Errorf("hint %q", a.Error.Hint)
		}
		before := proposals(t, dir)
		waiter := start(t, person(t, dir, "--approval-wait", "1m", "write", args))
		eventually(t, "the waiter comes", func() bool { return proposals(t, dir) > before })
		<-time.After(300 * time.Millisecond) // it asks, and then waits
		decided, _ := call(t, person(t, dir, append(decider, id)...))
		if !decided.OK {
			t.Fatalf("%v: %+v", decider, decided)
		}
		want := waiter.answer(t)
		if !want.OK || want.Data["undo_id"] == nil || len(decider) == 1 && text(decided.Data) != text(want.Data) {
			t.Errorf("%v: decider %+v, waiter %+v", decider, decided, want)
		}
		for range 2 {
			if again, exit := call(t, helve(dir, "--approval", id, "write", args)); text(again) != text(want) || exit != 0 {
				t.Errorf("%v: again exit %d, %+v, want %+v", decider, exit, again, want)
			}
		}
		said, err := helve(dir, "-o", "text", "--approval", id, "write", args).Output()
		if err != nil || !strings.Contains(string(said), "appended") {
			t.Errorf("%v: as text: %v %q", decider, err, said)
		}
		if o := outcome(t, dir, id); o["status"] != "done" || text(o["data"]) != text(want.Data) {
			t.Errorf("%v: show says %v", decider, o)
		}
		if got := content(t, soul); got != "old\nmore\n" {
			t.Errorf("%v: %q", decider, got)
		}
		if other, exit := call(t, helve(dir, "--approval", id, "write", `{"path":"SOUL.md","content":"other\n"}`)); other.Error.Code != "approval_stale" || exit != 3 {
			t.Errorf("%v: another call: exit %d, %+v", decider, exit, other)
		}
	}
}

// TestOutcomeAfterMove returns the result of a call although nothing is left of what it
// was about, and runs it not again where it could.
func TestOutcomeAfterMove(t *testing.T) {
	t.Parallel()
	dir := workdir(t)
	put(t, homeOf(dir), "config.json", `{"rules":[{"tool":"move","decision":"ask"}]}`)
	put(t, dir, "a", "a")
	args := `{"from":"a","to":"b"}`
	a, _ := call(t, helve(dir, "move", args))
	if a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	id := a.Error.Details["approval"].(map[string]any)["id"].(string)
	if a, _ := call(t, person(t, dir, "approve", id)); !a.OK {
		t.Fatalf("%+v", a)
	}
	if a, _ := call(t, helve(dir, "--approval", id, "move", args)); !a.OK || a.Data["to"] != "b" {
		t.Errorf("%+v", a)
	}
	put(t, dir, "a", "a new one") // to be moved by a second run
	if err := os.Remove(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if a, _ := call(t, helve(dir, "--approval", id, "move", args)); !a.OK || a.Data["to"] != "b" {
			t.Errorf("%+v", a)
		}
	}
	if got := content(t, filepath.Join(dir, "a")); got != "a new one" {
		t.Errorf("%q", got)
	}
	a, exit := call(t, person(t, dir, "approve", id))
	if a.Error.Code != "approval_invalid" || exit != 3 || !strings.Contains(a.Error.Hint, "approvals show "+id) || strings.Contains(a.Error.Hint, "make the call again") {
		t.Errorf("exit %d, %+v", exit, a)
	}
}

// TestApprovalSpentWhenStale lets no process use a decision again that was stale once.
func TestApprovalSpentWhenStale(t *testing.T) {
	t.Parallel()
	dir, soul := asked(t)
	id := ask(t, dir)
	put(t, dir, "SOUL.md", "changed by others\n")
	if a, _ := call(t, person(t, dir, "approve", id)); a.Error.Code != "approval_stale" {
		t.Fatalf("%+v", a)
	}
	put(t, dir, "SOUL.md", "old\n")
	for _, c := range []*exec.Cmd{person(t, dir, "approve", id), helve(dir, "--approval", id, "write", `{"path":"SOUL.md","content":"new\n"}`)} {
		if a, exit := call(t, c); a.Error.Code != "approval_stale" || exit != 3 {
			t.Errorf("exit %d, %+v", exit, a)
		}
	}
	if got := content(t, soul); got != "old\n" {
		t.Errorf("%q", got)
	}
}

// TestAllowedMeanwhile runs a call once that was approved and is allowed since.
func TestAllowedMeanwhile(t *testing.T) {
	t.Parallel()
	dir, soul := asked(t)
	args := `{"path":"SOUL.md","mode":"append","content":"more\n"}`
	a, _ := call(t, helve(dir, "write", args))
	id := a.Error.Details["approval"].(map[string]any)["id"].(string)
	if a, _ := call(t, person(t, dir, "approve", "--no-run", id)); !a.OK {
		t.Fatalf("%+v", a)
	}
	put(t, homeOf(dir), "config.json", `{}`)
	for range 2 {
		if a, _ := call(t, helve(dir, "--approval", id, "write", args)); !a.OK {
			t.Errorf("%+v", a)
		}
	}
	if got := content(t, soul); got != "old\nmore\n" {
		t.Errorf("%q", got)
	}
	if a, _ := call(t, helve(dir, "--approval", id, "write", `{"path":"free.txt","content":"x"}`)); !a.OK {
		t.Errorf("a call that needs no approval: %+v", a)
	}
}

// TestOutcomeRace runs fifty times at once: two processes that wait, one that passes
// the approval, and one that approves. One of them runs the call, and all say the same.
func TestOutcomeRace(t *testing.T) {
	t.Parallel()
	const runs = 50
	dir := workdir(t)
	put(t, homeOf(dir), "config.json", `{"rules":[{"path":"soul/*","write":"ask","edit":"ask"}]}`)
	type run struct {
		id, args string
		waiters  [2]*started
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
		var a answer
		raw, _ := person(t, dir, "write", r.args).Output()
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
			all[i].waiters[w] = start(t, person(t, dir, "--approval-wait", "20s", "write", all[i].args))
		}
	}
	eventually(t, "the waiters come", func() bool { return proposals(t, dir) >= before+2*runs })
	<-time.After(time.Second) // they ask, and then wait
	var mu sync.Mutex
	late := 0
	each(func(i int, r *run) {
		approver := start(t, person(t, dir, "approve", r.id))
		var passed answer
		for passed.Error.Code = "approval_required"; passed.Error.Code == "approval_required"; {
			passed = start(t, person(t, dir, "--approval", r.id, "write", r.args)).answer(t)
		}
		want := approver.answer(t)
		if !want.OK || text(passed) != text(want) {
			t.Errorf("approver %+v, passed %+v", want, passed)
		}
		for _, w := range r.waiters {
			got := w.answer(t)
			if got.Error.Code == "approval_required" { // it came so late that it asked anew
				mu.Lock()
				late++
				mu.Unlock()
			} else if text(got) != text(want) {
				t.Errorf("approver %+v, waiter %+v", want, got)
			}
		}
		if o := outcome(t, dir, r.id); o["status"] != "done" || text(o["data"]) != text(want.Data) {
			t.Errorf("show %v", o)
		}
		if got := content(t, filepath.Join(dir, "soul", fmt.Sprint(i))); got != "line\n" {
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
	dir := workdir(t)
	put(t, homeOf(dir), "config.json", `{"rules":[{"tool":"slow","decision":"ask"}]}`)
	manifest := put(t, t.TempDir(), "slow.json", `{"name":"slow","description":"Be slow.","risk":"write","run":{"argv":["sh","-c","echo ran >> log.txt; sleep 20"]}}`)
	if a, _ := call(t, person(t, dir, "tools", "register", manifest)); !a.OK {
		t.Fatalf("%+v", a)
	}
	args := `{}`
	a, _ := call(t, helve(dir, "slow", args))
	if a.Error.Code != "approval_required" {
		t.Fatalf("%+v", a)
	}
	id := a.Error.Details["approval"].(map[string]any)["id"].(string)
	before := proposals(t, dir)
	waiter := start(t, person(t, dir, "--approval-wait", "1m", "slow", args))
	eventually(t, "the waiter comes", func() bool { return proposals(t, dir) > before })
	<-time.After(300 * time.Millisecond) // it asks, and then waits
	approver := start(t, person(t, dir, "approve", id))
	ran := func() bool { _, err := os.Stat(filepath.Join(dir, "log.txt")); return err == nil }
	eventually(t, "the command runs", ran)
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
	lost := other.answer(t)
	if lost.Error.Code != "approval_invalid" || !strings.Contains(lost.Error.Message, "unknown") || !strings.Contains(lost.Error.Hint, "helve history") {
		t.Errorf("%+v", lost)
	}
	if again, exit := call(t, helve(dir, "--approval", id, "slow", args)); again.Error.Code != "approval_invalid" || exit != 3 {
		t.Errorf("exit %d, %+v", exit, again)
	}
	if o := outcome(t, dir, id); o["status"] != "lost" || o["ok"] != false {
		t.Errorf("show %v", o)
	}
	if got := content(t, filepath.Join(dir, "log.txt")); got != "ran\n" {
		t.Errorf("%q", got)
	}
}

// runs reports whether a process is the one that was allowed to carry a call out, by
// the audit log.
func runs(t *testing.T, dir string, pid int) bool {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(homeOf(dir), "state", "*", "*audit*"))
	for _, file := range files {
		for line := range strings.Lines(content(t, file)) {
			if strings.Contains(line, `"event":"decided"`) && strings.Contains(line, `"outcome":"ok"`) && strings.Contains(line, fmt.Sprintf(`"pid":%d,`, pid)) {
				return true
			}
		}
	}
	return false
}
