package search

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/search/walk"
)

// countedFile is the largest file, in bytes, whose lines a list counts, and
// countedBytes what one list reads for that in sum.
const (
	countedFile  = 128 << 10
	countedBytes = 4 << 20
)

// ListOptions say what to list. What ignore files exclude is listed, and so are
// directories of version control and of helve, but what they hold is not, unless
// the list starts there.
type ListOptions struct {
	Scope
	Limit int // most entries; nearer levels come first. 0 is all
}

// Listed is an entry of a tree.
type Listed struct {
	Path     string    `json:"path"`
	Name     string    `json:"name"`
	Type     Type      `json:"type"` // file, dir, symlink or other
	Size     int64     `json:"size"` // bytes; 0 of a directory
	Modified time.Time `json:"modified,omitzero"`
	Target   string    `json:"target,omitzero"`  // of a symlink, as it is written there
	Lines    int       `json:"lines,omitzero"`   // of a text file that is cheap to count
	Ignored  bool      `json:"ignored,omitzero"` // ignore files exclude it: it is not searched
}

// ListResult is a tree: in each directory its directories come first, then the
// rest, by name, and below each directory what it holds.
type ListResult struct {
	Entries             []Listed
	Total               int // with TotalExact; otherwise what had been seen
	TotalExact          bool
	Truncated, TimedOut bool
	Skipped             Skipped
	Problems            []Problem
}

// List lists the tree below a directory down to Depth levels.
func List(ctx context.Context, root Root, o ListOptions) (ListResult, error) {
	if o.Limit <= 0 {
		o.Limit = unbounded
	}
	o.closed = true
	at, err := o.begin(root)
	if err != nil {
		return ListResult{}, err
	}
	w := o.walker(root, &names{})
	result := ListResult{TotalExact: true}
	var taken []walk.Entry
	end := o.bounded(ctx, w)
	if at.kind == walk.Dir {
		var level []walk.Entry
		walk.Levels{
			MaxDepth: o.Depth,
			Take:     func(int, *walk.Handle, walk.Entry) bool { return true },
			Found:    func(n walk.Names) { level = n.Append(level) },
			Level: func() bool {
				if result.Total += len(level); result.Total > o.Limit { // directories tell more than files
					slices.SortStableFunc(level, func(a, b walk.Entry) int { return directories(b) - directories(a) })
				}
				taken = append(taken, level[:min(len(level), o.Limit-len(taken))]...)
				level = level[:0]
				return result.Total <= o.Limit
			},
		}.Run(w, w.Start(at.rel))
	} else {
		result.Total, taken = 1, []walk.Entry{walk.EntryAt(at.rel, at.kind)}
	}
	late, err := end()
	if err != nil {
		return ListResult{}, err
	}
	result.TimedOut, result.Truncated = late, late || result.Total > len(taken)
	result.TotalExact = !late && (!result.Truncated || o.Depth == 1)
	d := describer{root: root, walker: w}
	defer d.close()
	infos := root.StatAll(taken)
	for i, e := range taken {
		result.Entries = append(result.Entries, d.describe(e, infos[i]))
	}
	slices.SortStableFunc(result.Entries, asTree)
	result.Skipped, result.Problems = skippedOf(w)
	return result, nil
}

// directories counts an entry if it is a directory.
func directories(e walk.Entry) int {
	if e.Type == walk.Dir {
		return 1
	}
	return 0
}

// describer tells of entries what takes a look at them.
type describer struct {
	root   Root
	walker *walk.Walker
	dir    string // that is open as handle
	handle *walk.Handle
	read   int64 // bytes, to count lines
}

func (d *describer) close() {
	if d.handle != nil {
		d.handle.Close()
	}
	d.handle, d.dir = nil, ""
}

func (d *describer) describe(e walk.Entry, info walk.Info) Listed {
	l := Listed{
		Path: validPath(e.Path()), Name: validPath(e.Name()), Type: typeOf(e.Type), Size: info.Size, Modified: seconds(info.Modified),
		Ignored: e.Ignored,
	}
	switch e.Type {
	case walk.Dir:
		l.Size = 0
	case walk.Symlink:
		if h := d.above(e); h != nil {
			target, err := h.Readlink(e)
			if err != nil {
				d.walker.Report(e.Path(), err)
			}
			l.Target = validPath(target)
		}
	case walk.File:
		if info.Size > 0 && info.Size <= countedFile && d.read+info.Size <= countedBytes {
			l.Lines = d.lines(e, info.Size)
		}
	}
	return l
}

// above opens the directory of an entry; nil if that is no longer possible.
func (d *describer) above(e walk.Entry) *walk.Handle {
	dir := strings.TrimSuffix(strings.TrimSuffix(e.Path(), e.Name()), "/")
	if dir == "" {
		dir = "."
	}
	if d.handle == nil || d.dir != dir {
		d.close()
		h, err := d.root.OpenDir(dir)
		if err != nil {
			d.walker.Report(dir, err)
			return nil
		}
		d.handle, d.dir = h, dir
	}
	return d.handle
}

// lines counts the lines of a text file, 0 of any other.
func (d *describer) lines(e walk.Entry, size int64) int {
	h := d.above(e)
	if h == nil {
		return 0
	}
	r, err := h.Open(e)
	if err != nil {
		return 0 // it is listed all the same, and whoever reads it is told
	}
	defer r.Close()
	d.read += size
	text := make([]byte, size)
	n, err := r.Read(text)
	text = text[:n]
	if err != nil || n == 0 || bytes.IndexByte(text, 0) >= 0 {
		return 0
	}
	lines := bytes.Count(text, []byte("\n"))
	if text[n-1] != '\n' {
		lines++
	}
	return lines
}

// seconds is a time as results show it.
func seconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}

// asTree orders entries as a tree is written down.
func asTree(a, b Listed) int {
	x, y := a.Path, b.Path
	for {
		first, restX, deeperX := strings.Cut(x, "/")
		second, restY, deeperY := strings.Cut(y, "/")
		if first == second {
			if !deeperX || !deeperY {
				return len(x) - len(y) // a directory stands before what it holds
			}
			x, y = restX, restY
			continue
		}
		dirX, dirY := deeperX || a.Type == Dir, deeperY || b.Type == Dir
		if dirX != dirY {
			if dirX {
				return -1
			}
			return 1
		}
		return strings.Compare(first, second)
	}
}
