package journal

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
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

// shelved returns the files among the snapshots.
func (b *bench) shelved() (all []string) {
	b.t.Helper()
	dir, err := b.Journal.dir.Snapshots()
	check(b.t, err)
	check(b.t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			all = append(all, name)
		}
		return err
	}))
	return all
}

// A change of a large file that fails, as on a full disk, leaves the file as it was and
// nothing among the snapshots.
func TestLargeFails(t *testing.T) {
	full := errors.New("no space left on device")
	for fails, c := range map[string]Change{
		"stage b":         splicing("b", 1, "ec", "x"),
		"install b":       splicing("b", 1, "ec", "x"),
		"keep b":          {Op: Replace, Path: "b", Content: []byte("x")},
		"extend b":        extending("second", " more"),
		"keep inplace":    {Op: Replace, Path: "inplace", Content: []byte("x")},
		"stage inplace":   splicing("inplace", 5, "text", "words"),
		"install inplace": splicing("inplace", 5, "other", "words"), // it is not that text
	} {
		t.Run(fails, func(t *testing.T) {
			b := populate(t, nil)
			before := b.snapshot()
			b.disk.fail[fails] = full
			_, err := b.Apply(context.Background(), "test", "s", c)
			if err == nil {
				t.Fatal("it did not fail")
			}
			if diff := cmp.Diff(before, b.snapshot()); diff != "" {
				t.Error(diff)
			}
			if left := b.shelved(); len(left) > 0 {
				t.Errorf("left are %v", left)
			}
			if all, err := b.History("", 0); err != nil || len(all) > 0 {
				t.Errorf("%+v %v", all, err)
			}
		})
	}
}

// What fails halfway through overwriting is taken back.
func TestLargeRewriteFails(t *testing.T) {
	b := populate(t, nil)
	before := b.snapshot()
	b.opt.Step = func(name string) {
		if strings.HasPrefix(name, "install ") {
			b.disk.fail["rewrite inplace"] = errors.New("no space left on device")
		} else if strings.HasPrefix(name, "revert ") {
			delete(b.disk.fail, "rewrite inplace")
		}
	}
	for _, c := range []Change{splicing("inplace", 5, "text", "words"), {Op: Replace, Path: "inplace", Content: []byte("x")}} {
		if _, err := b.Apply(context.Background(), "test", "s", c); err == nil {
			t.Fatal("it did not fail")
		}
		if diff := cmp.Diff(before, b.snapshot()); diff != "" {
			t.Error(diff)
		}
		if left := b.shelved(); len(left) > 0 {
			t.Errorf("left are %v", left)
		}
	}
}

// A large file that is another one than the caller looked at is left alone.
func TestLargeStale(t *testing.T) {
	b := populate(t, nil)
	info, err := os.Stat(b.path("b"))
	check(t, err)
	for what, change := range map[string]func(){
		"longer":  func() { b.put("b", "second!") },
		"touched": func() { check(t, os.Chtimes(b.path("b"), time.Time{}, info.ModTime().Add(time.Second))) },
		"another": func() {
			b.put("new", "second")
			check(t, os.Chtimes(b.path("new"), time.Time{}, info.ModTime()))
			check(t, os.Rename(b.path("new"), b.path("b")))
		},
	} {
		change()
		for _, c := range []Change{splicing("b", 1, "ec", "x"), extending("second", " more"), {Op: Replace, Path: "b", Content: []byte("x")}} {
			c.Found = info
			_, err := b.Apply(context.Background(), "test", "s", c)
			if !fault.Is(err, fault.Stale) {
				t.Errorf("%s: %s: %v", what, c.Op, err)
			}
		}
	}
	for _, c := range []Change{splicing("b", 1, "xx", "x"), splicing("b", 5, "dx", "x"), extending("secon", " more")} {
		if _, err := b.Apply(context.Background(), "test", "s", c); !fault.Is(err, fault.Stale) && !fault.Is(err, fault.Internal) {
			t.Errorf("%s of other bytes: %v", c.Op, err)
		}
	}
}

// Files above what is hashed here are known by their time; undo of one change after the
// other restores them all the same.
func TestLargeByTime(t *testing.T) {
	b := newBench(t)
	b.put("big", strings.Repeat("x", state.MaxBlob)+"the end")
	size := int64(state.MaxBlob + 7)
	changes := []Change{
		{Op: Extend, Path: "big", Splices: []Splice{{At: size, New: []byte(" and more")}}},
		{Op: Replace, Path: "big", Splices: []Splice{{At: 0, Old: []byte("xx"), New: []byte("first ")}}},
		{Op: Extend, Path: "big", Splices: []Splice{{At: size + 13, New: []byte("!")}}},
		{Op: Replace, Path: "big", Content: []byte("all")},
	}
	var was []string
	for _, c := range changes {
		was = append(was, b.snapshot()["big"])
		b.do(c)
	}
	var redo []string
	for _, want := range slices.Backward(was) {
		redo = append(redo, b.undo(Selector{}).ID)
		if got := b.snapshot()["big"]; got != want {
			t.Fatalf("%d undone: %d bytes, not %d", len(redo), len(got), len(want))
		}
	}
	for i, id := range slices.Backward(redo) {
		b.undo(Selector{ID: id})
		if got := b.snapshot()["big"]; i > 0 && got != was[len(was)-i] {
			t.Fatalf("%s redone: %d bytes", id, len(got))
		}
	}
	if got := b.snapshot()["big"]; !strings.HasSuffix(got, " all") {
		t.Errorf("in the end %d bytes", len(got))
	}
	if err := os.Chtimes(b.path("big"), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
}

// What another program did to a large file is not undone with it.
func TestLargeUndoConflict(t *testing.T) {
	b := populate(t, nil)
	b.do(extending("second", " more"))
	b.put("b", "second xxxx")
	_, err := b.Undo(context.Background(), "s", Selector{}, false)
	wantCode(t, err, fault.UndoConflict)
	_, err = b.Undo(context.Background(), "s", Selector{}, true)
	wantCode(t, err, fault.UndoConflict) // there is nothing to force: other bytes are there
	if got := b.snapshot()["b"]; !strings.HasSuffix(got, "second xxxx") {
		t.Errorf("it holds %q", got)
	}
}

func TestDelta(t *testing.T) {
	d := delta{{At: 0, New: []byte("start ")}, {At: 4, Old: []byte("old"), New: []byte("new text")}, {At: 10, Old: []byte("x")}}
	again, err := decodeDelta(d.encode())
	check(t, err)
	const text = "abcdoldefgx end"
	var after, before bytes.Buffer
	check(t, again.apply(&after, strings.NewReader(text)))
	check(t, again.inverse().apply(&before, bytes.NewReader(after.Bytes())))
	if after.String() != "start abcdnew textefg end" || before.String() != text {
		t.Errorf("%q, back %q", after.String(), before.String())
	}
	for _, other := range []string{"", "abcdolXefgx end", "abcdold"} {
		if err := d.apply(&after, strings.NewReader(other)); !errors.Is(err, errOther) {
			t.Errorf("%q: %v", other, err)
		}
	}
	for what, bad := range map[string]delta{
		"order": {{At: 5, Old: []byte("x")}, {At: 1, Old: []byte("x")}}, "overlap": {{At: 1, Old: []byte("xx")}, {At: 2, Old: []byte("x")}},
		"negative": {{At: -1}}, "too large": {{At: 1, New: make([]byte, state.MaxBlob)}},
	} {
		if bad.check() == nil {
			t.Errorf("%s is accepted", what)
		}
	}
}

// A blob that is no delta is an error, and one that is gives the same bytes again.
func FuzzDelta(f *testing.F) {
	f.Add(delta{{At: 3, Old: []byte("old"), New: []byte("new")}, {At: 9, New: []byte("x")}}.encode())
	f.Add([]byte{0xff, 0xff, 0xff})
	f.Add([]byte{1, 0, 200, 1})
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := decodeDelta(raw)
		if err != nil {
			return
		}
		again, err := decodeDelta(d.encode())
		if err != nil || !cmp.Equal(d, again) {
			t.Errorf("%v %v", again, err)
		}
		if len(raw) < 1000 && d.check() != nil {
			t.Errorf("%v is not accepted", d)
		}
	})
}
