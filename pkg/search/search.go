package search

import (
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

// Scope says where to search and what to pass over. Directories of version
// control and of helve itself are never entered, and links are never followed.
type Scope struct {
	// Path is where to start, relative to the root, with slashes and without
	// links; "" is the root. A file that is named here is searched whatever its
	// name and kind.
	Path     string
	Depth    int  // levels of directories; 0 is all, 1 the starting one alone
	Hidden   bool // take in names that start with a dot
	NoIgnore bool // heed no ignore files
	// Deny keeps paths from being seen, as if they were not there; that there are
	// some is counted. It may be nil, and is called by several goroutines at once.
	Deny func(rel string, dir bool) bool
	// Excludes is the content of the person's own file of ignore rules, Top and
	// Above what the repository that the root is a part of adds; see
	// [walk.Filter].
	Excludes []byte
	Top      string
	Above    []walk.Above
	// Time is how long the search may take before it returns what it has; 0 is
	// no bound.
	Time time.Duration

	closed bool // as of [walk.Filter]; the start may then be any directory
}

// Skipped counts what was passed over.
type Skipped struct {
	Ignored  int `json:"ignored"`            // files and directories that ignore files exclude
	Hidden   int `json:"hidden,omitzero"`    // names that start with a dot
	Binary   int `json:"binary"`             // files with a hit, or a large size, and a NUL
	Denied   int `json:"denied"`             // what the system or [Scope.Deny] would not show
	TooLarge int `json:"too_large,omitzero"` // files that would have to be held as a whole
}

// Problem is something that could not be read, as the system says it.
type Problem struct {
	Path string
	Err  error
}

// start is a checked place to start.
type start struct {
	rel  string
	kind walk.Type
}

// begin checks where a search starts.
func (s *Scope) begin(root Root) (start, error) {
	rel := path.Clean("./" + s.Path)
	if !workspace.Within(s.Path, ".") {
		return start{}, fault.New(fault.OutsideWorkspace, fault.T("%s is outside the workspace", "%s 在工作区之外", s.Path)).
			WithHint(fault.T("use a path relative to the workspace root", "请使用相对于工作区根目录的路径"))
	}
	at := start{rel, walk.Dir}
	if rel != "." {
		info, err := root.Stat(rel)
		if err == nil && s.Deny != nil && s.Deny(rel, info.Type == walk.Dir) {
			err = fault.New(fault.NotFound, fault.T("file not found: %s", "文件不存在: %s", s.Path))
		}
		if err != nil {
			return start{}, fault.System(err, s.Path)
		}
		at.kind = info.Type
	}
	if at.kind == walk.Dir && walk.Skipped(rel) && !s.closed {
		return start{}, fault.New(fault.InvalidArguments,
			fault.T("%s belongs to version control or to helve and is never searched as a whole", "%s 属于版本控制或 helve，不会整体搜索", s.Path)).
			WithHint(fault.T("search a single file of it, or list it with ls", "请搜索其中的单个文件，或用 ls 列出"))
	}
	if at.kind == walk.Dir {
		h, err := root.OpenDir(rel)
		if err != nil {
			return start{}, fault.System(err, s.shown(rel))
		}
		h.Close()
	} else if at.kind != walk.File {
		return start{}, fault.New(fault.NotAFile, fault.T("%s is neither a file nor a directory", "%s 既不是文件也不是目录", s.Path)).
			WithHint(fault.T("search the directory or file itself", "请直接搜索目录或文件本身"))
	}
	return at, nil
}

func (s *Scope) shown(rel string) string {
	if s.Path == "" {
		return rel
	}
	return s.Path
}

func (s *Scope) walker(root Root, names *names) *walk.Walker {
	f := walk.Filter{Hidden: s.Hidden, NoIgnore: s.NoIgnore, Deny: s.Deny, Global: s.Excludes, Top: s.Top, Above: s.Above, Closed: s.closed}
	if len(names.exclude) > 0 {
		f.Exclude = names.excluded
	}
	return walk.New(root, f)
}

// bounded ties a walk to the context and the time that it may take. The
// function it returns ends that, and tells whether the time was over; an error
// says that the caller has canceled.
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
		problems = append(problems, Problem{validPath(p.Path), p.Err})
	}
	return Skipped{Ignored: c.Ignored, Hidden: c.Hidden, Denied: c.Denied}, problems
}

// names selects files by their paths.
type names struct {
	base             string // what stands before paths from the start
	include, exclude []*glob.Glob
	types            []*glob.Glob
}

// compileNames reads globs, of which those that start with "!" exclude.
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

// selects reports whether a file is to be looked at.
func (n *names) selects(e walk.Entry) bool {
	if len(n.include) == 0 && len(n.types) == 0 {
		return true
	}
	rel := e.Path()
	return (len(n.include) == 0 || n.any(n.include, rel)) && (len(n.types) == 0 || n.any(n.types, rel))
}

// any matches a path both from the root and from the start: callers mean
// either.
func (n *names) any(globs []*glob.Glob, rel string) bool {
	local := strings.TrimPrefix(rel, n.base)
	for _, g := range globs {
		if g.Match(local) || len(local) < len(rel) && g.Match(rel) {
			return true
		}
	}
	return false
}
