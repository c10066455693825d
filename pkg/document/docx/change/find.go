package change

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// Failure is the details of an edit that fails.
type Failure struct {
	Matches    []string `json:"matches,omitzero"` // paragraphs that have an ambiguous text
	Total      int      `json:"total,omitzero"`
	Candidates []string `json:"candidates,omitzero"` // paragraphs that are like a text that is not found
}

const mostShown = 5

// place is the beginning of a text in a paragraph.
type place struct {
	p  *paragraph
	at int
}

// edit looks for a text and changes it.
func (c *changes) edit(e Edit) error {
	switch {
	case strings.TrimSpace(e.Old) == "":
		return fault.New(fault.InvalidArguments, fault.T("old_text is empty")).
			WithHint(fault.T("give a paragraph as old_text, and it with what is to follow as new_text"))
	case e.Old == e.New:
		return fault.New(fault.NoChange, fault.T("old_text and new_text are the same")).WithHint(fault.T("nothing is left to do"))
	}
	old, next := lines(e.Old), lines(e.New)
	if len(old) == 1 && len(next) == 1 && !isRow(old[0]) {
		for _, form := range [...][2]string{{strings.Trim(e.Old, "\n"), strings.Trim(e.New, "\n")}, {plain(old[0]), plain(next[0])}} {
			found := c.places(form[0])
			if len(found) == 0 {
				continue
			}
			found, err := choose(found, e, func(p place) string { return p.p.text })
			if err != nil {
				return err
			}
			for _, f := range found {
				if err := c.replace(f.p, f.at, len(form[0]), form[1]); err != nil {
					return err
				}
			}
			return nil
		}
		return c.missing(e)
	}
	found := c.runs(old)
	if len(found) == 0 {
		return c.missing(e)
	}
	found, err := choose(found, e, func(i int) string { return c.items[i].text() })
	if err != nil {
		return err
	}
	for _, f := range found {
		if err := c.rewrite(f, old, next); err != nil {
			return err
		}
	}
	return nil
}

// lines returns the lines of a text that are not blank, without the rule of a table.
func lines(text string) (all []string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "|") && strings.Trim(line, "|-: ") == "" {
			continue
		}
		all = append(all, line)
	}
	return all
}

func isRow(line string) bool {
	return len(line) > 1 && strings.HasPrefix(line, "|") && strings.HasSuffix(line, "|")
}

// places returns where a text stands.
func (c *changes) places(text string) (all []place) {
	if text == "" {
		return nil
	}
	for _, it := range c.items {
		for _, cell := range it.cells {
			for _, p := range cell {
				for at := 0; ; {
					i := strings.Index(p.text[at:], text)
					if i < 0 {
						break
					}
					all = append(all, place{p, at + i})
					at += i + len(text)
				}
			}
		}
	}
	return all
}

// runs returns the items with which whole lines begin.
func (c *changes) runs(old []string) (all []int) {
	for i := range c.items {
		k, at := 0, i
		for ; k < len(old) && at < len(c.items); at++ {
			if c.items[at].row == nil && strings.TrimSpace(c.items[at].text()) == "" && k > 0 {
				continue // an empty paragraph is not shown
			}
			if !same(&c.items[at], old[k]) {
				break
			}
			k++
		}
		if k == len(old) {
			all = append(all, i)
		}
	}
	return all
}

// same reports whether read shows an item as a line.
func same(it *item, line string) bool {
	if it.row == nil {
		text := strings.Join(strings.Fields(it.text()), " ")
		return text != "" && (text == line || text == strings.Join(strings.Fields(plain(line)), " "))
	}
	cells := splitRow(line)
	if len(cells) != len(it.cells) {
		return false
	}
	for i, cell := range it.cells {
		if strings.TrimSpace(cellText(cell)) != strings.TrimSpace(cells[i]) {
			return false
		}
	}
	return true
}

// splitRow returns the texts of the cells of a row in Markdown.
func splitRow(line string) (cells []string) {
	if !isRow(line) {
		return nil
	}
	line = line[1 : len(line)-1]
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, inline(strings.TrimSpace(line[start:i])))
			start = i + 1
		}
	}
	return append(cells, inline(strings.TrimSpace(line[min(start, len(line)):])))
}

// choose returns the places that an edit means.
func choose[P any](found []P, e Edit, text func(P) string) ([]P, error) {
	n := len(found)
	switch {
	case e.Occurrence > 0 && e.Occurrence <= n:
		return found[e.Occurrence-1 : e.Occurrence], nil
	case e.Occurrence == 0 && (n == 1 && e.Expected <= 1 || e.All && e.Expected == 0 || e.Expected > 1 && e.Expected == n):
		return found, nil
	}
	var shown []string
	for _, f := range found[:min(n, mostShown)] {
		shown = append(shown, clip(text(f)))
	}
	return nil, fault.New(fault.TextAmbiguous, fault.T("old_text is in %d places: %s", n, quoted(shown))).
		WithHint(fault.T("give more of the paragraph, occurrence, or replace_all=true")).
		WithDetails(Failure{Matches: shown, Total: n})
}

func (c *changes) missing(e Edit) error {
	type likeness struct {
		text  string
		alike float64
	}
	var like []likeness
	old := plain(strings.TrimSpace(e.Old))
	for i, it := range c.items {
		text := it.text()
		if i > 5000 || len(text) > 4000 {
			continue
		}
		if strings.Contains(text, old) {
			like = append(like, likeness{clip(text), 1})
		} else if a := edit.Alike(old, text); a >= 0.5 {
			like = append(like, likeness{clip(text), a})
		}
	}
	slices.SortStableFunc(like, func(a, b likeness) int { return cmp.Compare(b.alike, a.alike) })
	var shown []string
	for _, l := range like[:min(len(like), 3)] {
		shown = append(shown, l.text)
	}
	fail := fault.New(fault.TextNotFound, fault.T("no paragraph has old_text"))
	if len(shown) > 0 {
		fail = fault.New(fault.TextNotFound, fault.T("no paragraph has old_text; alike are %s", quoted(shown)))
	}
	return fail.WithHint(fault.T("copy a part of one paragraph, or whole paragraphs and rows, from what read shows; track=true makes tracked changes")).
		WithDetails(Failure{Candidates: shown})
}

func quoted(all []string) string {
	var b strings.Builder
	for i, s := range all {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(s))
	}
	return b.String()
}

func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
