package search

import (
	"cmp"
	"context"
	"path"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/glob"
	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Root is the directory that a search never leaves.
type Root = walk.Root

// Scope says where to search and what to leave out. Directories of version
// control and of helve itself are never entered, and links are never followed.
type Scope struct {
	// Path is the file or directory to search, relative to the root, with slashes and
	// without links; "" is the root. A file that is named here is searched even if it is
	// ignored, hidden or binary.
	Path     string
	Depth    int  // levels of directories to enter; 0 is all, 1 only Path itself
	Hidden   bool // include names that start with a dot
	NoIgnore bool // do not read ignore files
	// Deny reports whether to hide a path. Hidden paths are counted and otherwise
	// treated as if they did not exist. It may be nil; several goroutines call it
	// at once.
	Deny func(rel string, dir bool) bool
	// Excludes is the content of the user's own ignore file. Top and Above are
	// what the repository around the root adds, and Repository reads what others do.
	// See [walk.Filter].
	Excludes   []byte
	Top        string
	Above      []walk.Above
	Repository func(top string) (exclude []byte, fold bool)
	// Time limits the search: when it is up, the search returns the results so far; 0 is
	// no limit.
	Time time.Duration
	Skip []string // names of directories that are not entered
	// Progress, if not nil, is called with the number of files opened or, in a search
	// that opens none, of names seen. Several goroutines call it at once.
	Progress func(n int64)

	closed bool // see [walk.Filter]; Path may then be any directory
}

// Skipped counts what was left out.
type Skipped struct {
	Ignored int `json:"ignored"`         // files and directories that ignore files exclude
	Hidden  int `json:"hidden,omitzero"` // names that start with a dot
	Binary  int `json:"binary"`          // files that hold a NUL and either match or are large
	Denied  int `json:"denied"`          // entries that the system or [Scope.Deny] does not let the search read
	// Undecoded are files without a match that are not UTF-8 and whose encoding is not
	// certain, if the pattern names characters that have other bytes there.
	Undecoded int `json:"undecoded,omitzero"`
	Deeper    int `json:"deeper,omitzero"` // directories below the last level
	// Documents are those whose text was not searched.
	Documents int `json:"documents,omitzero"`
}

// Problem is a path that could not be read, with the error of the system.
type Problem struct {
	Path string
	Err  error
}

// start is the checked starting point of a search.
type start struct {
	rel  string
	kind walk.Type
}

// begin checks the path where a search starts.
func (s *Scope) begin(root Root) (start, error) {
	rel := path.Clean("./" + s.Path)
	if !workspace.Within(s.Path, ".") {
		return start{}, outside(s.Path)
	}
	at := start{rel, walk.Dir}
	if rel != "." {
		info, err := root.Stat(rel)
		if err == nil && s.Deny != nil && s.Deny(rel, info.Type == walk.Dir) {
			err = notFound(s.Path)
		}
		if err != nil {
			return start{}, fault.System(err, s.Path)
		}
		at.kind = info.Type
	}
	if at.kind == walk.Dir && walk.Never(rel) && !s.closed {
		return start{}, neverSearched(s.Path)
	}
	if at.kind == walk.Dir {
		h, err := root.OpenDir(rel)
		if err != nil {
			return start{}, fault.System(err, cmp.Or(s.Path, rel))
		}
		h.Close()
	} else if at.kind != walk.File {
		return start{}, notAFile(s.Path)
	}
	return at, nil
}

func (s *Scope) walker(root Root, names *names) *walk.Walker {
	f := walk.Filter{Hidden: s.Hidden, NoIgnore: s.NoIgnore, Deny: s.Deny, Global: s.Excludes, Top: s.Top, Above: s.Above, Repository: s.Repository, Closed: s.closed, Skip: s.Skip}
	if len(names.exclude) > 0 {
		f.Exclude = names.excluded
	}
	return walk.New(root, f)
}

// bounded stops a walk when the context is canceled or s.Time has passed. The
// function it returns ends that. late reports whether the time had passed; the
// error is not nil if the caller canceled.
func (s *Scope) bounded(ctx context.Context, w *walk.Walker) (end func() (late bool, err error)) {
	inner, cancel := ctx, context.CancelFunc(func() {})
	if s.Time > 0 {
		inner, cancel = context.WithTimeout(ctx, s.Time)
	}
	release := w.StopWith(inner)
	return func() (bool, error) {
		release()
		defer cancel()
		if err := ctx.Err(); err != nil {
			return false, fault.As(err)
		}
		return inner.Err() != nil, nil
	}
}

func skippedOf(w *walk.Walker) (Skipped, []Problem) {
	c := w.Counts()
	var problems []Problem
	for _, p := range c.Problems {
		problems = append(problems, Problem{workspace.Escape(p.Path), p.Err})
	}
	return Skipped{Ignored: c.Ignored, Hidden: c.Hidden, Denied: c.Denied, Deeper: c.Deeper}, problems
}

// names selects files by their paths.
type names struct {
	base             string // the path of the start with a slash; "" for the root
	include, exclude []*glob.Glob
	types            []*glob.Glob
}

// compileNames compiles globs. A glob that starts with "!" excludes.
func compileNames(rel string, globs []string) (*names, error) {
	n := &names{}
	if rel != "." {
		n.base = rel + "/"
	}
	for _, text := range globs {
		plain, excludes := strings.CutPrefix(text, "!")
		g, err := glob.Compile(plain)
		if err != nil {
			return nil, err
		}
		if excludes {
			n.exclude = append(n.exclude, g)
		} else {
			n.include = append(n.include, g)
		}
	}
	return n, nil
}

func (n *names) excluded(rel string) bool { return n.any(n.exclude, rel) }

// selects reports whether the globs and types select an entry.
func (n *names) selects(e walk.Entry) bool {
	if len(n.include) == 0 && len(n.types) == 0 {
		return true
	}
	rel := e.Path()
	return (len(n.include) == 0 || n.any(n.include, rel)) && (len(n.types) == 0 || n.any(n.types, rel))
}

// any reports whether a glob matches a path, relative either to the root or to
// the start of the search: callers use both.
func (n *names) any(globs []*glob.Glob, rel string) bool {
	local := strings.TrimPrefix(rel, n.base)
	for _, g := range globs {
		if g.Match(local) || len(local) < len(rel) && g.Match(rel) {
			return true
		}
	}
	return false
}
