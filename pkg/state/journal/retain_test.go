package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// journalFile is where the journal is.
func (b *bench) journalFile() string {
	b.t.Helper()
	dir, err := b.Journal.dir.Path()
	check(b.t, err)
	return filepath.Join(dir, logName+".jsonl")
}

// kept lists the blobs.
func (b *bench) kept() map[string]bool {
	b.t.Helper()
	all := map[string]bool{}
	dir, err := b.Journal.dir.Path()
	check(b.t, err)
	check(b.t, filepath.WalkDir(filepath.Join(dir, "blobs"), func(p string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all[filepath.Base(filepath.Dir(p))+strings.TrimSuffix(entry.Name(), ".flate")] = true
		}
		return err
	}))
	return all
}

func TestTornAndGarbageLines(t *testing.T) {
	b := populate(t, nil)
	id := b.do(write("a", "A")).ID
	whole, err := os.ReadFile(b.journalFile())
	check(t, err)
	torn := whole[:len(whole)/3]
	garbage := []string{
		string(torn), "garbage", "\x00\x00\x00", `{"v":1,"state":"intent","id":"x"}`, `{"v":1}`,
		`{"v":1,"state":"commit","id":"` + idA + `"`, strings.Repeat("x", 4<<20+1),
	}
	newer := `{"v":2,"state":"later","id":"` + idA + `"}`
	text := strings.Join(garbage, "\n") + "\n" + newer + "\n" + string(whole) + string(torn) // the last one unfinished
	check(t, os.WriteFile(b.journalFile(), []byte(text), 0o600))

	all, err := b.History("", 0)
	if err != nil || len(all) != 1 || all[0].ID != id {
		t.Fatalf("history %+v, %v", all, err)
	}
	warnings, err := b.Recover(context.Background())
	check(t, err)
	if len(warnings) != 1 || !strings.Contains(warnings[0].String(), fmt.Sprint(len(garbage), " unreadable")) {
		t.Errorf("warnings %v", warnings)
	}
	if warnings, err := b.Recover(context.Background()); err != nil || len(warnings) > 0 {
		t.Errorf("reported again: %v %v", warnings, err)
	}
	b.undo(Selector{})
	if got := b.snapshot()["a"]; !strings.HasSuffix(got, "first") {
		t.Errorf("undone to %q", got)
	}
	after, err := os.ReadFile(b.journalFile())
	check(t, err)
	if !bytes.Contains(after, []byte(newer)) || bytes.Contains(after, []byte("garbage")) {
		t.Errorf("journal is\n%.500s", after)
	}
	aside, err := os.ReadFile(filepath.Join(filepath.Dir(b.journalFile()), damagedName+".jsonl"))
	check(t, err)
	for _, line := range garbage[:6] {
		if !bytes.Contains(aside, []byte(line+"\n")) {
			t.Errorf("%.100q was not set aside", line)
		}
	}
}

// An intent whose beginning alone is whole cannot be recovered and must not be
// tried for ever.
func TestIntentWithGarbageInside(t *testing.T) {
	b := populate(t, nil)
	line := `{"v":1,"state":"intent","id":"` + idA + `","files":[{"op":"modify","path":"../a"}]}`
	check(t, os.MkdirAll(filepath.Dir(b.journalFile()), 0o700))
	check(t, os.WriteFile(b.journalFile(), []byte(line+"\n"), 0o600))
	warnings, err := b.Recover(context.Background())
	if err != nil || len(warnings) != 1 {
		t.Errorf("warnings %v %v", warnings, err)
	}
	if warnings, err := b.Recover(context.Background()); err != nil || len(warnings) > 0 {
		t.Errorf("reported again: %v %v", warnings, err)
	}
	b.do(write("a", "A"))
	b.undo(Selector{})
}

func TestDamagedCopyStopsRecovery(t *testing.T) {
	b := populate(t, nil)
	step := 1
	for !strings.HasPrefix(dies(t, b, "crash", step, "three files"), "step 4 ") {
		_, err := b.Recover(context.Background())
		check(t, err)
		step++
	}
	for sha := range b.kept() {
		dir, err := b.Journal.dir.Path()
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, "blobs", sha[:2], sha[2:]), []byte("x"), 0o600))
	}
	before := b.snapshot()
	warnings, err := b.Recover(context.Background())
	if err != nil || len(warnings) != 1 {
		t.Errorf("recovery: %v %v", warnings, err)
	}
	if diff := cmp.Diff(before, b.snapshot(), cmp.FilterPath(func(p cmp.Path) bool {
		return strings.Contains(p.String(), ".helve-")
	}, cmp.Ignore())); diff != "" {
		t.Error(diff)
	}
}

// A move that was taken back without what it had replaced is not tried for ever if that
// is lost.
func TestDamagedCopyOfWhatAMoveReplaced(t *testing.T) {
	b := populate(t, nil)
	b.disk.fail["write d/f"] = fs.ErrPermission
	b.disk.fail["write b"] = fs.ErrPermission
	_, err := b.Apply(context.Background(), "test", "s", Change{Op: Move, From: "a", Path: "b", Overwrite: true}, write("d/f", "F"))
	wantCode(t, err, fault.Conflict)
	clear(b.disk.fail)
	dir, err := b.Journal.dir.Path()
	check(t, err)
	sha := hash([]byte("second"))
	check(t, os.WriteFile(filepath.Join(dir, "blobs", sha[:2], sha[2:]), []byte("x"), 0o600))
	before := b.snapshot()
	warnings, err := b.Recover(context.Background())
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].String(), "stay as they are") {
		t.Errorf("recovery: %v %v", warnings, err)
	}
	if warnings, err := b.Recover(context.Background()); err != nil || len(warnings) > 0 {
		t.Errorf("reported again: %v %v", warnings, err)
	}
	if diff := cmp.Diff(before, b.snapshot()); diff != "" {
		t.Error(diff)
	}
}

func TestClear(t *testing.T) {
	b := populate(t, nil)
	b.do(write("a", "1"))
	b.do(write("b", "2"))
	b.do(write("d/f", "3"), write("d/g", "4"))
	if n, err := b.Clear(context.Background(), "d"); n != 1 || err != nil {
		t.Errorf("cleared %d, %v", n, err)
	}
	want := map[string]bool{hash([]byte("first")): true, hash([]byte("second")): true}
	if diff := cmp.Diff(want, b.kept()); diff != "" {
		t.Error(diff)
	}
	b.undo(Selector{Steps: 2})
	if n, err := b.Clear(context.Background(), ""); n != 3 || err != nil {
		t.Errorf("cleared %d, %v", n, err)
	}
	if all, err := b.History("", 0); len(all) > 0 || len(b.kept()) > 0 || err != nil {
		t.Errorf("left: %v %v, %v", all, b.kept(), err)
	}
	_, err := b.Undo(context.Background(), "s", Selector{}, true)
	wantCode(t, err, fault.NoHistory)
	b.do(write("a", "5"))
	b.undo(Selector{})
}

// The history is compacted while it is used, without losing what counts.
func TestJournalIsCompacted(t *testing.T) {
	b := newBench(t)
	b.put("a", "0")
	const edits = 200 + 100
	for i := 1; i <= edits; i++ {
		b.do(write("a", fmt.Sprint(i)))
	}
	all, err := b.History("a", 0)
	check(t, err)
	if len(all) < 100 || len(all) > 100+200-1 || len(all) == edits {
		t.Errorf("%d entries are kept", len(all))
	}
	if n := len(b.kept()); n > len(all)+1 {
		t.Errorf("%d blobs for %d entries", n, len(all))
	}
	b.undo(Selector{Steps: 100})
	if got := b.snapshot()["a"]; !strings.HasSuffix(got, fmt.Sprint(" ", edits-100)) {
		t.Errorf("a is %q", got)
	}
}

func TestExpired(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	day := 24 * time.Hour
	// An entry changes one file; its number is its age in days.
	type spec struct {
		id, path string
		days     int
		size     int64
		undoes   string
		end      string
	}
	many := func(n int, s spec) (all []spec) {
		for i := range n {
			s.id = fmt.Sprint(s.path, n-i)
			all = append(all, s)
		}
		return all
	}
	ids := func(specs []spec) (all []string) {
		for _, s := range specs {
			all = append(all, s.id)
		}
		return all
	}
	young := many(100+5, spec{path: "a"})
	old := many(10+3, spec{path: "b", days: 31})
	big := many(10+10, spec{path: "c", size: 15 << 20})
	huge := many(10, spec{path: "d", size: 200 << 20})
	crowd := many(20_000+5, spec{})
	for i := range crowd {
		crowd[i].path = crowd[i].id
	}
	tests := map[string]struct {
		specs []spec // the oldest first
		drop  []string
	}{
		"none":              {nil, nil},
		"too many versions": {young, ids(young[:5])},
		"too old":           {old, ids(old[:3])},
		"not too old":       {many(10+3, spec{path: "b", days: 29}), nil},
		"too many":          {crowd, ids(crowd[:5])},
		"too large":         {big, ids(big[:7])}, // thirteen times fifteen make 195
		"far too large":     {huge, ids(huge[:5])},
		"another file is not": {
			slices.Concat([]spec{{id: "x", path: "x", days: 400}}, big), ids(big[:7]),
		},
		"rolled back": {[]spec{{id: "x", path: "x", end: abort}}, []string{"x"}},
		"at work":     {slices.Concat([]spec{{id: "x", path: "a", end: "open", days: 99}}, young), ids(young[:5])},
		"undone by what goes": {
			slices.Concat([]spec{{id: "u1", path: "e"}, {id: "u2", path: "a", undoes: "u1"}}, young[5:]), []string{"u1", "u2"},
		},
		"undone by what was rolled back": {
			[]spec{{id: "u1", path: "e"}, {id: "u2", path: "a", undoes: "u1", end: abort}}, []string{"u2"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := &history{byID: map[string]*entry{}}
			sizes := map[string]int64{}
			for _, s := range tt.specs {
				sha := hash([]byte(s.id))
				sizes[sha] = s.size
				e := &entry{record: record{ID: s.id, Time: now.Add(-time.Duration(s.days) * day), Steps: []step{
					{Op: Modify, Path: lossless(s.path), Pre: &State{Kind: File, SHA: sha, Saved: true}},
				}}, end: s.end}
				switch e.end {
				case "":
					e.end = commit
				case "open":
					e.end = ""
				}
				if s.undoes != "" {
					e.Undoes = []string{s.undoes}
				}
				b.entries = append(b.entries, e)
				b.byID[s.id] = e
			}
			drop, err := b.expired(now, func(sha string) (int64, error) { return sizes[sha], nil })
			check(t, err)
			var got []string
			for e := range maps.Keys(drop) {
				got = append(got, e.ID)
			}
			if diff := cmp.Diff(slices.Sorted(slices.Values(tt.drop)), slices.Sorted(slices.Values(got))); diff != "" {
				t.Error(diff)
			}
		})
	}
	b := &history{entries: []*entry{{record: record{Steps: []step{{Op: Delete, Path: "a", Pre: &State{Kind: File, SHA: hash(nil), Saved: true}}}}, end: commit}}}
	broken := errors.New("broken")
	if _, err := b.expired(now, func(string) (int64, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// A clock that is set back does not disturb the order of the history.
func TestClockSteppingBack(t *testing.T) {
	b := populate(t, nil)
	moment := time.Unix(1_700_000_000, 0)
	b.opt.Now = func() time.Time { moment = moment.Add(-time.Hour); return moment }
	var want []string
	for i := range 5 {
		want = append(want, b.do(write("a", fmt.Sprint(i))).ID)
	}
	all, err := b.History("", 3)
	check(t, err)
	var got []string
	for _, e := range all {
		got = append(got, e.ID)
	}
	slices.Reverse(want)
	if diff := cmp.Diff(want[:3], got); diff != "" {
		t.Error(diff)
	}
}

// Every process sees the state of a session beside the journal, and the sweep
// keeps what both need.
func TestBlobsOfSessionsAndHistory(t *testing.T) {
	b := populate(t, nil)
	s, err := b.Journal.dir.Session("s")
	check(t, err)
	shown, err := b.Journal.dir.PutBlob([]byte("shown"), false)
	check(t, err)
	check(t, s.Record("z", state.Entry{SHA: shown, Blob: shown}))
	b.do(write("a", "A"))
	check(t, b.Journal.dir.Sweep(context.Background()))
	want := map[string]bool{shown: true, hash([]byte("first")): true}
	if diff := cmp.Diff(want, b.kept()); diff != "" {
		t.Error(diff)
	}
}

func TestFull(t *testing.T) {
	for _, tt := range []struct {
		now, base size
		damaged   int
		want      bool
	}{
		{},
		{now: size{entries: 199}},
		{now: size{entries: 200}, want: true},
		{now: size{entries: 299}, base: size{entries: 100}},
		{now: size{entries: 300}, base: size{entries: 100}, want: true},
		{now: size{entries: 21_999}, base: size{entries: 20_000}},
		{now: size{entries: 22_000}, base: size{entries: 20_000}, want: true},
		{now: size{bytes: 2 << 20}},
		{now: size{bytes: 2<<20 + 1}, want: true},
		{now: size{bytes: 6 << 20}, base: size{bytes: 3 << 20}},
		{now: size{bytes: 6<<20 + 1}, base: size{bytes: 3 << 20}, want: true},
		{now: size{kept: 1 << 30}, base: size{kept: 768 << 20}},
		{now: size{kept: 1<<30 + 1}, base: size{kept: 768 << 20}, want: true},
		{damaged: 1, want: true},
	} {
		s := scan{sums: sums{tt.now, tt.base}, damaged: tt.damaged}
		if got := s.full(); got != tt.want {
			t.Errorf("%+v is full: %t", tt, got)
		}
	}
}
