package bolt

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// contents are what a store holds: values by key, and data by stream/id.
type contents struct{ keys, messages map[string]string }

func contentsOf(t *testing.T, s *Store) contents {
	t.Helper()
	c, err := readContents(t, s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func readContents(t *testing.T, s *Store) (contents, error) {
	c := contents{map[string]string{}, map[string]string{}}
	err := s.View(t.Context(), func(r store.Reader) error {
		entries, err := r.List("")
		if err != nil {
			return err
		}
		for _, e := range entries {
			c.keys[e.Key] = string(e.Value)
		}
		for _, stream := range []string{"s", "t"} {
			messages, err := r.Read(stream, 0, 1e6)
			if err != nil {
				return err
			}
			for _, m := range messages {
				c.messages[stream+"/"+m.ID] = string(m.Data)
				if found, err := r.Find(stream, m.ID); err != nil {
					return err
				} else if found == nil {
					c.messages[stream+"/"+m.ID] = "is not found"
				}
			}
		}
		return nil
	})
	return c, err
}

// filled is a store with a tree of several levels, whose pages were used several times.
func filled(t *testing.T) (path string, want contents, s *Store) {
	t.Helper()
	s = fresh(t)
	draw := rand.New(rand.NewPCG(1, 2))
	text := func() []byte {
		return []byte(strings.Repeat(string(rune('a'+draw.IntN(26))), 1+draw.IntN(90)))
	}
	for round := range 4 {
		err := s.Update(t.Context(), func(tx store.Tx) error {
			for i := range 60 {
				if err := tx.Put(fmt.Sprintf("jobs/%04d", draw.IntN(100)), text()); err != nil {
					return err
				}
				if err := tx.Delete(fmt.Sprintf("jobs/%04d", draw.IntN(100))); err != nil {
					return err
				}
				for _, stream := range []string{"s", "t"} {
					if _, _, err := tx.Append(stream, fmt.Sprintf("m%d-%d", round, i), text()); err != nil {
						return err
					}
					if err := tx.Remove(stream, fmt.Sprintf("m%d-%d", draw.IntN(round+1), draw.IntN(60))); err != nil {
						return err
					}
				}
			}
			return tx.Put("large", bytes.Repeat([]byte("large"), 3000))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	path, _, err := s.enter(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	return path, contentsOf(t, s), s
}

func TestCheckOfAStoreInOrder(t *testing.T) {
	_, want, s := filled(t)
	got, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Damage) > 0 || got.Keys != len(want.keys) || got.Messages != len(want.messages) || got.Streams != 2 || got.Free == 0 {
		t.Errorf("%+v", got)
	}
	fixed, err := s.Repair(t.Context())
	if err != nil || fixed.Kept != "" || len(fixed.Lost) > 0 || fixed.Keys != got.Keys {
		t.Errorf("%+v, %v", fixed, err)
	}
	for _, s := range []*Store{fresh(t), touched(t)} {
		got, err := s.Check(t.Context())
		if err != nil || len(got.Damage) > 0 || got.Keys > 0 {
			t.Errorf("a store without records: %+v, %v", got, err)
		}
		if _, err := s.Repair(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := s.Compact(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// touched is a store whose file has no records.
func touched(t *testing.T) *Store {
	t.Helper()
	s := fresh(t)
	if err := s.Update(t.Context(), func(store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestDamage damages each page of a file in several ways. Whoever uses the store then
// gets what was written or the error bad_document; Check sees what is wrong; Repair saves
// the rest and names all that is missing.
func TestDamage(t *testing.T) {
	path, want, s := filled(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(3, 4))
	ways := []struct {
		name  string
		spoil func(page []byte)
	}{
		{"zeroed", func(p []byte) { clear(p) }},
		{"header zeroed", func(p []byte) { clear(p[:16]) }},
		{"another number", func(p []byte) { p[0] ^= 0x41 }},
		{"count", func(p []byte) { p[10] ^= 0xff }},
		{"overflow", func(p []byte) { p[12] ^= 0xff }},
		{"elements", func(p []byte) { rnd(draw, p[16:64]) }},
		{"bytes", func(p []byte) {
			for range 6 {
				p[draw.IntN(len(p))] ^= byte(1 + draw.IntN(255))
			}
		}},
		{"noise", func(p []byte) { rnd(draw, p) }},
	}
	noticed := 0
	for at := 0; at < len(whole); at += pageSize {
		for _, way := range []int{at / pageSize % len(ways), draw.IntN(len(ways))} {
			way := ways[way]
			spoiled := bytes.Clone(whole)
			way.spoil(spoiled[at : at+pageSize])
			if survives(t, fmt.Sprintf("page %d, %s", at/pageSize, way.name), s, path, spoiled, want, at < 2*pageSize) {
				noticed++
			}
		}
	}
	if noticed < len(whole)/pageSize/4 {
		t.Errorf("only %d damages were noticed", noticed)
	}
	for _, size := range []int{0, 100, pageSize, 2 * pageSize, 5*pageSize + 7, len(whole) / 2, len(whole) * 9 / 10} {
		survives(t, fmt.Sprintf("cut to %d", size), s, path, bytes.Clone(whole[:size]), want, size < 4*pageSize)
	}
}

func rnd(draw *rand.Rand, p []byte) {
	for i := range p {
		p[i] = byte(draw.Uint32())
	}
}

// survives reports whether the damage was noticed. If old is set, what is saved may be
// of an earlier transaction.
func survives(t *testing.T, what string, s *Store, path string, spoiled []byte, want contents, old bool) (noticed bool) {
	t.Helper()
	if err := os.WriteFile(path, spoiled, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readContents(t, s); err == nil {
		if !old && (fmt.Sprint(got.keys) != fmt.Sprint(want.keys) || fmt.Sprint(got.messages) != fmt.Sprint(want.messages)) {
			// bbolt can pass over records whose places in a page are damaged.
			if report, err := s.Check(t.Context()); err != nil || len(report.Damage) == 0 {
				t.Errorf("%s: other contents, and no damage: %v", what, err)
			}
		}
	} else if !fault.Is(err, fault.BadDocument) {
		t.Errorf("%s: reading: %v", what, err)
	}
	err := s.Update(t.Context(), func(tx store.Tx) error {
		if err := tx.Put("jobs/0010", []byte("x")); err != nil {
			return err
		}
		return errUnwanted
	})
	if !fault.Is(err, fault.BadDocument) && err != errUnwanted { //nolint:errorlint // as it is
		t.Errorf("%s: writing: %v", what, err)
	}
	report, err := s.Check(t.Context())
	if err != nil {
		t.Errorf("%s: check: %v", what, err)
		return false
	}
	fixed, err := s.Repair(t.Context())
	if err != nil {
		t.Errorf("%s: repair: %v", what, err)
		return false
	}
	if (len(fixed.Damage) > 0) != (len(report.Damage) > 0) || (fixed.Kept != "") != (len(report.Damage) > 0) {
		t.Errorf("%s: check found %v, repair %v", what, report.Damage, fixed.Damage)
	}
	if fixed.Kept != "" {
		kept, err := os.ReadFile(fixed.Kept)
		if err != nil || !bytes.Equal(kept, spoiled) {
			t.Errorf("%s: the file that was kept is another one: %v", what, err)
		}
		if err := os.Remove(fixed.Kept); err != nil {
			t.Fatal(err)
		}
	}
	if after, err := s.Check(t.Context()); err != nil || len(after.Damage) > 0 {
		t.Errorf("%s: after the repair: %+v, %v", what, after, err)
	}
	got := contentsOf(t, s)
	for kind, m := range map[string][2]map[string]string{"key": {want.keys, got.keys}, "message": {want.messages, got.messages}} {
		for name, value := range m[0] {
			saved, ok := m[1][name]
			if ok && saved != value && !old && !fixed.Doubtful {
				t.Errorf("%s: %s %s is %q, was %q", what, kind, name, saved, value)
			}
			if !ok && !old && !covers(fixed.Lost, kind, name) {
				t.Errorf("%s: %s %s is lost and not named; lost are %+v, damage %+v", what, kind, name, fixed.Lost, fixed.Damage)
			}
		}
		for name := range m[1] {
			if _, ok := m[0][name]; !ok && !old && !fixed.Doubtful {
				t.Errorf("%s: %s %s is back", what, kind, name)
			}
		}
	}
	return len(report.Damage) > 0
}

func covers(lost []Lost, kind, name string) bool {
	for _, l := range lost {
		if l.Kind == kind && l.Name == name || kind == "message" && l.Kind == "message" && strings.Contains(l.Name, "#") {
			return true
		}
		if l.Kind == kind+"s" && (kind == "message" || l.From <= name && (l.To == "" || name < l.To)) {
			return true
		}
	}
	return false
}

var errUnwanted = fmt.Errorf("this is not to be written")

func TestCompact(t *testing.T) {
	path, want, s := filled(t)
	before, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var revision, newest uint64
	look := func(r store.Reader) error {
		e, err := r.Get("large")
		if err != nil {
			return err
		}
		revision = e.Revision
		newest, err = r.Last("s")
		return err
	}
	if err := s.View(t.Context(), look); err != nil {
		t.Fatal(err)
	}
	oldRevision, oldNewest := revision, newest
	got, err := s.Compact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Before != before.Bytes || got.After >= got.Before || got.Counts != before.Counts {
		t.Errorf("%+v of %+v", got, before)
	}
	if after, err := s.Check(t.Context()); err != nil || len(after.Damage) > 0 || after.Bytes != got.After {
		t.Errorf("after: %+v, %v", after, err)
	}
	if now := contentsOf(t, s); fmt.Sprint(now) != fmt.Sprint(want) {
		t.Error("the contents are others")
	}
	if err := s.View(t.Context(), look); err != nil || revision != oldRevision || newest != oldNewest {
		t.Errorf("numbers are %d and %d, were %d and %d: %v", revision, newest, oldRevision, oldNewest, err)
	}
	var m *store.Message
	if err := s.Update(t.Context(), func(tx store.Tx) (err error) {
		m, _, err = tx.Append("s", "new", nil)
		return err
	}); err != nil || m.Seq <= oldNewest || m.Seq <= oldRevision {
		t.Errorf("the next number is %+v: %v", m, err)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 1 {
		t.Errorf("left are %v: %v", left, err)
	}
}
