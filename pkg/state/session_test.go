package state

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestSession(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("chat 1"))
	moment := time.Unix(1_700_000_000, 0).UTC()
	odd := "dir/\xff\xfe.go" // no UTF-8
	steps := []struct {
		serve Entry
		want  Entry
	}{
		{Entry{SHA: "s1", Ranges: []Range{{1, 10}}, At: moment}, Entry{SHA: "s1", Ranges: []Range{{1, 10}}, At: moment}},
		{Entry{SHA: "s1", Ranges: []Range{{20, 30}}, Blob: "b"}, Entry{SHA: "s1", Ranges: []Range{{1, 10}, {20, 30}}, Blob: "b"}},
		{Entry{SHA: "s1", Ranges: []Range{{5, 19}}}, Entry{SHA: "s1", Ranges: []Range{{1, 30}}, Blob: "b"}},
		{Entry{SHA: "s1"}, Entry{SHA: "s1", Blob: "b"}},
		{Entry{SHA: "s1", Ranges: []Range{{1, 2}}}, Entry{SHA: "s1", Blob: "b"}},
		{Entry{SHA: "s2", Ranges: []Range{{1, 2}}}, Entry{SHA: "s2", Ranges: []Range{{1, 2}}}},
	}
	for i, step := range steps {
		check(t, s.Record(odd, step.serve))
		got, ok, err := newest(s, odd)
		if diff := cmp.Diff(step.want, got); diff != "" || !ok || err != nil {
			t.Errorf("step %d: %v %v %s", i, ok, err, diff)
		}
	}
	other := must[*Session](t)(d.Session("chat 2"))
	for who, session := range map[string]*Session{"another session": other, "another path": s} {
		path := odd
		if who == "another path" {
			path = "dir/\xfe\xff.go"
		}
		if got, ok, err := newest(session, path); ok || err != nil {
			t.Errorf("%s: %v %v", who, got, err)
		}
	}
}

// newest returns what a session was shown last of a file.
func newest(s *Session, path string) (e Entry, ok bool, err error) {
	all, err := s.Shown(path)
	if err != nil || len(all) == 0 {
		return Entry{}, false, err
	}
	return all[0], true, nil
}

// A record keeps the versions of a file of which something else may be known.
func TestVersions(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("s"))
	one := []Range{{1, 2}}
	steps := []struct {
		entry Entry
		want  string // SHA and By, the newest first, past ones with a "~"
	}{
		{Entry{SHA: "a"}, "a"},
		{Entry{SHA: "b", Ranges: one}, "b a"},
		{Entry{SHA: "c", Ranges: one, Follows: "b"}, "c a ~b"},
		{Entry{SHA: "c", Ranges: one, By: Seen}, "c/seen c a ~b"},
		{Entry{SHA: "d", By: Seen}, "d/seen c/seen c a ~b"},
		{Entry{SHA: "c", Ranges: []Range{{5, 6}}}, "c d/seen c/seen a ~b"},
		{Entry{SHA: "e", Ranges: one, By: Error}, "e/error c d/seen c/seen a ~b"},
		{Entry{SHA: "e"}, "e ~c ~d/seen ~c/seen ~a"},
	}
	for i, step := range steps {
		check(t, s.Record("f", step.entry))
		var got []string
		for _, v := range must[[]Entry](t)(s.Shown("f")) {
			if v.By != "" {
				v.SHA += "/" + string(v.By)
			}
			if v.Past {
				v.SHA = "~" + v.SHA
			}
			got = append(got, v.SHA)
		}
		if diff := cmp.Diff(step.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("step %d: %s", i, diff)
		}
	}
	for i := range 20 {
		check(t, s.Record("f", Entry{SHA: strconv.Itoa(i), Ranges: one}))
	}
	if all := must[[]Entry](t)(s.Shown("f")); len(all) != versionsKept || all[0].SHA != "19" {
		t.Errorf("%d versions, the newest %v", len(all), all[0])
	}
}

func TestSessionNames(t *testing.T) {
	d := fresh(t, Options{})
	files := map[string]bool{}
	for _, name := range []string{"default", "Default", "telegram:12345", "a b", "会话", "NUL", "x.y", "a" + strings.Repeat("b", 127)} {
		s := must[*Session](t)(d.Session(name))
		check(t, s.Record("f", Entry{SHA: name}))
		if !filepath.IsLocal(s.path) || strings.Count(s.path, "/") != 1 {
			t.Errorf("%q lies in %s", name, s.path)
		}
		files[strings.ToLower(s.path)] = true
	}
	if len(files) != 8 {
		t.Errorf("sessions share directories: %v", files)
	}
	for _, name := range []string{"", ".", "..", ".x", "../x", "a/b", "a\\b", "a\x00", "a\nb", "\xff", strings.Repeat("a", 129)} {
		if _, err := d.Session(name); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestDamagedEntryIsNone(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("s"))
	for _, bad := range []string{"", "{", "null", "\n\x00\n", `{"path":"Zg==","sha":""}`, `{"path":"Zw==","sha":"x"}`, `{"path":"Zg==","sha":"x","ranges":[{"start":0,"end":1}]}`} {
		check(t, s.Record("f", Entry{SHA: "x"}))
		check(t, os.WriteFile(at(t, d, s.file("f")), []byte(bad), 0o600))
		if _, ok, err := newest(s, "f"); ok || err != nil {
			t.Errorf("%q: %v %v", bad, ok, err)
		}
	}
}

// What a crash left of a line hides neither what was there before nor what comes.
func TestTornSessionRecord(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("s"))
	check(t, s.Record("f", Entry{SHA: "x", Ranges: []Range{{1, 2}}}))
	f := must[*os.File](t)(os.OpenFile(at(t, d, s.file("f")), os.O_WRONLY|os.O_APPEND, 0))
	must[int](t)(f.WriteString(`{"path":"Zg==","sha":"y","ran`))
	check(t, f.Close())
	check(t, s.Record("f", Entry{SHA: "x", Ranges: []Range{{3, 4}}}))
	if got, ok, err := newest(s, "f"); !ok || err != nil || got.SHA != "x" || !slices.Equal(got.Ranges, []Range{{1, 4}}) {
		t.Errorf("%v %v %v", got, ok, err)
	}
}

// Several processes read one file, a part each.
func TestRecordedTogether(t *testing.T) {
	d := fresh(t, Options{})
	const readers, each = 4, 25
	var all sync.WaitGroup
	for i := range readers {
		all.Go(func() {
			own, err := Open(d.base, d.root, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			s, err := own.Session("s")
			if err != nil {
				t.Error(err)
				return
			}
			for j := range each {
				line := 1 + i + j*readers
				if err := s.Record("f", Entry{SHA: "x", Ranges: []Range{{line, line}}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, ok, err := newest(must[*Session](t)(d.Session("s")), "f")
	if want := []Range{{1, readers * each}}; !ok || err != nil || !slices.Equal(got.Ranges, want) {
		t.Errorf("%v %v %v, want %v", got.Ranges, ok, err, want)
	}
}

func TestSessionRecordIsCompacted(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("s"))
	blob := strings.Repeat("0", 64)
	largest := int64(0)
	const times = 1000
	for i := range times {
		check(t, s.Record("f", Entry{SHA: "x", Blob: blob, Ranges: []Range{{i + 1, i + 1}}}))
		largest = max(largest, must[os.FileInfo](t)(os.Stat(at(t, d, s.file("f")))).Size())
	}
	if largest < (64<<10)/2 || largest > (64<<10) {
		t.Errorf("the file grew to %d bytes", largest)
	}
	got, ok, err := newest(s, "f")
	if diff := cmp.Diff(Entry{SHA: "x", Blob: blob, Ranges: []Range{{1, times}}}, got); diff != "" || !ok || err != nil {
		t.Errorf("%v %v %s", ok, err, diff)
	}
}

// A session that only goes on reading what it has read is in use.
func TestSweepKeepsSessionsInUse(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("s"))
	check(t, s.Record("f", Entry{SHA: "x"}))
	long := time.Now().Add(-2 * 7 * 24 * time.Hour)
	check(t, os.Chtimes(at(t, d, s.path), long, long))
	check(t, d.Sweep(context.Background()))
	if _, ok, err := newest(s, "f"); !ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
}

func FuzzEntry(f *testing.F) {
	f.Add([]byte(`{"path":"Zg==","sha":"x","ranges":[{"start":1,"end":2}],"at":"2026-01-01T00:00:00Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, versions := combine(data)
		if len(versions) > versionsKept {
			t.Errorf("%d versions", len(versions))
		}
		for _, v := range versions {
			for _, r := range union(v.Ranges, []Range{{1, 1}}) {
				if r.Start < 1 || r.End < r.Start {
					t.Errorf("range %v", r)
				}
			}
		}
	})
}

func TestSweep(t *testing.T) {
	d := fresh(t, Options{})
	put := func(text string) string { return must[string](t)(d.PutBlob([]byte(text), true)) }
	kept := func(sha string) bool { _, err := d.BlobBytes(sha); return err == nil }

	logged, shown, both, lost := put("logged"), put("shown"), put("both"), put("lost")
	l := must[*Log](t)(d.Log("journal", 0))
	check(t, l.Append([]byte(`{"a":"`+logged+`","b":["`+both+`"],"c":"`+lost+`0"}`), false)) // 65 digits are no hash
	s := must[*Session](t)(d.Session("s"))
	check(t, s.Record("f", Entry{SHA: "1", Blob: shown}))
	check(t, s.Record("g", Entry{SHA: "2", Blob: both}))
	check(t, os.WriteFile(at(t, d, "tmp/left"), nil, 0o600))
	check(t, os.MkdirAll(at(t, d, "blobs/aa"), 0o700))
	check(t, os.WriteFile(at(t, d, "blobs/aa/garbage"), nil, 0o600))

	check(t, d.Sweep(context.Background()))
	if !kept(logged) || !kept(shown) || !kept(both) || kept(lost) {
		t.Errorf("first sweep kept %v %v %v %v", kept(logged), kept(shown), kept(both), kept(lost))
	}
	if _, err := os.Lstat(at(t, d, "tmp/left")); err != nil {
		t.Errorf("a temporary file that may be in use: %v", err)
	}
	if _, err := os.Lstat(at(t, d, "blobs/aa/garbage")); !os.IsNotExist(err) {
		t.Errorf("garbage: %v", err)
	}

	began := time.Now()
	d.opt.Now = func() time.Time { return began.Add(7*24*time.Hour - time.Hour) }
	check(t, d.Sweep(context.Background()))
	if _, ok, err := newest(s, "f"); !ok || err != nil {
		t.Errorf("a session of this week: %v %v", ok, err)
	}
	d.opt.Now = func() time.Time { return began.Add(7*24*time.Hour + time.Hour) }
	check(t, d.Sweep(context.Background()))
	if !kept(logged) || kept(shown) || !kept(both) {
		t.Errorf("late sweep kept %v %v %v", kept(logged), kept(shown), kept(both))
	}
	if _, ok, err := newest(s, "f"); ok || err != nil {
		t.Errorf("old session: %v %v", ok, err)
	}
	if _, err := os.Lstat(at(t, d, "tmp/left")); !os.IsNotExist(err) {
		t.Errorf("old temporary file: %v", err)
	}
}

func TestSessionBlobBudget(t *testing.T) {
	d := fresh(t, Options{})
	s := must[*Session](t)(d.Session("s"))
	var shas []string
	now := time.Now()
	for i := range 3 {
		data := noise(30 << 20)
		data[0] = byte(i)
		sha := must[string](t)(d.PutBlob(data, false))
		file := string(rune('a' + i))
		check(t, s.Record(file, Entry{SHA: "x", Blob: sha}))
		moment := now.Add(time.Duration(i) * time.Minute)
		check(t, os.Chtimes(at(t, d, s.file(file)), moment, moment))
		shas = append(shas, sha)
	}
	check(t, d.Sweep(context.Background()))
	for i, sha := range shas {
		if _, err := d.BlobBytes(sha); (err == nil) != (i > 0) {
			t.Errorf("blob %d of 3: %v", i, err)
		}
	}
}

// A workspace that is only read is swept as well.
func TestNewSessionSweeps(t *testing.T) {
	d := fresh(t, Options{})
	old := must[*Session](t)(d.Session("old"))
	check(t, old.Record("f", Entry{SHA: "x"}))
	began := time.Now()
	d.opt.Now = func() time.Time { return began.Add(7*24*time.Hour + time.Hour) }
	check(t, must[*Session](t)(d.Session("new")).Record("f", Entry{SHA: "x"}))
	if _, ok, err := newest(old, "f"); ok || err != nil {
		t.Errorf("old session: %v %v", ok, err)
	}
}

// TestFirst: of many that ask at the same time about one subject in a session, one is the
// first, also after a sweep.
func TestFirst(t *testing.T) {
	d := fresh(t, Options{})
	for _, name := range []string{"one", "two"} {
		s := must[*Session](t)(d.Session(name))
		for _, subject := range []string{"a", "b/../c"} {
			var firsts atomic.Int32
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if s.First(subject) {
						firsts.Add(1)
					}
				})
			}
			all.Wait()
			check(t, d.sweep(t.Context(), true))
			if n := firsts.Load(); n != 1 || s.First(subject) {
				t.Errorf("%s, %s: %d are the first", name, subject, n)
			}
		}
	}
}
