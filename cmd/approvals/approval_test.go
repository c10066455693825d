package approvals_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

func TestApprove(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	id := cmdtest.Ask(t, dir)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); !a.OK || a.Data["path"] != "SOUL.md" {
		t.Fatalf("%+v", a)
	}
	if got := cmdtest.Content(t, soul); got != "new\n" {
		t.Errorf("%q", got)
	}
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); a.Error.Code != "approval_invalid" || exit != 3 {
		t.Errorf("a second time: exit %d, %+v", exit, a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "undo")); a.Error.Code != "approval_required" {
		t.Errorf("undo changes the file, too, and was not asked about: %+v", a)
	}
}

// A person sees all of what they decide about; the caller, who has it, is told less.
func TestApproveLarge(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	for tool, args := range map[string]map[string]any{
		"write": {"path": "SOUL.md", "content": b.String()},
		"edit":  {"path": "SOUL.md", "old": "old\n", "new": b.String()},
	} {
		input, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		c := cmdtest.Helve(dir, tool)
		c.Stdin = bytes.NewReader(input)
		a, exit := cmdtest.Call(t, c)
		if exit != 4 {
			t.Fatalf("%s: exit %d, %+v", tool, exit, a)
		}
		request := a.Error.Details["approval"].(map[string]any)
		told, id := request["preview"].(string), request["id"].(string)
		if !strings.Contains(told, "+line 150\n") || strings.Contains(told, "+line 250\n") || !strings.Contains(told, "helve approvals show "+id) {
			t.Errorf("%s: the caller is told %d bytes: %s", tool, len(told), told[max(0, len(told)-200):])
		}
		shown, err := cmdtest.Person(t, dir, "approvals", "show", id).Output()
		if err != nil || !strings.Contains(string(shown), "+line 2999") {
			t.Errorf("%s: %v, %d bytes are shown", tool, err, len(shown))
		}
	}
}

func TestApprovalGoesStale(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	id := cmdtest.Ask(t, dir)
	cmdtest.Put(t, dir, "SOUL.md", "changed by others\n")
	if a, exit := cmdtest.Call(t, cmdtest.Person(t, dir, "approve", id)); a.Error.Code != "approval_stale" || exit != 3 {
		t.Errorf("exit %d, %+v", exit, a)
	}
	if got := cmdtest.Content(t, soul); got != "changed by others\n" {
		t.Errorf("%q", got)
	}
}

func TestDeny(t *testing.T) {
	t.Parallel()
	dir, soul := cmdtest.Asked(t)
	id := cmdtest.Ask(t, dir)
	if a, _ := cmdtest.Call(t, cmdtest.Person(t, dir, "deny", id, "--reason", "not in this tone")); !a.OK {
		t.Fatalf("%+v", a)
	}
	a, exit := cmdtest.Call(t, cmdtest.Helve(dir, "--approval", id, "write", `{"path":"SOUL.md","content":"new\n"}`))
	if a.Error.Code != "rejected" || exit != 3 || !strings.Contains(a.Error.Message+a.Error.Hint, "not in this tone") {
		t.Errorf("exit %d, %+v", exit, a)
	}
	if got := cmdtest.Content(t, soul); got != "old\n" {
		t.Errorf("%q", got)
	}
}

// When many processes redeem one approval, one of them runs the call.
func TestRedeemRace(t *testing.T) {
	t.Parallel()
	dir, _ := cmdtest.Asked(t)
	id := cmdtest.Ask(t, dir)
	var group sync.WaitGroup
	var ran atomic.Int64
	for range 50 {
		group.Go(func() {
			if cmdtest.Person(t, dir, "approve", id).Run() == nil {
				ran.Add(1)
			}
		})
	}
	group.Wait()
	if ran.Load() != 1 {
		t.Errorf("%d ran", ran.Load())
	}
}
