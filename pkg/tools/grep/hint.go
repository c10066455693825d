package grep

import (
	"context"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// timeout is more than the search itself may take, so that it returns what it has
// found.
const timeout = 2 * time.Minute

// nothing says what a search without a match skipped, and what the pattern may have
// been meant for.
func nothing(ctx context.Context, s *scope.Scope, a *Args, found *search.GrepResult) fault.Text {
	var said []fault.Text
	switch {
	case found.FilesSearched > 0 && cased(a):
		said = append(said, fault.T("nothing matched, in upper or lower case; files searched: %d", found.FilesSearched))
	case found.FilesSearched > 0:
		said = append(said, fault.T("nothing matched; files searched: %d", found.FilesSearched))
	case a.Glob != "" || a.Exclude != "" || a.Type != "":
		said = append(said, fault.T("no file was searched: none below %s matches that glob, exclude and type", a.Path))
	default:
		said = append(said, fault.T("no file was searched"))
	}
	if over := scope.Skipped(&found.Skipped); !over.IsZero() {
		said = append(said, over)
	}
	if found.FilesSearched > 0 {
		said = append(said, meant(a)...)
	} else if near := s.Near(ctx, a.Glob); len(near) > 0 {
		said = append(said, fault.T("similar files: %s", strings.Join(near, ", ")))
	}
	return fault.Join(said, "; ")
}

// meant says what such a pattern is often meant for.
func meant(a *Args) []fault.Text {
	var said []fault.Text
	switch {
	case a.Literal && strings.Contains(a.Pattern, `\`):
		said = append(said, fault.T(`with literal=true a backslash is plain text`))
	case !a.Literal && strings.Contains(a.Pattern, `\|`):
		said = append(said, fault.T(`\| matches a literal bar; separate alternatives by |`))
	case !a.Literal && strings.ContainsAny(a.Pattern, `()[]{}.*+?|^$`):
		said = append(said, fault.T("literal=true searches for plain text"))
	}
	return said
}

// beyond says that an empty page is behind the last one.
func beyond(a *Args, r *Result) fault.Text {
	n := r.TotalFiles
	if r.TotalMatches != nil && r.mode == search.Content {
		n = *r.TotalMatches
	}
	return fault.T("offset %d is beyond the last of %d results; start at 0", a.Offset, n)
}
