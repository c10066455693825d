package page

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/markdown"
)

// MaxLinks limits the links, and the images, that a document lists.
const MaxLinks = 500

// list adds the requested links and images to the document, each address once.
func (d *Document) list(n *html.Node, o Options) {
	if o.Links {
		seen := map[string]bool{}
		for _, a := range dom.All(n, atom.A) {
			href := dom.Attr(a, "href")
			if href == "" || seen[href] || len(d.Links) == MaxLinks {
				continue
			}
			seen[href] = true
			d.Links = append(d.Links, Link{Text: dom.Text(a), URL: href})
		}
	}
	if o.Images {
		seen := map[string]bool{}
		for _, img := range dom.All(n, atom.Img) {
			src := dom.Attr(img, "src")
			if src == "" || seen[src] || len(d.Images) == MaxLinks {
				continue
			}
			seen[src] = true
			d.Images = append(d.Images, Image{Alt: dom.Attr(img, "alt"), URL: src})
		}
	}
}

// absolute makes the addresses in a tree absolute. It removes those that lead
// nowhere, the attributes that only browsers use, and the tags round texts that other
// formats write as they are.
func absolute(n *html.Node, base *url.URL) {
	for _, raw := range raws(n) {
		dom.Unwrap(raw)
	}
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		kept := d.Attr[:0]
		for _, a := range d.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "srcdoc", strings.HasPrefix(a.Key, "data-"):
				continue
			case a.Key == "href" || a.Key == "src" || a.Key == "cite" || a.Key == "poster" || a.Key == "action":
				if a.Val = markdown.Absolute(base, a.Val); a.Val == "" {
					continue
				}
			}
			kept = append(kept, a)
		}
		d.Attr = kept
	}
}

// raws returns the elements of [dom.Raw] below n.
func raws(n *html.Node) []*html.Node {
	var all []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == dom.RawName {
			all = append(all, d)
		}
	}
	return all
}

// markup writes the children of a tree as HTML, each block on a line of its own.
func markup(n *html.Node) (string, error) {
	for only := wrapped(n); only != nil; only = wrapped(n) {
		n = only
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		if dom.IsBlank(c) {
			continue
		}
		if err := html.Render(&b, c); err != nil {
			return "", err
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// wrapped returns the only child of n if that is a wrapper of others, else nil.
func wrapped(n *html.Node) *html.Node {
	if only := dom.OnlyChild(n); dom.Is(only, atom.Div, atom.Article, atom.Section, atom.Main) {
		return only
	}
	return nil
}
