package change

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// finish changes the parts that follow from the changed cells.
func (c *changes) finish() error {
	c.finishTexts()
	if err := c.finishStyles(); err != nil {
		return err
	}
	if err := c.finishChain(); err != nil {
		return err
	}
	if !c.formula {
		for i, s := range c.Sheets() {
			if s.Kind != sheet.Worksheet || c.walked[c.Part(i)] {
				continue
			}
			found, err := c.contains(c.Part(i), "<f>", "<f ", ":f>", ":f ")
			if err != nil {
				return err
			}
			if c.formula = found; found {
				break
			}
		}
	}
	if c.result.Recalculate = c.formula && c.stale; c.result.Recalculate {
		return c.recalculate()
	}
	return nil
}

// contains reports whether a part contains one of some texts.
func (c *changes) contains(part string, texts ...string) (bool, error) {
	in, err := c.Package().Open(part)
	if err != nil {
		return false, err
	}
	defer in.Close()
	const kept = 256 // more than a text has
	b := bufio.NewReaderSize(in, 64<<10)
	var tail []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := b.Read(buf)
		piece := append(tail, buf[:n]...)
		for _, t := range texts {
			if bytes.Contains(piece, []byte(t)) {
				return true, nil
			}
		}
		tail = append([]byte(nil), piece[max(0, len(piece)-kept):]...)
		switch {
		case errors.Is(err, io.EOF):
			return false, nil
		case err != nil:
			return false, err
		}
	}
}

// recalculate has programs calculate the workbook when they open it (18.2.2).
func (c *changes) recalculate() error {
	part := c.Package().Main()
	t, err := c.readTree(part)
	if err != nil {
		return err
	}
	calc := t.Root.Child("x:calcPr")
	var s xmlscan.Splice
	if calc != nil {
		s = xmlscan.Splice{Start: int64(calc.Start), End: int64(calc.Inner), New: setAttr(t.Tag(calc), "fullCalcOnLoad", "1")}
	} else {
		at := 0
		for _, n := range t.Root.Children {
			switch n.Name {
			case "x:sheets", "x:functionGroups", "x:externalReferences", "x:definedNames":
				at = n.End
			}
		}
		if at == 0 {
			return damaged()
		}
		s = xmlscan.Splice{Start: int64(at), End: int64(at), New: []byte("<" + xmlscan.Qualified("calcPr", t.Root.Raw) + ` fullCalcOnLoad="1"/>`)}
	}
	data, err := t.Spliced([]xmlscan.Splice{s})
	c.put(part, data)
	return err
}

// finishChain takes the cells that are no longer formulas out of the order of calculation
// (18.6).
func (c *changes) finishChain() error {
	part := c.Relation("calcChain")
	if part == "" || len(c.gone) == 0 {
		return nil
	}
	t, err := c.readTree(part)
	if err != nil {
		return err
	}
	ids, err := c.sheetIDs()
	if err != nil {
		return err
	}
	without := map[string]bool{}
	for _, g := range c.gone {
		without[ids[g.sheet]+"!"+g.at.String()] = true
	}
	sheet := ""
	var splices []xmlscan.Splice
	removed := 0
	for i, n := range t.Root.Children {
		if v, ok := t.Attr(n, "i"); ok {
			sheet = v
		}
		ref, _ := t.Attr(n, "r")
		if !without[sheet+"!"+ref] {
			continue
		}
		removed++
		splices = append(splices, xmlscan.Splice{Start: int64(n.Start), End: int64(n.End)})
		if i+1 < len(t.Root.Children) { // the next one may have its sheet from this one
			next := t.Root.Children[i+1]
			if _, ok := t.Attr(next, "i"); !ok {
				nextRef, _ := t.Attr(next, "r")
				if !without[sheet+"!"+nextRef] {
					splices = append(splices, xmlscan.Splice{Start: int64(next.Start), End: int64(next.Inner), New: setAttr(t.Tag(next), "i", sheet)})
				}
			}
		}
	}
	switch {
	case removed == 0:
		return nil
	case removed == len(t.Root.Children): // an empty one is not valid
		return c.dropChain(part)
	}
	data, err := t.Spliced(splices)
	c.put(part, data)
	return err
}

// dropChain takes the order of calculation out of the package.
func (c *changes) dropChain(part string) error {
	rest, err := c.Package().Without(part)
	if err != nil {
		return err
	}
	for name, data := range rest {
		c.put(name, data)
	}
	c.parts[part] = nil
	return nil
}

// sheetIDs returns the numbers by which the order of calculation names sheets.
func (c *changes) sheetIDs() ([]string, error) {
	t, err := c.readTree(c.Package().Main())
	if err != nil {
		return nil, err
	}
	var ids []string
	if sheets := t.Root.Child("x:sheets"); sheets != nil {
		for _, n := range sheets.Children {
			v, _ := t.Attr(n, "sheetId")
			ids = append(ids, v)
		}
	}
	if len(ids) != len(c.Sheets()) {
		return nil, damaged()
	}
	return ids, nil
}

// headers changes the names of a table's columns together with its header cells.
func (c *changes) headers(index int, cells []Cell) error {
	for _, part := range c.Related(index, "table") {
		t, err := c.readTree(part)
		if err != nil {
			return err
		}
		ref, _ := t.Attr(t.Root, "ref")
		r, ok := sheet.ParseRange(ref)
		rows, _ := t.Attr(t.Root, "headerRowCount")
		columns := t.Root.Child("x:tableColumns")
		if !ok || rows == "0" || columns == nil || len(columns.Children) != r.Columns() {
			continue
		}
		var splices []xmlscan.Splice
		names := map[string]int{}
		for _, n := range columns.Children {
			v, _ := t.Attr(n, "name")
			names[strings.ToLower(v)]++
		}
		for _, cell := range cells {
			if cell.At.Row != r.Top || cell.At.Column < r.Left || cell.At.Column > r.Right || cell.Keep {
				continue
			}
			column := columns.Children[cell.At.Column-r.Left]
			old, _ := t.Attr(column, "name")
			name, isText := cell.Value.(string)
			if !isText || cell.Formula != "" || strings.TrimSpace(name) == "" || names[strings.ToLower(name)] > 0 && !strings.EqualFold(name, old) {
				return refused(fault.T("%s is the heading of a table's column: it must be a text that no other column has", c.ref(index, cell.At)),
					fault.T("give another text"))
			}
			if err := c.unused(old); err != nil {
				return err
			}
			names[strings.ToLower(old)]--
			names[strings.ToLower(name)]++
			tag := setAttr(t.Tag(column), "name", strings.ReplaceAll(escaped(name), "\n", "_x000a_"))
			splices = append(splices, xmlscan.Splice{Start: int64(column.Start), End: int64(column.Inner), New: tag})
		}
		if len(splices) == 0 {
			continue
		}
		data, err := t.Spliced(splices)
		if err != nil {
			return err
		}
		c.put(part, data)
	}
	return nil
}

// unused refuses to rename a column that formulas name.
func (c *changes) unused(name string) error {
	written := string(xmlscan.AppendEscaped(nil, name))
	parts := []string{c.Package().Main()}
	for i := range c.Sheets() {
		parts = append(append(parts, c.Part(i)), c.Related(i, "table")...)
	}
	for _, part := range parts {
		found, err := c.contains(part, "["+written+"]", "[@"+written+"]", "[#This Row],["+written)
		if err != nil {
			return err
		}
		if found {
			return refused(fault.T("formulas name the table's column %q", name),
				fault.T("rename it with the program that the workbook belongs to, which changes them, too"))
		}
	}
	return nil
}
