package layout

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// CalloutKey is the attribute of a block quote that is a note to the reader: its value is
// one of the five kinds of callouts in Markdown, such as NOTE.
const CalloutKey = "data-callout"

const (
	calloutChars = 3000 // characters of the longest note in the text
	titleOfNote  = 30   // characters of the longest title that is the kind of a note alone
	textBeside   = 40   // characters of a paragraph beside a note
	textsBeside  = 20   // neighbours that a note or a quote is compared with
	noteNodes    = 2000 // nodes of a note
)

// Callouts turns the notes in the text into block quotes: what documentation programs
// mark as such, and asides, alerts and notes that stand between the paragraphs of a text,
// as those of the site do not.
func Callouts(root *html.Node) {
	for _, n := range notesIn(root) {
		if n.Parent == nil || dom.Has(n, CalloutKey) || dom.Inside(n, atom.Td, atom.Th, atom.Nav, atom.Pre) {
			continue
		}
		kind, sure := calloutOf(n)
		if kind == "" || !sure && (!amongText(n) || !isNote(n)) || insideCallout(n) {
			continue
		}
		if strings.Contains(dom.Mark(n), "pull") && strings.Contains(dom.Mark(n), "quote") {
			pullQuote(n)
			continue
		}
		if n.DataAtom == atom.P {
			p := dom.Element(atom.P)
			dom.Adopt(p, n)
			n.AppendChild(p)
		}
		if said := titleKind(n); said != "" {
			kind = said
		}
		dom.Rename(n, atom.Blockquote)
		id := dom.Attr(n, "id")
		n.Attr = nil
		dom.SetAttr(n, CalloutKey, kind)
		if id != "" {
			dom.SetAttr(n, "id", id)
		}
	}
}

// notesIn returns the elements that may be notes. Each class is read once, as most repeat.
func notesIn(root *html.Node) []*html.Node {
	var all []*html.Node
	type called struct {
		class     string
		paragraph bool
	}
	known := map[called]bool{{}: false, {paragraph: true}: false}
	for n := range root.Descendants() {
		if !dom.Is(n, atom.Div, atom.Aside, atom.Section, atom.P, atom.Blockquote) {
			continue
		}
		name := called{dom.Attr(n, "class"), n.DataAtom == atom.P}
		may, seen := known[name]
		if !seen {
			_, sure, weak := calledNote(n)
			may = sure || weak
			known[name] = may
		}
		if may || n.DataAtom == atom.Aside || dom.Has(n, "role") {
			all = append(all, n)
		}
	}
	return all
}

// pullQuote makes a quote of words in large letters, unless the text beside them has them.
func pullQuote(n *html.Node) {
	words := dom.Text(n)
	for _, next := range [...]func(*html.Node) *html.Node{before, after} {
		for s, looked := next(n), 0; s != nil && looked < textsBeside; s, looked = next(s), looked+1 {
			if strings.Contains(dom.Text(s), words) {
				return
			}
		}
	}
	dom.Rename(n, atom.Blockquote)
	n.Attr = nil
}

func insideCallout(n *html.Node) bool {
	for a := range n.Ancestors() {
		if dom.Has(a, CalloutKey) {
			return true
		}
	}
	return false
}

// calledNote reports whether the classes of n say that it is a note: surely, or perhaps.
func calledNote(n *html.Node) (classes []string, sure, weak bool) {
	classes = strings.Fields(strings.ToLower(dom.Attr(n, "class")))
	for _, c := range classes {
		switch base, _, _ := strings.Cut(c, "--"); base {
		case "admonition", "markdown-alert", "admonitionblock", "notecard", "theme-admonition", "starlight-aside", "custom-block", "hint-container":
			sure = true
		case "alert", "callout", "note", "tip", "warning", "important", "caution", "hint", "infobox", "bd-callout", "callout-block":
			weak = weak || n.DataAtom != atom.P || base != "alert"
		}
	}
	return classes, sure, weak
}

// calloutOf returns the kind of note that n says it is, "" for none. sure says that no
// other part of a page calls itself so.
func calloutOf(n *html.Node) (kind string, sure bool) {
	classes, sure, weak := calledNote(n)
	role := dom.Attr(n, "role")
	weak = weak || n.DataAtom == atom.Aside || role == "note" || role == "alert"
	if !sure && !weak {
		return "", false
	}
	for _, c := range append(classes, strings.ToLower(dom.Attr(n, "aria-label"))) {
		words := strings.FieldsFunc(c, func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
		for _, word := range slices.Backward(words) {
			if kind := kindOf(word); kind != "" {
				return kind, sure
			}
		}
	}
	if n.DataAtom == atom.Blockquote {
		return "", false
	}
	return "NOTE", sure
}

// kindOf returns the kind of callout that a word stands for, "" for none.
func kindOf(word string) string {
	switch word {
	case "note", "info", "seealso", "secondary", "definition", "hinweis", "anmerkung", "remarque", "nota", "примечание", "注意事項", "注", "备注", "說明", "说明", "참고", "uwaga", "opmerking", "информация":
		return "NOTE"
	case "tip", "hint", "success", "tipp", "astuce", "consejo", "dica", "suggerimento", "совет", "提示", "ヒント", "팁", "wskazówka":
		return "TIP"
	case "important", "wichtig", "importante", "важно", "重要", "중요", "ważne", "belangrijk":
		return "IMPORTANT"
	case "warning", "attention", "warn", "warnung", "achtung", "avertissement", "advertencia", "aviso", "avviso", "attenzione", "внимание", "предупреждение", "警告", "경고", "ostrzeżenie", "waarschuwing":
		return "WARNING"
	case "caution", "danger", "error", "vorsicht", "gefahr", "peligro", "pericolo", "опасно", "осторожно", "危险", "注意", "주의":
		return "CAUTION"
	}
	return ""
}

// isNote reports whether n is a text of some length, and neither a form nor links.
func isNote(n *html.Node) bool {
	chars, links := lengths(n)
	return chars > 0 && chars <= calloutChars && 2*links <= chars && dom.First(n, atom.Form, atom.Nav, atom.H1, atom.Input, atom.Table) == nil &&
		!dom.ContainsAny(strings.ToLower(dom.Mark(n)), "newsletter", "promo", "related", "subscri", "cookie", "share", "social", "author", "toc", "advert", "sidebar", "recommend", "signup", "donat")
}

// lengths returns the characters in n, and those in its links. It does not read more than
// there can be in a note.
func lengths(n *html.Node) (chars, links int) {
	nodes := 0
	for d := range n.Descendants() {
		if nodes++; nodes > noteNodes || chars > calloutChars {
			break
		}
		if d.Type == html.TextNode {
			length := dom.Length(d.Data)
			chars += length
			if dom.Inside(d, atom.A) {
				links += length
			}
		}
	}
	return chars, links
}

// amongText reports whether n stands between the paragraphs or headings of a text, or ends
// one.
func amongText(n *html.Node) bool {
	above, below := neighbour(n, before), neighbour(n, after)
	if isText(below) {
		return isText(above) || isHeading(above)
	}
	return isText(above) && n.DataAtom != atom.Aside && (below == nil || isHeading(below)) // else it is beside the text
}

func before(n *html.Node) *html.Node { return n.PrevSibling }

func after(n *html.Node) *html.Node { return n.NextSibling }

func isHeading(n *html.Node) bool { return n != nil && dom.Heading(n) > 1 }

// neighbour returns the next element in a direction that is no note itself.
func neighbour(n *html.Node, next func(*html.Node) *html.Node) *html.Node {
	looked := 0
	for s := next(n); s != nil && looked < textsBeside; s = next(s) {
		looked++
		if s.Type == html.ElementNode && !dom.Has(s, CalloutKey) {
			if kind, _ := calloutOf(s); kind == "" {
				return s
			}
		}
	}
	return nil
}

// isText reports whether n is a paragraph, a list or code of a text.
func isText(n *html.Node) bool {
	switch {
	case n == nil:
		return false
	case dom.Is(n, atom.P):
		chars, links := lengths(n)
		return chars >= textBeside && 2*links <= chars
	case dom.Is(n, atom.Pre):
		return true
	case dom.Is(n, atom.Ul, atom.Ol):
		chars, links := lengths(n)
		return chars >= textBeside && 2*links <= chars
	}
	return false
}

// titleKind returns the kind of note that the title of n says, "" if it has none or
// another one.
func titleKind(n *html.Node) string {
	t := TitleOf(n)
	if t == nil {
		return ""
	}
	return kindOf(kindWord(t))
}

// TitleOf returns the first element of a note if its words are a kind of note and nothing
// else, and the note has more to say; nil for none.
func TitleOf(note *html.Node) *html.Node {
	for n := note; n != nil; {
		first := n.FirstChild
		for first != nil && dom.IsBlank(first) {
			first = first.NextSibling
		}
		if first == nil || first.Type != html.ElementNode {
			return nil
		}
		if word := kindWord(first); word != "" && kindOf(word) != "" && (dom.IsBlock(first) || isLabel(first)) {
			if title, _ := lengths(first); !longer(note, title) {
				return nil
			}
			return first
		}
		n = first
	}
	return nil
}

// longer reports whether n has more characters than that.
func longer(n *html.Node, than int) bool {
	chars, _ := lengths(n)
	return chars > than
}

// isLabel reports whether the words of n, which is in a line, are not the beginning of a
// sentence: "Note that".
func isLabel(n *html.Node) bool {
	return n.NextSibling == nil || strings.ContainsAny(dom.Text(n), ":：!！.") || strings.HasPrefix(dom.RawText(n.NextSibling), ":") || dom.Is(n.NextSibling, atom.Br)
}

// kindWord returns the words of a short element in lower case, without the signs around them.
func kindWord(n *html.Node) string {
	if chars, _ := lengths(n); chars > titleOfNote {
		return ""
	}
	text := dom.Text(n)
	return strings.ToLower(strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }))
}
