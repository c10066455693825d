package walk

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/helve-dev/helve/pkg/search/ignore"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Filter selects what a walk leaves out. Directories of version control and of helve
// itself are never entered.
type Filter struct {
	Hidden   bool // include names that start with a dot
	NoIgnore bool // do not read ignore files
	// Deny reports whether to hide a path; hidden paths are counted. Exclude
	// reports whether to leave out a path without counting it. Either may be nil;
	// several goroutines call them at once.
	Deny    func(rel string, dir bool) bool
	Exclude func(rel string) bool
	// Closed also lists ignored files and directories, and the directories of
	// version control and of helve itself. Such directories are not entered.
	Closed bool
	Skip   []string // names of directories that are not entered
	// Global is the content of the user's own ignore file.
	Global []byte
	// Top is the path to the root from the top of the repository around it; "" if
	// the root is the top.
	Top string
	// Above are the ignore files of the repository above the root, the farthest
	// first.
	Above []Above
	// Repository returns what git keeps, in a place that may be outside of the root, for
	// the repository whose top is at a path from the root: its info/exclude, and whether
	// core.ignorecase is set. Without it, only info/exclude in a directory .git is read.
	Repository func(top string) (exclude []byte, fold bool)
}

// Above is one ignore file outside the root.
type Above struct {
	Prefix  string // the path from its directory to the root
	Content []byte
	Exclude bool // it is the info/exclude of the repository, not a .gitignore
}

// Problem is a directory or file that could not be read.
type Problem struct {
	Path string
	Err  error
}

// Counts counts what a walk left out.
type Counts struct {
	Ignored int // files and directories, without the content of ignored directories
	Hidden  int
	Denied  int // hidden by [Filter.Deny], or not readable
	Deeper  int // directories below the last level
	// Left are directories that were not entered, the nearest first.
	Left []Left
	// Problems are the first few, by path.
	Problems []Problem
}

// Walker goes through the tree below one root.
type Walker struct {
	root    Root
	filter  Filter
	global  ignore.Stack
	stopped atomic.Bool

	ignored, hidden, denied, deeper atomic.Int64

	mu       sync.Mutex
	problems []Problem
	left     []Left
}

// New prepares a walk.
func New(root Root, f Filter) *Walker {
	w := &Walker{root: root, filter: f}
	if !f.NoIgnore {
		w.global = ignore.New(ignore.Parse(f.Global), f.Top)
		if f.Top != "" && f.Repository != nil {
			up := strings.Repeat("../", strings.Count(f.Top, "/")) + ".."
			if _, fold := f.Repository(up); fold {
				w.global = w.global.Folded()
			}
		}
		for _, a := range f.Above {
			rules := ignore.Parse(a.Content)
			if a.Exclude {
				w.global = w.global.AboveExclude(a.Prefix, rules)
			} else {
				w.global = w.global.Above(a.Prefix, rules)
			}
		}
	}
	return w
}

// Stop ends a walk early.
func (w *Walker) Stop() { w.stopped.Store(true) }

// Stopped reports whether Stop was called.
func (w *Walker) Stopped() bool { return w.stopped.Load() }

// StopWith stops the walk when the context ends. The function it returns undoes
// that.
func (w *Walker) StopWith(ctx context.Context) (release func() bool) {
	if ctx.Err() != nil {
		w.Stop()
	}
	return context.AfterFunc(ctx, w.Stop)
}

// Counts returns what was left out so far.
func (w *Walker) Counts() Counts {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Counts{
		Ignored: int(w.ignored.Load()), Hidden: int(w.hidden.Load()),
		Denied: int(w.denied.Load()), Deeper: int(w.deeper.Load()), Problems: slices.Clone(w.problems), Left: slices.Clone(w.left),
	}
}

// mostProblems limits the problems that are reported.
const mostProblems = 5

// errVirtual says that a directory shows state of the kernel.
var errVirtual = errors.New("a virtual file system")

// Report records that a path could not be read. It ignores paths that no longer
// exist and kinds of files that are never searched.
func (w *Walker) Report(path string, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) || errors.Is(err, errVirtual) {
		return
	}
	w.denied.Add(1)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.problems = append(w.problems, Problem{path, err})
	slices.SortFunc(w.problems, func(a, b Problem) int { return cmp.Compare(a.Path, b.Path) })
	w.problems = w.problems[:min(len(w.problems), mostProblems)]
}

// mostWorkers is the largest number of goroutines that walk a tree.
const mostWorkers = 16

// Workers returns how many goroutines a walk uses.
func Workers() int { return min(runtime.GOMAXPROCS(0), mostWorkers) }

// Directory is a directory to list.
type Directory struct {
	Depth  int    // 0 for the start of the walk
	prefix string // the path from the root, with a slash unless it is the root
	rules  *ignore.Stack
}

// Rel returns the path from the root.
func (d Directory) Rel() string { return dirOf(d.prefix) }

// Prefix returns the path from the root with a slash, or "" for the root.
func (d Directory) Prefix() string { return d.prefix }

// Start returns the directory at rel, with the rules of the directories above it.
func (w *Walker) Start(rel string) Directory {
	d := Directory{prefix: below(rel), rules: &w.global}
	if w.filter.NoIgnore || rel == "." {
		return d
	}
	for i := 0; i <= len(rel); i++ {
		above := "."
		switch {
		case i == 0:
		case i == len(rel) || rel[i] != '/':
			continue
		default:
			above = rel[:i]
		}
		h, err := w.root.OpenDir(above)
		if err != nil {
			continue // it may be unreadable and still lead to rel
		}
		rules := d.rules.Enter(len(below(above)), w.ignoreFiles(h, below(above), allFiles))
		d.rules = &rules
		h.Close()
	}
	return d
}

// files is a set of ignore files.
type files uint8

const (
	helveignore files = 1 << iota
	plainignore
	gitignore
	repository
	allFiles = helveignore | plainignore | gitignore | repository
)

func fileOf(name string) files {
	switch name {
	case ".helveignore":
		return helveignore
	case ".ignore":
		return plainignore
	case ".gitignore":
		return gitignore
	case ".git":
		return repository
	}
	return 0
}

// ignoreFiles reads the ignore files of the directory with a prefix.
func (w *Walker) ignoreFiles(h *Handle, prefix string, which files) ignore.Directory {
	var d ignore.Directory
	read := func(name string) *ignore.Rules {
		e := Entry{prefix: prefix, name: name + "\x00"}
		r, err := h.Open(e)
		if err != nil {
			w.Report(e.Path(), err)
			return nil
		}
		defer r.Close()
		content, err := readAll(r)
		if err != nil {
			w.Report(e.Path(), err)
		}
		return ignore.Parse(content)
	}
	if which&helveignore != 0 {
		d.Tool[0] = read(".helveignore")
	}
	if which&plainignore != 0 {
		d.Tool[1] = read(".ignore")
	}
	if which&gitignore != 0 {
		d.Git = read(".gitignore")
	}
	if which&repository != 0 {
		d.Repository, d.Exclude, d.Fold = w.repository(prefix + ".git")
	}
	return d
}

// readAll reads an ignore file, up to its limit.
func readAll(r Reader) ([]byte, error) {
	info, err := r.Stat()
	if err != nil {
		return nil, err
	}
	content := make([]byte, min(info.Size+1, workspace.IgnoreFileBytes))
	n, err := r.Read(content)
	return content[:n], err
}

// skipped reports whether a directory of this name is never searched.
func skipped(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".helve":
		return true
	}
	return false
}

// Never reports whether a path leads through a directory that is never
// searched, which are those of version control and of helve itself.
func Never(rel string) bool {
	for name := range strings.SplitSeq(rel, "/") {
		if skipped(name) {
			return true
		}
	}
	return false
}

// Content is the filtered content of a directory.
type Content struct {
	Handle *Handle // open; the caller closes it
	Dirs   []Entry // to be entered, ordered like the paths below them
	Files  []Entry // everything else, ordered by name
	rules  *ignore.Stack
}

// Sub returns the directory of e, which must be one of c.Dirs. It does not keep
// the other entries in memory.
func (c *Content) Sub(d Directory, e Entry) Directory {
	return Directory{prefix: e.prefix + e.Name() + "/", Depth: d.Depth + 1, rules: c.rules}
}

// Open opens a directory and lists it. The next call with the same scratch reuses
// the slices; the entries stay valid.
func (w *Walker) Open(d Directory, s *Scratch) (Content, error) {
	h, err := w.root.Enter(d.Rel(), s)
	if err != nil {
		return Content{}, err
	}
	var entries []Entry
	if h.virtual() {
		err = errVirtual
	} else {
		entries, err = h.entries(d.prefix, s)
	}
	if err != nil {
		h.Close()
		return Content{}, err
	}
	c := Content{Handle: h, rules: d.rules}
	if !w.filter.NoIgnore {
		which := files(0)
		for i := range entries {
			if name := entries[i].Name(); name[0] == '.' && entries[i].Type != Other {
				which |= fileOf(name)
			}
		}
		if which != 0 {
			rules := d.rules.Enter(len(d.prefix), w.ignoreFiles(h, d.prefix, which))
			c.rules = &rules
		}
	}
	c.Dirs, c.Files = w.sift(entries, c.rules, s)
	slices.SortFunc(c.Dirs, asDirs)
	slices.SortFunc(c.Files, byName)
	return c, nil
}

// sifted is memory for the result of sift.
type sifted struct{ dirs, others []Entry }

// joined returns the path of an entry without allocating. It is valid until the
// next call: ignore rules need the path of every entry and keep none.
func (s *Scratch) joined(e Entry) string {
	s.path = append(append(s.path[:0], e.prefix...), e.Name()...)
	return unsafe.String(unsafe.SliceData(s.path), len(s.path))
}

// sift filters entries and splits them into directories to enter and others.
func (w *Walker) sift(entries []Entry, rules *ignore.Stack, s *Scratch) (dirs, others []Entry) {
	dirs, others = s.sifted.dirs[:0], s.sifted.others[:0]
	noRules := rules.Empty()
	for _, e := range entries {
		name, dir := e.Name(), e.Type == Dir
		never := name[0] == '.' && skipped(name)
		switch {
		case never && !w.filter.Closed, name[0] == '.' && e.Type == File && workspace.IsTemporary(name):
			continue
		case w.filter.Deny != nil && w.filter.Deny(e.Path(), dir):
			w.denied.Add(1)
			continue
		case w.filter.Exclude != nil && w.filter.Exclude(e.Path()):
			continue
		case !w.filter.Hidden && name[0] == '.':
			w.hidden.Add(1)
			if dir {
				w.leave(e, Hidden)
			}
			continue
		case dir && len(w.filter.Skip) > 0 && slices.Contains(w.filter.Skip, name):
			w.leave(e, Skipped)
			continue
		case !never && !noRules && rules.Match(s.joined(e), dir):
			if !w.filter.Closed {
				w.ignored.Add(1)
				if dir {
					w.leave(e, Ignored)
				}
				continue
			}
			e.Ignored = true
		}
		if dir && !never && !e.Ignored {
			dirs = append(dirs, e)
		} else {
			others = append(others, e)
		}
	}
	s.sifted = sifted{dirs, others}
	return dirs, others
}
