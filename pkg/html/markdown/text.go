package markdown

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/layout"
)

// Text writes a tree as plain text: paragraphs with blank lines between them, items
// with a dash or a number, rows of tables with tabs, code as it is. Images leave no
// words.
func Text(n *html.Node) string {
	w := &writer{}
	w.node(n)
	w.end(2)
	return w.b.String()
}

// writer lays out text.
type writer struct {
	b       strings.Builder
	pending int    // line breaks that are due before the next text
	space   bool   // a space is due
	indent  string // before each line
	lead    string // before the next line, instead of the end of the indent
	started bool   // the line has text
	kind    string // of the note that begins with the next text
}

// end asks for n line breaks before what follows.
func (w *writer) end(n int) {
	if w.started {
		w.pending = max(w.pending, n)
	}
	w.space = false
}

// begin writes what is due before the next text.
func (w *writer) begin() {
	if w.pending > 0 {
		if w.b.Len() > 0 {
			w.b.WriteString(strings.Repeat("\n", w.pending))
		}
		w.pending, w.started = 0, false
	}
	if !w.started {
		indent := w.indent
		if w.lead != "" {
			indent = indent[:max(len(indent)-len(w.lead), 0)] + w.lead
			w.lead = ""
		}
		w.b.WriteString(indent)
		w.started, w.space = true, false
		if w.kind != "" {
			w.b.WriteString(w.kind[:1] + strings.ToLower(w.kind[1:]) + ": ")
			w.kind = ""
		}
	}
	if w.space {
		w.b.WriteByte(' ')
		w.space = false
	}
}

func (w *writer) text(s string) {
	for _, r := range s {
		if unicode.IsSpace(r) {
			w.space = w.space || w.started && w.pending == 0
			continue
		}
		w.begin()
		w.b.WriteRune(r)
	}
}

func (w *writer) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.ElementNode:
	default:
		w.children(n)
		return
	}
	if dom.Silent(n) || n.Data == altName {
		return
	}
	switch n.DataAtom {
	case atom.Br:
		w.end(1)
	case atom.Hr:
		w.end(2)
	case atom.Pre:
		w.code(n)
	case atom.Table:
		w.table(n)
	case atom.Ul, atom.Ol:
		w.list(n)
	case atom.Blockquote:
		w.kind = dom.Attr(n, layout.CalloutKey)
		w.within("> ", "> ", n, 2)
	case atom.Img: // what it stands for is no text of the page
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figure, atom.Dl:
		w.end(2)
		w.children(n)
		w.end(2)
	default:
		if dom.IsBlock(n) {
			w.end(1)
			w.children(n)
			w.end(1)
			return
		}
		w.children(n)
	}
}

func (w *writer) children(n *html.Node) {
	for c := range n.ChildNodes() {
		w.node(c)
	}
}

// within writes the children of n with an indent, the first line with lead.
func (w *writer) within(lead, indent string, n *html.Node, space int) {
	w.end(space)
	before := w.indent
	w.indent += indent
	w.lead = lead
	w.children(n)
	w.indent, w.lead = before, ""
	w.end(space)
}

func (w *writer) list(n *html.Node) {
	space := 2
	if w.indent != "" {
		space = 1
	}
	w.end(space)
	i, err := strconv.Atoi(dom.Attr(n, "start"))
	if err != nil {
		i = 1
	}
	for c := range n.ChildNodes() {
		if !dom.Is(c, atom.Li) {
			w.node(c)
			continue
		}
		lead := "- "
		if n.DataAtom == atom.Ol {
			lead = fmt.Sprintf("%d. ", i)
			i++
		}
		w.within(lead, strings.Repeat(" ", len(lead)), c, 1)
	}
	w.end(space)
}

func (w *writer) code(n *html.Node) {
	w.end(2)
	for line := range strings.Lines(strings.Trim(dom.RawText(n), "\n")) {
		w.begin()
		w.b.WriteString(strings.TrimRight(line, "\r\n"))
		w.pending = 1
	}
	w.end(2)
}

func (w *writer) table(n *html.Node) {
	w.end(2)
	for _, row := range dom.All(n, atom.Tr) {
		for i, cell := range dom.Elements(row) {
			if i > 0 {
				w.begin()
				w.space = false
				w.b.WriteByte('\t')
			}
			w.text(dom.Text(cell))
		}
		w.end(1)
	}
	w.end(2)
}
