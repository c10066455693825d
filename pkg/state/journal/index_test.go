package journal

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
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

// drawn appends entries to the journal as a random session leaves them: changes, undos and
// undos of those, some that came to nothing or to a conflict, some closed after the next has
// begun, under names that are hard to write down.
func (b *bench) drawn(r *rand.Rand, n int) {
	b.t.Helper()
	names := []string{"a", "a/b", "a/b.txt", "ab", "d/with \"quotes\"", "d/tab\there", "d/line\nbreak", "d/\xff", "d/ü", "d/back\\", `d/back\"`, "-", "u", "x y"}
	moment := time.Unix(1_700_000_000, 0)
	var ids []string
	var late []record
	put := func(r record) {
		line, err := r.encode()
		check(b.t, err)
		check(b.t, b.log().Append(line, false))
	}
	for range n {
		moment = moment.Add(time.Duration(r.IntN(5000)-500) * time.Millisecond)
		one := record{V: 1, State: intent, ID: state.NewID(moment), Time: moment.UTC(), Tool: "edit", Session: "s"}
		if len(ids) > 0 && r.IntN(4) == 0 {
			one.Undoes = []string{ids[r.IntN(len(ids))]}
			if r.IntN(2) == 0 {
				one.Undoes[0] = ids[len(ids)-1]
			}
		}
		for range 1 + r.IntN(3) {
			name := lossless(names[r.IntN(len(names))])
			file := &State{Kind: File, SHA: hash([]byte(name)), Size: int64(r.IntN(100)), Mode: 0o644, Saved: true}
			switch r.IntN(4) {
			case 0:
				one.Steps = append(one.Steps, step{Op: Create, Path: name, Post: file})
			case 1:
				one.Steps = append(one.Steps, step{Op: Move, From: name, Path: name + "2", Pre: file, Post: file})
			default:
				one.Steps = append(one.Steps, step{Op: Modify, Path: name, Pre: file, Post: file})
			}
		}
		if r.IntN(5) == 0 {
			one.State, one.Observed = done, true
			check(b.t, one.check())
			put(one)
			ids = append(ids, one.ID)
			continue
		}
		put(one)
		if r.IntN(8) == 0 {
			put(one) // a line twice
		}
		end := record{V: 1, State: []string{commit, commit, commit, commit, abort, conflict}[r.IntN(6)], ID: one.ID, Time: moment.UTC()}
		late = append(late, end)
		ids = append(ids, one.ID)
		if r.IntN(3) > 0 {
			for _, end := range late {
				put(end)
			}
			late = nil
		}
	}
	for _, end := range late {
		put(end)
	}
}

// decoded returns all of the journal, with what is undone.
func (b *bench) decoded() *history {
	b.t.Helper()
	h, err := b.load()
	check(b.t, err)
	undone := map[string]string{}
	for _, e := range slices.Backward(h.entries) {
		if e.end == commit && undone[e.ID] == "" {
			for _, id := range e.Undoes {
				if undone[id] == "" {
					undone[id] = e.ID
				}
			}
		}
	}
	for _, e := range h.entries {
		e.undoneBy = undone[e.ID]
	}
	return h
}

// whole lists what History does, and the number of changes that can be undone.
func (h *history) whole(path string) (all []Entry, standing int) {
	for _, e := range slices.Backward(h.entries) {
		if (e.end == commit || e.end == conflict) && e.touches(path) {
			all = append(all, e.listed())
			if e.change() {
				standing++
			}
		}
	}
	return all, standing
}

// agrees checks that undo and history see what all of the journal says.
func (b *bench) agrees() {
	b.t.Helper()
	b.agreesOn("", "a", "a/b", "ab", "d", "d/tab\there", "d/line\nbreak", "d/\xff", "d/back\\", "b", "u", `d/with "quotes"`, "nothing", "edit")
	for _, id := range []string{"", "x", idA, strings.ToLower(idA)} {
		if _, ok, err := b.Find(id); ok || err != nil {
			b.t.Fatalf("%q was found: %v", id, err)
		}
	}
}

// agreesOn is agrees for some paths.
func (b *bench) agreesOn(paths ...string) {
	b.t.Helper()
	h := b.decoded()
	for _, path := range paths {
		want, standing := h.whole(path)
		got, err := b.History(path, 0)
		check(b.t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			b.t.Fatalf("%q: %s", path, diff)
		}
		check(b.t, b.look(func(p *past) error {
			if n := p.standing(path, reversal{}); n != standing {
				b.t.Fatalf("%q: %d can be undone, not %d", path, n, standing)
			}
			return nil
		}))
		for _, e := range want[:min(1, len(want))] {
			found, ok, err := b.Find(e.ID)
			check(b.t, err)
			if diff := cmp.Diff(e, found); !ok || diff != "" {
				b.t.Fatalf("%s: %s", e.ID, diff)
			}
		}
	}
}

func (b *bench) indexFile() string {
	return filepath.Join(filepath.Dir(b.journalFile()), indexName)
}

// What the index says is what the journal says, however much of it the index is about.
func TestIndexAgrees(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		b := newBench(t)
		r := rand.New(rand.NewPCG(seed, 1))
		for range 4 {
			b.drawn(r, r.IntN(60))
			b.agrees()
			check(t, b.extend())
			b.agrees()
		}
		// Those sums are those of a scan of all.
		short, err := b.scan()
		check(t, err)
		check(t, os.Remove(b.indexFile()))
		long, err := b.scan()
		check(t, err)
		short.kept, short.base.kept, short.fresh, long.fresh = 0, 0, 0, 0
		if diff := cmp.Diff(long, short, cmp.AllowUnexported(scan{}, sums{}, size{})); diff != "" {
			t.Error(diff)
		}
		check(t, b.rewrite(must(b.load()), nil))
		b.agrees()
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// An index that lies is not believed: whatever byte of it is flipped, cut or of another
// journal, the answers are those of the journal.
func TestIndexThatLies(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	r := rand.New(rand.NewPCG(3, 4))
	b.drawn(r, 50)
	check(t, b.extend())
	good, err := os.ReadFile(b.indexFile())
	check(t, err)
	lies := map[string][]byte{
		"empty": {}, "a header alone": append(bytes.SplitN(good, []byte("\n"), 2)[0], '\n'), "no header": good[bytes.IndexByte(good, '\n')+1:],
		"cut": good[:len(good)/2], "twice": append(bytes.Clone(good), good...), "a later version": append([]byte("2"), good[1:]...),
	}
	for range 20 {
		at := r.IntN(len(good))
		flipped := bytes.Clone(good)
		flipped[at] ^= byte(1 << r.IntN(8))
		lies[fmt.Sprint("flipped at ", at)] = flipped
	}
	for name, lie := range lies {
		check(t, os.WriteFile(b.indexFile(), lie, 0o600))
		b.agreesOn("", "a/b")
		if _, err := b.scan(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := newBench(t)
	other.drawn(rand.New(rand.NewPCG(5, 6)), 70)
	check(t, os.WriteFile(other.indexFile(), good, 0o600))
	other.agrees()

	// The journal was cut after the index was made, as by a restored backup.
	check(t, os.WriteFile(b.indexFile(), good, 0o600))
	journal, err := os.ReadFile(b.journalFile())
	check(t, err)
	check(t, os.WriteFile(b.journalFile(), journal[:len(journal)*2/3], 0o600))
	b.agrees()
	check(t, b.extend())
	b.agrees()
}

// An index with the right checksums and wrong places is found out, said and removed.
func TestIndexThatMisleads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.drawn(rand.New(rand.NewPCG(7, 8)), 30)
	check(t, b.extend())
	f, err := b.log().Open()
	check(t, err)
	defer f.Close()
	x, ok := b.index(f)
	if !ok {
		t.Fatal("no index")
	}
	first := strings.Fields(string(x.rows))
	x.rows = bytes.ReplaceAll(x.rows, []byte(" "+first[1]+" "), []byte(" 1 "))
	check(t, b.Journal.dir.Put(indexName, x.encode()))
	if _, err := b.History("", 0); !fault.Is(err, fault.IOError) {
		t.Errorf("error %v", err)
	}
	b.agrees()
}

// Changes make the index as the journal grows, and a change reads little of a long one.
func TestIndexGrows(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.drawn(rand.New(rand.NewPCG(9, 10)), 150)
	for i := range 3 {
		b.do(write("a", fmt.Sprint(i)))
	}
	s, err := b.scan()
	check(t, err)
	if s.fresh > indexStep {
		t.Errorf("%d bytes are read before each change", s.fresh)
	}
	b.agrees()
	_, err = b.Undo(context.Background(), "s", Selector{Path: "a"}, false)
	check(t, err)
	if got := b.snapshot()["a"]; !strings.Contains(got, "1") {
		t.Errorf("%q", got)
	}
	b.agrees()
}
