package workspace

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// surveyed is how many entries of a tree a survey looks at.
const surveyed = 400_000

// Survey is what a tree contains that other programs execute or obey; see [Obeyed].
type Survey struct {
	Root string // absolute
	// Obeyed are the paths that are [Asked] by their names, relative to the root, each
	// with everything below it. In dependencies, such as node_modules, they are left
	// out: nobody works there.
	Obeyed []string
	// Git are git's directories: those of the repository that the root is in, of
	// repositories anywhere in the tree, of their submodules and worktrees, and bare
	// ones. Their paths are absolute.
	Git []gitdir.Dir
	// Pointers are the entries that are called .git, or what a file system may take for
	// that, and are not the directory itself.
	Pointers []Pointer
	// Partial says that there was more to look at.
	Partial bool
}

// Pointer is an entry that leads to one of git's directories.
type Pointer struct {
	Path  string // relative to the root
	Leads string // the absolute path of the directory; "" if it leads nowhere
}

// SurveyOf surveys the tree at an absolute path. It follows no links, and reads
// directories alone, but for what git's directories name.
func SurveyOf(dir string) Survey {
	w := surveyor{root: dir, left: surveyed, todo: []string{"."}}
	w.ready = sync.NewCond(&w.mu)
	var all sync.WaitGroup
	for range min(4, max(2, runtime.GOMAXPROCS(0))) {
		all.Go(w.work)
	}
	all.Wait()
	if d, ok := gitdir.Above(dir); ok {
		w.found.Git = append(w.found.Git, d)
	}
	for i := range w.found.Pointers {
		p := &w.found.Pointers[i]
		if d, ok := gitdir.At(filepath.Join(dir, filepath.FromSlash(path.Dir(p.Path)))); ok && path.Base(p.Path) == ".git" {
			p.Leads = d.Path
			w.found.Git = append(w.found.Git, d)
		}
	}
	for _, d := range w.found.Git {
		inner, complete := d.Inner()
		w.found.Git = append(w.found.Git, inner...)
		w.found.Partial = w.found.Partial || !complete
	}
	s := w.found
	s.Root = dir
	slices.Sort(s.Obeyed)
	slices.SortFunc(s.Pointers, func(a, b Pointer) int { return strings.Compare(a.Path, b.Path) })
	// The one that knows its work tree comes first.
	slices.SortFunc(s.Git, func(a, b gitdir.Dir) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(b.Top, a.Top)
	})
	s.Git = slices.CompactFunc(s.Git, func(a, b gitdir.Dir) bool { return a.Path == b.Path })
	return s
}

// surveyor walks a tree with several goroutines, which take directories from one list.
type surveyor struct {
	root  string
	mu    sync.Mutex
	ready *sync.Cond
	todo  []string
	busy  int
	left  int
	found Survey
}

func (w *surveyor) work() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		for len(w.todo) == 0 && w.busy > 0 {
			w.ready.Wait()
		}
		if len(w.todo) == 0 {
			return
		}
		dir := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.busy++
		w.mu.Unlock()
		below, found, entries := lookAt(w.root, dir)
		w.mu.Lock()
		w.busy--
		w.left -= entries
		if w.left > 0 {
			w.todo = append(w.todo, below...)
		} else if len(below) > 0 {
			w.found.Partial = true
		}
		w.found.Obeyed = append(w.found.Obeyed, found.Obeyed...)
		w.found.Git = append(w.found.Git, found.Git...)
		w.found.Pointers = append(w.found.Pointers, found.Pointers...)
		w.ready.Broadcast()
	}
}

// lookAt looks at one directory. What cannot be listed, a command cannot list either.
func lookAt(root, dir string) (below []string, found Survey, entries int) {
	abs := filepath.Join(root, filepath.FromSlash(dir))
	f, err := os.Open(abs)
	if err != nil {
		return nil, found, 0
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil && len(list) == 0 {
		return nil, found, 0
	}
	names := append(pathNames(dir), "")
	dependency := slices.ContainsFunc(names, isDependencies)
	parts := 0
	for _, e := range list {
		name := e.Name()
		names[len(names)-1] = name
		class := obeyedAt(names)
		if class == Free && !e.IsDir() {
			if name == "HEAD" || name == "commondir" {
				parts++
			}
			continue
		}
		at := strings.Join(names, "/")
		switch {
		case class == Refused && sameName(foldName(name), ".helve"): // it is protected by itself
		case class == Refused && e.IsDir():
			d := gitdir.Of(filepath.Join(abs, name), abs)
			found.Git = append(found.Git, d)
			if name != ".git" {
				found.Pointers = append(found.Pointers, Pointer{Path: at})
			}
		case class == Refused:
			found.Pointers = append(found.Pointers, Pointer{Path: at})
		case class == Asked && !dependency:
			found.Obeyed = append(found.Obeyed, at)
		case e.IsDir():
			below = append(below, at)
		}
		if name == "objects" || name == "refs" {
			parts++
		}
	}
	if parts > 1 && gitdir.Is(abs) {
		found.Git = append(found.Git, gitdir.Of(abs, ""))
		below = nil
	}
	return below, found, len(list)
}

// isDependencies reports whether a directory with this name is what a package manager
// fills.
func isDependencies(name string) bool {
	return name == "node_modules" || name == "site-packages" || name == "vendor"
}

// Guarded returns the absolute paths in git's directories, and those that settings
// name, which must not change while a command runs: they may exist or not. Paths
// outside of the tree are among them.
func (s Survey) Guarded() []string {
	var all []string
	add := func(dir string, names ...string) {
		for _, name := range names {
			all = append(all, filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	reader := gitdir.Reader{Every: true}
	for _, d := range s.Git {
		if d.Path == d.Common || d.Top == s.Root { // git removes other worktrees
			add(d.Path, "config.worktree", "commondir")
		}
		add(d.Common, "hooks", "config", "info/attributes")
		n := d.Named(reader, d.Settings(reader))
		all = slices.Concat(all, n.Files, n.Hooks, n.Programs)
	}
	if slices.ContainsFunc(s.Pointers, func(p Pointer) bool { return p.Path == ".git" }) {
		add(s.Root, ".git")
	}
	slices.Sort(all)
	return slices.Compact(all)
}
