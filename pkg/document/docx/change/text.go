package change

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// item is a paragraph, or a row of a table with the paragraphs of its cells.
type item struct {
	row   *xmlscan.Node // nil of a paragraph
	cells [][]*paragraph
}

// paragraph is a paragraph as it is shown.
type paragraph struct {
	node   *xmlscan.Node
	text   string
	pieces []piece
	fixed  bool // there is more in it than text
}

// piece is a text in a run, or a tab or line break.
type piece struct {
	run, node *xmlscan.Node
	at, size  int  // in the paragraph's text
	plain     bool // it is a text
	field     bool // a field gives it
}

// collect collects the items below a node.
func (d *Document) collect(n *xmlscan.Node, into *[]*paragraph) {
	for _, c := range n.Children {
		switch c.Name {
		case "w:p":
			p := d.paragraph(c)
			if into != nil {
				*into = append(*into, p)
			} else {
				d.items = append(d.items, item{cells: [][]*paragraph{{p}}})
			}
		case "w:tr":
			if into != nil { // of a table in a cell
				d.collect(c, into)
				continue
			}
			row := item{row: c}
			d.cellsOf(c, &row)
			d.items = append(d.items, row)
		case "w:tbl", "w:tc", "w:sdt", "w:sdtContent", "w:customXml", "w:smartTag", "w:ins", "w:moveTo":
			d.collect(c, into)
		}
	}
}

// cellsOf collects the cells of a row.
func (d *Document) cellsOf(n *xmlscan.Node, row *item) {
	for _, c := range n.Children {
		switch c.Name {
		case "w:tc":
			var all []*paragraph
			d.collect(c, &all)
			row.cells = append(row.cells, all)
		case "w:sdt", "w:sdtContent", "w:customXml":
			d.cellsOf(c, row)
		}
	}
}

// paragraph reads the text that a paragraph shows.
func (d *Document) paragraph(n *xmlscan.Node) *paragraph {
	p := &paragraph{node: n}
	var b strings.Builder
	fields := 0
	var visit func(n *xmlscan.Node, field bool)
	visit = func(n *xmlscan.Node, field bool) {
		for _, c := range n.Children {
			switch c.Name {
			case "w:r", "w:ins", "w:moveTo", "w:hyperlink", "w:smartTag", "w:customXml", "w:dir", "w:bdo":
				visit(c, field)
			case "w:sdt", "w:sdtContent":
				p.fixed = true
				visit(c, field)
			case "w:fldSimple":
				p.fixed = true
				visit(c, true)
			case "w:t":
				text := d.tree.Text(c)
				p.pieces = append(p.pieces, piece{run: n, node: c, at: b.Len(), size: len(text), plain: true, field: field || fields > 0})
				b.WriteString(text)
			case "w:tab", "w:br", "w:cr", "w:noBreakHyphen":
				text := map[string]string{"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "\u2011"}[c.Name]
				p.pieces = append(p.pieces, piece{run: n, node: c, at: b.Len(), size: len(text), field: field || fields > 0})
				b.WriteString(text)
			case "w:fldChar":
				p.fixed = true
				switch kind, _ := d.tree.Attr(c, "fldCharType"); kind {
				case "begin":
					fields++
				case "end":
					fields = max(fields-1, 0)
				}
			case "w:pPr", "w:rPr", "w:proofErr", "w:lastRenderedPageBreak", "w:del", "w:moveFrom", "w:delText", "w:softHyphen":
			default:
				p.fixed = true
			}
		}
	}
	visit(n, false)
	p.text = b.String()
	return p
}

// text returns the text of an item; the cells of a row as a row of Markdown.
func (i *item) text() string {
	if i.row == nil {
		return i.cells[0][0].text
	}
	var b strings.Builder
	b.WriteString("|")
	for _, cell := range i.cells {
		b.WriteString(" " + cellText(cell) + " |")
	}
	return b.String()
}

func cellText(cell []*paragraph) string {
	var all []string
	for _, p := range cell {
		if strings.TrimSpace(p.text) != "" {
			all = append(all, p.text)
		}
	}
	return strings.Join(all, "\n")
}

// plain returns a line of Markdown as the text that it shows: without the marks of headings,
// lists, quotations, emphasis, code and links.
func plain(line string) string {
	line = strings.TrimSpace(line)
	for {
		rest := strings.TrimLeft(line, "#>")
		if rest == line || !strings.HasPrefix(rest, " ") {
			break
		}
		line = strings.TrimSpace(rest)
	}
	if mark, rest, ok := strings.Cut(line, " "); ok && listOf(mark) != "" {
		line = strings.TrimSpace(rest)
	}
	return inline(line)
}

// kindOf returns what a line of Markdown is by its mark: a heading by its hashes, an item of a
// list (- or 1), a quotation (>), or text, which has none.
func kindOf(line string) string {
	mark, _, ok := strings.Cut(strings.TrimSpace(line), " ")
	switch {
	case !ok || mark == "":
	case strings.Trim(mark, "#") == "", mark == ">":
		return mark
	default:
		return listOf(mark)
	}
	return ""
}

// listOf returns the kind of list that a mark begins an item of: - or 1; "" of none.
func listOf(mark string) string {
	const digits = 4 // of a number
	number := strings.TrimRight(mark, ".)")
	switch {
	case mark == "-", mark == "*", mark == "+":
		return "-"
	case number != "" && len(number) <= digits && len(mark) == len(number)+1 && strings.Trim(number, "0123456789") == "":
		return "1"
	}
	return ""
}

// inline returns inline Markdown as the text that it shows.
func inline(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i+1 < len(line) && strings.IndexByte("\\`*_{}[]()#+-.!|~<>&$", line[i+1]) >= 0:
			i++
			b.WriteByte(line[i])
		case c == '*', c == '`', c == '~' && strings.HasPrefix(line[i:], "~~"), c == '~' && i > 0 && line[i-1] == '~':
		case c == '_' && (i == 0 || i+1 == len(line) || !isWord(line[i-1]) || !isWord(line[i+1])):
		case c == '[':
			text, rest, ok := strings.Cut(line[i+1:], "](")
			if end := strings.IndexByte(rest, ')'); ok && end >= 0 && !strings.Contains(text, "[") {
				b.WriteString(inline(text))
				i = len(line) - len(rest) + end
				continue
			}
			b.WriteByte(c)
		case c == '<' && strings.HasPrefix(line[i:], "<br>"):
			b.WriteByte('\n')
			i += len("<br>") - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func isWord(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}
