package docx

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of numbering.
const (
	levels       = 9 // of a list
	maxLists     = 20_000
	maxLevelText = 128       // bytes of the text of a level
	maxStart     = 1_000_000 // the number that a level starts with
	maxLinks     = 8         // from a list to the style that defines it
)

// level is a level of a list (17.9.6).
type level struct {
	defined bool
	start   int
	restart int    // the level after which it restarts, counted from 1; 0 is never
	legal   bool   // all numbers are decimal
	format  string // 17.18.59
	text    string // such as "%1.%2)"
	style   string // of the paragraphs that are at this level
	indent  int    // of the text, in twentieths of a point
}

// definition is a w:abstractNum: the levels that lists share, and how far they were
// counted.
type definition struct {
	levels [levels]level
	link   string // the style that has the levels
	values [levels]int
	used   [levels]bool
}

// list is a w:num: a definition with its overrides.
type list struct {
	definition string
	levels     [levels]*level // replaced
	starts     [levels]int    // unset for those that go on
	begun      bool
}

// numbering assigns numbers to paragraphs.
type numbering struct {
	definitions map[string]*definition
	lists       map[int]*list
	styles      *styles
}

// readNumbering reads the part with the lists. Without one, nothing is numbered.
func readNumbering(parts *ooxml.Package, rels ooxml.Relations, st *styles) *numbering {
	n := &numbering{definitions: map[string]*definition{}, lists: map[int]*list{}, styles: st}
	rel, ok := rels.Of("numbering")
	if !ok {
		return n
	}
	s, closer, err := parts.Scan(rel.Target)
	if err != nil {
		return n
	}
	defer closer.Close()
	r := &renderer{q: &document.Request{}} // walks
	for r.find(s, "w:numbering") {
		r.children(s, func(name string) {
			switch {
			case name == "w:abstractNum" && len(n.definitions) < maxLists:
				id := s.String("w:abstractNumId")
				n.definitions[id] = r.definition(s)
			case name == "w:num" && len(n.lists) < maxLists:
				if id, ok := s.Int("w:numId"); ok {
					n.lists[id] = r.list(s)
				}
			}
		})
	}
	return n
}

func (r *renderer) definition(s *xmlscan.Scanner) *definition {
	d := &definition{}
	r.children(s, func(name string) {
		switch name {
		case "w:lvl":
			if n, ok := s.Int("w:ilvl"); ok && n >= 0 && n < levels {
				d.levels[n] = r.level(s)
			}
		case "w:numStyleLink":
			d.link = s.String("w:val")
		}
	})
	return d
}

func (r *renderer) level(s *xmlscan.Scanner) level {
	l := level{defined: true, restart: unset, format: "decimal"}
	r.children(s, func(name string) {
		switch name {
		case "w:start":
			l.start, _ = s.Int("w:val")
			l.start = max(0, min(l.start, maxStart))
		case "w:lvlRestart":
			if n, ok := s.Int("w:val"); ok && n >= 0 {
				l.restart = n
			}
		case "w:numFmt":
			l.format = s.String("w:val")
		case "w:lvlText":
			l.text = s.String("w:val")
			l.text = l.text[:min(len(l.text), maxLevelText)]
		case "w:isLgl":
			l.legal = s.Bool("w:val", true)
		case "w:pStyle":
			l.style = s.String("w:val")
		case "w:pPr":
			r.children(s, func(name string) {
				if name == "w:ind" {
					l.indent = indentation(s)
				}
			})
		case "mc:AlternateContent": // formats that are newer than the standard
			r.alternatives(s, func(name string) {
				if name == "w:numFmt" {
					l.format = s.String("w:val")
				}
			})
		}
	})
	return l
}

func (r *renderer) list(s *xmlscan.Scanner) *list {
	l := &list{}
	for i := range l.starts {
		l.starts[i] = unset
	}
	r.children(s, func(name string) {
		switch name {
		case "w:abstractNumId":
			l.definition = s.String("w:val")
		case "w:lvlOverride":
			at, ok := s.Int("w:ilvl")
			if !ok || at < 0 || at >= levels {
				return
			}
			r.children(s, func(name string) {
				switch name {
				case "w:startOverride":
					if n, ok := s.Int("w:val"); ok {
						l.starts[at] = max(0, min(n, maxStart))
					}
				case "w:lvl":
					replaced := r.level(s)
					l.levels[at] = &replaced
				}
			})
		}
	})
	return l
}

// define returns the definition of a list: its own, or that of the style which it links to
// (17.9.21).
func (n *numbering) define(l *list) *definition {
	for range maxLinks {
		d := n.definitions[l.definition]
		if d == nil || d.link == "" {
			return d
		}
		linked := n.lists[n.styles.get(d.link).list]
		if linked == nil {
			return d
		}
		l = linked
	}
	return nil
}

// indentOf returns the indentation of the text of a level; 0 if it is not known.
func (n *numbering) indentOf(id, at int) int {
	l := n.lists[id]
	if l == nil {
		return 0
	}
	if l.levels[at] != nil {
		return l.levels[at].indent
	}
	if d := n.define(l); d != nil {
		return d.levels[at].indent
	}
	return 0
}

// levelOf returns the level of the paragraphs of a style in a list; 0 if it has none.
func (n *numbering) levelOf(id int, style string) int {
	if l := n.lists[id]; l != nil {
		if d := n.define(l); d != nil {
			for i := range d.levels {
				if style != "" && d.levels[i].style == style {
					return i
				}
			}
		}
	}
	return 0
}

// next counts a paragraph and returns its label: "-" for a bullet, "" if it has none.
// numbered reports whether the list has such a level.
func (n *numbering) next(id, at int) (label string, numbered bool) {
	l := n.lists[id]
	if l == nil {
		return "", false
	}
	d := n.define(l)
	if d == nil {
		return "", false
	}
	if !l.begun { // a list restarts only once
		l.begun = true
		for i, start := range l.starts {
			if start != unset {
				d.used[i] = false
			}
		}
	}
	levelAt := func(i int) *level {
		if l.levels[i] != nil {
			return l.levels[i]
		}
		return &d.levels[i]
	}
	start := func(i int) int {
		if l.starts[i] != unset {
			return l.starts[i]
		}
		return levelAt(i).start
	}
	one := levelAt(at)
	if !one.defined {
		return "", false
	}
	for i := range at + 1 {
		switch {
		case !d.used[i]:
			d.used[i], d.values[i] = true, start(i)
		case i == at:
			d.values[i]++
		}
	}
	for i := at + 1; i < levels; i++ {
		if restart := levelAt(i).restart; restart == unset || at < restart {
			d.used[i] = false
		}
	}
	if one.format == "bullet" {
		if strings.TrimSpace(one.text) == "" { // continues the item before
			return "", true
		}
		return "-", true
	}
	return one.label(&d.values, levelAt), true
}

// label writes the numbers of a level into its text.
func (l *level) label(values *[levels]int, levelAt func(int) *level) string {
	var b strings.Builder
	for i := 0; i < len(l.text); i++ {
		if l.text[i] == '%' && i+1 < len(l.text) && l.text[i+1] >= '1' && l.text[i+1] <= '9' {
			i++
			at := int(l.text[i] - '1')
			if format := levelAt(at).format; l.legal && format != "decimalZero" {
				b.WriteString(strconv.Itoa(values[at]))
			} else {
				b.WriteString(numeral(format, values[at]))
			}
			continue
		}
		b.WriteByte(l.text[i])
	}
	return strings.TrimSpace(b.String())
}
