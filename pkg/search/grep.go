package search

import (
	"cmp"
	"context"
	"math"
	"path"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/collect"
	"github.com/helve-dev/helve/pkg/search/filetype"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

// pendingText limits the text, in bytes, that waits for earlier results. The lines of
// further files are not kept; those files are searched again later.
const pendingText = 1 << 20

// garbage limits the garbage that gathers before a collection, in percent of the memory
// in use. A search uses little memory, so a collection is cheap.
const garbage = 200

// unbounded replaces a limit of 0. It is small enough to add an offset to it in
// 32 bits.
const unbounded = 1 << 30

// Mode is the kind of result of a grep.
type Mode string

// The modes.
const (
	Content Mode = "content" // matching lines
	Files   Mode = "files"   // the paths of files with a match
	Count   Mode = "count"   // the same, with how many lines match in each
)

// GrepOptions say what to search for in files.
type GrepOptions struct {
	Scope
	Pattern string // a regular expression in the grammar of package pattern
	pattern.Options
	Globs []string // select paths; a glob that starts with "!" excludes
	Types []string // select files by type, with ripgrep's names
	// Relax says to ignore case if no line matches as written. Files are not read a
	// second time for that, except those that then match.
	Relax bool
	Mode  Mode // Content if empty
	// Before and After are the numbers of context lines to show around a match.
	Before, After int
	// Limit is the number of matching lines (in the other modes: files) to return after
	// the first Offset; 0 is all. The search ends once it knows that there are more,
	// unless Total asks for exact totals.
	Limit, Offset int
	Total         bool
	// PerFile limits the matching lines returned of one file; 0 is no limit.
	PerFile int
	// Around is the number of context lines to show before and after a single matching
	// line, if no context was requested.
	Around int
	// MaxBytes limits the text to return; 0 is no limit. The first matching line is
	// always returned.
	MaxBytes int
	Decode   Decoder   // may be nil
	Convert  Converter // nil searches no documents
	// Converts selects by name the files that Convert is asked about; nil means all.
	Converts func(name string) bool
}

// FileMatches is a file with matches.
type FileMatches struct {
	Path string `json:"path"`
	// Count is the number of matching lines; a match may span several. It is 0 in mode files.
	Count int    `json:"count,omitzero"`
	Lines []Line `json:"lines,omitempty"`
	// More reports that further lines match after the last one that [GrepOptions.PerFile]
	// allows. Count then covers only the lines that were seen.
	More bool `json:"more,omitzero"`
}

// GrepResult holds the matches, in byte-wise order of paths.
type GrepResult struct {
	Files []FileMatches
	// TotalMatches and TotalFiles count everything if TotalExact is true, and
	// otherwise what was seen before the search ended. TotalMatches is 0 in mode
	// files.
	TotalMatches, TotalFiles int
	TotalExact               bool
	FilesSearched            int
	// Truncated says that there is or may be more, from NextOffset on if that is
	// not 0. TimedOut says that the search ran out of time.
	Truncated, TimedOut bool
	// Relaxed says that nothing matches as written, and that case was ignored.
	Relaxed    bool
	NextOffset int
	Shown      int // matching lines, or files, in the result
	Skipped    Skipped
	Problems   []Problem // some of the paths that could not be read
}

// grep is a search under way.
type grep struct {
	GrepOptions
	root      Root
	matcher   *matcher
	names     *names
	walker    *walk.Walker
	searchers []*searcher

	searched, binary, undecoded, documents atomic.Int64
	pending                                atomic.Int64 // bytes of text that wait for earlier results
	seen                                   atomic.Int64 // results emitted

	result  GrepResult
	plans   []plan
	results int // emitted: matching lines, of each file PerFile at most; or files
	shown   int
	near    near // the files that match only if case is ignored
}

// candidate is a file with matches. It has the lines of the first ones, unless
// they will be read again when it is known which of them are wanted.
type candidate struct {
	path     string
	count    int
	exact    bool
	recorded int
	lines    []Line
	near     nearFile // if nothing matches, but may do so if case is ignored
}

// plan is a candidate with the range of its matches to show.
type plan struct {
	candidate
	skip, take int
}

// Grep searches the content of files. Errors in the pattern, the globs and the
// types have the code invalid_arguments.
func Grep(ctx context.Context, root Root, o GrepOptions) (GrepResult, error) {
	// A search keeps little in memory, so frequent collections cost almost no time.
	defer collect.Until(garbage)()
	g, at, err := prepare(root, o)
	if err != nil {
		return GrepResult{}, err
	}
	end := g.bounded(ctx, g.walker)
	err = g.search(at)
	if err == nil && g.result.TotalFiles == 0 && !g.near.many {
		g.relax(g.near.files, at.kind == walk.File)
	}
	late, canceled := end()
	if canceled != nil {
		return GrepResult{}, canceled
	}
	if err != nil {
		return GrepResult{}, fault.System(err, o.Path)
	}
	if g.result.TotalFiles == 0 && g.near.many && !late {
		o.IgnoreCase, o.Relax = true, false
		r, err := Grep(ctx, root, o)
		r.Relaxed = r.TotalFiles > 0
		return r, err
	}
	return g.finish(late), nil
}

// search searches what is below a start.
func (g *grep) search(at start) error {
	if at.kind == walk.File {
		return g.single(at.rel, true)
	}
	walk.Ordered(g.walker, g.walker.Start(at.rel), walk.Visitor[candidate]{
		MaxDepth: g.Depth, Visit: g.visit, Emit: g.emit,
	})
	return nil
}

// prepare checks the options and compiles the pattern, the globs and the types.
func prepare(root Root, o GrepOptions) (*grep, start, error) {
	o.Mode = cmp.Or(o.Mode, Content)
	if o.Limit <= 0 {
		o.Limit = unbounded
	}
	if o.PerFile <= 0 {
		o.PerFile = unbounded
	}
	o.Offset = max(o.Offset, 0)
	if o.MaxBytes <= 0 {
		o.MaxBytes = unbounded
	}
	o.Before, o.After = max(o.Before, 0), max(o.After, 0)
	p, err := pattern.Compile(o.Pattern, o.Options)
	if err != nil {
		return nil, start{}, err
	}
	at, err := o.begin(root)
	if err != nil {
		return nil, start{}, err
	}
	n, err := compileNames(at.rel, o.Globs)
	if err != nil {
		return nil, start{}, err
	}
	for _, t := range o.Types {
		globs, err := filetype.Globs(t)
		if err != nil {
			return nil, start{}, err
		}
		n.types = append(n.types, globs...)
	}
	g := &grep{GrepOptions: o, root: root, matcher: newMatcher(p, o.Decode, o.Convert), names: n, walker: o.walker(root, n)}
	g.matcher.converts = o.Converts
	if o.Relax {
		if g.matcher.relaxed, err = relaxed(p, o); err != nil {
			return nil, start{}, err
		}
	}
	g.searchers = make([]*searcher, walk.Workers())
	g.result.TotalExact = true
	return g, at, nil
}

func (g *grep) searcher(worker int) *searcher {
	if g.searchers[worker] == nil {
		g.searchers[worker] = newSearcher(g.matcher)
	}
	return g.searchers[worker]
}

// single searches one file, which the caller may have named.
func (g *grep) single(rel string, explicit bool) error {
	h, r, err := g.root.OpenFile(rel)
	if err != nil {
		return err
	}
	defer h.Close()
	defer r.Close()
	c, keep, err := g.look(g.searcher(0), r, walk.EntryAt(rel, walk.File), explicit)
	if keep {
		g.emit(c)
	}
	return err
}

func (g *grep) visit(worker int, h *walk.Handle, e walk.Entry) (candidate, bool) {
	if e.Type != walk.File || !g.names.selects(e) {
		return candidate{}, false
	}
	r, err := h.Open(e)
	if err != nil {
		g.walker.Report(e.Path(), err)
		return candidate{}, false
	}
	defer r.Close()
	c, keep, err := g.look(g.searcher(worker), r, e, false)
	if err != nil {
		g.walker.Report(e.Path(), err)
	}
	return c, keep
}

// look searches an open file.
func (g *grep) look(s *searcher, r walk.Reader, e walk.Entry, explicit bool) (candidate, bool, error) {
	if n := g.searched.Add(1); g.Progress != nil {
		g.Progress(n)
	}
	t := task{enough: math.MaxInt, explicit: explicit, stopped: g.walker.Stopped}
	switch g.Mode {
	case Files:
		t.enough = 1
	case Content:
		left := g.Offset + g.Limit + 1 - int(g.seen.Load())
		if !g.Total {
			t.enough = max(min(left, g.PerFile+1), 2)
		}
		if g.Offset == 0 && g.pending.Load() < pendingText {
			t.record, t.numbers = min(max(left-1, 0), g.Limit, g.PerFile), true
		}
	}
	f, err := s.file(r, e.Name(), t)
	switch {
	case err != nil:
		return candidate{}, false, err
	case f.binary:
		g.binary.Add(1)
	case f.undecoded:
		g.undecoded.Add(1)
	case f.document:
		g.documents.Add(1)
	}
	if f.count == 0 {
		return candidate{near: nearFile{e.Path(), f.undecoded, f.document}}, f.near, nil
	}
	g.matcher.met.Store(true)
	c := candidate{path: e.Path(), count: f.count, exact: f.exact, recorded: len(f.hits)}
	if len(f.hits) > 0 {
		if c.lines, err = s.show(&f.text, f.hits, g.Before, g.After); err != nil {
			return candidate{}, false, err
		}
		g.pending.Add(int64(bytesOf(c.lines)))
	}
	return c, true, nil
}

// emit takes one file with matches, in the order of paths. It reports whether
// the search needs more.
func (g *grep) emit(c candidate) (more bool) {
	if c.count == 0 {
		g.near.add(c.near)
		return true
	}
	g.result.TotalFiles++
	index, count := g.results, 1
	if g.Mode == Content {
		count = min(c.count, g.PerFile)
		g.pending.Add(-int64(bytesOf(c.lines)))
	}
	if g.Mode != Files {
		g.result.TotalMatches += c.count
		g.result.TotalExact = g.result.TotalExact && c.exact
	}
	g.results += count
	g.seen.Store(int64(g.results))
	skip := max(0, g.Offset-index)
	if skip >= count {
		return true
	}
	take := min(count-skip, g.Limit-g.shown)
	if take > 0 {
		g.shown += take
		g.plans = append(g.plans, plan{c, skip, take})
	}
	if take == count-skip {
		return true
	}
	g.result.Truncated = true
	if !g.Total {
		g.result.TotalExact = false
	}
	return g.Total
}

func (g *grep) finish(late bool) GrepResult {
	r := &g.result
	text := 0
	shown := 0
	for _, p := range g.plans {
		f := FileMatches{Path: workspace.Escape(p.path)}
		if g.Mode != Files {
			f.Count = p.count
		}
		take := p.take
		if g.Mode == Content {
			if f.Lines = p.lines; p.skip > 0 || p.recorded < p.take {
				g.again(&f, p)
			} else if p.recorded > p.take {
				f.Lines = cutAfter(f.Lines, p.take, g.After)
			}
			if g.alone() {
				g.around(&f, p)
			}
			// Show what fits of this file and nothing of the next.
			for text += bytesOf(f.Lines); text > g.MaxBytes && take > 1; text += bytesOf(f.Lines) {
				text -= bytesOf(f.Lines)
				take = take * 3 / 4
				f.Lines = cutAfter(f.Lines, take, g.After)
			}
		}
		f.More = g.Mode == Content && p.count > g.PerFile && p.skip+take == g.PerFile
		if take > 0 && (len(r.Files) == 0 || text <= g.MaxBytes) {
			r.Files = append(r.Files, f)
			shown += take
		}
		if take < p.take || text > g.MaxBytes {
			break
		}
	}
	if r.Shown = shown; shown < g.shown {
		r.Truncated = true
	}
	if late {
		r.TimedOut, r.Truncated, r.TotalExact = true, true, false
	}
	if r.Truncated && shown > 0 {
		r.NextOffset = g.Offset + shown
	}
	r.FilesSearched = int(g.searched.Load())
	r.Skipped, r.Problems = skippedOf(g.walker)
	r.Skipped.Binary, r.Skipped.Undecoded, r.Skipped.Documents = int(g.binary.Load()), int(g.undecoded.Load()), int(g.documents.Load())
	return *r
}

// alone reports whether there is one matching line in all.
func (g *grep) alone() bool {
	return g.result.TotalMatches == 1 && g.result.TotalExact && g.Offset == 0
}

// around shows a single matching line with those before and after it, if the options ask
// for that and the text fits.
func (g *grep) around(f *FileMatches, p plan) {
	if g.Around == 0 || g.Before > 0 || g.After > 0 {
		return
	}
	wide := *f
	g.Before, g.After = g.Around, g.Around
	if g.again(&wide, p); len(wide.Lines) > 0 && bytesOf(wide.Lines) <= g.MaxBytes {
		*f = wide
	}
	g.Before, g.After = 0, 0
}

// again searches a file whose lines were not kept. If the file has changed in
// the meantime, the result shows its new text.
func (g *grep) again(f *FileMatches, p plan) {
	f.Lines = nil
	h, r, err := g.root.OpenFile(p.path)
	if err != nil {
		g.walker.Report(p.path, err)
		return
	}
	defer h.Close()
	defer r.Close()
	s := g.searcher(0)
	found, err := s.file(r, path.Base(p.path), task{
		skip: p.skip, record: p.skip + p.take, enough: max(p.skip+p.take+1, 2), numbers: true, explicit: true,
		stopped: func() bool { return false },
	})
	if err == nil {
		f.Lines, err = s.show(&found.text, found.hits, g.Before, g.After)
	}
	if err != nil {
		g.walker.Report(p.path, err)
	}
}
