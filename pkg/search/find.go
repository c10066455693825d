package search

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/helve-dev/helve/pkg/search/collect"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
	"github.com/helve-dev/helve/pkg/workspace/rank"
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

// Sort is an order of matches.
type Sort string

// The orders.
const (
	ByRelevance Sort = "relevance" // the best first; without a query the nearest to the start
	ByModified  Sort = "modified"  // the newest first
	ByName      Sort = "name"
	BySize      Sort = "size" // the largest first
)

// FindOptions say which files and directories to find.
type FindOptions struct {
	Scope
	// Query is any part of the path that the caller knows; package rank defines how it
	// matches. With Content, files whose text contains it match too.
	Query   string
	Content bool
	Globs   []string // select paths; a glob that starts with "!" excludes
	Type    Type     // Any if empty
	Sort    Sort     // ByRelevance if empty
	Limit   int      // most matches to return; 0 is all
	Offset  int      // matches to leave out before them
	// NamesOnly leaves sizes and times out of the result.
	NamesOnly bool
	Decode    Decoder   // for Content
	Convert   Converter // for Content; nil searches no documents
	// Converts selects by name the files that Convert is asked about; nil means all.
	Converts func(name string) bool
}

// Match is a file or directory that was found. Its path is Prefix + Name; the
// matches in one directory share the prefix.
type Match struct {
	Prefix, Name string
	Type         Type
	Size         int64     // bytes; 0 for a directory, or if Modified is zero
	Modified     time.Time // in whole seconds, UTC
	Hit          string    // name, path, words, parts, similar or content
}

// Path returns the path from the root.
func (m *Match) Path() string { return m.Prefix + m.Name }

// FindResult holds the matches, in the requested order.
type FindResult struct {
	// Matches yields Found matches. A large tree has many, so each is made only
	// when the loop reaches it.
	Matches iter.Seq[Match]
	Found   int
	// PathBytes is about the sum of the lengths of their paths; it is never less.
	PathBytes int
	// Total counts all matches if TotalExact is true, and otherwise those seen
	// before the time ran out.
	Total               int
	TotalExact          bool
	Truncated, TimedOut bool
	// Guessed says that nothing fits the query: all matches are only similar.
	Guessed  bool
	Skipped  Skipped
	Left     []walk.Left // directories that were not entered, the nearest first
	Problems []Problem
}

// find is a search under way.
type find struct {
	FindOptions
	root      Root
	names     *names
	query     *rank.Query
	matcher   *matcher // for the content; nil if it is not searched
	walker    *walk.Walker
	searchers []*searcher
	opened    atomic.Int64 // files
}

// Find searches for files and directories by name and, with o.Content, by content. It
// always walks the whole tree, once, so that the best match is found wherever it is.
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
	f := &find{FindOptions: o, root: root, names: n, query: rank.Compile(o.Query), walker: o.walker(root, n)}
	f.searchers = make([]*searcher, walk.Workers())
	if o.Content && o.Query != "" {
		p, err := pattern.Compile(o.Query, pattern.Options{Literal: true, IgnoreCase: true})
		if err != nil {
			return FindResult{}, err
		}
		f.matcher = newMatcher(p, o.Decode, o.Convert)
		f.matcher.converts = o.Converts
	}
	var how interface {
		take(worker int, h *walk.Handle, e walk.Entry) bool
		found(walk.Names)
		result(*FindResult)
	}
	if f.query != nil || o.Sort != "" && o.Sort != ByRelevance {
		how = newRanked(f)
	} else {
		how = newListed(f, at.rel)
	}
	take := how.take
	if o.Progress != nil && f.matcher == nil {
		take = counted(take, o.Progress)
	}
	end := o.bounded(ctx, f.walker)
	if at.kind == walk.Dir {
		levels := walk.Levels{MaxDepth: o.Depth, Take: take, Found: how.found, Level: func() bool { return true }}
		levels.Run(f.walker, f.walker.Start(at.rel))
	} else if h, r, err := root.OpenFile(at.rel); err == nil {
		r.Close()
		if e := walk.EntryAt(at.rel, at.kind); how.take(0, h, e) {
			n, _ := walk.NamesOf(strings.TrimSuffix(e.Path(), e.Name()), []walk.Entry{e}, nil)
			how.found(n)
		}
		h.Close()
	} else {
		f.walker.Report(at.rel, err)
	}
	late, err := end()
	if err != nil {
		return FindResult{}, err
	}
	var result FindResult
	how.result(&result)
	result.Truncated = result.Total > o.Offset+result.Found || late
	result.TimedOut, result.TotalExact = late, !late
	result.Skipped, result.Problems = skippedOf(f.walker)
	result.Left = f.walker.Counts().Left
	for i := range result.Left {
		result.Left[i].Path = workspace.Escape(result.Left[i].Path)
	}
	return result, nil
}

// seenStep is the number of names between two reports of progress in a walk that only
// looks at names: reporting each would take as long as the rest.
const seenStep = 1000

// counted returns take with a count of the entries it is called with, reported as progress.
func counted(take func(int, *walk.Handle, walk.Entry) bool, progress func(int64)) func(int, *walk.Handle, walk.Entry) bool {
	var seen atomic.Int64
	return func(worker int, h *walk.Handle, e walk.Entry) bool {
		if n := seen.Add(1); n%seenStep == 0 {
			progress(n)
		}
		return take(worker, h, e)
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

// selects reports whether the type and the globs select an entry.
func (f *find) selects(e walk.Entry) bool { return f.typed(e) && f.names.selects(e) }

func (f *find) typed(e walk.Entry) bool {
	return f.Type == "" || f.Type == Any || f.Type == typeOf(e.Type)
}

// match describes an entry. info is zero if sizes and times are left out.
func match(prefix, name string, t walk.Type, hit string, info walk.Info) Match {
	m := Match{Prefix: prefix, Name: workspace.Escape(name), Type: typeOf(t), Modified: seconds(info.Modified), Hit: hit}
	if t != walk.Dir {
		m.Size = info.Size
	}
	return m
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
	if n := f.opened.Add(1); f.Progress != nil {
		f.Progress(n)
	}
	found, err := f.searchers[worker].file(r, e.Name(), task{enough: 1, stopped: f.walker.Stopped})
	if err != nil {
		f.walker.Report(e.Path(), err)
	}
	return found.count > 0
}
