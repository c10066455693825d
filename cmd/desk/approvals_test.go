package desk_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
)

func TestApprove(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	id := w.ask()
	r, a := w.request("POST", "/api/approvals/"+id+"/approve", "", nil)
	if r.StatusCode != http.StatusOK || !strings.Contains(string(a.Data), `"id":"`+id) || !strings.Contains(string(a.Data), `"preview":`) {
		t.Fatalf("%s %+v %s", r.Status, a.Error, a.Data)
	}
	eventually(t, "the call is made", func() bool { return w.soul() == "new\n" })
	eventually(t, "the outcome is shown", func() bool {
		_, a := w.request("GET", "/api/approvals/"+id, "", nil)
		return strings.Contains(string(a.Data), `"state":"used"`) && strings.Contains(string(a.Data), `"status":"done","ok":true`)
	})
	if r, a := w.request("POST", "/api/approvals/"+id+"/approve", "", nil); r.StatusCode != http.StatusConflict || a.Error.Code != fault.ApprovalInvalid {
		t.Errorf("a second time: %s %+v", r.Status, a.Error)
	}
	if r, a := w.request("POST", "/api/approvals/"+id+"/deny", "", nil); r.StatusCode != http.StatusConflict || a.Error.Code != fault.ApprovalInvalid {
		t.Errorf("denied afterwards: %s %+v", r.Status, a.Error)
	}
}

func TestApproveSession(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	id := w.ask()
	if r, a := w.request("POST", "/api/approvals/"+id+"/approve", `{"scope":"session"}`, nil); r.StatusCode != http.StatusOK {
		t.Fatalf("%s %+v", r.Status, a.Error)
	}
	eventually(t, "the call is made", func() bool { return w.soul() == "new\n" })
	put(t, filepath.Join(w.dir, "SOUL.md"), "old\n")
	if o := w.call("edit", change); o.Err != nil {
		t.Errorf("%+v", o.Err)
	}
}

func TestApproveRule(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	id := w.ask()
	if r, a := w.request("POST", "/api/approvals/"+id+"/approve", `{"scope":"rule"}`, nil); r.StatusCode != http.StatusBadRequest || a.Error.Code != fault.InvalidArguments {
		t.Errorf("no rule can say it: %s %+v", r.Status, a.Error)
	}
	for _, body := range []string{`{"scope":"ever"}`, `{"scope":1}`, `[`, `"session"`} {
		if r, a := w.request("POST", "/api/approvals/"+id+"/approve", body, nil); r.StatusCode != http.StatusBadRequest || a.Error.Code != fault.InvalidArguments {
			t.Errorf("%s: %s %+v", body, r.Status, a.Error)
		}
	}
	if w.soul() != "old\n" {
		t.Error("it was carried out")
	}
}

// What a rule can say is asked about no more.
func TestApproveAlways(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	file := filepath.Join(w.dir, "a.txt")
	remove := func() *fault.Error {
		put(t, file, "a\n")
		return w.call("exec", `{"argv":["rm","a.txt"]}`).Err
	}
	if err := remove(); err == nil || err.Code != fault.ApprovalRequired {
		t.Fatalf("%+v", err)
	}
	var all struct{ Approvals []approval.Request }
	if w.get("/api/approvals", &all); len(all.Approvals) != 1 || all.Approvals[0].Rule == nil {
		t.Fatalf("%+v", all)
	}
	if r, a := w.request("POST", "/api/approvals/"+all.Approvals[0].ID+"/approve", `{"scope":"rule"}`, nil); r.StatusCode != http.StatusOK {
		t.Fatalf("%s %+v", r.Status, a.Error)
	}
	eventually(t, "the call is made", func() bool { _, err := os.Stat(file); return os.IsNotExist(err) })
	if err := remove(); err != nil {
		t.Errorf("%+v", err)
	}
}

func TestDeny(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	id := w.ask()
	if r, a := w.request("POST", "/api/approvals/"+id+"/deny", `{"reason":"not <this> \"one\""}`, nil); r.StatusCode != http.StatusOK || !strings.Contains(string(a.Data), `"state":"denied"`) {
		t.Fatalf("%s %+v", r.Status, a.Error)
	}
	store, err := w.Approvals()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := store.Get(id); err != nil || r.Reason != `not <this> "one"` {
		t.Errorf("%+v %v", r, err)
	}
}

// What changed after the person was asked is not done, and said.
func TestStale(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	id := w.ask()
	put(t, filepath.Join(w.dir, "SOUL.md"), "other\n")
	w.request("POST", "/api/approvals/"+id+"/approve", "", nil)
	eventually(t, "the request is stale", func() bool {
		_, a := w.request("GET", "/api/approvals/"+id, "", nil)
		return strings.Contains(string(a.Data), `"drifted":[{"what":"target","path":"SOUL.md"}]`) && strings.Contains(string(a.Data), `"code":"approval_stale"`)
	})
	if w.soul() != "other\n" {
		t.Errorf("%q", w.soul())
	}
}
