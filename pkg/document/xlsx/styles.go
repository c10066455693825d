package xlsx

import (
	"cmp"
	"slices"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxStyles limits the styles of cells and the number formats. Excel takes 65,490 styles.
const maxStyles = 1 << 17

// maxFormats limits the parsed formats that are kept at a time.
const maxFormats = 1000

// styles are the number formats of the cells' styles (18.8).
type styles struct {
	cells []style
	codes []formatCode
	known map[int]*numfmt.Format // by ID, once they were needed; nil is General

	failed error // why some are missing
}

// style is the number format of a cell style, parsed when it is first needed.
type style struct {
	id     int // of its number format
	format *numfmt.Format
	parsed bool
}

// formatCode is a number format that the workbook defines.
type formatCode struct {
	id   int
	code string
}

// format returns the format of a style; nil for General.
func (b *Book) format(id int) *numfmt.Format {
	if b.styles == nil {
		b.styles = b.readStyles()
	}
	if id < 0 || id >= len(b.styles.cells) {
		return nil
	}
	c := &b.styles.cells[id]
	if !c.parsed {
		c.format, c.parsed = b.styles.parse(c.id), true
	}
	return c.format
}

// parse returns the format of an ID: the same for all styles that have it in common.
func (t *styles) parse(id int) *numfmt.Format {
	if f, known := t.known[id]; known {
		return f
	}
	var code string
	if i, found := slices.BinarySearchFunc(t.codes, id, func(c formatCode, id int) int { return cmp.Compare(c.id, id) }); found {
		code = t.codes[i].code
	} else {
		code = numfmt.Builtin(id, "")
	}
	if code == "" || code == "General" {
		t.known[id] = nil
		return nil
	}
	f := numfmt.Parse(code)
	if len(t.known) >= maxFormats {
		clear(t.known)
		for i := range t.cells {
			t.cells[i].parsed = false
		}
	}
	t.known[id] = f
	return f
}

// Warnings says that number formats are missing, if they were needed.
func (b *Book) Warnings() []fault.Text {
	if b.styles == nil || b.styles.failed == nil {
		return nil
	}
	return []fault.Text{fault.T("the number formats cannot be read, so dates may be shown as numbers: %s", fault.As(b.styles.failed).Message)}
}

// readStyles reads the styles. A workbook without any, or with damaged ones, shows its
// numbers as they are.
func (b *Book) readStyles() *styles {
	t := &styles{known: map[int]*numfmt.Format{}}
	part := "xl/styles.xml"
	r, named := b.rels.Of("styles")
	if named = named && !r.External; named {
		part = r.Target
	}
	s, closer, err := b.scan(part)
	if err != nil {
		if named {
			t.failed = err
		}
		return t
	}
	defer closer.Close()
	for kind := s.Next(); kind != xmlscan.EOF; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "numFmt":
			if id, ok := s.Int("numFmtId"); ok && len(t.codes) < maxStyles && s.Parent() != "" {
				t.codes = append(t.codes, formatCode{id, clip(s.String("formatCode"), maxName)})
			}
		case "cellXfs":
			t.readCells(s)
		case "dxfs", "fonts", "fills", "borders", "cellStyleXfs", "cellStyles", "extLst":
			s.Skip()
		}
	}
	t.failed = s.Err()
	slices.SortStableFunc(t.codes, func(a, b formatCode) int { return cmp.Compare(a.id, b.id) })
	return t
}

// readCells reads the styles of cells (18.8.10).
func (t *styles) readCells(s *xmlscan.Scanner) {
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.Start:
			if s.Local() == "xf" && s.Depth() == depth+1 && len(t.cells) < maxStyles {
				id, _ := s.Int("numFmtId")
				t.cells = append(t.cells, style{id: id})
			}
		case xmlscan.End:
			if s.Depth() < depth {
				return
			}
		case xmlscan.EOF:
			return
		}
	}
}
