package odf

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

const (
	// maxStyles limits the styles of one document that are remembered.
	maxStyles = 100_000
	// maxParents limits the depth of inheritance. It also ends a cycle.
	maxParents = 32
)

// styles are those of a document (part 3, 16).
type styles struct {
	all     map[styleName]*style
	fonts   map[string]bool // which faces are of fixed width
	lists   map[string]*listStyle
	outline *listStyle // the numbers of headings
}

// styleName is a name within its family: a paragraph and a text may have one of the same
// name.
type styleName struct{ family, name string }

// choice is a property that may be absent, and is inherited then.
type choice uint8

const (
	absent choice = iota
	no
	yes
)

func chosen(on bool) choice {
	if on {
		return yes
	}
	return no
}

// style holds the properties of a style that show in Markdown.
type style struct {
	parent, label              string // label is the name that people see
	bold, italic, strike, code choice
	super, sub, hidden         choice
	automatic                  bool // made for one place, not given a name by anybody
	outline                    int
	list                       string
}

func newStyles() *styles {
	return &styles{all: map[styleName]*style{}, fonts: map[string]bool{}, lists: map[string]*listStyle{}}
}

// read reads the styles within the element that just began.
func (t *styles) read(s *xmlscan.Scanner) {
	automatic := s.Name() == "office:automatic-styles"
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.EOF:
			return
		case xmlscan.End:
			if s.Depth() < depth {
				return
			}
		case xmlscan.Start:
			switch s.Name() {
			case "style:style":
				t.readStyle(s, automatic)
			case "style:font-face":
				t.readFont(s)
			case "text:list-style":
				name := s.String("style:name")
				if l := readListStyle(s); len(t.lists) < maxStyles {
					t.lists[name] = l
				}
			case "text:outline-style":
				t.outline = readListStyle(s)
			case "style:master-page", "style:page-layout":
				s.Skip()
			}
		}
	}
}

func (t *styles) readFont(s *xmlscan.Scanner) {
	if name := s.String("style:name"); len(t.fonts) < maxStyles {
		t.fonts[name] = s.String("style:font-pitch") == "fixed" || isFixed(s.String("svg:font-family")) || isFixed(name)
	}
}

// isFixed reports whether a font is one for code, by its name.
func isFixed(font string) bool {
	font = strings.ToLower(font)
	for _, word := range [...]string{"mono", "courier", "consolas", "menlo", "typewriter", "source code", "inconsolata"} {
		if strings.Contains(font, word) {
			return true
		}
	}
	return false
}

func (t *styles) readStyle(s *xmlscan.Scanner, automatic bool) {
	name := styleName{s.String("style:family"), s.String("style:name")}
	st := &style{
		parent: s.String("style:parent-style-name"), label: s.String("style:display-name"),
		list: s.String("style:list-style-name"), automatic: automatic,
	}
	if st.label == "" {
		st.label = strings.ReplaceAll(name.name, "_20_", " ")
	}
	st.outline, _ = s.Int("style:default-outline-level")
	for depth := s.Depth(); ; {
		k := s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		switch s.Name() {
		case "style:text-properties", "style:properties":
			t.readText(s, st)
		case "style:drawing-page-properties":
			if v := s.String("presentation:visibility"); v != "" {
				st.hidden = chosen(v == "hidden")
			}
		}
	}
	if len(t.all) < maxStyles {
		t.all[name] = st
	}
}

func (t *styles) readText(s *xmlscan.Scanner, st *style) {
	if v := s.String("fo:font-weight"); v != "" {
		st.bold = chosen(v == "bold" || v >= "600" && v <= "900")
	}
	if v := s.String("fo:font-style"); v != "" {
		st.italic = chosen(v == "italic" || v == "oblique")
	}
	for _, name := range [...]string{"style:text-line-through-style", "style:text-line-through-type", "style:text-crossing-out"} {
		if v := s.String(name); v != "" && st.strike != yes {
			st.strike = chosen(v != "none")
		}
	}
	if v := s.String("style:text-position"); v != "" {
		first, _, _ := strings.Cut(v, " ")
		raised := strings.TrimSuffix(first, "%")
		st.super = chosen(first == "super" || raised != first && !strings.HasPrefix(first, "-") && strings.Trim(raised, "0.") != "")
		st.sub = chosen(first == "sub" || strings.HasPrefix(first, "-"))
	}
	if v := s.String("text:display"); v != "" {
		st.hidden = chosen(v == "none")
	}
	if v := s.String("style:font-name"); v != "" {
		fixed, known := t.fonts[v]
		st.code = chosen(fixed || !known && isFixed(v))
	} else if v := s.String("fo:font-family"); v != "" {
		st.code = chosen(isFixed(v))
	}
}

// chain returns a style and those that it inherits from, itself first.
func (t *styles) chain(family, name string) (chain []*style) {
	for range maxParents {
		st := t.all[styleName{family, name}]
		if st == nil {
			break
		}
		chain = append(chain, st)
		name = st.parent
	}
	return chain
}

// look is the appearance of text.
type look struct {
	style  markdown.Style
	hidden bool
}

// apply changes a look by a chain of styles.
func (l look) apply(chain []*style) look {
	for _, st := range slices.Backward(chain) {
		for _, c := range [...]struct {
			is   choice
			mark markdown.Style
		}{
			{st.bold, markdown.Bold}, {st.italic, markdown.Italic}, {st.strike, markdown.Strike},
			{st.code, markdown.Code}, {st.super, markdown.Superscript}, {st.sub, markdown.Subscript},
		} {
			switch c.is {
			case yes:
				l.style |= c.mark
			case no:
				l.style &^= c.mark
			}
		}
		if st.hidden != absent {
			l.hidden = st.hidden == yes
		}
	}
	return l
}

// text returns the look of text with a style within text that looks like outer.
func (t *styles) text(outer look, name string) look {
	if name == "" {
		return outer
	}
	return outer.apply(t.chain("text", name))
}

// form is the kind and the look of a paragraph, from its style.
type form struct {
	look        look
	level       int // of a heading
	code, quote bool
	list        string
}

// paragraph returns what a paragraph with a style is. Only what was set for this one
// paragraph counts as emphasis: a heading is not bold text.
func (t *styles) paragraph(name string) (f form) {
	chain := t.chain("paragraph", name)
	if len(chain) == 0 { // the names that programs give their own styles are enough
		chain = []*style{{label: strings.ReplaceAll(name, "_20_", " ")}}
	}
	local := 0
	for local < len(chain) && chain[local].automatic {
		local++
	}
	f.look = f.look.apply(chain[:local])
	for _, st := range chain {
		if f.list == "" {
			f.list = st.list
		}
		if st.outline > 0 && f.level == 0 {
			f.level = st.outline
		}
		if st.automatic {
			continue
		}
		if st.hidden == yes {
			f.look.hidden = true
		}
		switch strings.ToLower(st.label) {
		case "title":
			f.level = max(f.level, 1)
		case "preformatted text", "source code", "html preformatted", "verbatim":
			f.code = true
		case "quotations", "quote", "intense quote", "block text":
			f.quote = true
		}
	}
	if f.code {
		f.look.style &^= markdown.Code
	}
	return f
}
