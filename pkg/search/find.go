package search

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/search/collect"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Type is the type of an entry.
type Type string

// The types.
const (
	Any     Type = "any"
	File    Type = "file"
	Dir     Type = "dir"
	Symlink Type = "symlink"
	Other   Type = "other" // device, pipe or socket
)

// FindOptions say which files and directories to find.
type FindOptions struct {
	Scope
	// Query is a part of the name, or of the path if it holds a slash; upper and
	// lower case are the same. With Content, files whose text holds it match too.
	Query   string
	Content bool
	Globs   []string // select paths; a glob that starts with "!" excludes
	Type    Type     // Any if empty
	Limit   int      // most matches to return; 0 is all
	// NamesOnly leaves sizes and times out of the result.
	NamesOnly bool
	Decode    Decoder // for Content
}

// Match is a file or directory that was found. Its path is Prefix + Name; the
// matches in one directory share the prefix.
type Match struct {
	Prefix, Name string
	Type         Type
	Size         int64     // bytes; 0 for a directory, or if Modified is zero
	Modified     time.Time // in whole seconds, UTC
	Hit          string    // name or content
}

// Path returns the path from the root.
func (m *Match) Path() string { return m.Prefix + m.Name }

// FindResult is what was found, by level of directories and then by path.
type FindResult struct {
	// Matches yields Found matches. A large tree has many, so each is made only
	// when the loop reaches it.
	Matches iter.Seq[Match]
	Found   int
	// PathBytes is about the sum of the lengths of their paths; it is never less.
	PathBytes int
	// Total counts all matches if TotalExact is true, and otherwise those seen
	// before the search ended.
	Total               int
	TotalExact          bool
	Truncated, TimedOut bool
	Skipped             Skipped
	Problems            []Problem
}

// find is a search under way.
type find struct {
	FindOptions
	names     *names
	query     string
	matcher   *matcher // for the content; nil if it is not searched
	walker    *walk.Walker
	searchers []*searcher
}

// Find searches for files and directories by name and, with o.Content, by content.
// It ends after the level of directories on which the limit is exceeded.
func Find(ctx context.Context, root Root, o FindOptions) (FindResult, error) {
	// The result takes little memory, so the garbage should too.
	defer collect.Until(garbage)()
	if o.Limit <= 0 {
		o.Limit = unbounded
	}
	at, err := o.begin(root)
	if err != nil {
		return FindResult{}, err
	}
	n, err := compileNames(at.rel, o.Globs)
	if err != nil {
		return FindResult{}, err
	}
	f := &find{FindOptions: o, names: n, query: strings.ToLower(o.Query), walker: o.walker(root, n)}
	f.searchers = make([]*searcher, walk.Workers())
	if o.Content && o.Query != "" {
		p, err := pattern.Compile(o.Query, pattern.Options{Literal: true, IgnoreCase: true})
		if err != nil {
			return FindResult{}, err
		}
		f.matcher = newMatcher(p, o.Decode)
	}

	result := FindResult{TotalExact: true}
	var taken walk.Paths
	keep := func(n walk.Names) {
		result.Total += n.Len
		taken.Add(n.First(o.Limit - taken.Len))
	}
	end := o.bounded(ctx, f.walker)
	if at.kind == walk.Dir {
		levels := walk.Levels{MaxDepth: o.Depth, Take: f.take, Found: keep, Level: func() bool { return result.Total <= o.Limit }}
		levels.Run(f.walker, f.walker.Start(at.rel))
	} else if h, r, err := root.OpenFile(at.rel); err == nil {
		r.Close()
		if e := walk.EntryAt(at.rel, at.kind); f.take(0, h, e) {
			n, _ := walk.NamesOf(strings.TrimSuffix(e.Path(), e.Name()), []walk.Entry{e}, nil)
			keep(n)
		}
		h.Close()
	} else {
		f.walker.Report(at.rel, err)
	}
	late, err := end()
	if err != nil {
		return FindResult{}, err
	}
	taken.Seal()
	result.Found, result.PathBytes = taken.Len, taken.Bytes
	result.Truncated = result.Total > result.Found || late
	result.TimedOut = late
	result.TotalExact = !result.Truncated
	var infos []walk.Info
	if !o.NamesOnly {
		infos = root.StatPaths(&taken)
	}
	result.Matches = func(yield func(Match) bool) { f.matches(&taken, infos, yield) }
	result.Skipped, result.Problems = skippedOf(f.walker)
	return result, nil
}

// matches yields the matches. infos holds their sizes and times, or is nil.
func (f *find) matches(found *walk.Paths, infos []walk.Info, yield func(Match) bool) {
	i := 0
	for n := range found.All() {
		prefix := workspace.Escape(n.Prefix)
		for name, t := range n.All() {
			m := Match{Prefix: prefix, Name: workspace.Escape(name), Type: typeOf(t), Hit: "name"}
			if f.matcher != nil && !f.named(walk.EntryAt(n.Prefix+name, t)) {
				m.Hit = "content"
			}
			if infos != nil {
				if m.Modified = seconds(infos[i].Modified); t != walk.Dir {
					m.Size = infos[i].Size
				}
			}
			i++
			if !yield(m) {
				return
			}
		}
	}
}

func typeOf(t walk.Type) Type {
	switch t {
	case walk.File:
		return File
	case walk.Dir:
		return Dir
	case walk.Symlink:
		return Symlink
	}
	return Other
}

// take reports whether an entry is a match.
func (f *find) take(worker int, h *walk.Handle, e walk.Entry) bool {
	if f.Type != "" && f.Type != Any && f.Type != typeOf(e.Type) || !f.names.selects(e) {
		return false
	}
	return f.named(e) || f.matcher != nil && e.Type == walk.File && f.holds(worker, h, e)
}

// named reports whether the name contains the query.
func (f *find) named(e walk.Entry) bool {
	if f.query == "" {
		return true
	}
	name := e.Name()
	if strings.Contains(f.query, "/") {
		name = e.Path()
	}
	return containsFold(name, f.query)
}

// containsFold reports whether s contains lower, which is in lower case, in any case.
func containsFold(s, lower string) bool {
	if lower == "" {
		return true
	}
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
	}
	if !ascii {
		return strings.Contains(strings.ToLower(s), lower)
	}
	for i := 0; i+len(lower) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(lower)], lower) {
			return true
		}
	}
	return false
}

// holds reports whether the text of a file contains the query.
func (f *find) holds(worker int, h *walk.Handle, e walk.Entry) bool {
	if f.searchers[worker] == nil {
		f.searchers[worker] = newSearcher(f.matcher)
	}
	r, err := h.Open(e)
	if err != nil {
		f.walker.Report(e.Path(), err)
		return false
	}
	defer r.Close()
	found, err := f.searchers[worker].file(r, task{enough: 1, stopped: f.walker.Stopped})
	if err != nil {
		f.walker.Report(e.Path(), err)
	}
	return found.count > 0
}
