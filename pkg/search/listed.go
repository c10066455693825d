package search

import (
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

// listed is a find without a query: what the globs select, by level of directories and
// then by path. There may be very many matches, so they are kept packed.
type listed struct {
	find   *find
	loose  *loose // while nothing is selected
	some   atomic.Bool
	total  int
	passed int // left out before the first that is taken
	taken  walk.Paths
}

func newListed(f *find, start string) *listed {
	return &listed{find: f, loose: newLoose(f, start)}
}

func (l *listed) take(worker int, _ *walk.Handle, e walk.Entry) bool {
	if !l.find.typed(e) {
		return false
	}
	if l.find.names.selects(e) {
		if !l.some.Load() {
			l.some.Store(true)
		}
		return true
	}
	if l.loose != nil && !l.some.Load() {
		l.loose.look(worker, e)
	}
	return false
}

func (l *listed) found(n walk.Names) {
	l.total += n.Len
	pass := min(n.Len, l.find.Offset-l.passed)
	l.passed += pass
	l.taken.Add(n.After(pass).First(l.find.Limit - l.taken.Len))
}

func (l *listed) result(r *FindResult) {
	if l.total == 0 && l.loose != nil {
		l.loose.kept.result(l.find, r)
		return
	}
	l.taken.Seal()
	r.Total, r.Found, r.PathBytes = l.total, l.taken.Len, l.taken.Bytes
	var infos []walk.Info
	if !l.find.NamesOnly {
		infos = l.find.root.StatPaths(&l.taken)
	}
	r.Matches = func(yield func(Match) bool) {
		i := 0
		for n := range l.taken.All() {
			prefix := workspace.Escape(n.Prefix)
			for name, t := range n.All() {
				var info walk.Info
				if infos != nil {
					info = infos[i]
				}
				i++
				if !yield(match(prefix, name, t, "name", info)) {
					return
				}
			}
		}
	}
}
