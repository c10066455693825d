package approvals_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// sweeping is a command that asks each time and can be run again.
const sweeping = `sh clean.sh; tidy-up; rm -f gone.txt`

// TestApproveSession lets a call run again in its session, until anything is not as it
// was when the person decided.
func TestApproveSession(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	bin, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tool := cmdtest.Put(t, bin, "tidy-up", "#!/bin/sh\n")
	if err := os.Chmod(tool, 0o755); err != nil {
		t.Fatal(err)
	}
	cmdtest.Setenv(dir, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmdtest.Put(t, dir, "clean.sh", "echo clean\n")
	run := func(session, command string) cmdtest.Answer {
		t.Helper()
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "--session", session, "exec", command))
		return a
	}
	approve := func() {
		t.Helper()
		a := run("s1", sweeping)
		if a.Error.Code != "approval_required" {
			t.Fatalf("%+v", a)
		}
		id := a.Error.Details["approval"].(map[string]any)["id"].(string)
		if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id, "--session")); !a.OK || a.Data["output"] != "clean\n" {
			t.Fatalf("%+v", a)
		}
		for range 2 {
			if a := run("s1", sweeping); !a.OK || a.Data["output"] != "clean\n" {
				t.Fatalf("not allowed again: %+v", a)
			}
		}
	}
	asks := func(why, session, command string) {
		t.Helper()
		if a := run(session, command); a.Error.Code != "approval_required" {
			t.Errorf("%s: %+v", why, a)
		}
	}
	approve()
	asks("another session", "s2", sweeping)
	asks("another call", "s1", sweeping+" ")

	cmdtest.Put(t, dir, "clean.sh", "echo evil\n")
	asks("another script", "s1", sweeping)
	cmdtest.Put(t, dir, "clean.sh", "echo clean\n")

	cmdtest.Put(t, bin, "tidy-up", "#!/bin/sh\necho evil\n")
	asks("another program", "s1", sweeping)
	cmdtest.Put(t, bin, "tidy-up", "#!/bin/sh\n")
	approve() // its time is another one

	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"path":"x","write":"ask"}]}`)
	asks("another policy", "s1", sweeping)
	if err := os.Remove(filepath.Join(cmdtest.HomeOf(dir), "config.json")); err != nil {
		t.Fatal(err)
	}
	if a := run("s1", sweeping); !a.OK {
		t.Errorf("the policy is what it was: %+v", a)
	}
}

// TestApproveRule writes a rule that allows exactly one command in one directory.
func TestApproveRule(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	config := cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", "{\n  \"rules\": [\n    {\"path\": \"x\", \"write\": \"ask\"} // mine\n  ]\n}\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	asks := func(args string) string {
		t.Helper()
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "exec", args))
		if a.Error.Code != "approval_required" {
			t.Fatalf("%s: %+v", args, a)
		}
		return a.Error.Details["approval"].(map[string]any)["id"].(string)
	}
	const command = `rm -f "gone away.txt"`
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", asks(command), "--rule")); !a.OK {
		t.Fatalf("%+v", a)
	}
	for range 2 {
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "exec", command)); !a.OK {
			t.Fatalf("the rule does not allow it: %+v", a)
		}
	}
	if got := cmdtest.Content(t, config); strings.Count(got, `"exact":true`) != 1 || !strings.Contains(got, "// mine") || !strings.Contains(got, `"gone away.txt"`) {
		t.Errorf("%s", got)
	}
	for _, other := range []string{`rm -f "gone away.txt" other`, `rm -f gone`, `rm -f "gone away.txt"; rm x`} {
		asks(other)
	}
	asks(`{"command":"rm -f \"gone away.txt\"","cwd":"sub"}`)

	// What words do not say is no rule, and nothing is decided then.
	before := cmdtest.Content(t, config)
	cmdtest.Put(t, dir, "s.sh", "rm -f x\n")
	for _, vague := range []string{
		`rm -f $x`, `rm -f *.o`, `rm -f a b; rm -f c`, `rm -f $(cat list)`, `sh -c 'rm -f x'`, `env rm -f x`, `find . -name x -delete`, `rm -f a > log`,
		`{"command":"rm -f -","stdin":"x"}`, `{"argv":["rm","-f","x"],"env":["A=b"]}`, `A=b rm -f x`, `echo x | xargs rm`, `sudo rm x`,
	} {
		a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", asks(vague), "--rule"))
		if a.Error.Code != "invalid_arguments" || exit != 2 {
			t.Errorf("%s: %d %+v", vague, exit, a)
		}
	}
	if after := cmdtest.Content(t, config); after != before {
		t.Errorf("%s", after)
	}
	// Nor does helve decide about itself.
	c := cmdtest.Person(t, dir, "approve", asks("rm -f x y"), "--rule")
	c.Env = append(c.Environ(), "HELVE=1")
	if a, _ := cmdtest.Call(t, c); a.Error.Code != "denied" {
		t.Errorf("%+v", a)
	}
}

// Of two people, or one in two terminals, one decides.
func TestApproveTwice(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Commands(t)
	for _, flags := range [][]string{{"--session"}, {"--rule"}} {
		a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "exec", "rm -f "+flags[0][2:]))
		id := a.Error.Details["approval"].(map[string]any)["id"].(string)
		one, other := cmdtest.Start(t, cmdtest.Person(t, dir, append([]string{"approve", id}, flags...)...)), cmdtest.Start(t, cmdtest.Person(t, dir, append([]string{"approve", id}, flags...)...))
		done := 0
		for _, a := range []cmdtest.Answer{one.Answer(t), other.Answer(t)} {
			if a.OK {
				done++
			} else if a.Error.Code != "approval_invalid" {
				t.Errorf("%+v", a)
			}
		}
		if done != 1 {
			t.Errorf("%v: %d carried it out", flags, done)
		}
		if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "exec", "rm -f "+flags[0][2:])); !a.OK {
			t.Errorf("%v: %+v", flags, a)
		}
	}
	if got := cmdtest.Content(t, filepath.Join(cmdtest.HomeOf(dir), "config.json")); strings.Count(got, `"exact":true`) != 1 {
		t.Errorf("%s", got)
	}
}
