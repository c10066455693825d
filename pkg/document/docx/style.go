package docx

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of styles.
const (
	maxStyles = 20_000
	maxName   = 256 // bytes of a name or an ID
	maxBases  = 32  // how many styles one may be based on, one on the other
)

// role is the kind of a paragraph, from the name of its style.
type role uint8

const (
	plain role = iota
	title
	quotation
	source   // code
	itemText // stands within an item of a list
)

// style is a style (17.7) as it is written, or with what it inherits.
type style struct {
	name, base string
	properties
	marks
	role    role
	heading int // 1 to 9 for "heading 1"
}

// styles are those of a document by their IDs.
type styles struct {
	all      map[string]*style
	resolved map[string]*style
	usual    *style // of paragraphs that name none
}

// readStyles reads the part with the styles. One that is missing or damaged leaves the
// names that styles usually have.
func readStyles(parts *ooxml.Package, rels ooxml.Relations) *styles {
	all := &styles{all: map[string]*style{}, resolved: map[string]*style{}, usual: &style{properties: noProperties()}}
	rel, ok := rels.Of("styles")
	if !ok {
		return all
	}
	s, closer, err := parts.Scan(rel.Target)
	if err != nil {
		return all
	}
	defer closer.Close()
	all.read(s)
	return all
}

// read reads the styles of a w:styles.
func (all *styles) read(s *xmlscan.Scanner) {
	r := &renderer{q: &document.Request{}} // walks; styles have no changes
	usual := ""
	for r.find(s, "w:style") && len(all.all) < maxStyles {
		id := s.String("w:styleId")
		if kind, _ := s.Attr("w:type"); string(kind) == "paragraph" && s.Bool("w:default", false) {
			usual = id
		}
		one := &style{properties: noProperties()}
		r.children(s, func(name string) {
			switch name {
			case "w:name":
				one.name = s.String("w:val")
			case "w:basedOn":
				one.base = s.String("w:val")
			case "w:pPr":
				one.properties = r.properties(s)
			case "w:rPr":
				one.marks, _ = r.runProperties(s, nil)
			}
		})
		if len(id) <= maxName && len(one.name) <= maxName && len(one.base) <= maxName {
			all.all[id] = one
		}
	}
	if one := all.all[usual]; one != nil {
		one.set(monospace, false) // a document that is typed in one is not code
		all.usual = all.get(usual)
	}
}

// get returns a style with what it inherits. One that the document does not have is known
// by its ID.
func (all *styles) get(id string) *style {
	if known := all.resolved[id]; known != nil {
		return known
	}
	one := all.resolve(id, 0)
	if len(all.resolved) < maxStyles {
		all.resolved[id] = one
	}
	return one
}

// resolve returns a style over those that it is based on. What is based on itself ends
// after so many.
func (all *styles) resolve(id string, bases int) *style {
	one := all.all[id]
	if one == nil {
		one = &style{properties: noProperties()}
		one.role, one.heading = roleOf(id, id)
		return one
	}
	full := *one
	full.role, full.heading = roleOf(one.name, id)
	if one.base == "" || bases == maxBases {
		return &full
	}
	base := all.resolve(one.base, bases+1)
	full.properties = base.properties.over(one.properties)
	full.marks = base.marks.over(one.marks)
	if full.role == plain && full.heading == 0 {
		full.role, full.heading = base.role, base.heading
	}
	return &full
}

// roleOf returns what the name of a style means. Word writes the names of its own styles
// in English, whatever language it speaks; other programs do not.
func roleOf(name, id string) (role, int) {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", " ")
	if n := headingLevel(name); n > 0 {
		return plain, n
	}
	if n := headingLevel(strings.ToLower(id)); n > 0 && name == "" {
		return plain, n
	}
	switch name {
	case "title", "titel", "titre", "título", "titolo", "название", "标题", "標題", "表題", "제목":
		return title, 0
	case "quote", "intense quote", "block text", "block quote", "blockquote", "quotations", "block quotation", "quotation", "引用", "明显引用", "zitat", "citation":
		return quotation, 0
	case "source code", "html preformatted", "preformatted text", "code", "code block", "codeblock", "listing", "macro text", "macro", "verbatim", "代码":
		return source, 0
	case "list paragraph", "listparagraph":
		return itemText, 0
	}
	if strings.HasPrefix(name, "list continue") {
		return itemText, 0
	}
	return plain, 0
}

// headingLevel reads "heading 1" in the languages that are written most, in lower case.
func headingLevel(name string) int {
	if name == "" {
		return 0
	}
	n := int(name[len(name)-1]) - '0'
	if n < 1 || n > 9 {
		return 0
	}
	switch strings.TrimRight(name[:len(name)-1], " _-") {
	case "heading", "überschrift", "titre", "título", "titolo", "kop", "rubrik", "overskrift", "otsikko", "nagłówek", "nadpis", "címsor", "заголовок", "标题", "標題", "見出し", "제목", "başlık", "titlu", "επικεφαλίδα":
		return n
	}
	return 0
}

// character returns how a style makes text look.
func (all *styles) character(id string) marks {
	one := all.get(id)
	m := one.marks
	if isCode(one.name) || one.name == "" && isCode(id) || isCode(all.nameOf(one.base)) {
		m.set(flags(markdown.Code), true)
	}
	return m
}

func (all *styles) nameOf(id string) string {
	if one := all.all[id]; one != nil {
		return one.name
	}
	return ""
}

// isCode reports whether a style of characters is one of code.
func isCode(name string) bool {
	switch strings.ReplaceAll(strings.ToLower(name), "_", " ") {
	case "verbatim char", "verbatimchar", "html code", "htmlcode", "html typewriter", "html keyboard", "html sample", "source text", "teletype", "inline code", "code", "code char", "source code char", "html preformatted char":
		return true
	}
	return false
}
