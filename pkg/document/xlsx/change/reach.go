package change

import (
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// unreached refuses to move the rows of a sheet from a first one on if something refers to
// them: it would have to change, too. Rows that are deleted may refer to what they like.
func (c *changes) unreached(index, first int, deleted sheet.Span) error {
	for i, s := range c.Sheets() {
		if s.Kind != sheet.Worksheet {
			continue
		}
		var found error
		err := c.Rows(c.ctx, i, sheet.Window{Range: sheet.All(), Formulas: true}, func(r *sheet.Row) bool {
			if i == index && r.Number >= deleted.First && r.Number <= deleted.Last {
				return true
			}
			for k := range r.Cells {
				cell := &r.Cells[k]
				if len(cell.Formula) > 0 && c.refers(string(cell.Formula), i, index, first) {
					found = reaches(fault.T("the formula of %s", c.ref(i, sheet.Address{Row: r.Number, Column: cell.Column})), first)
					return false
				}
			}
			return true
		})
		if err = errors.Join(found, err); err != nil {
			return err
		}
		if err := c.sheetReaches(i, index, first, deleted); err != nil {
			return err
		}
	}
	names, err := c.Names(c.ctx)
	if err != nil {
		return err
	}
	for _, n := range names {
		if n.Table == nil && c.refers(n.Refers, n.Sheet, index, first) || n.Table != nil && n.Sheet == index && n.Table.Range.Bottom >= first {
			return reaches(fault.T("the name or table %q", n.Name), first)
		}
	}
	return c.partsReach(index, first)
}

func reaches(what fault.Text, first int) error {
	return refused(fault.T("%s reaches to row %d or below, and would no longer fit if rows moved", what, first),
		fault.T("put the rows below it, with append; or move rows with the program that the workbook belongs to, which changes all that refers to them"))
}

// refers reports whether a formula that stands in one sheet refers to rows of another from a
// first one on.
func (c *changes) refers(formula string, in, index, first int) bool {
	for _, r := range references(formula) {
		of := in
		if r.sheet != "" {
			if strings.Contains(r.sheet, ":") {
				of = index // a run of sheets
			} else if i, err := sheet.Find(c, r.sheet); err == nil {
				of = i
			} else {
				continue // another workbook
			}
		}
		whole := r.cells.Top == 1 && r.cells.Bottom == sheet.MaxRows
		if of == index && r.cells.Bottom >= first && !whole {
			return true
		}
	}
	return false
}

// referred is a range that a formula names.
type referred struct {
	sheet string // "" for the formula's own
	cells sheet.Range
}

// references returns the cells that a formula names.
func references(formula string) (all []referred) {
	name := ""
	for i := 0; i < len(formula); {
		switch ch := formula[i]; {
		case ch == '"':
			n := strings.IndexByte(formula[i+1:], '"')
			if n < 0 {
				return all
			}
			i += n + 2
		case ch == '\'':
			n := i + 1
			for n < len(formula) && (formula[n] != '\'' || n+1 < len(formula) && formula[n+1] == '\'') {
				if formula[n] == '\'' {
					n++
				}
				n++
			}
			if n+1 < len(formula) && formula[n+1] == '!' {
				name = strings.ReplaceAll(formula[i+1:n], "''", "'")
				i = n + 2
				continue
			}
			i = min(n+1, len(formula))
		case isWord(ch):
			n := i
			for n < len(formula) && isWord(formula[n]) {
				n++
			}
			word := formula[i:n]
			i = n
			if i < len(formula) && formula[i] == '!' {
				name = word
				i++
				continue
			}
			if r, ok := sheet.ParseRange(word); ok && !strings.Contains(word, "-") && (i == len(formula) || formula[i] != '(') && !isPlainNumber(word) {
				all = append(all, referred{name, r})
			}
			name = ""
		default:
			name = ""
			i++
		}
	}
	return all
}

// isWord reports whether a byte belongs to a reference or a name.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '$' || c == '_' || c == '.' || c == ':' || c == '\\' || c >= 0x80
}

// isPlainNumber reports whether a word is a number, and no rows such as 5:7.
func isPlainNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// sheetReaches looks at what is in the part of a sheet beside its rows, and at formulas that
// cells share.
func (c *changes) sheetReaches(in, index, first int, deleted sheet.Span) error {
	r, err := c.Package().Open(c.Part(in))
	if err != nil {
		return err
	}
	defer r.Close()
	s := xmlscan.New(r)
	row := 0
	for {
		switch s.Next() {
		case xmlscan.EOF:
			if s.Mended() {
				return damaged()
			}
			return discard(r)
		case xmlscan.Start:
			name := s.Local()
			switch name {
			case "dimension", "selection", "pane", "sheetView":
				continue
			case "row":
				if n, ok := s.Int("r"); ok {
					row = n
				}
				continue
			case "f":
				if s.Parent() == "x:c" && in == index {
					ref, ok := sheet.ParseRange(s.String("ref"))
					if ok && ref.Bottom > ref.Top && (ref.Top < first && ref.Bottom >= first || row >= deleted.First && row <= deleted.Last && ref.Bottom > deleted.Last) {
						return reaches(fault.T("a formula that the cells %s share", ref.String()), first)
					}
					continue
				}
				fallthrough
			case "formula", "formula1", "formula2":
				if s.Parent() == "x:c" {
					continue
				}
				if text := string(s.All(32 << 10)); c.refers(text, in, index, first) {
					return reaches(fault.T("a rule (%s) of the sheet %q", clip(text), c.Sheets()[in].Name), first)
				}
				continue
			case "sqref":
				if in == index && below(string(s.All(32<<10)), first) {
					return reaches(fault.T("a rule of the sheet"), first)
				}
				continue
			case "brk":
				if n, ok := s.Int("id"); ok && in == index && n >= first && s.Parent() == "x:rowBreaks" {
					return reaches(fault.T("a page break"), first)
				}
				continue
			case "c":
				continue
			}
			if in == index && (below(s.String("ref"), first) || below(s.String("sqref"), first)) {
				return reaches(fault.T("%s %s", name, s.String("ref")+s.String("sqref")), first)
			}
		}
	}
}

// below reports whether a list of ranges reaches to a row.
func below(ranges string, first int) bool {
	for one := range strings.FieldsSeq(ranges) {
		if r, ok := sheet.ParseRange(one); ok && r.Bottom >= first && (r.Top > 1 || r.Bottom < sheet.MaxRows) {
			return true
		}
	}
	return false
}

// partsReach looks at the parts beside sheets: drawings, comments and pivot tables of the sheet,
// and all charts and caches of pivot tables.
func (c *changes) partsReach(index, first int) error {
	own := map[string]bool{}
	for _, r := range c.Package().Relations(c.Part(index)) {
		if !r.External {
			own[strings.ToLower(r.Target)] = true
		}
	}
	for _, part := range c.Package().Names() {
		lower := strings.ToLower(part)
		chart := strings.Contains(lower, "/charts/") || strings.Contains(lower, "/chartsheets/") || strings.Contains(lower, "/pivotcache/")
		if !own[lower] && !chart || strings.HasSuffix(lower, ".rels") || strings.Contains(lower, "/pivotcacherecords") || path.Ext(lower) != ".xml" && path.Ext(lower) != ".vml" {
			continue
		}
		if err := c.partReaches(part, index, first, own[lower]); err != nil {
			return err
		}
	}
	return nil
}

// partReaches looks at one part; own says that it belongs to the sheet.
func (c *changes) partReaches(part string, index, first int, own bool) error {
	r, err := c.Package().Open(part)
	if err != nil {
		return err
	}
	defer r.Close()
	s := xmlscan.New(io.LimitReader(r, 64<<20))
	about := reaches(fault.T("what %s has", path.Base(part)), first)
	for {
		switch s.Next() {
		case xmlscan.EOF:
			return nil
		case xmlscan.Start:
			switch s.Name() {
			case "xdr:row", "xv:Row":
				if n, err := strconv.Atoi(strings.TrimSpace(string(s.All(20)))); err == nil && own && n+1 >= first {
					return about
				}
				continue
			case "c:f", "xm:f", "cx:f":
				if c.refers(string(s.All(32<<10)), -1, index, first) {
					return about
				}
				continue
			}
			of := own
			if name := s.String("sheet"); name != "" {
				i, err := sheet.Find(c, name)
				of = err == nil && i == index
			}
			if of && below(s.String("ref"), first) {
				return about
			}
		}
	}
}
