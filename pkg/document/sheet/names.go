package sheet

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
)

// name adds the part that a defined name, a table or a sheet stands for.
func (r *resolver) name(ctx context.Context, name string, sheet, depth int) error {
	if !r.named {
		names, err := r.book.Names(ctx)
		if err != nil {
			return err
		}
		r.names, r.named = names, true
	}
	base, specifier, isColumn := strings.Cut(name, "[")
	found := r.find(strings.TrimSpace(base), sheet)
	switch {
	case found == nil:
		if i, err := r.sheet(name); err == nil {
			r.parts = append(r.parts, part{i, All()})
			return nil
		}
		return noRange(name, r.names, r.sheets)
	case found.Table != nil:
		cells := found.Table.Range
		if isColumn {
			c, err := found.Table.column(ctx, r.book, found.Sheet, "["+specifier)
			if err != nil {
				return err
			}
			cells = c
		}
		if cells.Top == 0 || found.Sheet < 0 || found.Sheet >= len(r.sheets) {
			return noCells(name, found.Refers)
		}
		r.parts = append(r.parts, part{found.Sheet, cells})
		return nil
	case isColumn:
		return noRange(name, r.names, r.sheets)
	}
	refers := strings.TrimPrefix(strings.TrimSpace(found.Refers), "=")
	if depth >= mostDepth || refers == "" || strings.Contains(refers, "#REF!") {
		return noCells(name, refers)
	}
	if found.Sheet >= 0 {
		sheet = found.Sheet
	}
	before := len(r.parts)
	if err := r.list(ctx, refers, sheet, depth+1); err != nil {
		r.parts = r.parts[:before]
		return noCells(name, refers)
	}
	return nil
}

// find returns what a name means in a sheet: the sheet's own names come first.
func (r *resolver) find(name string, sheet int) *Name {
	var found *Name
	for i := range r.names {
		n := &r.names[i]
		if !strings.EqualFold(n.Name, name) {
			continue
		}
		if n.Sheet == sheet {
			return n
		}
		if found == nil || found.Table == nil && found.Sheet >= 0 && n.Sheet < 0 {
			found = n
		}
	}
	return found
}

// column returns the cells that a specifier such as [Amount], [#All] or [[#Data],[From]:[To]] names. Without
// another word these are the cells below the headings.
func (t *Table) column(ctx context.Context, book Book, sheet int, specifier string) (Range, error) {
	cells := t.Range
	data := cells
	data.Top += t.Headers
	data.Bottom -= t.Totals
	inner := strings.TrimSuffix(strings.TrimPrefix(specifier, "["), "]")
	if !strings.HasPrefix(inner, "[") {
		inner = "[" + inner + "]"
	}
	var rows Range // of all words about rows together
	columns, first, plain := cells, true, true
	for inner != "" {
		rest, ok := strings.CutPrefix(inner, "[")
		if !ok {
			inner = inner[1:] // what is between: a comma, a colon, a space
			continue
		}
		word, after, _ := strings.Cut(rest, "]")
		inner = after
		var more Range
		switch strings.ToLower(strings.TrimSpace(word)) {
		case "#all":
			more = cells
		case "#headers":
			more = Range{cells.Top, cells.Left, cells.Top + t.Headers - 1, cells.Right}
		case "#totals":
			more = Range{cells.Bottom - t.Totals + 1, cells.Left, cells.Bottom, cells.Right}
		case "#data", "#this row":
			more = data
		case "":
		default:
			at, err := t.heading(ctx, book, sheet, strings.TrimPrefix(word, "@"))
			if err != nil {
				return Range{}, err
			}
			if first {
				columns.Left, columns.Right, first = at, at, false
			}
			columns.Left, columns.Right = min(columns.Left, at), max(columns.Right, at)
		}
		if more.Top > 0 {
			plain = false
		}
		if more.Top <= more.Bottom {
			rows = rows.Union(more)
		}
	}
	if plain {
		rows = data
	}
	if rows.Top == 0 || rows.Top > rows.Bottom {
		return Range{}, nil
	}
	return Range{rows.Top, columns.Left, rows.Bottom, columns.Right}, nil
}

// heading returns the column of the table with that heading.
func (t *Table) heading(ctx context.Context, book Book, sheet int, name string) (int, error) {
	headings := t.Columns
	if headings == nil && t.Headers > 0 {
		top := t.Range
		top.Bottom = top.Top
		headings = make([]string, min(top.Columns(), MaxColumns))
		err := book.Rows(ctx, sheet, Window{Range: top}, func(row *Row) bool {
			for i := range row.Cells {
				if c := &row.Cells[i]; row.Number == top.Top && top.Contains(Address{top.Top, c.Column}) {
					headings[c.Column-top.Left] = string(appendValue(nil, c, Auto, book.Date1904()))
				}
			}
			return false
		})
		if err != nil {
			return 0, err
		}
	}
	for i, h := range headings {
		if strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) && i < t.Range.Columns() {
			return t.Range.Left + i, nil
		}
	}
	e := fault.New(fault.OutOfRange, fault.T("the table %q has no column %q", t.Name, name))
	return 0, e.WithHint(nearest(name, headings, fault.T("its columns are %s", quoted(headings))))
}

// noSheet is the fault for a sheet that is not there.
func noSheet(name string, sheets []Sheet) error {
	names := make([]string, len(sheets))
	for i, s := range sheets {
		names[i] = s.Name
	}
	return fault.New(fault.OutOfRange, fault.T("there is no sheet %q", name)).
		WithHint(nearest(name, names, fault.T("the sheets are %s; a number counts them from 1", quoted(names)))).
		WithDetails(struct {
			Sheets  []string `json:"sheets"`
			Nearest string   `json:"nearest,omitzero"`
		}{names[:min(len(names), mostListed)], similar.Name(name, names)})
}

// noRange is the fault for a range that is neither cells nor a name.
func noRange(name string, names []Name, sheets []Sheet) error {
	var known []string
	for i := range names {
		if !names[i].Hidden {
			known = append(known, names[i].Name)
		}
	}
	for _, s := range sheets {
		known = append(known, s.Name)
	}
	return fault.New(fault.OutOfRange, fault.T("range %q is neither cells nor a name of this workbook", name)).
		WithHint(nearest(name, known, fault.Join([]fault.Text{rangeHint(), fault.T("the names are %s", quoted(known))}, "; ")))
}

// noCells is the fault for a name that stands for no cells.
func noCells(name, refers string) error {
	return fault.New(fault.OutOfRange, fault.T("the name %q stands for no cells of this workbook: =%s", name, clip(refers))).
		WithHint(rangeHint())
}

func rangeHint() fault.Text {
	return fault.T(`give cells such as "B2:F40", "B:D", "5:20" or "Sales!B:D"`)
}

// nearest puts the most similar name before a hint.
func nearest(name string, names []string, hint fault.Text) fault.Text {
	if near := similar.Name(name, names); near != "" {
		return fault.T("did you mean %q? %s", near, hint)
	}
	return hint
}

// mostListed limits the names that a message lists.
const mostListed = 50

// quoted lists names for a message.
func quoted(names []string) string {
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == mostListed || b.Len() > 1000 {
			b.WriteString("…")
			break
		}
		b.WriteString(`"` + clip(n) + `"`)
	}
	return b.String()
}

// clip bounds a name or formula in a message.
func clip(s string) string {
	const most = 100
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
