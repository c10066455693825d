package journal

import (
	"context"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

// What is kept of the history of a workspace. From the newest change back, an
// entry goes when one of these is passed, but the newest floorVersions of every
// file stay until MaxBytes or maxEntries is.
const (
	keptAge       = 30 * 24 * time.Hour
	keptBytes     = 200 << 20 // saved bytes, as they are on disk
	keptVersions  = 100       // of one file
	floorVersions = 10        // of one file
	maxEntries    = 20_000
)

// MaxBytes limits the bytes on disk of the saved bytes of a workspace.
const MaxBytes = 1 << 30

// damaged returns the log of lines that could not be read.
func (j *Journal) damaged() *state.Log {
	l, err := j.dir.Log(damagedName, state.LogBytes)
	if err != nil {
		panic(err) // the name is a constant
	}
	return l
}

// compact shortens the journal if it is still full, and then removes the bytes
// that nothing refers to any more.
func (j *Journal) compact(ctx context.Context) error {
	thinned := false
	err := j.locked(ctx, func() error {
		s, err := j.scan()
		if err != nil || !s.full() {
			return err
		}
		h, err := j.load()
		if err != nil {
			return err
		}
		drop, err := h.expired(j.opt.Now(), j.dir.BlobBytes)
		if err != nil {
			return err
		}
		thinned = true
		return j.rewrite(h, drop)
	})
	if err != nil || !thinned {
		return err
	}
	return j.dir.Sweep(ctx)
}

// expired returns the entries to drop, walking from the newest back. The newest
// floorVersions of every file outlive age and size, but not the hard limits: once
// one is reached, everything older goes.
func (h *history) expired(now time.Time, size func(sha string) (int64, error)) (map[*entry]bool, error) {
	drop := map[*entry]bool{}
	versions := map[string]int{}
	counted := map[string]bool{} // blobs in total
	var total, wholes int64
	kept, over := 0, false
	for _, e := range slices.Backward(h.entries) {
		if e.end == "" {
			continue // its process may be alive
		}
		fresh := map[string]bool{}
		var bytes, large int64
		for _, s := range e.Steps {
			if s.Op == MoveOut {
				bytes += s.Pre.Size
			}
			large += s.keptLarge()
			blob := s.Delta
			if lost := s.lost(); lost != nil && lost.Saved {
				blob = lost.SHA
			}
			if blob == "" || counted[blob] || fresh[blob] {
				continue
			}
			fresh[blob] = true
			n, err := size(blob)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return nil, err
			}
			bytes += n
		}
		few, many := false, true
		paths := touched([]*entry{e})
		for _, p := range paths {
			few = few || versions[p] < floorVersions
			many = many && versions[p] >= keptVersions
		}
		over = over || kept >= maxEntries || total+bytes > MaxBytes
		old := now.Sub(e.Time) > keptAge || total+bytes > keptBytes
		// Of large files that are kept whole, the newest stays whatever its size.
		bulky := large > 0 && wholes > 0 && wholes+large > MaxBytes
		if e.end == abort || bulky || over || drop[e] || !few && (many || old) {
			drop[e] = true
			for _, id := range e.Undoes {
				// Without the undo, the entry would seem not to be undone.
				if undone := h.byID[id]; undone != nil && e.end == commit {
					drop[undone] = true
				}
			}
			continue
		}
		kept++
		total += bytes
		wholes += large
		for sha := range fresh {
			counted[sha] = true
		}
		for _, p := range paths {
			versions[p]++
		}
	}
	return drop, nil
}

// rewrite replaces the journal with one that lacks some entries and the lines
// that cannot be read, which go to another log. The journal is locked.
func (j *Journal) rewrite(h *history, drop map[*entry]bool) error {
	mark := record{V: 1, State: base}
	var keep [][]byte
	for _, l := range h.lines {
		switch {
		case l.bad && !l.idle && l.raw != nil:
			j.opt.Step("set aside")
			if err := j.damaged().Append(l.raw, true); err != nil {
				return err
			}
		case l.bad, l.idle, l.entry != nil && drop[l.entry]:
		case l.entry == nil && isBase(l.raw):
		default:
			keep = append(keep, l.raw)
			mark.Bytes += int64(len(l.raw)) + 1
		}
	}
	for _, e := range h.entries {
		if !drop[e] {
			mark.Entries++
		}
	}
	first, err := mark.encode()
	if err != nil {
		return err
	}
	j.opt.Step("replace journal")
	if err := j.log().Replace(slices.Values(append([][]byte{first}, keep...))); err != nil {
		return err
	}
	_ = j.extend() // without an index the same is found, but later
	return nil
}

func isBase(line []byte) bool {
	r, err := parse(line)
	return err == nil && r.State == base
}
