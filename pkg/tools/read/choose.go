package read

import (
	"context"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// chosen lists the paths that a call reads.
type chosen struct {
	several bool // the result is a list, even of one
	paths   []string
	total   int              // of all paths; more than there are if a glob selects very many
	failed  map[string]error // of globs that select nothing
}

// choose returns the files that a call names. What exists is no glob, whatever its name
// looks like.
func choose(ctx context.Context, call *tool.Call, a Args) (chosen, error) {
	switch {
	case a.Path == "" && len(a.Paths) == 0:
		return chosen{}, schema.Invalid("/path", fault.T("path or paths is required")).
			WithHint(fault.T("name a file or a directory; . is the workspace root"))
	case a.Path != "" && len(a.Paths) > 0:
		return chosen{}, schema.Invalid("/paths", fault.T("pass either path or paths, not both"))
	}
	c := chosen{several: len(a.Paths) > 0, failed: map[string]error{}}
	for _, path := range append(slices.Clone(a.Paths), a.Path) {
		switch matched, more, err := expand(ctx, call, path); {
		case path == "", path == a.Path && err == nil && matched == nil:
		case err != nil && (path == a.Path || fault.Is(err, fault.Canceled)):
			return chosen{}, err
		case err != nil:
			c.failed[path] = err
			c.paths = append(c.paths, path)
		case matched == nil:
			c.paths = append(c.paths, path)
		default:
			c.several = true
			c.paths = append(c.paths, matched...)
			c.total += more
		}
	}
	seen := map[string]bool{}
	c.paths = slices.DeleteFunc(c.paths, func(path string) bool {
		again := seen[path]
		seen[path] = true
		return again
	})
	c.total += len(c.paths)
	return c, nil
}

// mostMatched limits the files that one glob names, those of the next call included; the
// rest is counted.
const mostMatched = 2 * mostFiles

// expand returns the files that a glob selects, the nearest first, and how many more
// there are. It returns none for a path that is no glob.
func expand(ctx context.Context, call *tool.Call, path string) (matched []string, more int, err error) {
	const special = "*?[{"
	if !strings.ContainsAny(path, special) {
		return nil, 0, nil
	}
	root, named, err := call.Confined(path)
	if err != nil {
		return nil, 0, err
	}
	if _, err := root.Lstat(named); err == nil {
		return nil, 0, nil
	}
	rel := named.String()
	at := strings.IndexAny(rel, special)
	if at < 0 { // only the label of a project looked like one
		return nil, 0, nil
	}
	at = strings.LastIndexByte(rel[:at], '/') + 1
	dir, glob := strings.TrimSuffix(rel[:at], "/"), rel[at:]
	if dir == "" {
		dir = "."
	}
	s, err := scope.Open(call, root.Show(dir))
	if err != nil {
		return nil, 0, err
	}
	defer s.Close()
	s.Hidden = true
	s.UseIgnores(true)
	if !strings.Contains(glob, "**") {
		s.Depth = strings.Count(glob, "/") + 1
	}
	found, err := search.Find(ctx, s.Root, search.FindOptions{Scope: s.Scope, Globs: []string{glob}, Type: search.File, Limit: mostMatched, NamesOnly: true})
	if err != nil {
		return nil, 0, s.Failure(err)
	}
	s.Warn(found.Problems)
	if found.TimedOut {
		s.WarnLate()
	}
	for m := range found.Matches {
		matched = append(matched, s.Shown(m.Path()))
	}
	if len(matched) == 0 {
		return nil, 0, nothing(path, &found.Skipped)
	}
	return matched, found.Total - found.Found, nil
}

// nothing is the fault of a glob that selects no file.
func nothing(glob string, skipped *search.Skipped) error {
	hint := fault.T("find files by name with find")
	if over := scope.Skipped(skipped); !over.IsZero() {
		hint = fault.Join([]fault.Text{over, hint}, "; ")
	}
	return fault.New(fault.NotFound, fault.T("no file matches %s", glob)).WithHint(hint)
}
