package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	// leastItems is the fewest rows that make a list.
	leastItems = 3
	// columnChars is the least length of a cell that is a text of its own. Two of them in
	// a row are two texts side by side, not one line.
	columnChars = 80
	// rankChars is the longest number of a row, with what ends it.
	rankChars = 6
	// titleChars is the longest heading of a mail.
	titleChars = 120
)

// replace puts blocks or a list in the place of a table: a row of short cells is one
// line, numbered rows and rows of links are the items of a list.
func replace(t *html.Node, rows []row) {
	keepNames(t)
	for _, n := range dom.Elements(t) {
		dom.Remove(n)
	}
	lines := make([]*html.Node, len(rows)) // nil for a row that shows nothing
	inline := true
	for i := range rows {
		if rows[i].full > 0 {
			var one bool
			lines[i], one = lineOf(&rows[i])
			inline = inline && one
		}
	}
	switch {
	case only(t, rows, lines):
	case ranked(t, rows, lines):
	case inline && linked(rows):
		dom.Rename(t, atom.Ul)
		items(t, rows, lines)
	default:
		dom.Rename(t, atom.Div)
		for _, l := range lines {
			if l != nil {
				t.AppendChild(l)
			}
		}
	}
}

// only puts the content of the one cell of a table in its place, and reports whether
// there is only one. Many tables in each other would nest too deeply else.
func only(t *html.Node, rows []row, lines []*html.Node) bool {
	at := -1
	for i := range rows {
		if lines[i] == nil {
			continue
		}
		if at >= 0 || rows[i].full > 1 {
			return false
		}
		at = i
	}
	if at < 0 {
		dom.Rename(t, atom.Div)
		return true
	}
	classes := []string{dom.Attr(t, "class")}
	for n := lines[at]; n != nil; n = n.FirstChild {
		if c := dom.Attr(n, "class"); c != "" {
			classes = append(classes, c)
		}
		if id := dom.Attr(n, "id"); id != "" && !dom.Has(t, "id") {
			dom.SetAttr(t, "id", id)
		}
		if n == lines[at] {
			continue
		}
		if dom.Is(n, atom.Div, atom.Span) {
			dom.Adopt(t, n)
		} else {
			dom.Remove(n)
			t.AppendChild(n)
		}
		break
	}
	if class := strings.TrimSpace(strings.Join(classes, " ")); class != "" {
		dom.SetAttr(t, "class", class)
	}
	dom.Rename(t, atom.Div)
	return true
}

// lineOf returns the content of a row as a division. one reports that it is one line.
func lineOf(r *row) (line *html.Node, one bool) {
	dom.Remove(r.node)
	one = true
	wide := 0
	for i := range r.cells {
		c := &r.cells[i]
		if c.empty() {
			continue
		}
		if only := dom.OnlyChild(c.node); dom.Is(only, atom.Div, atom.Center) && c.blocks <= 1 {
			dom.Rename(only, atom.Span)
		}
		if c.chars > columnChars {
			wide++
		}
		one = one && !dom.HoldsBlock(c.node) && dom.First(c.node, atom.Br) == nil
	}
	one = one && wide < 2
	line = r.node
	if line.DataAtom != atom.Tr {
		line = dom.Element(atom.Div)
	}
	for c := line.FirstChild; c != nil; c = line.FirstChild {
		line.RemoveChild(c)
	}
	for i := range r.cells {
		c := &r.cells[i]
		if c.empty() {
			continue
		}
		place := atom.Div
		if one {
			place = atom.Span
			if line.FirstChild != nil {
				line.AppendChild(dom.NewText(" "))
			}
			if r.full == 1 && c.chars <= titleChars {
				place = cmp.Or(headingBy(c.node), place)
			}
		}
		if dom.Is(c.node, atom.Td, atom.Th, atom.Caption) {
			dom.Rename(c.node, place)
			keepNames(c.node)
		}
		dom.Remove(c.node)
		line.AppendChild(c.node)
	}
	keepNames(line)
	dom.Rename(line, atom.Div)
	return line, one
}

// headingBy returns the heading that the cell of a mail is by its style, 0 for none:
// mails style each cell, and seldom have headings.
func headingBy(c *html.Node) atom.Atom {
	size, bold := 0.0, c.DataAtom == atom.Th
	for declaration := range strings.SplitSeq(strings.ToLower(dom.Attr(c, "style")), ";") {
		key, value, _ := strings.Cut(declaration, ":")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "font-size":
			if px, ok := strings.CutSuffix(value, "px"); ok {
				size, _ = strconv.ParseFloat(px, 64)
			}
		case "font-weight":
			n, _ := strconv.Atoi(value)
			bold = value == "bold" || n >= 600
		}
	}
	switch {
	case size >= 28:
		return atom.H2
	case size >= 24, size >= 18 && bold:
		return atom.H3
	}
	return 0
}

// keepNames removes the attributes by which an element was a table or a part of one.
func keepNames(n *html.Node) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		switch a.Key {
		case "class", "id", "lang", "dir", "title":
			return false
		case "role":
			return a.Val == "presentation" || a.Val == "none" || a.Val == "row" || a.Val == "cell"
		}
		return !strings.HasPrefix(a.Key, "item") && !strings.HasPrefix(a.Key, "data-")
	})
}

// linked reports whether the rows of a table are items that lead elsewhere: there is
// a link in each, or in each of the groups that empty rows part.
func linked(rows []row) bool {
	grouped := gaps(rows) > 1
	items, links := 0, 0
	begun, led := false, false
	for i := range rows {
		r := &rows[i]
		if r.full == 0 && !grouped {
			continue
		}
		if !grouped || r.full == 0 {
			begun = false
		}
		if r.full == 0 {
			continue
		}
		if !begun {
			items++
			begun, led = true, false
		}
		if !led && slices.ContainsFunc(r.cells, func(c cell) bool { return c.links > 0 }) {
			links++
			led = true
		}
	}
	return items >= leastItems && links == items
}

// items appends an item for each row. If empty rows stand between the rows, all
// rows up to the next empty one are one item.
func items(list *html.Node, rows []row, lines []*html.Node) {
	grouped := gaps(rows) > 1
	var item *html.Node
	for _, l := range lines {
		switch {
		case l != nil && (item == nil || !grouped):
			item = dom.Element(atom.Li)
			list.AppendChild(item)
			fallthrough
		case l != nil:
			appendLine(item, l)
		case grouped:
			item = nil
		}
	}
}

// gaps returns how often empty rows stand between others.
func gaps(rows []row) int {
	n, begun, gap := 0, false, false
	for i := range rows {
		if rows[i].full == 0 {
			gap = begun
			continue
		}
		if gap {
			n++
		}
		begun, gap = true, false
	}
	return n
}

// appendLine appends a row to an item. Lines without blocks are kept apart by line
// breaks.
func appendLine(item, line *html.Node) {
	if dom.HoldsBlock(line) {
		item.AppendChild(line)
		return
	}
	if item.LastChild != nil {
		item.AppendChild(dom.Element(atom.Br))
	}
	dom.Rename(line, atom.Span)
	item.AppendChild(line)
}

// ranked makes a numbered list of a table with rows that begin with numbers, and
// reports whether it is one. The rows behind a number belong to its item, up to an
// empty one.
func ranked(t *html.Node, rows []row, lines []*html.Node) bool {
	numbers := make([]int, len(rows))
	last, count := 0, 0
	for i := range rows {
		n := rank(&rows[i])
		if n == 0 {
			continue
		}
		if count > 0 && n != last+1 {
			return false
		}
		numbers[i], last = n, n
		count++
	}
	if count < leastItems {
		return false
	}
	dom.Rename(t, atom.Div)
	var list, item *html.Node
	for i, l := range lines {
		switch {
		case l == nil:
			item = nil
		case numbers[i] > 0:
			if list == nil {
				list = dom.Element(atom.Ol)
				dom.SetAttr(list, "start", strconv.Itoa(numbers[i]))
				t.AppendChild(list)
			}
			item = dom.Element(atom.Li)
			list.AppendChild(item)
			l.RemoveChild(l.FirstChild) // the number
			if dom.IsBlank(l.FirstChild) {
				l.RemoveChild(l.FirstChild)
			}
			appendLine(item, l)
		case item != nil:
			appendLine(item, l)
		default:
			list = nil
			t.AppendChild(l)
		}
	}
	return true
}

// rank returns the number that a row begins with, such as 1 for "1."; 0 for none.
func rank(r *row) int {
	if r.full < 2 {
		return 0
	}
	for i := range r.cells {
		c := &r.cells[i]
		if c.empty() {
			continue
		}
		if c.chars > rankChars || c.links > 0 {
			return 0
		}
		n, err := strconv.Atoi(strings.TrimRight(dom.Text(c.node), ".)"))
		if err != nil || n < 1 {
			return 0
		}
		return n
	}
	return 0
}
