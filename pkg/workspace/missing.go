package workspace

import (
	"io/fs"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Missing is the details of a not_found fault.
type Missing struct {
	Similar       []string `json:"similar,omitempty"`
	NearestParent string   `json:"nearest_parent"`
}

// NotFound returns the error of a path that does not exist. It names similar paths
// and the nearest directory above, or reports that the workspace itself is gone, or
// where a dangling link points. It matches fs.ErrNotExist.
func (r *Root) NotFound(p Path) error {
	e := fault.New(fault.NotFound, fault.T("file not found: %s", p.given)).Because(fs.ErrNotExist)
	if r.gone() {
		return e.WithHint(fault.T("the workspace %s itself was moved or removed; open another", r.dir))
	}
	similar, parent := r.Similar(p)
	e.WithDetails(Missing{similar, parent})
	if strings.HasPrefix(p.given, "~/") || p.given == "~" {
		return e.WithHint(fault.T("~ is not the home directory here; name the path from the workspace root, %s", r.dir))
	}
	if at, err := r.at(p.rel); err == nil && at.mode&fs.ModeSymlink != 0 {
		return e.WithHint(fault.T("it is a link to %s, which does not exist", at.target))
	}
	if len(similar) > 0 {
		return e.WithHint(fault.T("did you mean %s?", strings.Join(similar, ", ")))
	}
	return e.WithHint(fault.T("nothing similar was found; list %s to see what is there", parent))
}

// noParent returns the error of a new path whose directory does not exist.
func (r *Root) noParent(p Path) error {
	if r.gone() {
		return r.NotFound(p)
	}
	similar, parent := r.Similar(pathAt(path.Dir(p.rel)))
	return fault.New(fault.NotFound,
		fault.T("the directory of %s does not exist", p.given)).
		WithHint(fault.T("make the directory first; the nearest one above is %s", parent)).
		WithDetails(Missing{similar, parent}).Because(fs.ErrNotExist)
}

// Worded marks that the hint of the error names the similar paths.
func (Missing) Worded() {}
