package host

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/helve-dev/helve/pkg/workspace"
)

// roots are the directories that a run has opened to work in. A directory is
// opened once, however often the settings that name it are loaded.
type roots struct {
	mu     sync.Mutex // calls of a batch may open projects in parallel
	opened []openRoot
}

// openRoot is an open directory.
type openRoot struct {
	root  *workspace.Root
	self  os.FileInfo
	label string
}

// open returns the root of a directory. Another directory that took the path of
// one that was opened is opened anew.
func (r *roots) open(dir string, o workspace.Options) (*workspace.Root, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	var self os.FileInfo
	if err == nil {
		self, err = os.Lstat(real)
	}
	if err == nil {
		for _, one := range r.opened {
			if one.label == o.Label && one.root.Dir() == real && os.SameFile(one.self, self) {
				return one.root, nil
			}
		}
	}
	root, err := workspace.Open(dir, o) // whose fault says what is wrong with dir
	if err != nil {
		return nil, err
	}
	if now, err := os.Lstat(root.Dir()); err == nil {
		self = now
	}
	r.opened = append(r.opened, openRoot{root, self, o.Label})
	return root, nil
}

func (r *roots) close() {
	for _, one := range r.opened {
		_ = one.root.Close() // nothing was written through it
	}
}
