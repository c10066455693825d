// Package listing is what directories hold, as a result shows it. It is no
// search: it knows no patterns and no ignore rules.
package listing

import (
	"bytes"
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The types of entries.
const (
	File    = "file"
	Dir     = "dir"
	Symlink = "symlink"
	Other   = "other" // device, pipe or socket
)

// Entry is one name in a directory.
type Entry struct {
	Path     string    `json:"path"` // relative to the root
	Name     string    `json:"name"`
	Type     string    `json:"type"` // file, dir, symlink or other
	Size     int64     `json:"size"` // bytes
	Modified time.Time `json:"modified,omitzero"`
	Target   string    `json:"target,omitzero"` // of a symlink, as it is written there
	Lines    int       `json:"lines,omitzero"`  // of a text file that is cheap to count
}

// Options say what to list.
type Options struct {
	Depth int  // levels; 1 is the directory alone
	All   bool // also names that start with a dot
	Limit int  // most entries; nearer levels come first
}

// Listing is what was found. Entries stand as a tree: directories first, then by
// name, and below each directory what it holds.
type Listing struct {
	Entries []Entry
	// Total counts the entries there are. Levels below the one at which the
	// limit was reached are not counted.
	Total int
	// Unread are the directories and entries that the system would not show.
	Unread []string
}

// node is an entry with what was found below it.
type node struct {
	Entry
	below []*node
}

// List lists the directory at dir; a file is listed as itself.
func List(ctx context.Context, root *workspace.Root, dir string, o Options) (Listing, error) {
	l := &lister{root: root, options: o}
	info, err := root.Stat(dir)
	if fault.Is(err, fault.NotFound) {
		err = root.NotFound(dir) // with names that are there
	}
	if err != nil {
		return Listing{}, err
	}
	top := &node{Entry: Entry{Path: dir, Type: Dir}}
	if !info.IsDir() {
		n := l.node(dir, path.Base(dir), info)
		l.out.Total, l.out.Entries = 1, []Entry{n.Entry}
		return l.out, nil
	}
	for level := []*node{top}; len(level) > 0 && o.Depth > 0 && l.out.Total < o.Limit; o.Depth-- {
		var next []*node
		for _, d := range level {
			if err := ctx.Err(); err != nil {
				return Listing{}, err
			}
			below, err := l.read(d)
			if err != nil && d == top {
				return Listing{}, err
			}
			next = append(next, below...)
		}
		level = next
	}
	l.flatten(top)
	return l.out, nil
}

type lister struct {
	root    *workspace.Root
	options Options
	out     Listing
	counted int64 // bytes read to count lines
}

// read lists one directory into d and gives the directories to go into next.
func (l *lister) read(d *node) (dirs []*node, err error) {
	entries, err := l.root.ReadDir(d.Path)
	if err != nil {
		l.out.Unread = append(l.out.Unread, d.Path)
		return nil, err
	}
	var kept []workspace.Entry
	for _, e := range entries {
		name := path.Join(d.Path, e.Name)
		switch {
		case !l.options.All && strings.HasPrefix(e.Name, "."):
		case e.Err != nil:
			l.out.Unread = append(l.out.Unread, name)
		default:
			kept = append(kept, e)
		}
	}
	slices.SortStableFunc(kept, func(a, b workspace.Entry) int {
		switch {
		case a.Info.IsDir() == b.Info.IsDir():
			return strings.Compare(a.Name, b.Name)
		case a.Info.IsDir():
			return -1
		}
		return 1
	})
	for _, e := range kept {
		if l.out.Total++; l.out.Total > l.options.Limit {
			continue
		}
		n := l.node(path.Join(d.Path, e.Name), e.Name, e.Info)
		d.below = append(d.below, n)
		if n.Type == Dir && !internal(n.Name) {
			dirs = append(dirs, n)
		}
	}
	return dirs, nil
}

// internal names directories that are listed and not gone into.
func internal(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".helve":
		return true
	}
	return false
}

func (l *lister) node(at, name string, info fs.FileInfo) *node {
	n := &node{Entry: Entry{Path: at, Name: name, Type: Other, Size: info.Size(), Modified: info.ModTime().UTC().Truncate(time.Second)}}
	switch mode := info.Mode(); {
	case mode.IsDir():
		n.Type, n.Size = Dir, 0
	case mode.IsRegular():
		n.Type = File
		n.Lines = l.lines(at, info.Size())
	case mode&fs.ModeSymlink != 0:
		n.Type = Symlink
		n.Target, _ = l.root.ReadLink(at) // gone by now: a link without a target
	}
	return n
}

// lines counts the lines of a text file, as long as that costs little.
func (l *lister) lines(at string, size int64) int {
	if size == 0 || size > limit.CountedFile || l.counted+size > limit.CountedBytes {
		return 0
	}
	l.counted += size
	f, err := l.root.Open(at)
	if err != nil {
		return 0
	}
	defer f.Close()
	text := make([]byte, size)
	n, _ := f.ReadAt(text, 0) // a file that shrank is counted as far as it goes
	text = text[:n]
	if n == 0 || bytes.IndexByte(text, 0) >= 0 {
		return 0
	}
	lines := bytes.Count(text, []byte("\n"))
	if text[n-1] != '\n' {
		lines++
	}
	return lines
}

func (l *lister) flatten(n *node) {
	for _, child := range n.below {
		l.out.Entries = append(l.out.Entries, child.Entry)
		l.flatten(child)
	}
}

// Warnings are what the caller should know of a listing that is not whole.
func (l *Listing) Warnings() []fault.Text {
	if len(l.Unread) == 0 {
		return nil
	}
	shown := l.Unread[:min(len(l.Unread), 5)]
	return []fault.Text{fault.T("%d could not be read: %s", "有 %d 项无法读取：%s", len(l.Unread), strings.Join(shown, ", "))}
}

// Text renders entries as a person reads them, one a line: [D] for directories,
// [F] for files, [L] for links and [O] for the rest, by their paths below dir.
func Text(dir string, entries []Entry, total int) string {
	if total == 0 {
		return "(empty)\n"
	}
	var b strings.Builder
	for _, e := range entries {
		name := e.Path
		if dir != "." && name != dir {
			name = strings.TrimPrefix(name, dir+"/")
		}
		name = printable(name)
		switch e.Type {
		case Dir:
			b.WriteString("[D] " + name + "/\n")
		case File:
			b.WriteString("[F] " + name + "\n")
		case Symlink:
			b.WriteString("[L] " + name + " -> " + printable(e.Target) + "\n")
		default:
			b.WriteString("[O] " + name + "\n")
		}
	}
	if more := total - len(entries); more > 0 {
		b.WriteString(plural(more) + "\n")
	}
	return b.String()
}
