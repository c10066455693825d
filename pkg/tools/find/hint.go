package find

import (
	"cmp"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/tools/internal/scope"
)

// nothing says why a search may have found nothing, and what to do next.
func nothing(a *Args, r *Result) fault.Text {
	said := []fault.Text{fault.T("nothing was found, and no similar name")}
	if left := leftOut(r); !left.IsZero() {
		said = append(said, left)
	}
	switch {
	case a.Query != "" && a.Glob != "":
		said = append(said, fault.T("try query without glob"))
	case a.Query != "" && a.Content && !a.Documents:
		said = append(said, fault.T("documents=true also searches inside Excel, Word, PDF and other documents"))
	case a.Query != "" && !a.Content:
		said = append(said, fault.T("content=true also searches file contents"))
	}
	if a.Path != "." {
		said = append(said, fault.T("only %s was searched; path=. searches the workspace", screen.Name(a.Path)))
	}
	return fault.Join(said, "; ")
}

// guessed says that the matches are not what was asked for.
func guessed(a *Args, r *Result) fault.Text {
	said := []fault.Text{fault.T("nothing matches %q; these are similar", cmp.Or(a.Query, a.Glob))}
	if left := leftOut(r); !left.IsZero() {
		said = append(said, left)
	}
	return fault.Join(said, "; ")
}

// leftOut says what was skipped, with the names of directories.
func leftOut(r *Result) fault.Text {
	over := scope.Skipped(&r.Skipped)
	if len(r.NotEntered) == 0 {
		return over
	}
	var names []string
	for _, n := range r.NotEntered {
		names = append(names, screen.Name(n.Path)+"/")
	}
	not := fault.T("not entered: %s", strings.Join(names, ", "))
	if over.IsZero() {
		return not
	}
	return fault.Join([]fault.Text{over, not}, "; ")
}
