package approval

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestPrivateAndTamperProof(t *testing.T) {
	s, _ := fresh(t)
	r := ask(t, s)
	dir, err := s.dir.Path()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "approvals", r.ID+".json")
	for _, name := range []string{path, filepath.Join(dir, "approvals.key")} {
		info, err := os.Stat(name)
		if err != nil || os.PathSeparator == '/' && info.Mode().Perm() != 0o600 {
			t.Error(name, info, err)
		}
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, forged := range []string{
		strings.Replace(string(good), `"pending"`, `"approved"`, 1), strings.Replace(string(good), "be kind", "be mean", 1),
		strings.Replace(string(good), `"mac":"`, `"mac":"0`, 1), string(good[:len(good)/2]), "", "{}", "null",
	} {
		if err := os.WriteFile(path, []byte(forged), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := s.Redeem(t.Context(), r.ID, call())
		wantCode(t, err, fault.ApprovalInvalid)
		if all, err := s.List(); err != nil || len(all) != 0 {
			t.Errorf("%+v, %v", all, err)
		}
	}
	// A record under another's name is not that other's.
	other := strings.Repeat("A", 26)
	if err := os.WriteFile(filepath.Join(dir, "approvals", other+".json"), good, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = s.Get(other)
	wantCode(t, err, fault.ApprovalInvalid)
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(r.ID); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, "approvals.key")); err != nil {
		t.Fatal(err)
	}
	_, err = s.Get(r.ID)
	wantCode(t, err, fault.ApprovalInvalid)
}

// TestRecord does not open what is sealed and makes no sense.
func TestRecord(t *testing.T) {
	key, id := []byte(strings.Repeat("k", 32)), strings.Repeat("A", 26)
	c := call()
	c.Args = json.RawMessage(`{}`)
	sum, err := digest(c)
	if err != nil {
		t.Fatal(err)
	}
	unread := c
	unread.Args = json.RawMessage(`1e999`) // it has no digest
	for name, x := range map[string]struct {
		r    Request
		want bool
	}{
		"good":             {Request{ID: id, Call: c, Digest: sum, State: Denied}, true},
		"another digest":   {Request{ID: id, Call: c, Digest: "x", State: Denied}, false},
		"no digest":        {Request{ID: id, Call: unread, State: Denied}, false},
		"an unknown state": {Request{ID: id, Call: c, Digest: sum, State: "strange"}, false},
	} {
		data, err := seal(&x.r, key)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := open(data, key, id); ok != x.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

// TestList has the oldest request first, whatever its name, and no other file.
func TestList(t *testing.T) {
	s, clock := fresh(t)
	var want []string
	for i := range 8 {
		r, err := s.New(t.Context(), Call{Tool: "x", Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, i)), Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, r.ID)
		clock.forward(time.Second)
	}
	for _, name := range []string{want[0], want[0] + ".txt", "x.json"} {
		if err := s.dir.WriteFile(recordDir+"/"+name, []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range all {
		got = append(got, r.ID)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestDamagedKey makes another key in place of one that is damaged.
func TestDamagedKey(t *testing.T) {
	s, _ := fresh(t)
	if err := s.dir.WriteFile(keyFile, []byte("short")); err != nil {
		t.Fatal(err)
	}
	r := ask(t, s)
	if _, err := s.Get(r.ID); err != nil {
		t.Error(err)
	}
	if key, err := s.dir.ReadFile(keyFile); err != nil || len(key) != 32 {
		t.Errorf("%q, %v", key, err)
	}
}

// FuzzRecord gives the store a record of any bytes: without the key none opens.
func FuzzRecord(f *testing.F) {
	key, id := []byte(strings.Repeat("k", 32)), strings.Repeat("A", 26)
	c := call()
	c.Args = json.RawMessage(`{}`)
	sum, err := digest(c)
	if err != nil {
		f.Fatal(err)
	}
	good, err := seal(&Request{ID: id, Call: c, Digest: sum, State: Approved}, key)
	if err != nil {
		f.Fatal(err)
	}
	if _, ok := open(good, key, id); !ok {
		f.Fatal("its own record does not open")
	}
	f.Add(good)
	f.Add([]byte(`{"request":{},"mac":""}`))
	f.Add([]byte(`{"request":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, ok := open(data, key, id); ok {
			back, err := seal(r, key)
			if err != nil || string(back) != string(good) {
				t.Fatalf("%q opened as %+v", data, r)
			}
		}
		// Signed or not, a request that makes no sense is none.
		file := stored{Request: data, MAC: mac(data, key)}
		text, err := json.Marshal(file)
		if err != nil {
			return
		}
		if r, ok := open(text, key, id); ok && (r.ID != id || r.Digest == "") {
			t.Fatalf("%q opened as %+v", data, r)
		}
	})
}
