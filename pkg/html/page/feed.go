package page

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/extract"
	"github.com/helve-dev/helve/pkg/html/markdown"
)

// entry is an entry of a feed, or the feed itself.
type entry struct {
	title, link, date, author, body string
}

const (
	maxEntries = 500 // entries of a feed that are read
	maxNesting = 50  // depth of its elements
)

// readFeed makes a document of the entries of a feed: RSS 0.9 to 2.0 or Atom. ok
// is false for other XML.
func readFeed(s Source, o Options) (d *Document, ok bool) {
	head, entries, err := entriesOf(strings.ToValidUTF8(s.Text[:min(len(s.Text), extract.MaxText)], ""))
	if err != nil && len(entries) == 0 || head == nil {
		return nil, false
	}
	d = &Document{Title: head.title, Byline: head.author, Published: head.date, Excerpt: textOf(head.body), Format: o.Format, Extractor: ByFeed}
	if err != nil {
		d.Warnings = append(d.Warnings, fault.T("the feed is broken or very long; only its first %d entries are shown", len(entries)))
	}
	if o.Format == HTML {
		d.Content, d.Format, d.Extractor = s.Text, Text, AsSent
		return d, true
	}
	root := dom.Element(atom.Div)
	for i := range entries {
		root.AppendChild(entries[i].node())
	}
	markdown.Normalize(root, s.URL)
	d.list(root, o)
	if o.Format == Text {
		d.Content = markdown.Text(root)
		return d, true
	}
	content, err := markdown.Of(root)
	if err != nil {
		return nil, false
	}
	d.Content = content
	return d, true
}

// node returns the entry as HTML.
func (e *entry) node() *html.Node {
	div := dom.Element(atom.Div)
	h := dom.Element(atom.H2)
	div.AppendChild(h)
	title := cmp.Or(e.title, e.link)
	if e.link != "" {
		a := dom.Element(atom.A)
		a.Attr = []html.Attribute{{Key: "href", Val: e.link}}
		a.AppendChild(dom.NewText(title))
		h.AppendChild(a)
	} else {
		h.AppendChild(dom.NewText(title))
	}
	var about []string
	for _, s := range [...]string{e.date, e.author} {
		if s != "" {
			about = append(about, s)
		}
	}
	if len(about) > 0 {
		p := dom.Element(atom.P)
		p.AppendChild(dom.NewText(strings.Join(about, " · ")))
		div.AppendChild(p)
	}
	doc, _ := extract.Parse(e.body)
	body := dom.Body(doc)
	extract.Tidy(body)
	dom.Adopt(div, body)
	return div
}

// entriesOf reads a feed as far as it is well-formed.
func entriesOf(text string) (head *entry, entries []entry, err error) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict, d.Entity, d.CharsetReader = false, xml.HTMLEntity, same
	var path []string
	current := &entry{}
	var value strings.Builder
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return head, entries, nil
		}
		if err != nil {
			return head, entries, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(path) >= maxNesting {
				return head, entries, fmt.Errorf("elements nest deeper than %d", maxNesting)
			}
			name := t.Name.Local
			if len(path) == 0 {
				if name != "rss" && name != "feed" && name != "RDF" {
					return nil, nil, errors.New("no feed")
				}
				head = &entry{}
				current = head
			}
			if name == "item" || name == "entry" {
				if len(entries) == maxEntries {
					return head, entries, fmt.Errorf("more than %d entries", maxEntries)
				}
				entries = append(entries, entry{})
				current = &entries[len(entries)-1]
			}
			if name == "link" {
				current.linked(t)
			}
			path = append(path, name)
			value.Reset()
			if name == "content" || name == "summary" || name == "title" {
				if isXHTML(t) {
					var inner struct {
						XML string `xml:",innerxml"`
					}
					if err := d.DecodeElement(&inner, &t); err != nil {
						return head, entries, err
					}
					path = path[:len(path)-1]
					current.set(name, "", inner.XML)
				}
			}
		case xml.EndElement:
			name, parent := t.Name.Local, ""
			if len(path) > 1 {
				parent = path[len(path)-2]
			}
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
			if parent != "image" && parent != "textInput" && parent != "source" && t.Name.Space != "http://search.yahoo.com/mrss/" && t.Name.Space != "media" {
				current.set(name, parent, value.String())
			}
			value.Reset()
			if name == "item" || name == "entry" {
				current = head
			}
		case xml.CharData:
			value.Write(t)
		}
	}
}

// isXHTML reports whether an element of Atom holds markup.
func isXHTML(t xml.StartElement) bool {
	for _, a := range t.Attr {
		if a.Name.Local == "type" && a.Value == "xhtml" {
			return true
		}
	}
	return false
}

// linked sets the address from a link element of Atom.
func (e *entry) linked(t xml.StartElement) {
	href, rel := "", "alternate"
	for _, a := range t.Attr {
		switch a.Name.Local {
		case "href":
			href = a.Value
		case "rel":
			rel = a.Value
		}
	}
	if href != "" && rel == "alternate" && e.link == "" {
		e.link = href
	}
}

// set sets the field that an element of RSS or Atom is for.
func (e *entry) set(name, parent, value string) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	switch name {
	case "title":
		e.title = cmp.Or(e.title, textOf(value))
	case "link":
		e.link = cmp.Or(e.link, value)
	case "guid", "id":
		if strings.HasPrefix(value, "http") && e.link == "" {
			e.link = value
		}
	case "pubDate", "published", "date":
		e.date = value
	case "updated", "lastBuildDate":
		e.date = cmp.Or(e.date, value)
	case "name":
		if parent == "author" {
			e.author = cmp.Or(e.author, value)
		}
	case "author", "creator":
		e.author = cmp.Or(e.author, value)
	case "encoded", "content":
		e.body = value
	case "description", "summary", "subtitle":
		e.body = cmp.Or(e.body, value)
	}
}

// textOf returns the text of a string that may be HTML.
func textOf(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return dom.Collapse(s)
	}
	doc, _ := extract.Parse(s)
	return dom.Text(doc)
}

// same reads a feed as UTF-8 whatever charset it declares, as it has been decoded.
func same(_ string, r io.Reader) (io.Reader, error) { return r, nil }
