package check

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/check/diagnostic"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search/built"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// wholeTime limits the time of each checker that a person runs.
	wholeTime = 10 * time.Minute
	// maxFiles limits the files that are checked at a time.
	maxFiles = 2000
)

// Report has the diagnostics of files as they are.
type Report struct {
	Files       int               `json:"files"` // that were checked
	Diagnostics []tool.Diagnostic `json:"diagnostics"`
	Failed      []string          `json:"failed,omitempty"` // checkers that did not come to an end
}

// Run checks files and directories with everything in them, whatever was there before.
func (c *Checker) Run(ctx context.Context, call *tool.Call, paths []string) (r Report, err error) {
	r.Diagnostics = []tool.Diagnostic{}
	w, err := newWatch(c, call)
	if err != nil {
		return r, err
	}
	var reals []string
	for _, name := range paths {
		root, at, err := call.Confined(name)
		if err != nil {
			return r, err
		}
		if _, err := root.Stat(at); err != nil {
			return r, err
		}
		if reals, err = c.collect(root, call, at.String(), reals); err != nil {
			return r, err
		}
	}
	r.Files = len(reals)
	var all []diagnostic.Diagnostic
	for _, rule := range c.rulesFor(reals, checks) {
		for _, u := range rule.units(w.root, reals, existing(w.root)) {
			b, _ := w.check(ctx, u, wholeTime)
			if b == nil {
				r.Failed = append(r.Failed, u.source())
				continue
			}
			all = append(all, b.Diagnostics...)
		}
	}
	if w.bench != nil {
		w.bench.done()
	}
	diagnostic.Sort(all)
	for _, d := range all {
		d.File = w.root.Show(d.File)
		if !slices.Contains(r.Diagnostics, d.Diagnostic) {
			r.Diagnostics = append(r.Diagnostics, d.Diagnostic)
		}
	}
	r.Failed = slices.Compact(r.Failed)
	return r, nil
}

// collect adds the files at or below a path that a checker is about.
func (c *Checker) collect(root *workspace.Root, call *tool.Call, rel string, all []string) ([]string, error) {
	if call.Hidden != nil && call.Hidden(rel) {
		return all, nil
	}
	entries, err := root.ReadDir(root.At(rel))
	if fault.Is(err, fault.NotADirectory) {
		if len(c.rulesFor([]string{rel}, checks)) > 0 {
			all = append(all, rel)
		}
		return all, nil
	}
	if err != nil {
		return all, err
	}
	for _, e := range entries {
		below := path.Join(rel, e.Name)
		switch {
		case len(all) >= maxFiles:
			return all, fault.New(fault.TooLarge, fault.T("more than %d files are to be checked", maxFiles)).
				WithHint(fault.T("name fewer files or directories"))
		case e.Info == nil:
		case e.Info.IsDir():
			if !strings.HasPrefix(e.Name, ".") && !built.Output(root, excludes(call), below) {
				if all, err = c.collect(root, call, below, all); err != nil {
					return all, err
				}
			}
		case e.Info.Mode().IsRegular() && len(c.rulesFor([]string{below}, checks)) > 0:
			all = append(all, below)
		}
	}
	return all, nil
}

// Await waits for the checks of the session that go on, and returns what they found; pending
// is how many there were.
func (c *Checker) Await(ctx context.Context, call *tool.Call) (said []fault.Text, pending int, err error) {
	w, err := newWatch(c, call)
	if err != nil {
		return nil, 0, err
	}
	all := w.waiting()
	for _, p := range all {
		if _, err := job.NewStore(w.dir).Wait(ctx, p.Job); err != nil {
			return nil, len(all), err
		}
	}
	return c.Arrived(ctx, call), len(all), nil
}

func excludes(call *tool.Call) []byte {
	if call.Env.Excludes == nil {
		return nil
	}
	return call.Env.Excludes()
}
