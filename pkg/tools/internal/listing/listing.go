// Package listing lists directories for the tools that show them. It knows no
// patterns.
package listing

import (
	"context"
	"io/fs"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// Options say what to list.
type Options struct {
	Depth int  // levels; 1 is the directory alone
	All   bool // also names that start with a dot
	Limit int  // most entries; nearer levels come first
	// Tokens is the most tokens of their text, estimated; 0 is any number.
	Tokens int
}

// Listing holds the entries found. They form a tree: directories first, then by name,
// each followed by its own entries.
type Listing struct {
	Entries []search.Listed `json:"entries"`
	// Total counts all entries. Levels below the one where the limit was reached are
	// not counted, and TotalExact is then false.
	Total      int            `json:"total"`
	TotalExact bool           `json:"total_exact"`
	Truncated  bool           `json:"truncated"`
	Skipped    search.Skipped `json:"skipped,omitzero"`
}

// List lists the directory at path, and warns of what could not be read. A file is
// listed by itself.
func List(ctx context.Context, call *tool.Call, path string, o Options) (Listing, error) {
	s, err := scope.Open(call, path)
	if err != nil {
		return Listing{}, err
	}
	defer s.Close()
	s.Depth, s.Hidden = o.Depth, o.All
	s.UseIgnores(true)
	var found search.ListResult
	err = tokens.Fit(o.Limit, o.Tokens, func(limit int) (_ string, err error) {
		found, err = search.List(ctx, s.Root, search.ListOptions{Scope: s.Scope, Limit: limit})
		part := Listing{Entries: found.Entries, Total: found.Total}
		return part.Text(path, screen.View{}), err
	})
	if err != nil {
		return Listing{}, s.Failure(err)
	}
	s.Warn(found.Problems)
	if found.TimedOut {
		s.WarnLate()
	}
	l := Listing{Entries: found.Entries, Total: found.Total, TotalExact: found.TotalExact, Truncated: found.Truncated, Skipped: found.Skipped}
	if l.Entries == nil {
		l.Entries = []search.Listed{}
	}
	for i := range l.Entries {
		l.Entries[i].Path = s.Shown(l.Entries[i].Path)
	}
	return l, nil
}

// Of returns a listing of a path alone, with its permissions.
func Of(path string, info fs.FileInfo) Listing {
	e := search.Listed{
		Path: path, Name: info.Name(), Type: search.Other, Modified: info.ModTime().UTC(),
		Permissions: strconv.FormatUint(uint64(info.Mode().Perm()), 8),
	}
	switch {
	case info.IsDir():
		e.Type = search.Dir
	case info.Mode().IsRegular():
		e.Type, e.Size = search.File, info.Size()
	}
	return Listing{Entries: []search.Listed{e}, Total: 1, TotalExact: true}
}

// Text renders the entries, one a line, by their paths below dir: [D] for
// directories, [F] for files, [L] for links and [O] for the rest, and behind them
// sizes and times.
func (l *Listing) Text(dir string, v screen.View) string {
	var b strings.Builder
	for i := range l.Entries {
		b.WriteString(line(dir, &l.Entries[i], v))
	}
	if notes := l.notes(); !notes.IsZero() {
		b.WriteString(v.Text(screen.Faint, "("+v.Say(notes)+")") + "\n")
	}
	return b.String()
}

func line(dir string, e *search.Listed, v screen.View) string {
	name := e.Path
	if dir != "." && name != dir {
		name = strings.TrimPrefix(name, dir+"/")
	}
	name = screen.Name(name)
	var text string
	switch e.Type {
	case search.Dir:
		text = "[D] " + v.Text(screen.Dir, name+"/") + v.Stat(screen.NoSize, e.Modified)
	case search.File:
		text = "[F] " + name + v.Stat(e.Size, e.Modified)
	case search.Symlink:
		text = "[L] " + v.Text(screen.Link, name) + " -> " + screen.Name(e.Target)
	default:
		text = "[O] " + name
	}
	if e.Ignored {
		text += v.Text(screen.Faint, v.Say(fault.T(" (ignored)")))
	}
	return text + "\n"
}

// notes says what the entries do not show.
func (l *Listing) notes() fault.Text {
	var notes []fault.Text
	switch more := l.Total - len(l.Entries); {
	case l.Total == 0:
		notes = append(notes, fault.T("empty"))
	case more > 0 && l.TotalExact:
		notes = append(notes, fault.T("%d more; raise limit to see them", more))
	case more > 0:
		notes = append(notes, fault.T("at least %d more; raise limit, or list one of the directories", more))
	}
	if n := l.Skipped.Hidden; n > 0 {
		notes = append(notes, fault.T("%d hidden; all=true shows them", n))
	}
	if n := l.Skipped.Denied; n > 0 {
		notes = append(notes, fault.T("%d denied", n))
	}
	return fault.Join(notes, "; ")
}
