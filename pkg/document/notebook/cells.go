package notebook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// Cells is a notebook whose cells can be changed. All that does not change stays byte for
// byte as it is.
type Cells struct {
	// Text has the lines that [Render] shows, with others in the place of outputs, so that
	// nothing is found in these.
	Text string

	src    string
	root   *node
	file   file
	cells  []stored
	minor  bool // cells have ids: nbformat 4.5 and later
	former bool // nbformat 3
	escape bool // the file writes what is not ASCII as escapes
}

// stored is a cell with its place in the file and in the text that is shown.
type stored struct {
	cell
	node     *node
	source   *node // a string or a list of strings; nil if the cell has no such source
	text     string
	begin    int // of what is shown of it in Cells.Text
	from, to int // the same of its source; to is behind the end of the last line
}

// Open reads the cells of a notebook in JSON. The fault is bad_document.
func Open(src string) (*Cells, error) {
	f, err := parse([]byte(src))
	if err != nil {
		return nil, err
	}
	root, ok := layout(src)
	if !ok {
		return nil, damaged(fault.T("it is not valid JSON"))
	}
	c := &Cells{src: src, root: root, file: f, escape: escapes(src)}
	nodes := root.member("cells").list()
	for _, w := range root.member("worksheets").list() {
		c.former = true
		nodes = append(nodes, w.member("cells").list()...)
	}
	if len(nodes) != len(f.Cells) || c.former && root.member("cells") != nil {
		return nil, damaged(fault.T("it has two lists of cells"))
	}
	r := renderer{show: func(Image) string { return "[image]" }, veiled: true}
	r.file(f)
	c.Text = r.b.String()
	minor, _ := strconv.Atoi(strings.TrimSpace(textOf(root.member("nbformat_minor"), src)))
	c.minor = f.Format > 4 || f.Format == 4 && minor >= 5
	for i, n := range nodes {
		s := stored{cell: f.Cells[i], node: n, text: f.Cells[i].source(), begin: r.begins[i], from: r.sources[i][0], to: r.sources[i][1]}
		if s.text != "" && !strings.HasSuffix(s.text, "\n") {
			s.to++ // the renderer ended the line
		}
		s.source = n.member("source")
		if in := n.member("input"); in != nil && (s.source == nil || f.Cells[i].Source == "") {
			s.source = in
		}
		if !s.holds(src) {
			s.source = nil
		}
		c.cells = append(c.cells, s)
	}
	return c, nil
}

func textOf(n *node, src string) string {
	if n == nil {
		return ""
	}
	return n.in(src)
}

// holds reports whether the source that was found is the one that is shown.
func (s *stored) holds(src string) bool {
	if s.source == nil {
		return false
	}
	pieces, ok := piecesOf(s.source, src)
	return ok && joined(pieces) == s.text
}

// Edited returns the file with changes of [Cells.Text], of which each must be in the source
// of one cell. The faults are unsupported_content and bad_document.
func (c *Cells) Edited(splices []diff.Splice) (string, error) {
	next := make([]string, len(c.cells)) // the sources, as they are shown
	at := make([]int, len(c.cells))
	for i, s := range c.cells {
		at[i] = s.from
	}
	changed := map[int]bool{}
	for _, sp := range splices {
		parts, err := c.within(sp)
		if err != nil {
			return "", err
		}
		for _, p := range parts {
			i := c.of(p)
			next[i] += c.Text[at[i]:p.Start] + p.Text
			at[i], changed[i] = p.End, true
		}
	}
	sources := map[int]string{}
	for i := range changed {
		s := c.cells[i]
		text := next[i] + c.Text[at[i]:s.to]
		if s.text == "" || !strings.HasSuffix(s.text, "\n") {
			text = strings.TrimSuffix(text, "\n")
		}
		sources[i] = text
	}
	return c.with(sources)
}

// of returns the cell whose source a change is in, or -1.
func (c *Cells) of(sp diff.Splice) int {
	return slices.IndexFunc(c.cells, func(s stored) bool { return s.source != nil && s.from <= sp.Start && sp.End <= s.to })
}

// within parts a change into those that are in one cell each: what was found may reach
// beyond, if that stays as it is.
func (c *Cells) within(sp diff.Splice) ([]diff.Splice, error) {
	if i := c.of(sp); i >= 0 && !c.framed(sp.Text, false) {
		return []diff.Splice{sp}, nil
	}
	old, now := lines(c.Text[sp.Start:sp.End]), lines(sp.Text)
	starts := make([]int, len(old)+1)
	starts[0] = sp.Start
	for i, l := range old {
		starts[i+1] = starts[i] + len(l)
	}
	var parts []diff.Splice
	for _, r := range diff.Regions(old, now) {
		part := diff.Splice{Start: starts[r.OldStart], End: starts[r.OldEnd], Text: strings.Join(now[r.NewStart:r.NewEnd], "")}
		if c.of(part) < 0 || c.framed(part.Text, true) {
			return nil, c.outside(part)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// framed reports whether a text has lines that read puts around the sources of cells.
// Fences may also be part of a source; beyond says that the change is not only in one.
func (c *Cells) framed(text string, beyond bool) bool {
	for _, l := range lines(text) {
		if strings.HasPrefix(l, "<!-- cell ") || beyond && (strings.HasPrefix(l, "```") || strings.HasPrefix(l, "[output of cell ")) {
			return true
		}
	}
	return false
}

func (c *Cells) outside(sp diff.Splice) error {
	line := 1 + strings.Count(c.Text[:sp.Start], "\n")
	return fault.New(fault.UnsupportedContent, fault.T("line %d is not only in the source of one cell, which is all that can be edited of a notebook", line)).
		WithHint(fault.T("nothing was changed. Give the lines between the fences of one cell; a new cell is {cell:\"ID\", mode:\"insert\", new_text:…} after that one, mode=delete removes one; outputs come from running it"))
}

// lines returns the lines of a text with their ends.
func lines(s string) []string {
	all := strings.SplitAfter(s, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// with returns the file with other sources of some cells, and proves that nothing else differs.
func (c *Cells) with(sources map[int]string) (string, error) {
	var b strings.Builder
	at := 0
	for i, s := range c.cells {
		text, ok := sources[i]
		if !ok || text == s.text {
			continue
		}
		written, err := c.written(i, text)
		if err != nil {
			return "", err
		}
		b.WriteString(c.src[at:s.source.start] + written)
		at = s.source.end
	}
	b.WriteString(c.src[at:])
	next := b.String()
	now, err := Open(next)
	if err != nil || len(now.cells) != len(c.cells) {
		return "", unsure(err)
	}
	for i, s := range c.cells {
		want, ok := sources[i]
		if !ok {
			want = s.text
		}
		if n := now.cells[i]; n.text != want || n.ID != s.ID || n.Type != s.Type || len(n.Outputs) != len(s.Outputs) {
			return "", unsure(nil)
		}
	}
	return next, nil
}

func unsure(err error) error {
	return fault.New(fault.BadDocument, fault.T("the notebook would not be what was asked for")).Because(err).
		WithHint(fault.T("nothing was changed; edit it as JSON, which read shows with encoding=utf-8"))
}

// InString reports whether some bytes of a JSON text are within one string.
func InString(src string, from, to int) bool {
	for i := 0; i < from; i++ {
		if src[i] != '"' {
			continue
		}
		begin := i
		for i++; i < len(src) && src[i] != '"'; i++ {
			if src[i] == '\\' {
				i++
			}
		}
		if begin < from && to <= i {
			return true
		}
	}
	return false
}
