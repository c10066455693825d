package extract

import (
	"encoding/json"
	stdhtml "html"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

// dataTexts returns the texts that a page carries as data for its scripts to show.
func dataTexts(doc *html.Node, m *metadata.Metadata) []metadata.Text {
	texts := slices.Clone(m.Texts)
	for _, s := range dom.All(doc, atom.Script) {
		kind := strings.ToLower(dom.Attr(s, "type"))
		if kind != "application/json" && dom.Attr(s, "id") != "__NEXT_DATA__" {
			continue
		}
		var v any
		if s.FirstChild == nil || json.Unmarshal([]byte(s.FirstChild.Data), &v) != nil {
			continue
		}
		g := gatherer{}
		g.value(v, 0)
		texts = append(texts, g.texts...)
	}
	return texts
}

// gatherer collects the strings of JSON that read like prose.
type gatherer struct {
	texts []metadata.Text
	chars int
}

const (
	// proseWords is the fewest words of a string that counts as prose.
	proseWords = 12
	// maxData limits the text, in bytes, that is taken from one script element.
	maxData = 200 << 10
)

func (g *gatherer) value(v any, depth int) {
	if depth > 40 || g.chars > maxData {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			g.value(e, depth+1)
		}
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			g.value(v[k], depth+1)
		}
	case string:
		if len(strings.Fields(v)) < proseWords || !isProse(v) || slices.ContainsFunc(g.texts, func(t metadata.Text) bool { return t.Body == v }) {
			return
		}
		g.texts = append(g.texts, metadata.Text{Body: v})
		g.chars += len(v)
	}
}

// isProse reports whether a string of data is a text to read rather than a
// program, a style sheet or a list of numbers.
func isProse(s string) bool {
	letters, signs := 0, 0
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= 0x80, r == ' ':
			letters++
		case strings.ContainsRune("{}[]=;|\\$", r):
			signs++
		}
	}
	return letters*10 > len([]rune(s))*7 && signs*20 < letters
}

// treeOf makes a tree of texts that a page carries as data.
func treeOf(texts []metadata.Text) *html.Node {
	root := dom.Element(atom.Div)
	for _, t := range texts {
		if t.Title != "" {
			h := dom.Element(atom.H2)
			h.AppendChild(dom.NewText(t.Title))
			root.AppendChild(h)
		}
		if strings.Contains(t.Body, "<") && strings.Contains(t.Body, ">") {
			doc, _ := Parse(t.Body)
			body := dom.Body(doc)
			Tidy(body)
			dom.Adopt(root, body)
			continue
		}
		for part := range strings.SplitSeq(t.Body, "\n") {
			if !dom.Blank(part) {
				p := dom.Element(atom.P)
				p.AppendChild(dom.NewText(stdhtml.UnescapeString(part)))
				root.AppendChild(p)
			}
		}
	}
	return root
}
