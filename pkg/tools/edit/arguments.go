package edit

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// replacements returns the edits that the arguments ask for, in either form.
func (a Args) replacements() ([]edit.Edit, error) {
	if a.wholeCell() {
		return nil, a.checkCell()
	}
	if a.ofRows() && a.OldText == nil && a.NewText == nil && len(a.Edits) == 0 {
		return nil, nil
	}
	single := a.OldText != nil || a.NewText != nil || a.Accept != "" || a.InsertLine != nil
	switch {
	case single && len(a.Edits) > 0:
		return nil, wrong("/edits", fault.T("pass either old_text and new_text or edits, not both"))
	case len(a.Edits) > 0:
		edits := make([]edit.Edit, len(a.Edits))
		for i, item := range a.Edits {
			var err error
			if edits[i], err = item.replacement("/edits/" + strconv.Itoa(i)); err != nil {
				return nil, err
			}
		}
		return edits, nil
	case !single:
		return nil, wrong("/old_text", fault.T("old_text and new_text, or edits, are missing"))
	}
	if a.InsertLine != nil {
		return a.insertion()
	}
	one, err := Item{
		OldText: a.OldText, NewText: a.NewText, ReplaceAll: a.ReplaceAll, Occurrence: a.Occurrence, LineHint: a.LineHint,
		ExpectedReplacements: a.ExpectedReplacements, Accept: a.Accept,
	}.replacement("")
	return []edit.Edit{one}, err
}

// insertion returns the edit that inserts lines.
func (a Args) insertion() ([]edit.Edit, error) {
	if a.OldText != nil || a.Accept != "" {
		return nil, wrong("/insert_line", fault.T("cannot be combined with old_text or accept"))
	}
	nothing := ""
	one, err := Item{
		OldText: &nothing, NewText: a.NewText, ReplaceAll: a.ReplaceAll, Occurrence: a.Occurrence, LineHint: a.LineHint,
		ExpectedReplacements: a.ExpectedReplacements,
	}.replacement("")
	one.Insert = a.InsertLine
	return []edit.Edit{one}, err
}

// creates reports whether the call makes a file that need not exist: its only old_text
// is empty.
func (a Args) creates() bool {
	edits, err := a.replacements()
	return err == nil && !a.ofCell() && !a.ofRows() && len(edits) == 1 && edits[0].Old == "" && edits[0].Accept == "" && edits[0].Insert == nil
}

func (i Item) replacement(at string) (edit.Edit, error) {
	switch {
	case i.NewText == nil:
		return edit.Edit{}, wrong(at+"/new_text", fault.T("is required"))
	case strings.ContainsRune(*i.NewText, 0):
		return edit.Edit{}, wrong(at+"/new_text", fault.T("contains a NUL, which would make the file binary"))
	case i.Accept != "" && i.OldText != nil:
		return edit.Edit{}, wrong(at+"/accept", fault.T("cannot be combined with old_text"))
	case i.Accept == "" && i.OldText == nil:
		return edit.Edit{}, wrong(at+"/old_text", fault.T("is required"))
	}
	e := edit.Edit{
		New: *i.NewText, ReplaceAll: i.ReplaceAll, Occurrence: i.Occurrence, LineHint: i.LineHint, Expected: i.ExpectedReplacements,
		After: i.After, Within: i.Within, Accept: i.Accept,
	}
	if i.OldText != nil {
		e.Old = *i.OldText
	}
	return e, nil
}

// unlessMissing returns why there is nothing to replace: of a call that has only new text, that
// the file does not exist, if so.
func (a Args) unlessMissing(call *tool.Call, err error) error {
	if a.NewText == nil || a.OldText != nil || len(a.Edits) > 0 {
		return err
	}
	f, failed := textfile.Load(call, a.Path)
	if failed != nil || f.Exists {
		return err
	}
	return fault.As(f.Problem).WithHint(fault.T("to make the file call write, with new_text as its content"))
}

func wrong(at string, what fault.Text) error {
	return schema.Invalid(at, what).
		WithHint(fault.T(`pass {"path":…,"old_text":…,"new_text":…}, or edits as a list of {"old_text":…,"new_text":…}`))
}
