package notebook

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// Find returns the index of a cell by its id, or by its number from 1, as read shows both.
// The fault is not_found or text_ambiguous.
func (c *Cells) Find(name string) (int, error) {
	byID := slices.IndexFunc(c.cells, func(s stored) bool { return s.ID == name })
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(strings.ToLower(name), "cell ")))
	numbered := err == nil && n >= 1 && n <= len(c.cells)
	switch {
	case byID >= 0 && numbered && byID != n-1:
		return 0, fault.New(fault.TextAmbiguous, fault.T("%q is the id of cell %d, and the number of another", name, byID+1)).
			WithHint(fault.T("pass its number as \"cell %d\" or the id of the other, %q", byID+1, c.cells[n-1].ID))
	case byID >= 0:
		return byID, nil
	case numbered:
		return n - 1, nil
	}
	const most = 20
	var names []string
	for i, s := range c.cells[:min(most, len(c.cells))] {
		names = append(names, strconv.Itoa(i+1)+" "+s.ID)
	}
	return 0, fault.New(fault.NotFound, fault.T("there is no cell %q among %d", name, len(c.cells))).
		WithHint(fault.T("pass an id, or a number from 1: %s", strings.TrimSpace(strings.Join(names, ", "))))
}

// Span returns where the source of a cell is in Text.
func (c *Cells) Span(i int) (from, to int) { return c.cells[i].from, c.cells[i].to }

// Block returns where all that is shown of a cell is in Text. That of one behind the last is
// the end.
func (c *Cells) Block(i int) (from, to int) {
	from, to = len(c.Text), len(c.Text)
	if i < len(c.cells) {
		from = c.cells[i].begin
	}
	if i+1 < len(c.cells) {
		to = c.cells[i+1].begin
	}
	return from, to
}

// Only returns Text with everything but the source of a cell in characters that no text has:
// as many bytes in as many lines.
func (c *Cells) Only(i int) string {
	b := []byte(c.Text)
	for k := range b {
		if b[k] != '\n' && (k < c.cells[i].from || k >= c.cells[i].to) {
			b[k] = 0x1f
		}
	}
	return string(b)
}

// Replacing returns the change of Text that gives a cell another source. It ends as before.
func (c *Cells) Replacing(i int, text string) diff.Splice {
	s := c.cells[i]
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return diff.Splice{Start: s.from, End: s.to, Text: text}
}

// Source returns the source of a cell.
func (c *Cells) Source(i int) string { return c.cells[i].text }

// Kind returns the type of a cell: code, markdown or raw.
func (c *Cells) Kind(i int) string { return c.cells[i].Type }

// Retyped returns the file with another type and source of a cell. Its outputs go, as only
// code has some.
func (c *Cells) Retyped(i int, kind, text string) (string, error) {
	if err := c.changeable(); err != nil {
		return "", err
	}
	n := c.cells[i].node
	made := c.made(i, kind, c.cells[i].ID, n, text)
	return c.proved(c.src[:n.start]+made+c.src[n.end:], len(c.cells), i, kind, text)
}

// Inserted returns the file with a new cell, which is then the one with the index i.
func (c *Cells) Inserted(i int, kind, text string) (string, error) {
	if err := c.changeable(); err != nil {
		return "", err
	}
	list := c.root.member("cells")
	items := list.list()
	made := c.made(max(0, i-1), kind, c.fresh(i, text), nil, text)
	n := len(items)
	switch {
	case n == 0:
		outer, inner := c.depths(list)
		made = c.src[:list.start] + "[" + inner + made + outer + "]" + c.src[list.end:]
	case i == n:
		made = c.src[:items[n-1].end] + c.betweenCells(items, list) + made + c.src[items[n-1].end:]
	default:
		made = c.src[:items[i].start] + made + c.betweenCells(items, list) + c.src[items[i].start:]
	}
	return c.proved(made, n+1, i, kind, text)
}

// Deleted returns the file without a cell.
func (c *Cells) Deleted(i int) (string, error) {
	if err := c.changeable(); err != nil {
		return "", err
	}
	list := c.root.member("cells")
	items := list.list()
	from, to := list.start+1, list.end-1
	switch n := len(items); {
	case n == 1:
	case i < n-1:
		from, to = items[i].start, items[i+1].start
	default:
		from, to = items[i-1].end, items[i].end
	}
	return c.proved(c.src[:from]+c.src[to:], len(items)-1, -1, "", "")
}

// changeable refuses a notebook whose cells are in worksheets, or nowhere.
func (c *Cells) changeable() error {
	if c.former || c.root.member("cells") == nil {
		return fault.New(fault.UnsupportedContent, fault.T("cells of a notebook of this old format cannot be added, removed or retyped")).
			WithHint(fault.T("convert it with exec: jupyter nbconvert --to notebook --inplace FILE"))
	}
	return nil
}

// proved returns a changed file if it has so many cells, of which one is as it should be
// and the others are as they were.
func (c *Cells) proved(next string, cells, i int, kind, text string) (string, error) {
	now, err := Open(next)
	if err != nil || len(now.cells) != cells {
		return "", unsure(err)
	}
	if i >= 0 && (now.cells[i].text != text || now.cells[i].Type != kind) {
		return "", unsure(nil)
	}
	kept := map[string]int{}
	for _, s := range c.cells {
		kept[s.node.in(c.src)]++
	}
	for k, s := range now.cells {
		if raw := s.node.in(next); k != i {
			if kept[raw]--; kept[raw] < 0 {
				return "", unsure(nil)
			}
		}
	}
	return next, nil
}

// betweenCells returns what stands between two cells.
func (c *Cells) betweenCells(items []*node, list *node) string {
	if len(items) > 1 {
		return c.src[items[0].end:items[1].start]
	}
	lead := c.src[list.start+1 : items[0].start]
	if lead == "" && strings.Contains(c.src, `": `) {
		lead = " "
	}
	return "," + lead
}

// depths returns what stands before the end of a list that is empty, and before its items.
func (c *Cells) depths(list *node) (outer, inner string) {
	line := c.src[strings.LastIndexByte(c.src[:list.start], '\n')+1 : list.start]
	space := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if space == "" || !strings.HasPrefix(line[len(space):], `"`) {
		return "", ""
	}
	return "\n" + space, "\n" + space + space
}

// made returns a new cell in JSON, with its members in the order of nbformat, laid out as
// the cell near it. Of the cell that it replaces it keeps the metadata.
func (c *Cells) made(near int, kind, id string, was *node, text string) string {
	open, between, shut, colon := c.object(near)
	metadata := textOf(was.member("metadata"), c.src)
	if metadata == "" {
		metadata = "{}"
	}
	members := []string{`"cell_type"` + colon + c.string(kind)}
	if attached := was.member("attachments"); attached != nil && kind != "code" {
		members = slices.Insert(members, 0, `"attachments"`+colon+attached.in(c.src))
	}
	if kind == "code" {
		members = append(members, `"execution_count"`+colon+"null")
	}
	if id != "" {
		members = append(members, `"id"`+colon+c.string(id))
	}
	members = append(members, `"metadata"`+colon+metadata)
	if kind == "code" {
		members = append(members, `"outputs"`+colon+"[]")
	}
	members = append(members, `"source"`+colon+c.sourceOf(text, between))
	return "{" + open + strings.Join(members, between) + shut + "}"
}

func (c *Cells) string(s string) string { return `"` + c.quoted(s) + `"` }

// object returns the white space in a cell like another, or in the first one of a file.
func (c *Cells) object(near int) (open, between, shut, colon string) {
	colon = ":"
	if strings.Contains(c.src, `": `) {
		colon = ": "
	}
	if near < len(c.cells) && len(c.cells[near].node.items) > 0 {
		n := c.cells[near].node
		first := n.start + 1
		open = c.src[first : first+len(c.src[first:])-len(strings.TrimLeft(c.src[first:], " \t\r\n"))]
		last := n.items[len(n.items)-1].end
		shut = c.src[last : n.end-1]
	} else if list := c.root.member("cells"); list != nil {
		outer, inner := c.depths(list)
		if shut = inner; inner != "" {
			open = inner + strings.TrimPrefix(outer, "\n")
		}
	}
	between = "," + open
	if open == "" && colon == ": " {
		between = ", "
	}
	return open, between, shut, colon
}

// sourceOf returns the source of a new cell: a string where the others are strings, else a
// list, laid out as they are.
func (c *Cells) sourceOf(text, between string) string {
	for _, s := range c.cells {
		if s.source != nil && s.source.kind == '"' {
			return c.string(text)
		}
	}
	if text == "" {
		return "[]"
	}
	st := style{between: ", "}
	if strings.Contains(between, "\n") {
		inner := strings.TrimPrefix(between, ",")
		step := " "
		if list := c.root.member("cells"); list != nil {
			if outer, _ := c.depths(list); outer != "" {
				step = strings.TrimPrefix(outer, "\n")
			}
		}
		st = style{inner + step, between + step, inner}
	} else if between == "," {
		st.between = ","
	}
	for _, s := range c.cells {
		if len(s.source.list()) > 1 {
			st = c.style(s.source)
			break
		}
	}
	all := lines(text)
	for i := range all {
		all[i] = c.string(all[i])
	}
	return "[" + st.lead + strings.Join(all, st.between) + st.tail + "]"
}

// fresh returns an id that no other cell has, "" if cells have none in this notebook.
func (c *Cells) fresh(i int, text string) string {
	if !c.minor && !slices.ContainsFunc(c.cells, func(s stored) bool { return s.ID != "" }) {
		return ""
	}
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(c.src + "\x00" + text + strconv.Itoa(i) + "." + strconv.Itoa(n)))
		id := hex.EncodeToString(sum[:4])
		if !slices.ContainsFunc(c.cells, func(s stored) bool { return s.ID == id }) {
			return id
		}
	}
}
