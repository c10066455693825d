package desk_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	for i := range 30 {
		put(t, filepath.Join(w.dir, fmt.Sprint(i)), "x")
		w.call("read", fmt.Sprintf(`{"path":"%d"}`, i))
	}
	w.call("read", `{"path":"nothing"}`)
	w.call("write", `{"path":"a","content":"b"}`)
	var page struct {
		Entries                []map[string]any
		Offset, Matched, Total int
		Tools, Sessions        []string
	}
	for _, c := range []struct {
		query                  string
		entries, offset, found int
	}{
		{"", 35, 0, 35}, {"?limit=10", 10, 25, 35}, {"?limit=10&offset=30", 5, 30, 35}, {"?offset=99", 0, 99, 35},
		{"?tool=write", 4, 0, 4}, {"?outcome=failed", 1, 0, 1}, {"?outcome=not_found", 1, 0, 1}, {"?event=proposed", 1, 0, 1},
		{"?text=NOTHING", 1, 0, 1}, {"?session=other", 0, 0, 0}, {"?tool=read&outcome=ok", 30, 0, 30},
	} {
		w.get("/api/audit"+c.query, &page)
		if len(page.Entries) != c.entries || page.Offset != c.offset || page.Matched != c.found || page.Total != 35 {
			t.Errorf("%s: %d entries at %d, %d of %d", c.query, len(page.Entries), page.Offset, page.Matched, page.Total)
		}
	}
	if strings.Join(page.Tools, " ") != "read write" || page.Entries[0]["tool"] != "read" || page.Entries[0]["at"] == nil {
		t.Errorf("%v %v", page.Tools, page.Entries[0])
	}
	w.call("read", `{"path":"1"}`)
	if w.get("/api/audit?limit=1", &page); page.Total != 36 || len(page.Entries) != 1 {
		t.Errorf("a new record: %+v", page)
	}
	for _, query := range []string{"limit=0", "limit=1001", "limit=x", "offset=-1", "workspace=nothing"} {
		if r, a := w.request("GET", "/api/audit?"+query, "", nil); r.StatusCode < 400 || a.OK {
			t.Errorf("%s: %s", query, r.Status)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	w.call("write", `{"path":"a.txt","content":"one\n"}`)
	w.call("write", `{"path":"a.txt","content":"two\n"}`)
	var all struct {
		Entries []struct{ ID, Tool string }
		More    bool
	}
	if w.get("/api/history?limit=1", &all); len(all.Entries) != 1 || !all.More {
		t.Errorf("%+v", all)
	}
	if w.get("/api/history", &all); len(all.Entries) != 2 || all.More || all.Entries[0].Tool != "write" {
		t.Fatalf("%+v", all)
	}
	var one struct{ Diff string }
	for i, want := range []string{"-one\n+two\n", "+one\n"} {
		if w.get("/api/history/"+all.Entries[i].ID, &one); !strings.Contains(one.Diff, want) {
			t.Errorf("%d: %q", i, one.Diff)
		}
	}
	r, a := w.request("POST", "/api/history/"+all.Entries[0].ID+"/undo", "", nil)
	if r.StatusCode != http.StatusOK || !strings.Contains(string(a.Data), `"redo_id":`) {
		t.Fatalf("%s %+v", r.Status, a.Error)
	}
	if raw, _ := os.ReadFile(filepath.Join(w.dir, "a.txt")); string(raw) != "one\n" {
		t.Errorf("%q", raw)
	}
	put(t, filepath.Join(w.dir, "a.txt"), "mine\n")
	if r, a := w.request("POST", "/api/history/"+all.Entries[1].ID+"/undo", "", nil); r.StatusCode != http.StatusConflict || a.Error.Code != fault.UndoConflict {
		t.Errorf("it has changed since: %s %+v", r.Status, a.Error)
	}
	if r, a := w.request("POST", "/api/history/"+all.Entries[1].ID+"/undo", `{"force":true}`, nil); r.StatusCode != http.StatusOK {
		t.Errorf("with force: %s %+v", r.Status, a.Error)
	}
	if r, a := w.request("GET", "/api/history/nothing", "", nil); r.StatusCode != http.StatusNotFound || a.Error.Code != fault.NotFound {
		t.Errorf("%s %+v", r.Status, a.Error)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	if o := w.call("cron_add", `{"message":"hello","cron":"0 9 * * *","name":"greet"}`); o.Err != nil {
		t.Fatalf("%+v", o.Err)
	}
	for path, want := range map[string]string{
		"/api/schedule": `"name":"greet"`, "/api/agents": `"jobs":[]`, "/api/jobs": `"jobs":[]`, "/api/workspaces": `"current":true`,
	} {
		if r, a := w.request("GET", path, "", nil); r.StatusCode != http.StatusOK || !strings.Contains(string(a.Data), want) {
			t.Errorf("%s: %s %s %+v", path, r.Status, a.Data, a.Error)
		}
	}
	if r, a := w.request("GET", "/api/jobs/01m7zh1bwxt3eacg76z38mmmht", "", nil); r.StatusCode != http.StatusNotFound || a.Error.Code != fault.NotFound {
		t.Errorf("no such job: %s %+v", r.Status, a.Error)
	}
}

// The records are those that the log has, also when it starts afresh, and of the others
// their number is said.
func TestDroppedRecords(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	dir, err := w.Workspace().State()
	if err != nil {
		t.Fatal(err)
	}
	log, err := dir.Log("audit", 2000)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 60 {
		record := fmt.Sprintf(`{"at":"2026-03-01T12:00:00Z","event":"answered","session":"s%d","tool":"read","outcome":"ok","args":{"path":"file-%d.txt"}}`, n%3, n)
		if err := log.Append([]byte(record), false); err != nil {
			t.Fatal(err)
		}
		if n%7 != 0 {
			continue
		}
		var kept []string
		for record, err := range log.Records() {
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, string(record))
		}
		var page struct {
			Entries        []json.RawMessage
			Total, Dropped int
		}
		w.get("/api/audit", &page)
		got := make([]string, len(page.Entries))
		for i, e := range page.Entries {
			got[i] = string(e)
		}
		if d := cmp.Diff(kept, got); d != "" || page.Total != len(kept) || page.Total+page.Dropped != n+1 {
			t.Fatalf("after %d: %d dropped, %s", n+1, page.Dropped, d)
		}
		if w.get(fmt.Sprintf("/api/audit?text=FILE-%d.&session=s%d", n, n%3), &page); len(page.Entries) != 1 || string(page.Entries[0]) != record {
			t.Errorf("the newest: %s", page.Entries)
		}
	}
}
