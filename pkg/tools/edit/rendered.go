package edit

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// rendered is a text file of which read shows another text: what is copied from there may
// not stand in the file, or mean something else in it.
type rendered struct {
	notebook bool // JSON, of which read shows the cells
}

// renderedAs returns the way in which a file is shown, the zero value for one that is shown
// as it is. A rich text is refused: what looks like text there may be part of a command.
func renderedAs(path, text string) (r rendered, err error) {
	switch {
	case strings.HasPrefix(text, `{\rtf`):
		return r, fault.New(fault.UnsupportedContent, fault.T("%s is a rich text, which can be read, but not edited", path)).
			WithHint(fault.T("convert a copy with: soffice --headless --convert-to docx FILE; or write the text to a new file"))
	case strings.EqualFold(filepath.Ext(path), ".ipynb"):
		r.notebook = json.Valid([]byte(text))
	}
	return r, nil
}

// check refuses an edit that was made as if the file were what read shows of it. Text
// without quotes and backslashes may stand in a cell, and would end or change the string
// that holds the cell.
func (r rendered) check(path string, edits []edit.Edit, after string) error {
	if !r.notebook {
		return nil
	}
	torn := !json.Valid([]byte(after))
	for _, e := range edits {
		torn = torn || !strings.ContainsAny(e.Old, `"\`) && strings.ContainsAny(e.New, "\"\\\n")
	}
	if !torn {
		return nil
	}
	return r.hint(fault.New(fault.BadDocument, fault.T("%s is a notebook: new_text would not stand in it as it is", path)))
}

// hint says how a notebook can be edited.
func (r rendered) hint(err error) error {
	if !r.notebook {
		return err
	}
	return fault.As(err).WithHint(fault.T(`nothing was changed. A notebook is JSON, and read shows its cells: read it with encoding=utf-8, and give both texts as they stand there, with \" for quotes and "\n", at the ends of lines`))
}
