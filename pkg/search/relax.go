package search

import (
	"github.com/helve-dev/helve/pkg/search/pattern"
)

// relaxed returns the matcher of a pattern that ignores case, or nil if that makes no
// difference.
func relaxed(p *pattern.Pattern, o GrepOptions) (*matcher, error) {
	o.IgnoreCase = true
	q, err := pattern.Compile(o.Pattern, o.Options)
	if err != nil || p.Same(q) {
		return nil, err
	}
	m := newMatcher(q, o.Decode, o.Convert)
	m.converts = o.Converts
	return m, nil
}

// alike reports whether a text in memory matches if case is ignored, as long as nothing
// matches as written. The bytes are in the processor's caches, so the second look at them
// is cheap beside opening and reading the file again.
func (s *searcher) alike(data []byte) bool {
	if !s.relaxes() {
		return false
	}
	if s.other == nil {
		s.other = &searcher{matcher: s.relaxed}
	}
	if !s.Multiline {
		return len(s.other.lines(data, 1)) > 0
	}
	p := &part{}
	s.other.spanning(memory(data), memory(data), p, task{enough: 1, stopped: func() bool { return false }})
	return p.count > 0
}

// relaxes reports whether lines that match if case is ignored are still of interest.
func (s *searcher) relaxes() bool { return s.relaxed != nil && !s.met.Load() }

// mayRelax reports whether a part of a large file may match if case is ignored. Of matches
// that span lines, only a search of the file can tell.
func (s *searcher) mayRelax(p *part) bool {
	return p.near || s.Multiline && p.count == 0 && s.relaxes()
}

// nearBytes limits the paths, in bytes, that wait for the end of the walk.
const nearBytes = 1 << 20

// near holds files that may match if case is ignored, in the order of their paths.
type near struct {
	files []nearFile
	bytes int
	many  bool // more than are kept
}

// nearFile is such a file, with how it was counted without a match.
type nearFile struct {
	path                string
	undecoded, document bool
}

func (n *near) add(f nearFile) {
	if n.bytes += len(f.path); n.bytes > nearBytes {
		n.files, n.many = nil, true
	} else {
		n.files = append(n.files, f)
	}
}

// relax searches files again and ignores case. The caller named the file if explicit is
// true.
func (g *grep) relax(files []nearFile, explicit bool) {
	searched := g.searched.Load()
	g.matcher, g.Progress = g.matcher.relaxed, nil
	clear(g.searchers)
	for _, f := range files {
		if g.walker.Stopped() || g.result.Truncated && !g.Total {
			break
		}
		if f.undecoded {
			g.undecoded.Add(-1)
		}
		if f.document {
			g.documents.Add(-1)
		}
		if err := g.single(f.path, explicit); err != nil {
			g.walker.Report(f.path, err)
		}
	}
	g.searched.Store(searched)
	g.result.Relaxed = g.result.TotalFiles > 0
}
