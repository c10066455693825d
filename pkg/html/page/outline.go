package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/markdown"
	"github.com/helve-dev/helve/pkg/html/parse"
)

// Heading is a heading of a page, or a term that it defines.
type Heading struct {
	Level int // 1 to 6; 7 of a term
	Text  string
	IDs   []string // what addresses call it after the #
}

const (
	// termLevel is the level of terms, below all headings.
	termLevel = 7
	// maxHeadings limits the headings of a page that are kept.
	maxHeadings = 5000
	// maxTerm is the longest term, in bytes; longer ones are cut.
	maxTerm = 200
)

// outline returns the headings of a tree and the terms with an id, with their ids: their
// own, those inside them, and those of what begins with them.
func outline(root *html.Node) []Heading {
	var all []Heading
	var pending []string // of what has no text before the next heading
	for n := range root.Descendants() {
		if len(all) == maxHeadings {
			break
		}
		if n.Type == html.TextNode {
			if strings.TrimSpace(n.Data) != "" && !dom.Inside(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt) {
				pending = nil
			}
			continue
		}
		id := dom.Attr(n, "id")
		if id == "" && n.DataAtom == atom.A {
			id = dom.Attr(n, "name")
		}
		level := levelOf(n)
		if level == 0 || level == termLevel && id == "" {
			if id == "" {
				continue
			}
			if last := len(all) - 1; last >= 0 && dom.Inside(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt) {
				all[last].IDs = append(all[last].IDs, id)
			} else if len(pending) < 8 {
				pending = append(pending, id)
			}
			continue
		}
		h := Heading{Level: level, Text: dom.Text(n), IDs: pending}
		if level == termLevel {
			h.Text = h.Text[:runeStart(h.Text, min(len(h.Text), maxTerm))]
		}
		pending = nil
		if id != "" {
			h.IDs = append(h.IDs, id)
		}
		if h.Text != "" {
			all = append(all, h)
		}
	}
	return all
}

// levelOf returns the level of a heading or term, 0 of anything else.
func levelOf(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	case atom.Dt:
		return termLevel
	}
	return 0
}

// mark is a heading at its place in the content.
type mark struct {
	Heading
	at int // bytes
}

// marks returns the headings of the content, in order.
func (d *Document) marks() []mark {
	var all []mark
	switch d.Format {
	case Markdown:
		all = inMarkdownLines(d.Content)
	case HTML:
		return inTags(d.Content)
	case Text:
		if len(d.Outline) == 0 {
			all = underlined(d.Content)
		}
	}
	return d.located(all)
}

// located adds the headings and ids of the outline to marks that were found in the
// content: both are in the same order.
func (d *Document) located(found []mark) []mark {
	const ahead = 50 // headings that may be missing in the content
	keys := make([]string, len(d.Outline))
	for i, h := range d.Outline {
		keys[i] = letters(h.Text)
	}
	next, at, fence := 0, 0, ""
	byPlace := map[int]int{}
	for i, m := range found {
		byPlace[m.at] = i
	}
	for line := range strings.Lines(d.Content) {
		if next == len(keys) {
			break
		}
		bare := strings.TrimRight(line, "\r\n")
		inside := fence != ""
		if d.Format == Markdown {
			fence = markdown.Fence(fence, bare)
		}
		if key := letters(bare); key != "" && !inside {
			mine, marked := byPlace[at]
			for k := next; k < min(next+ahead, len(keys)); k++ {
				h := d.Outline[k]
				switch {
				case keys[k] == "", h.Level < termLevel && (key != keys[k] || d.Format != Text && !marked), h.Level == termLevel && (marked || !strings.HasPrefix(key, keys[k])):
					continue
				case marked:
					found[mine].IDs = h.IDs
				default:
					found = append(found, mark{h, at})
				}
				next = k + 1
				break
			}
		}
		at += len(line)
	}
	slices.SortStableFunc(found, func(a, b mark) int { return a.at - b.at })
	return found
}

// inMarkdownLines returns the headings of Markdown: those with number signs, and
// underlined ones.
func inMarkdownLines(text string) []mark {
	var all []mark
	at, fence := 0, ""
	before, beforeAt, blank := "", 0, true // the line before, if it stands alone
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\r\n")
		if was := fence; was != "" {
			fence = markdown.Fence(was, bare)
		} else if fence = markdown.Fence(was, bare); fence == "" {
			if len(all) == maxHeadings {
				return all
			}
			level := len(bare) - len(strings.TrimLeft(bare, "#"))
			switch {
			case level > 0 && level <= 6 && len(bare) > level && bare[level] == ' ':
				title := strings.TrimSpace(bare[level:])
				if short := strings.TrimRight(title, "#"); strings.HasSuffix(short, " ") {
					title = strings.TrimSpace(short)
				}
				all = append(all, mark{Heading{Level: level, Text: title}, at})
			case before != "" && len(bare) >= 3 && (strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == ""):
				all = append(all, mark{Heading{Level: underline(bare), Text: before}, beforeAt})
			}
		}
		alone := blank && bare != "" && fence == "" && bare[0] != ' ' && bare[0] != '|' && bare[0] != '#' && !isItem(bare)
		before, beforeAt, blank = "", at, bare == ""
		if alone {
			before = bare
		}
		at += len(line)
	}
	return all
}

// underline returns the level of a heading by the line under it.
func underline(line string) int {
	if line[0] == '=' {
		return 1
	}
	return 2
}

// underlined returns the headings of a plain text: short lines that are underlined, and
// those that stand alone and begin with the number of a section.
func underlined(text string) []mark {
	const longest = 100 // bytes of a heading
	var all []mark
	at, blank := 0, true
	before, beforeAt, alone := "", 0, false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if len(all) == maxHeadings {
			return all
		}
		switch {
		case bare == "" && alone && numbered(before) > 0:
			all = append(all, mark{Heading{Level: numbered(before), Text: before}, beforeAt})
		case before != "" && len(bare) >= 3 && (strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == "" || strings.Trim(bare, "~") == ""):
			all = append(all, mark{Heading{Level: underline(bare), Text: before}, beforeAt})
		}
		before, beforeAt, alone = "", at, false
		if blank && bare != "" && len(bare) <= longest && strings.TrimLeft(line, " ") == line {
			before, alone = bare, true
		}
		blank = bare == ""
		at += len(line)
	}
	return all
}

// numbered returns the level of a heading such as "2.3. Scope", 0 if it is none.
func numbered(line string) int {
	number, title, ok := strings.Cut(line, " ")
	if !ok || number == "" || strings.Trim(number, "0123456789.") != "" || number[0] == '.' || strings.Contains(number, "..") {
		return 0
	}
	if title = strings.TrimSpace(title); title == "" || strings.HasSuffix(title, ".") || strings.HasSuffix(title, ",") {
		return 0
	}
	return min(1+strings.Count(strings.TrimSuffix(number, "."), "."), 6)
}

// inTags returns the headings of HTML.
func inTags(text string) []mark {
	var all []mark
	at, open := 0, -1
	var title strings.Builder
	for t := range parse.Tokens(text) {
		switch t.Kind {
		case parse.Text:
			if open >= 0 {
				title.WriteString(t.Data)
			}
		case parse.StartTag:
			if level := levelOf(&html.Node{DataAtom: t.Atom}); level > 0 && level < termLevel && len(all) < maxHeadings {
				open = len(all)
				title.Reset()
				all = append(all, mark{Heading{Level: level}, at})
			}
			for _, a := range t.Attr {
				if a.Key == "id" && open >= 0 {
					all[open].IDs = append(all[open].IDs, a.Val)
				}
			}
		case parse.EndTag:
			if level := levelOf(&html.Node{DataAtom: t.Atom}); level > 0 && open >= 0 {
				all[open].Text = dom.Collapse(title.String())
				open = -1
			}
		}
		at += len(t.Raw)
	}
	return all
}
