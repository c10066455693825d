package cmd_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestHangs runs commands that keep others waiting: each call ends with what was
// printed, long before its timeout.
func TestHangs(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	begun := time.Now()
	for _, c := range []struct {
		program, command string
		output           string // end of it
		killed           string
	}{
		{"", "sleep 61.5 & echo hi", "hi\n", "sleep 61.5"},
		{"setsid", "setsid -f sleep 62.5; echo hi", "hi\n", "sleep 62.5"},
		{"git", `git init -q . && git -c user.name=x -c user.email=x@x commit --allow-empty; echo "status $?"`, "status 1\n", ""},
		{"less", "seq 1 500 | less | tail -1", "500\n", ""},
		{"python3", "python3; echo done", "done\n", ""},
		{"", "read x; echo done", "done\n", ""},
		{"", "cat; echo done", "done\n", ""},
		{"man", "man ls | head -1 > /dev/null; echo done", "done\n", ""},
	} {
		if c.program != "" {
			if _, err := exec.LookPath(c.program); err != nil {
				t.Logf("no %s: %s is not tried", c.program, c.command)
				continue
			}
		}
		a := cmdtest.Exec(t, dir, map[string]any{"command": c.command, "timeout": 50, "shell": "bash"})
		if a.Error.Code == "approval_required" {
			id := a.Error.Details["approval"].(map[string]any)["id"].(string)
			a, _ = cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id))
		}
		out, _ := a.Data["output"].(string)
		if !a.OK || a.Data["timed_out"] != false || !strings.HasSuffix(out, c.output) {
			t.Errorf("%s: %+v", c.command, a)
		}
		killed, _ := a.Data["killed"].([]any)
		if c.killed != "" && (len(killed) != 1 || killed[0] != c.killed) {
			t.Errorf("%s left %v", c.command, a.Data["killed"])
		}
		if c.killed != "" && exec.Command("pgrep", "-xf", c.killed).Run() == nil {
			t.Errorf("%s still runs", c.killed)
		}
	}
	if took := time.Since(begun); took > 50*time.Second {
		t.Errorf("one of them hung: %v", took)
	}
}

// A command that asks for a password finds no terminal.
func TestAskingPrograms(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	for program, line := range map[string]string{
		"sudo": "sudo true; echo status $?", "ssh": "ssh -p 1 nobody@127.0.0.1; echo status $?",
		"passwd": "passwd nobody < /dev/tty; echo status $?",
	} {
		t.Run(program, func(t *testing.T) {
			if _, err := exec.LookPath(program); err != nil {
				t.Skip("no " + program)
			}
			a := cmdtest.Exec(t, dir, map[string]any{"command": line, "timeout": 50})
			if a.Error.Code != "approval_required" {
				t.Fatalf("%s: %+v", line, a)
			}
			a, _ = cmdtest.Call(t, cmdtest.Person(t, dir, "approve", a.Error.Details["approval"].(map[string]any)["id"].(string)))
			out, _ := a.Data["output"].(string)
			if !a.OK || a.Data["timed_out"] != false || !strings.Contains(out, "status ") || strings.Contains(out, "status 0") {
				t.Errorf("%s: %+v", line, a)
			}
		})
	}
}

func TestTimeoutKeepsOutput(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	a := cmdtest.Exec(t, dir, map[string]any{"command": "echo partial; trap '' TERM; sleep 63.5; sleep 63.5", "timeout": 1})
	if a.Error.Code == "approval_required" {
		a, _ = cmdtest.Call(t, cmdtest.Person(t, dir, "approve", a.Error.Details["approval"].(map[string]any)["id"].(string)))
	}
	if !a.OK || a.Data["timed_out"] != true || a.Data["output"] != "partial\n" || a.Data["ended"] != "timeout" {
		t.Errorf("%+v", a)
	}
	if a := cmdtest.Exec(t, dir, map[string]any{"command": "echo partial; sleep 64.5", "idle": 1}); a.Data["timed_out"] != true || a.Data["ended"] != "idle" {
		t.Errorf("%+v", a)
	}
}

// TestLeavesNothing makes many short calls. HELVE_TEST_CALLS sets how many.
func TestLeavesNothing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only /proc shows what is left")
	}
	dir := cmdtest.Commands(t)
	calls := 60
	if n, err := strconv.Atoi(os.Getenv("HELVE_TEST_CALLS")); err == nil {
		calls = n
	}
	one := func(i int) {
		want := strconv.Itoa(i) + "\n"
		a := cmdtest.Exec(t, dir, map[string]any{"command": "(setsid sleep 65.5 > /dev/null 2>&1 &) ; echo " + strconv.Itoa(i)})
		if a.Data["output"] != want {
			t.Fatalf("%+v", a)
		}
	}
	one(-1)
	before := left(t, dir)
	for i := range calls {
		one(i)
	}
	if d := cmp.Diff(before, left(t, dir)); d != "" {
		t.Error(d)
	}
	if exec.Command("pgrep", "-xf", "sleep 65.5").Run() == nil {
		t.Error("processes are left")
	}
}

// left lists what calls may leave behind: mounts, and files by their names.
func left(t *testing.T, dir string) []string {
	t.Helper()
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	tops := []string{dir, cmdtest.HomeOf(dir), cmdtest.Getenv(dir, "TMPDIR")}
	var found []string
	foreign := regexp.MustCompile(`/Test\w*\d+/\d{3}(/|$)`) // where tests of other packages mount, at the same time
	for line := range strings.Lines(string(mounts)) {
		at := strings.Fields(line)[4]
		if own := slices.ContainsFunc(tops, func(top string) bool { return strings.HasPrefix(at, top) }); own || !foreign.MatchString(at) {
			found = append(found, line)
		}
	}
	for _, top := range tops {
		err := filepath.WalkDir(top, func(name string, _ os.DirEntry, err error) error {
			found = append(found, name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// TestKilledCaller kills helve: the command ends with it.
func TestKilledCaller(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends a child with its parent")
	}
	dir := cmdtest.Commands(t)
	c := cmdtest.Person(t, dir, "exec", "--stream", "echo ready; sleep 66.5")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 100)
	if n, err := out.Read(line); err != nil || !bytes.Contains(line[:n], []byte("ready")) {
		t.Fatalf("%q %v", line[:n], err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	for deadline := time.Now().Add(10 * time.Second); exec.Command("pgrep", "-xf", "sleep 66.5").Run() == nil; {
		if time.Now().After(deadline) {
			t.Fatal("the command outlived helve")
		}
	}
}

// TestDecisionIsBound changes files that a command names between the question and
// the answer.
func TestDecisionIsBound(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	for name, change := range map[string]func(){
		"a script":    func() { cmdtest.Put(t, dir, "s.sh", "rm -f other\n") },
		"a directory": func() { cmdtest.Put(t, filepath.Join(dir, "d"), "new", "x") },
		"nothing":     func() {},
	} {
		cmdtest.Put(t, dir, "s.sh", "rm -f victim\n")
		if err := os.RemoveAll(filepath.Join(dir, "d")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
			t.Fatal(err)
		}
		a := cmdtest.Exec(t, dir, map[string]any{"command": "bash s.sh; rm -r d # " + name}) // an approved call is not asked about again
		if a.Error.Code != "approval_required" {
			t.Fatalf("%+v", a)
		}
		change()
		a, _ = cmdtest.Call(t, cmdtest.Person(t, dir, "approve", a.Error.Details["approval"].(map[string]any)["id"].(string)))
		if want := map[bool]string{true: "", false: "approval_stale"}[name == "nothing"]; a.Error.Code != want {
			t.Errorf("%s has changed: %+v", name, a)
		}
	}
}

// TestJobIsUndone undoes what a background command did.
func TestJobIsUndone(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	file := cmdtest.Put(t, dir, "f", "old\n")
	a := cmdtest.Exec(t, dir, map[string]any{"command": "echo new > f; echo x > g", "background": true})
	id, _ := a.Data["job"].(string)
	if !a.OK || id == "" {
		t.Fatalf("%+v", a)
	}
	a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"wait"}`))
	one, _ := a.Data["job"].(map[string]any)
	want := []any{map[string]any{"path": "f", "action": "modify"}, map[string]any{"path": "g", "action": "create"}}
	if diff := cmp.Diff(want, one["changes"]); diff != "" || cmdtest.Content(t, file) != "new\n" {
		t.Fatalf("%s %+v", diff, a)
	}
	a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "undo", `{"id":"`+one["undo_id"].(string)+`"}`))
	if _, err := os.Stat(filepath.Join(dir, "g")); !a.OK || err == nil || cmdtest.Content(t, file) != "old\n" {
		t.Errorf("%+v %v", a, err)
	}
}

func TestJobs(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	a := cmdtest.Exec(t, dir, map[string]any{"command": "echo one; sleep 0.2; echo two; exit 4", "background": true})
	id, _ := a.Data["job"].(string)
	if !a.OK || id == "" {
		t.Fatalf("%+v", a)
	}
	a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"wait"}`))
	one, _ := a.Data["job"].(map[string]any)
	if !a.OK || one["state"] != "ended" || one["exit_code"] != float64(4) || a.Data["output"] != "one\ntwo\n" || a.Data["next"] != float64(8) {
		t.Errorf("%+v", a)
	}
	if a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"read","since":4}`)); a.Data["output"] != "two\n" {
		t.Errorf("%+v", a)
	}
	if a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"action":"wait"}`)); a.Error.Code != "invalid_arguments" || !strings.Contains(a.Error.Hint, "no job of this session runs") {
		t.Errorf("none runs: %+v", a)
	}
	a = cmdtest.Exec(t, dir, map[string]any{"command": "sleep 67.5", "background": true})
	id = a.Data["job"].(string)
	for _, args := range []string{`{"action":"read"}`, `{"action":"wait","timeout":1}`} {
		a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", args))
		if one, _ = a.Data["job"].(map[string]any); one["id"] != id || one["state"] != "running" {
			t.Errorf("the only one, %s: %+v", args, a)
		}
	}
	if a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "--session", "other", "job", `{"action":"wait"}`)); a.OK {
		t.Errorf("that of another session: %+v", a)
	}
	second := cmdtest.Exec(t, dir, map[string]any{"command": "sleep 68.5", "background": true}).Data["job"].(string)
	if a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"action":"wait"}`)); a.OK || !strings.Contains(a.Error.Hint, second+" (sleep 68.5)") || !strings.Contains(a.Error.Hint, id) {
		t.Errorf("two run: %+v", a)
	}
	if a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+second+`","action":"stop"}`)); !a.OK {
		t.Errorf("%+v", a)
	}
	if a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "--readonly", "job", `{"id":"`+id+`","action":"stop"}`)); a.Error.Code != "denied" || exit != 3 {
		t.Errorf("%+v", a)
	}
	if a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "--readonly", "job")); len(a.Data["jobs"].([]any)) != 3 {
		t.Errorf("%+v", a)
	}
	a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"stop"}`))
	if one, _ = a.Data["job"].(map[string]any); one["state"] != "stopped" {
		t.Errorf("%+v", a)
	}
	if exec.Command("pgrep", "-xf", "sleep 67.5").Run() == nil {
		t.Error("the job still runs")
	}
	if a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"x","action":"read"}`)); a.Error.Code != "not_found" || exit != 1 {
		t.Errorf("%+v", a)
	}
	if a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"action":"stop"}`)); a.Error.Code != "invalid_arguments" || exit != 2 {
		t.Errorf("%+v", a)
	}
}

// TestJobOutputIsReduced reads the whole output of a job that has ended without what is
// noise, and parts of it as they are.
func TestJobOutputIsReduced(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	cmdtest.Put(t, dir, "suite.sh", `i=0
while [ $i -lt 400 ]; do echo "--- PASS: Test$i (0.00s)"; i=$((i+1)); done
echo '--- FAIL: TestTotal (0.00s)'
echo '    cart_test.go:7: got 6, want 7'
exit 1
`)
	run := func(line string) (id string, whole cmdtest.Answer) {
		t.Helper()
		a := cmdtest.Exec(t, dir, map[string]any{"command": line, "background": true})
		id, _ = a.Data["job"].(string)
		if !a.OK || id == "" {
			t.Fatalf("%+v", a)
		}
		whole, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","action":"wait","timeout":600}`))
		return id, whole
	}
	id, a := run("sh suite.sh")
	reduced, _ := a.Data["reduced"].(map[string]any)
	want := "[400 tests passed]\n--- FAIL: TestTotal (0.00s)\n    cart_test.go:7: got 6, want 7\n"
	if a.Data["output"] != want || reduced["by"] != "go-test" || reduced["lines"] != float64(399) || a.Data["truncated"] != false {
		t.Errorf("%+v", a)
	}
	for _, args := range []string{`"since":0`, `"raw":true`} {
		a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","max_output":100000,`+args+`}`))
		if out, _ := a.Data["output"].(string); strings.Count(out, "--- PASS") != 400 || a.Data["reduced"] != nil {
			t.Errorf("%s: %+v", args, a)
		}
	}
	a, _ = cmdtest.Call(t, cmdtest.Helve(dir, "job", `{"id":"`+id+`","since":10,"max_output":200}`))
	if out, _ := a.Data["output"].(string); len(out) != 200 || a.Data["next"] != float64(210) {
		t.Errorf("%+v", a)
	}
	// More than is looked at.
	_, a = run("seq 1 40000")
	out, _ := a.Data["output"].(string)
	if !strings.HasPrefix(out, "1\n2\n") || !strings.HasSuffix(out, "\n39999\n40000\n") || !strings.Contains(out, " like: …]\n") || len(out) > 11_000 ||
		a.Data["truncated"] != true || a.Data["next"] != float64(228_894) {
		t.Errorf("%+v", a)
	}
}

// Without a sandbox, every command that changes something needs approval; where a
// sandbox is required and there is none, nothing runs.
func TestSandboxSettings(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"exec":{"sandbox":"off"}}`)
	if a := cmdtest.Exec(t, dir, map[string]any{"command": "ls"}); !a.OK || a.Data["sandbox"].(map[string]any)["tier"] != "none" {
		t.Errorf("%+v", a)
	}
	if a := cmdtest.Exec(t, dir, map[string]any{"command": "touch x"}); a.Error.Code != "approval_required" {
		t.Errorf("%+v", a)
	}
	// The workspace's own settings cannot turn it off.
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{}`)
	if err := os.Mkdir(filepath.Join(dir, ".helve"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, filepath.Join(dir, ".helve"), "config.json", `{"exec":{"sandbox":"off","network":"full","readable":["/etc/shadow"]}}`)
	a := cmdtest.Exec(t, dir, map[string]any{"command": "ls"})
	if !a.OK || a.Data["sandbox"].(map[string]any)["tier"] == "none" && runtime.GOOS == "linux" || len(a.Warnings) != 1 {
		t.Errorf("%+v", a)
	}
}
