package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const (
	idA = "01HZX3V6S1W0T8Q9R7P5N3M1K0"
	idB = "01HZX3V6S1W0T8Q9R7P5N3M1K1"
)

func sampleRecords() []record {
	file := func(data string) *State {
		return &State{Kind: File, SHA: hash([]byte(data)), Size: int64(len(data)), Mode: 0o644, Saved: true}
	}
	link, dir := &State{Kind: Link, Link: "to\xff"}, &State{Kind: Dir, Mode: 0o755}
	huge := &State{Kind: File, Size: 1 << 40, Time: 12345, Mode: 0o600}
	chmod := *file("a")
	chmod.Mode = 0o755
	return []record{
		{V: 1, State: intent, ID: idA, Time: time.Unix(1_700_000_000, 5).UTC(), Tool: "edit", Session: "s <&> \u2028", Undoes: []string{idB}, Steps: []step{
			{Op: Create, Path: "new", Post: file("a")},
			{Op: Create, Path: "dir\xff/link", Post: link},
			{Op: Modify, Path: "a", Pre: file("a"), Post: file("b"), InPlace: true},
			{Op: Delete, Path: "l", Pre: link},
			{Op: Move, Path: "to", From: "from\xfe", Pre: huge, Post: huge, Over: file("c")},
			{Op: Chmod, Path: "m", Pre: file("a"), Post: &chmod},
			{Op: Mkdir, Path: "d", Post: dir, Optional: true},
			{Op: Rmdir, Path: "d", Pre: dir},
		}},
		{V: 1, State: intent, ID: idB},
		{V: 1, State: commit, ID: idA, Recovered: true},
		{V: 1, State: abort, ID: idA},
		{V: 1, State: conflict, ID: idB, Time: time.Unix(1, 0).UTC()},
		{V: 1, State: base, Entries: 3, Bytes: 500},
	}
}

func TestRecordsRoundTrip(t *testing.T) {
	for _, want := range sampleRecords() {
		line, err := want.encode()
		check(t, err)
		got, err := parse(line)
		check(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		what, id, ok := head(line)
		if ok != (want.State != base) || ok && (what != want.State || id != want.ID) {
			t.Errorf("head of %s: %q %q %v", line, what, id, ok)
		}
	}
}

func TestHostileRecords(t *testing.T) {
	good, err := sampleRecords()[0].encode()
	check(t, err)
	replaced := func(old, new string) string {
		if !bytes.Contains(good, []byte(old)) {
			t.Fatalf("%s has no %s", good, old)
		}
		return strings.ReplaceAll(string(good), old, new)
	}
	lines := map[string]string{
		"nothing":          "",
		"no JSON":          "{",
		"another type":     "[]",
		"null":             "null",
		"version 0":        replaced(`"v":1`, `"v":0`),
		"unknown state":    replaced(`"state":"intent"`, `"state":"done"`),
		"no id":            replaced(idA, ""),
		"id with a slash":  replaced(idA, "../../../../../../etc/passw"),
		"id undone":        replaced(idB, "x"),
		"outside":          replaced(`"path":"new"`, `"path":"../new"`),
		"absolute":         replaced(`"path":"new"`, `"path":"/new"`),
		"empty path":       replaced(`"path":"new"`, `"path":""`),
		"NUL":              replaced(`"path":"new"`, `"path":"a\u0000b"`),
		"outside by bytes": replaced(`"path":"new"`, `"path":{"b64":"Li4vbmV3"}`),
		"from outside":     replaced(`{"b64":"ZnJvbf4="}`, `"../from"`),
		"hash":             replaced(hash([]byte("b")), "x"),
		"kind":             replaced(`"kind":"link"`, `"kind":"pipe"`),
		"setuid":           replaced(`"mode":420`, `"mode":8388973`),
		"negative size":    replaced(`"size":1,`, `"size":-1,`),
		"unknown op":       replaced(`"op":"mode"`, `"op":"chown"`),
		"create of a file": replaced(`"op":"modify"`, `"op":"create"`),
		"dir for a file":   replaced(`"op":"mkdir"`, `"op":"create"`),
		"a file for a dir": replaced(`"op":"create"`, `"op":"mkdir"`),
		"state of no type": `{"v":1,"state":7,"id":[]}`,
		"negative base":    `{"v":1,"state":"base","id":"","entries":-1}`,
	}
	for name, line := range lines {
		if r, err := parse([]byte(line)); err == nil || errors.Is(err, errNewer) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	for _, line := range []string{`{"v":2}`, `{"v":2,"state":7,"id":[]}`, `{"v":3,"state":"intent","files":"?"}`} {
		if _, err := parse([]byte(line)); !errors.Is(err, errNewer) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, r := range sampleRecords() {
		line, err := r.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Add([]byte(`{"v":2}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		what, id, quick := head(line)
		r, err := parse(line)
		if err != nil {
			return
		}
		if quick && json.Valid(line) && (r.State != what || r.ID != id) && !repeats(line) {
			t.Errorf("head says %s %s, the record %s %s", what, id, r.State, r.ID)
		}
		for _, s := range r.Steps {
			for _, spot := range slices.Concat(s.before(), s.after()) {
				if !fs.ValidPath(strings.ToValidUTF8(spot.path, "?")) || spot.path == "." {
					t.Errorf("path %q", spot.path)
				}
			}
			if _, err := s.inverse(); err == nil && s.lost() != nil && s.lost().Kind == File && !s.lost().Saved {
				t.Errorf("%+v can be undone without bytes", s)
			}
		}
		again, err := r.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := parse(again)
		if err != nil {
			t.Fatalf("%s: %v", again, err)
		}
		if diff := cmp.Diff(r, back, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}

// repeats reports whether a key may occur twice, which only a hostile line does:
// then head sees the first and the decoder the last.
func repeats(line []byte) bool {
	lower := bytes.ToLower(line)
	return bytes.Count(lower, []byte("state")) > 1 || bytes.Count(lower, []byte("id")) > 1 || bytes.ContainsRune(line, '\\') ||
		bytes.ContainsAny(line, "ſK")
}

func TestMixture(t *testing.T) {
	pre, post := []byte("the old text"), []byte("A NEW AND LONGER TEXT")
	for n := range len(post) + 1 {
		cur := slices.Concat(post[:n], pre[min(n, len(pre)):])
		if !mixture(cur, pre, post) || !mixture(post[:n], pre, post) {
			t.Errorf("cut at %d: not recognized", n)
		}
	}
	for _, cur := range []string{"by hand", "the old text and more", "A NEW text old"} {
		if mixture([]byte(cur), pre, post) {
			t.Errorf("%q recognized", cur)
		}
	}
}
