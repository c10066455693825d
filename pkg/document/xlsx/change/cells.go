package change

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xlsx"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// sheet changes cells of one sheet, which are in their order.
func (c *changes) sheet(cells []Cell) error {
	index := cells[0].Sheet
	w, err := c.walk(index, cells, false)
	if err != nil {
		return err
	}
	if err := c.allowed(index, w, cells); err != nil {
		return err
	}
	before, err := c.before(index, w)
	if err != nil {
		return err
	}
	var splices []xmlscan.Splice
	used := sheet.Range{}
	for _, r := range w.rows {
		more, err := c.row(index, w, r, before)
		if err != nil {
			return err
		}
		splices = append(splices, more...)
	}
	for _, cell := range cells {
		used = used.Union(sheet.Range{Top: cell.At.Row, Left: cell.At.Column, Bottom: cell.At.Row, Right: cell.At.Column})
	}
	if w.dataTag != nil { // <sheetData/>: what was put at its end is put into it
		var all []byte
		for _, s := range splices {
			all = append(all, s.New...)
		}
		open := bytes.TrimRight(w.dataTag[:len(w.dataTag)-2], " \t\r\n")
		end := "</" + strings.TrimSuffix(w.rowName, "row") + "sheetData>"
		splices = []xmlscan.Splice{{Start: w.data.start, End: w.data.end, New: slices.Concat(open, []byte(">"), all, []byte(end))}}
	}
	splices = append(splices, w.heirs()...)
	splices = append(splices, w.extent(used)...)
	if err := c.headers(index, cells); err != nil {
		return err
	}
	c.splice(c.Part(index), splices)
	c.stale = true
	c.formula = c.formula || w.formulas
	if c.walked == nil {
		c.walked = map[string]bool{}
	}
	c.walked[c.Part(index)] = true
	return nil
}

// splice notes changes of a part, which is read again when it is written.
func (c *changes) splice(part string, splices []xmlscan.Splice) {
	c.parts[part] = func(out io.Writer) error {
		in, err := c.Package().Open(part)
		if err != nil {
			return err
		}
		defer in.Close()
		return xmlscan.Spliced(out, in, splices)
	}
}

// walk reads the part of a sheet.
func (w *Workbook) walk(index int, cells []Cell, last bool) (*walk, error) {
	if w.Sheets()[index].Kind != sheet.Worksheet {
		return nil, refused(fault.T("%q is no sheet of cells", w.Sheets()[index].Name), fault.T("name a worksheet in sheet"))
	}
	in, err := w.Package().Open(w.Part(index))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	g := &walk{s: xmlscan.New(in), wanted: cells, last: last}
	if err := g.run(); err != nil {
		return nil, err
	}
	if g.rowName == "" {
		return nil, damaged()
	}
	return g, discard(in)
}

// allowed refuses changes of cells that are more than cells.
func (c *changes) allowed(index int, w *walk, cells []Cell) error {
	if w.protected {
		return protected(c.Sheets()[index].Name)
	}
	for _, cell := range cells {
		for _, r := range w.merged {
			if r.Contains(cell.At) && (cell.At != sheet.Address{Row: r.Top, Column: r.Left}) {
				return refused(fault.T("%s is hidden by the merged cells %s", c.ref(index, cell.At), r.String()),
					fault.T("change %s, which shows for all of them", sheet.Address{Row: r.Top, Column: r.Left}.String()))
			}
		}
		for _, r := range w.arrays {
			if r.Contains(cell.At) && (r.Top != r.Bottom || r.Left != r.Right) {
				return refused(fault.T("%s belongs to the formula of %s, which gives all of these cells", c.ref(index, cell.At), r.String()),
					fault.T("change that formula with the program that the workbook belongs to"))
			}
		}
	}
	return nil
}

func protected(name string) error {
	return refused(fault.T("the sheet %q is protected", name),
		fault.T("ask the person to take the protection off, or work on another sheet"))
}

// before returns the wanted cells as they are, by their row and column.
func (c *changes) before(index int, w *walk) (map[sheet.Address]sheet.Cell, error) {
	var rows []byte
	rows = append(rows, "<worksheet><sheetData>"...)
	for _, r := range w.rows {
		rows = append(rows, fmt.Sprintf(`<row r="%d">`, r.number)...)
		for _, p := range r.cells {
			rows = append(rows, p.raw...)
		}
		rows = append(rows, "</row>"...)
	}
	rows = append(rows, "</sheetData></worksheet>"...)
	all := map[sheet.Address]sheet.Cell{}
	err := c.Parsed(c.ctx, index, rows, func(row *sheet.Row) bool {
		for _, cell := range row.Cells {
			cell.Text, cell.Formula = bytes.Clone(cell.Text), bytes.Clone(cell.Formula)
			all[sheet.Address{Row: row.Number, Column: cell.Column}] = cell
		}
		return true
	})
	return all, err
}

// row returns the changes of a row's cells.
func (c *changes) row(index int, w *walk, r *row, before map[sheet.Address]sheet.Cell) ([]xmlscan.Splice, error) {
	name := xmlscan.Qualified("c", w.rowName)
	if r.name != "" {
		name = r.name
	}
	var splices []xmlscan.Splice
	var inner []byte
	for i, p := range r.cells {
		cell := w.wanted[r.first+i]
		was := before[cell.At]
		if p.raw == nil && c.first > 0 && cell.At.Row >= c.first {
			p.style = c.donors[cell.At.Column]
		}
		text, after, err := c.cell(&cell, name, p, &was)
		if err != nil {
			return nil, err
		}
		c.result.Changed = append(c.result.Changed, Changed{
			Ref: c.ref(index, cell.At), Before: content(&was, c.Date1904()), After: after, sheet: index, at: cell.At,
		})
		c.reformatted = c.reformatted || cell.Format != ""
		if p.formula && !cell.Keep {
			c.gone = append(c.gone, gone{index, cell.At})
		}
		inner = append(inner, text...)
		splices = append(splices, xmlscan.Splice{Start: p.start, End: p.end, New: text})
	}
	last := w.wanted[r.first+len(r.cells)-1].At.Column
	end := []byte("</" + w.rowName + ">")
	switch {
	case r.missing:
		tag := fmt.Appendf(nil, `<%s r="%d">`, w.rowName, r.number)
		return []xmlscan.Splice{{Start: r.at, End: r.at, New: slices.Concat(tag, inner, end)}}, nil
	case r.empty:
		tag := append(bytes.TrimRight(r.tag[:len(r.tag)-2], " \t\r\n"), '>')
		return []xmlscan.Splice{{Start: r.at, End: r.at + int64(len(r.tag)), New: slices.Concat(spans(tag, last), inner, end)}}, nil
	}
	if tag := spans(r.tag, last); !bytes.Equal(tag, r.tag) {
		splices = append(splices, xmlscan.Splice{Start: r.at, End: r.at + int64(len(r.tag)), New: tag})
	}
	return splices, nil
}

// spans returns the tag of a row that has cells up to a column: a hint of its width that is
// too small is taken out.
func spans(tag []byte, column int) []byte {
	t := xmlscan.Tree{Data: tag}
	v, ok := t.Attr(&xmlscan.Node{Raw: "row", Inner: len(tag)}, "spans")
	if !ok {
		return tag
	}
	for part := range strings.FieldsSeq(v) {
		if _, to, _ := strings.Cut(part, ":"); to != "" {
			if n, err := strconv.Atoi(to); err == nil && n > column {
				return tag
			}
		}
	}
	return xmlscan.SetAttr(tag, "spans", nil)
}

// cell returns a cell as it is to be written, and as read shows it.
func (c *changes) cell(cell *Cell, name string, p *place, was *sheet.Cell) (text []byte, after string, err error) {
	tag := p.tag
	if tag == nil {
		tag = fmt.Appendf(nil, `<%s r="%s"/>`, name, cell.At.String())
		if cell.Format == "" && p.style > 0 {
			tag = setAttr(tag, "s", strconv.Itoa(p.style))
		}
	}
	format := c.Format(p.style)
	if cell.Format != "" {
		style, f, err := c.styled(p.style, cell.Format)
		if err != nil {
			return nil, "", err
		}
		format = f
		tag = setAttr(tag, "s", strconv.Itoa(style))
	}
	if cell.Keep {
		next := *was
		next.Format = format
		rest := []byte(nil)
		if p.raw != nil {
			rest = p.raw[len(p.tag):]
		}
		return append(slices.Clone(tag), rest...), content(&next, c.Date1904()), nil
	}
	tag = xmlscan.SetAttr(xmlscan.SetAttr(tag, "cm", nil), "vm", nil)
	next := sheet.Cell{Format: format}
	kind, inner := "", []byte(nil)
	prefix := strings.TrimSuffix(name, "c")
	element := func(name, text string) {
		inner = fmt.Appendf(inner, "<%s%s>%s</%s%s>", prefix, name, text, prefix, name)
	}
	switch v, err := c.value(cell, format, was); {
	case err != nil:
		return nil, "", err
	case cell.Formula != "":
		next.Formula = []byte(cell.Formula)
		element("f", string(xmlscan.AppendEscaped(nil, stored(cell.Formula))))
		c.formula = true
	case v == nil:
	default:
		switch v := v.(type) {
		case bool:
			kind, next.Content = "b", sheet.Boolean
			if v {
				next.Number = 1
			}
			element("v", strconv.Itoa(int(next.Number)))
		case float64:
			next.Content, next.Number = sheet.Number, v
			element("v", strconv.FormatFloat(v, 'g', -1, 64))
		case string:
			next.Content, next.Text = sheet.Text, []byte(v)
			id, shared, err := c.shared(v)
			if err != nil {
				return nil, "", err
			}
			if kind = "s"; shared {
				element("v", strconv.Itoa(id))
			} else {
				kind = "inlineStr"
				inner = fmt.Appendf(inner, "<%sis>%s</%sis>", prefix, textElement(prefix, v), prefix)
			}
		}
	}
	if kind == "" {
		tag = xmlscan.SetAttr(tag, "t", nil)
	} else {
		tag = setAttr(tag, "t", kind)
	}
	open := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSuffix(tag, []byte(">")), []byte("/")), " \t\r\n")
	if len(inner) == 0 {
		return append(slices.Clone(open), "/>"...), "", nil
	}
	return slices.Concat(open, []byte(">"), inner, []byte("</"+name+">")), content(&next, c.Date1904()), nil
}

func setAttr(tag []byte, name, value string) []byte { return xmlscan.SetAttr(tag, name, &value) }

// content returns a cell's content as read shows it, or its formula.
func content(c *sheet.Cell, date1904 bool) string {
	if len(c.Formula) > 0 {
		return "=" + string(c.Formula)
	}
	return c.Shown(sheet.Auto, date1904)
}

// heirs returns the changes of the cells to which shared formulas pass whose masters change.
func (w *walk) heirs() (all []xmlscan.Splice) {
	for _, s := range w.shared {
		if s.heir == nil {
			continue
		}
		h := s.heir
		ref := s.ref
		if r, ok := sheet.ParseRange(ref); ok {
			r.Top = s.heirAt.Row
			if r.Left > s.heirAt.Column || r.Top == r.Bottom {
				r.Left = s.heirAt.Column
			}
			ref = r.String()
		}
		formula := xlsx.Shift(s.formula, s.heirAt.Row-s.at.Row, s.heirAt.Column-s.at.Column)
		t, err := xmlscan.Parse(h.raw)
		if err != nil {
			continue // it was read before, so that it can be read
		}
		for _, f := range t.Root.Children {
			if xmlscan.Qualified("f", f.Raw) != f.Raw {
				continue
			}
			text := fmt.Appendf(nil, `<%s t="shared" ref="%s" si="%s">`, f.Raw, ref, s.index)
			text = append(xmlscan.AppendEscaped(text, formula), "</"+f.Raw+">"...)
			at := h.start + int64(f.Start)
			all = append(all, xmlscan.Splice{Start: at, End: h.start + int64(f.End), New: text})
		}
	}
	return all
}

// extent returns the change of the dimension that a sheet claims, if cells are beyond it.
func (w *walk) extent(used sheet.Range) []xmlscan.Splice {
	if w.dimension == nil {
		return nil
	}
	t := xmlscan.Tree{Data: w.dimension.tag}
	v, _ := t.Attr(&xmlscan.Node{Raw: "dimension", Inner: len(w.dimension.tag)}, "ref")
	r, ok := sheet.ParseRange(v)
	if !ok || r.Union(used) == r {
		return nil
	}
	tag := setAttr(w.dimension.tag, "ref", r.Union(used).String())
	return []xmlscan.Splice{{Start: w.dimension.at, End: w.dimension.at + int64(len(w.dimension.tag)), New: tag}}
}
