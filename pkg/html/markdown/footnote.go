package markdown

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	noteMark  = 6   // characters of the longest mark of a footnote, such as [12]
	noteClimb = 3   // elements around a mark or the beginning of a note that may have its id
	noteNodes = 500 // nodes of a note
)

// footnotes writes marks and the notes that they lead to as those of Markdown. A mark is a
// short link, and the note that it leads to leads back to it.
func footnotes(root *html.Node) {
	byID := map[string]*html.Node{}
	var marks []*html.Node
	for n := range root.Descendants() {
		for _, key := range [...]string{"id", "name"} {
			if id := dom.Attr(n, key); id != "" && byID[id] == nil {
				byID[id] = n
			}
		}
		if n.DataAtom == atom.A && len(fragment(n)) > 0 && len(dom.Text(n)) <= noteMark {
			marks = append(marks, n)
		}
	}
	numbers, notes := map[string]int{}, []*html.Node{} // by the id that marks lead to
	for _, m := range marks {
		number := numbers[fragment(m)]
		if number == 0 {
			note := noteOf(byID[fragment(m)], m)
			if note == nil || dom.Contains(note, m) || slices.Contains(notes, note) {
				continue
			}
			notes = append(notes, note)
			number = len(notes)
			numbers[fragment(m)] = number
		}
		mark := m
		if dom.Is(m.Parent, atom.Sup) && dom.OnlyChild(m.Parent) == m {
			mark = m.Parent
		}
		dom.Replace(mark, dom.Raw("[^"+strconv.Itoa(number)+"]"))
	}
	for i, note := range notes {
		define(note, i+1)
	}
}

// fragment returns the id in the page that a link leads to.
func fragment(a *html.Node) string {
	id, found := strings.CutPrefix(dom.Attr(a, "href"), "#")
	if !found {
		return ""
	}
	return id
}

// noteOf returns the block of the note at an anchor if a link in it leads back to the mark.
func noteOf(at, mark *html.Node) *html.Node {
	for range noteClimb {
		if at == nil || at.Parent == nil || dom.Is(at, atom.Body, atom.Ol, atom.Ul, atom.Section) {
			return nil
		}
		if dom.Is(at, atom.Li, atom.P, atom.Div, atom.Dd, atom.Aside) && leadsTo(at, mark) {
			return at
		}
		at = at.Parent
	}
	return nil
}

// leadsTo reports whether a link in a note leads to a mark, or to what is around it alone.
func leadsTo(note, mark *html.Node) bool {
	nodes := 0
	for a := range note.Descendants() {
		if nodes++; nodes > noteNodes {
			return false // it is a part of the page
		}
		id := fragment(a)
		at := mark
		for range noteClimb {
			if id == "" || at == nil || dom.IsBlock(at) {
				break
			}
			if dom.Attr(at, "id") == id || dom.Attr(at, "name") == id {
				return true
			}
			at = at.Parent
		}
	}
	return false
}

// define turns the block of a note into its definition, without the links back, and as one
// paragraph.
func define(note *html.Node, number int) {
	for _, a := range dom.All(note, atom.A) {
		if fragment(a) != "" && !strings.ContainsAny(strings.ToLower(dom.Text(a)), "abcdefghijklmnopqrstuvwxyz") {
			dom.Remove(a)
		}
	}
	for _, p := range dom.All(note, atom.P, atom.Div) {
		if p.NextSibling != nil {
			p.Parent.InsertBefore(dom.NewText(" "), p.NextSibling)
		}
		dom.Unwrap(p)
	}
	list := note.Parent
	dom.Rename(note, atom.P)
	note.Attr = nil
	for note.FirstChild != nil && dom.IsBlank(note.FirstChild) {
		note.RemoveChild(note.FirstChild)
	}
	note.InsertBefore(dom.Raw("[^"+strconv.Itoa(number)+"]: "), note.FirstChild)
	if dom.Is(list, atom.Ol, atom.Ul) && dom.First(list, atom.Li) == nil {
		dom.Rename(list, atom.Div)
	}
}

// renumber splits a list where an item has a number other than the next.
func renumber(list *html.Node) {
	next, err := strconv.Atoi(dom.Attr(list, "start"))
	if err != nil {
		next = 1
	}
	for _, li := range dom.Elements(list) {
		if value, err := strconv.Atoi(dom.Attr(li, "value")); err == nil && li.DataAtom == atom.Li && value != next && value >= 0 {
			next = value
			list = split(list, li)
			dom.SetAttr(list, "start", strconv.Itoa(value))
		}
		next++
	}
}

// split moves an item of a list and all behind it to a list behind it, unless it is the
// first, and returns the list of the item.
func split(list, at *html.Node) *html.Node {
	if at == dom.Elements(list)[0] || list.Parent == nil {
		return list
	}
	rest := dom.Element(list.DataAtom)
	list.Parent.InsertBefore(rest, list.NextSibling)
	for at != nil {
		follows := at.NextSibling
		list.RemoveChild(at)
		rest.AppendChild(at)
		at = follows
	}
	return rest
}
