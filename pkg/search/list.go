package search

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/search/walk"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// countedFile is the largest file, in bytes, whose lines List counts.
	countedFile = 128 << 10
	// countedBytes limits the bytes that one List reads to count lines.
	countedBytes = 4 << 20
)

// ListOptions say what to list. Ignored files and directories are listed, and so
// are the directories of version control and of helve. Such directories are not
// entered unless the list starts there.
type ListOptions struct {
	Scope
	Limit int // most entries, the nearest levels first; 0 is all
}

// Listed is an entry of a tree.
type Listed struct {
	Path     string    `json:"path"`
	Name     string    `json:"name"`
	Type     Type      `json:"type"` // file, dir, symlink or other
	Size     int64     `json:"size"` // bytes; 0 for a directory
	Modified time.Time `json:"modified,omitzero"`
	Target   string    `json:"target,omitzero"`  // of a symlink, as the link holds it
	Lines    int       `json:"lines,omitzero"`   // of a small text file
	Ignored  bool      `json:"ignored,omitzero"` // ignore files exclude it: it is not searched
	// Permissions are those of Unix in octal, such as 644, of one that was asked for by itself.
	Permissions string `json:"permissions,omitzero"`
}

// ListResult is a tree. The entries of a directory are ordered by name,
// directories first. Each directory is followed by its content.
type ListResult struct {
	Entries             []Listed
	Total               int // of entries; those seen so far if TotalExact is false
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
				if result.Total += len(level); result.Total > o.Limit { // directories say more about a tree than files
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
	result.Skipped.Deeper = 0 // a list shows them, and its caller chose the depth
	return result, nil
}

// directories returns 1 for a directory and 0 for anything else.
func directories(e walk.Entry) int {
	if e.Type == walk.Dir {
		return 1
	}
	return 0
}

// describer reads what a result says about an entry beyond its name and type.
type describer struct {
	root   Root
	walker *walk.Walker
	dir    string // the directory that handle has open
	handle *walk.Handle
	read   int64 // bytes read to count lines
}

func (d *describer) close() {
	if d.handle != nil {
		d.handle.Close()
	}
	d.handle, d.dir = nil, ""
}

func (d *describer) describe(e walk.Entry, info walk.Info) Listed {
	l := Listed{
		Path: workspace.Escape(e.Path()), Name: workspace.Escape(e.Name()), Type: typeOf(e.Type), Size: info.Size, Modified: seconds(info.Modified),
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
			l.Target = workspace.Escape(target)
		}
	case walk.File:
		if info.Size > 0 && info.Size <= countedFile && d.read+info.Size <= countedBytes {
			l.Lines = d.lines(e, info.Size)
		}
	}
	return l
}

// above returns the directory of an entry, open, or nil if it cannot be opened.
func (d *describer) above(e walk.Entry) *walk.Handle {
	dir := cmp.Or(strings.TrimSuffix(strings.TrimSuffix(e.Path(), e.Name()), "/"), ".")
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

// lines returns the number of lines of a text file, and 0 for any other file.
func (d *describer) lines(e walk.Entry, size int64) int {
	h := d.above(e)
	if h == nil {
		return 0
	}
	r, err := h.Open(e)
	if err != nil {
		return 0 // it is listed without its lines; reading it will report the error
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

// seconds returns a time as results show it: UTC, in whole seconds.
func seconds(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Second)
}

// asTree orders entries as described at [ListResult].
func asTree(a, b Listed) int {
	x, y := a.Path, b.Path
	for {
		first, restX, deeperX := strings.Cut(x, "/")
		second, restY, deeperY := strings.Cut(y, "/")
		if first == second {
			if !deeperX || !deeperY {
				return len(x) - len(y) // a directory comes before its content
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
