package workspace

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// MostSurveyed limits the entries of a tree that a survey examines.
const MostSurveyed = 400_000

// Survey lists the paths in a tree that other programs execute or obey; see [Obeyed].
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
	// TodoRuns are the lines of interrupted rebases that run something; see
	// [gitdir.Dir.TodoRuns].
	TodoRuns []string
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
	w := surveyor{root: dir, left: MostSurveyed, todo: []string{"."}}
	w.ready = sync.NewCond(&w.mu)
	var all sync.WaitGroup
	for range min(4, max(2, runtime.GOMAXPROCS(0))) {
		all.Go(w.work)
	}
	all.Wait()
	return SurveyFrom(dir, w.found, w.partial)
}

// surveyor walks a tree with several goroutines, which take directories from one list.
type surveyor struct {
	root    string
	mu      sync.Mutex
	ready   *sync.Cond
	todo    []string
	busy    int
	left    int
	found   []*Look
	partial bool
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
			w.partial = true
		}
		if found != nil {
			w.found = append(w.found, found)
		}
		w.ready.Broadcast()
	}
}

// lookAt looks at one directory. What cannot be listed, a command cannot list either.
func lookAt(root, dir string) (below []string, found *Look, entries int) {
	f, err := os.Open(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return nil, nil, 0
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil && len(list) == 0 {
		return nil, nil, 0
	}
	found = LookAt(root, dir, func(yield func(string, bool) bool) {
		for _, e := range list {
			if !yield(e.Name(), e.IsDir()) {
				return
			}
		}
	})
	for _, e := range list {
		if e.IsDir() && found.Enters(e.Name()) {
			below = append(below, path.Join(dir, e.Name()))
		}
	}
	return below, found, len(list)
}

// isDependencies reports whether package managers fill a directory with this name.
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
