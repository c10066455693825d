package track

import (
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

// How long the clock for files may stand still, with a margin: nearly everywhere, and on
// file systems that keep whole seconds, as some do, or every other one.
const (
	clockTick  = 20 * time.Millisecond
	coarseTick = 2*time.Second + clockTick
)

// settled reports whether an entry was changed so long before a time that a change after
// that time has a time of its own.
func settled(st walk.Status, at time.Time) bool {
	last, tick := max(st.Changed, st.Modified), clockTick
	if last%int64(time.Second) == 0 {
		tick = coarseTick
	}
	return at.UnixNano()-last >= int64(tick)
}

// blind is something that is not scanned or not copied, with a mark that tells whether it
// was changed.
type blind struct {
	path string
	why  reason
	mark uint64
}

// tree is the workspace as a scan found it.
type tree struct {
	entries []*entry // by path
	blind   []blind  // by path
	at      time.Time
	top     *listing // nil: it was not found by a scan
	looks   []*workspace.Look
	partial bool // there is more to look at
}

// listing is the content of a directory. A directory that has not changed since holds the
// same names, and need not be read again.
type listing struct {
	walk.Status // of the directory
	names       []walk.Entry
	entries     []*entry // of the names, in their order
	blind       []blind
	blindNames  []walk.Entry
	subs        []place         // in the order of the paths below them
	look        *workspace.Look // for a survey
	size        int             // all names that it held
}

// gather appends what a directory and those below it hold, by path.
func (t *tree) gather(l *listing) {
	next := 0
	enterBefore := func(path string) {
		for ; next < len(l.subs) && strings.Compare(l.subs[next].Prefix(), path) < 0; next++ {
			t.gather(l.subs[next].found)
		}
	}
	for _, e := range l.entries {
		enterBefore(e.path)
		t.entries = append(t.entries, e)
	}
	for ; next < len(l.subs); next++ {
		t.gather(l.subs[next].found)
	}
	t.blind = append(t.blind, l.blind...)
	if l.look != nil {
		t.looks = append(t.looks, l.look)
	}
}

// find returns the entry at a path, or nil.
func (t *tree) find(path string) *entry {
	i, ok := slices.BinarySearchFunc(t.entries, path, func(e *entry, path string) int { return strings.Compare(e.path, path) })
	if !ok {
		return nil
	}
	return t.entries[i]
}

// below returns the entries in a directory, at any depth. "a-b" sorts between "a" and
// "a/b".
func (t *tree) below(dir string) []*entry {
	from, _ := slices.BinarySearchFunc(t.entries, dir+"/", func(e *entry, path string) int { return strings.Compare(e.path, path) })
	to := from
	for to < len(t.entries) && strings.HasPrefix(t.entries[to].path, dir+"/") {
		to++
	}
	return t.entries[from:to]
}
