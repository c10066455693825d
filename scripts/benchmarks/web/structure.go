package main

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// structure is the parts of the reference that are code, cells and headings in the
// page.
type structure struct {
	code      []string
	languages []string // of the code; "" if the page does not name it
	cells     []string
	headings  []string
}

// tally counts how much of a structure was kept.
type tally struct{ code, codes, language, languages, cell, cells, heading, headings int }

func (t *tally) add(o tally) {
	t.code += o.code
	t.codes += o.codes
	t.language += o.language
	t.languages += o.languages
	t.cell += o.cell
	t.cells += o.cells
	t.heading += o.heading
	t.headings += o.headings
}

var hint = regexp.MustCompile(`(?:^|\s)(?:language|lang|highlight-source|brush)[-:]\s*([A-Za-z0-9+#]+)`)

// structureOf finds the parts of the reference in the page.
func structureOf(page, want string) structure {
	var s structure
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return s
	}
	for _, n := range dom.All(doc, atom.Script, atom.Style, atom.Noscript, atom.Nav, atom.Footer) {
		dom.Remove(n)
	}
	all := letters(want)
	lines := map[string]bool{}
	for line := range strings.Lines(want) {
		lines[letters(line)] = true
	}
	for n := range doc.Descendants() {
		text := letters(dom.Text(n))
		switch {
		case n.DataAtom == atom.Pre:
			if len(text) >= 10 && strings.Contains(all, text) {
				s.code = append(s.code, text)
				s.languages = append(s.languages, languageOf(n))
			}
		case dom.Heading(n) > 0:
			if len(text) >= 3 && (lines[text] || strings.Contains(all, text) && len(text) > 20) {
				s.headings = append(s.headings, text)
			}
		case n.DataAtom == atom.Table && isData(n):
			for _, c := range dom.All(n, atom.Td, atom.Th) {
				if cell := letters(dom.Text(c)); len(cell) >= 3 && strings.Contains(all, cell) {
					s.cells = append(s.cells, cell)
				}
			}
		}
	}
	return s
}

// languageOf returns the language that a page names for its code.
func languageOf(pre *html.Node) string {
	nodes := []*html.Node{pre, dom.First(pre, atom.Code), pre.Parent}
	for _, n := range nodes {
		if n == nil {
			continue
		}
		for _, value := range []string{dom.Attr(n, "class"), "lang-" + dom.Attr(n, "data-lang"), "lang-" + dom.Attr(n, "data-language")} {
			if m := hint.FindStringSubmatch(value); m != nil {
				switch l := strings.ToLower(m[1]); l {
				case "text", "plain", "plaintext", "none", "default", "nohighlight", "txt":
				default:
					return l
				}
			}
		}
	}
	return ""
}

// isData reports whether a table certainly holds data.
func isData(t *html.Node) bool {
	return dom.First(t, atom.Th) != nil && dom.First(t, atom.Table) == nil && !dom.Inside(t, atom.Table) && len(dom.All(t, atom.Tr)) > 1
}

// letters returns the letters and digits of a text, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// kept counts the parts that are still code, cells and headings in Markdown.
func (s *structure) kept(markdown string) tally {
	t := tally{codes: len(s.code), cells: len(s.cells), headings: len(s.headings)}
	type fence struct{ text, language string }
	var fences []fence
	var cells, headings strings.Builder
	var b strings.Builder
	open, language := false, ""
	for line := range strings.Lines(markdown) {
		text := strings.TrimLeft(strings.TrimSpace(line), "> ")
		if !open {
			text = marker.ReplaceAllString(text, "")
		}
		switch {
		case strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~"):
			if open {
				fences = append(fences, fence{letters(b.String()), language})
				b.Reset()
			}
			open, language = !open, strings.ToLower(strings.Trim(text, "`~ "))
		case open:
			b.WriteString(line)
		case strings.HasPrefix(text, "|"):
			for c := range strings.SplitSeq(text, "|") {
				cells.WriteString("|" + letters(linkless(c)))
			}
		case strings.HasPrefix(text, "#"):
			headings.WriteString("|" + letters(linkless(text)))
		}
	}
	for i, code := range s.code {
		if s.languages[i] != "" {
			t.languages++
		}
		for _, f := range fences {
			if strings.Contains(f.text, code) {
				t.code++
				if s.languages[i] != "" && f.language != "" {
					t.language++
				}
				break
			}
		}
	}
	for _, c := range s.cells {
		if strings.Contains(cells.String(), c) {
			t.cell++
		}
	}
	for _, h := range s.headings {
		if strings.Contains(headings.String(), h) {
			t.heading++
		}
	}
	return t
}

// marker matches the beginning of an item of a list.
var marker = regexp.MustCompile(`^(?:[-*+] |\d+[.)] )+`)

var address = regexp.MustCompile(`\]\([^)]*\)`)

// linkless removes the addresses from Markdown.
func linkless(s string) string { return address.ReplaceAllString(s, "]") }
