// Package listing is what directories hold, as a result shows it. It is no
// search: it knows no patterns.
package listing

import (
	"context"
	"strconv"
	"strings"

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
}

// Listing is what was found. Entries stand as a tree: directories first, then by
// name, and below each directory what it holds.
type Listing struct {
	Entries []search.Listed `json:"entries"`
	// Total counts the entries there are. Levels below the one at which the limit
	// was reached are not counted, and TotalExact is then false.
	Total      int            `json:"total"`
	TotalExact bool           `json:"total_exact"`
	Truncated  bool           `json:"truncated"`
	Skipped    search.Skipped `json:"skipped,omitzero"`
}

// List lists the directory at path, and warns of what could not be read; a file
// is listed as itself.
func List(ctx context.Context, call *tool.Call, path string, o Options) (Listing, error) {
	s, err := scope.Open(call, path)
	if err != nil {
		return Listing{}, err
	}
	defer s.Close()
	s.Depth, s.Hidden = o.Depth, o.All
	s.HeedIgnores(true)
	found, err := search.List(ctx, s.Root, search.ListOptions{Scope: s.Scope, Limit: o.Limit})
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

// Text renders entries as a person reads them, one a line: [D] for directories,
// [F] for files, [L] for links and [O] for the rest, by their paths below dir.
func (l *Listing) Text(dir string, paint screen.Paint) string {
	var b strings.Builder
	for i := range l.Entries {
		b.WriteString(line(dir, &l.Entries[i], paint))
	}
	if notes := l.notes(); notes != "" {
		b.WriteString(paint.Text(screen.Faint, notes) + "\n")
	}
	return b.String()
}

func line(dir string, e *search.Listed, paint screen.Paint) string {
	name := e.Path
	if dir != "." && name != dir {
		name = strings.TrimPrefix(name, dir+"/")
	}
	name = screen.Name(name)
	var text string
	switch e.Type {
	case search.Dir:
		text = "[D] " + paint.Text(screen.Dir, name+"/")
	case search.File:
		text = "[F] " + name
	case search.Symlink:
		text = "[L] " + paint.Text(screen.Link, name) + " -> " + screen.Name(e.Target)
	default:
		text = "[O] " + name
	}
	if e.Ignored {
		text += paint.Text(screen.Faint, " (ignored)")
	}
	return text + "\n"
}

// notes is what there is to know beside the entries.
func (l *Listing) notes() string {
	var notes []string
	switch more := l.Total - len(l.Entries); {
	case l.Total == 0:
		notes = append(notes, "empty")
	case more > 0 && l.TotalExact:
		notes = append(notes, strconv.Itoa(more)+" more; raise limit to see them")
	case more > 0:
		notes = append(notes, "at least "+strconv.Itoa(more)+" more; raise limit, or list a directory of these")
	}
	if n := l.Skipped.Hidden; n > 0 {
		notes = append(notes, strconv.Itoa(n)+" hidden; all=true shows them")
	}
	if n := l.Skipped.Denied; n > 0 {
		notes = append(notes, strconv.Itoa(n)+" denied")
	}
	if len(notes) == 0 {
		return ""
	}
	return "(" + strings.Join(notes, "; ") + ")"
}
