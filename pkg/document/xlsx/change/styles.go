package change

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/helve-dev/helve/pkg/document/numfmt"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxStyles is the most styles of cells that Excel takes.
const maxStyles = 65_490

// newStyles are the styles of cells that are added for number formats.
type newStyles struct {
	part    string
	tree    *xmlscan.Tree
	cells   *xmlscan.Node   // cellXfs
	all     []*xmlscan.Node // its styles
	formats *xmlscan.Node   // numFmts; nil if there are none
	ids     map[string]int  // of formats, by code
	next    int             // the first ID that is free
	made    map[styleOf]int
	xfs     []byte
	codes   []byte
	count   int // of codes
}

type styleOf struct {
	from int
	code string
}

// styled returns the style that is as another one but for its number format.
func (c *changes) styled(from int, code string) (style int, f *numfmt.Format, err error) {
	if code == "" || len(code) > 255 {
		return 0, nil, fault.New(fault.InvalidArguments, fault.T("%q is no number format", code)).
			WithHint(fault.T("give one such as 0.00, #,##0, 0%% or yyyy-mm-dd"))
	}
	if c.styles == nil {
		if c.styles, err = c.openStyles(); err != nil {
			return 0, nil, err
		}
	}
	s := c.styles
	key := styleOf{from, code}
	if code != "General" {
		f = numfmt.Parse(code)
	}
	if n, ok := s.made[key]; ok {
		return n, f, nil
	}
	if from >= len(s.all) || len(s.all)+len(s.made) >= maxStyles {
		return 0, nil, refused(fault.T("the workbook has no room for another style"), fault.T("leave out format"))
	}
	id, ok := s.ids[code]
	if !ok {
		id = s.next
		s.next++
		s.ids[code] = id
		s.count++
		s.codes = fmt.Appendf(s.codes, `<%s numFmtId="%d" formatCode="%s"/>`, xmlscan.Qualified("numFmt", s.cells.Raw), id, xmlscan.AppendEscaped(nil, code))
	}
	like := s.all[from]
	tag := setAttr(s.tree.Tag(like), "numFmtId", strconv.Itoa(id))
	s.xfs = append(append(s.xfs, setAttr(tag, "applyNumberFormat", "1")...), s.tree.Data[like.Inner:like.End]...)
	style = len(s.all) + len(s.made)
	s.made[key] = style
	return style, f, nil
}

// openStyles reads the styles.
func (c *changes) openStyles() (*newStyles, error) {
	s := &newStyles{part: c.Relation("styles"), ids: map[string]int{}, next: 164, made: map[styleOf]int{}}
	if s.part == "" {
		return nil, refused(fault.T("the workbook has no styles"), fault.T("leave out format"))
	}
	var err error
	if s.tree, err = c.readTree(s.part); err != nil {
		return nil, err
	}
	if s.cells = s.tree.Root.Child("x:cellXfs"); s.cells == nil || len(s.cells.Children) == 0 {
		return nil, refused(fault.T("the workbook has no styles of cells"), fault.T("leave out format"))
	}
	s.all = s.cells.Children
	for id := range 50 {
		if code := numfmt.Builtin(id, ""); code != "" && s.ids[code] == 0 && (id < 27 || id > 36) {
			s.ids[code] = id
		}
	}
	if s.formats = s.tree.Root.Child("x:numFmts"); s.formats != nil {
		for _, n := range s.formats.Children {
			v, _ := s.tree.Attr(n, "numFmtId")
			code, _ := s.tree.Attr(n, "formatCode")
			if id, err := strconv.Atoi(v); err == nil {
				s.ids[code] = id
				s.next = max(s.next, id+1)
			}
		}
	}
	return s, nil
}

// finishStyles writes the new styles into their part.
func (c *changes) finishStyles() error {
	s := c.styles
	if s == nil || len(s.made) == 0 {
		return nil
	}
	splices := appended(s.tree, s.cells, s.xfs, len(s.made))
	switch {
	case s.count == 0:
	case s.formats != nil:
		splices = append(splices, appended(s.tree, s.formats, s.codes, s.count)...)
	default:
		name := xmlscan.Qualified("numFmts", s.cells.Raw)
		text := slices.Concat(fmt.Appendf(nil, `<%s count="%d">`, name, s.count), s.codes, []byte("</"+name+">"))
		splices = append(splices, xmlscan.Splice{Start: int64(s.tree.Root.Inner), End: int64(s.tree.Root.Inner), New: text})
	}
	data, err := s.tree.Spliced(splices)
	c.put(s.part, data)
	return err
}

// appended returns the changes that append elements to a list with a count.
func appended(t *xmlscan.Tree, list *xmlscan.Node, more []byte, count int) []xmlscan.Splice {
	tag := setAttr(t.Tag(list), "count", strconv.Itoa(len(list.Children)+count))
	if list.Inner == list.End { // <numFmts/>
		tag = slices.Concat(tag[:len(tag)-2], []byte(">"), more, []byte("</"+list.Raw+">"))
		return []xmlscan.Splice{{Start: int64(list.Start), End: int64(list.End), New: tag}}
	}
	return []xmlscan.Splice{
		{Start: int64(list.Start), End: int64(list.Inner), New: tag},
		{Start: int64(list.Close), End: int64(list.Close), New: more},
	}
}
