package fetch

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// maxLabel is the longest title, name, or text of a link, in characters.
	maxLabel = 300
	// maxExcerpt is the longest excerpt, in characters.
	maxExcerpt = 600
	// maxLists limits the bytes of the lists of links and images together.
	maxLists = 128 << 10
)

// label fills in what a page says about itself, cut to a reasonable length.
func (p *Page) label(d *page.Document) {
	p.Title, p.Byline, p.Site = label(d.Title), label(d.Byline), label(d.Site)
	p.Published, p.Modified, p.Language = label(d.Published), label(d.Modified), label(d.Language)
	p.Excerpt = web.Shorten(web.OneLine(d.Excerpt), maxExcerpt)
}

func label(text string) string { return web.Shorten(web.OneLine(text), maxLabel) }

// list fills in as many links and images as there is room for.
func (p *Page) list(call *tool.Call, d *page.Document) {
	room, left := maxLists, false
	fits := func(text, address string) bool {
		n := len(text) + len(address)
		if len(address) > web.MaxURL || n > room {
			left = true
			return false
		}
		room -= n
		return true
	}
	for _, l := range d.Links {
		if l.Text = label(l.Text); fits(l.Text, l.URL) {
			p.Links = append(p.Links, l)
		}
	}
	for _, i := range d.Images {
		if i.Alt = label(i.Alt); fits(i.Alt, i.URL) {
			p.Images = append(p.Images, i)
		}
	}
	if left || len(d.Links) == page.MaxLinks || len(d.Images) == page.MaxLinks {
		call.Warn(fault.T("the page may have more links and images than the %d and %d listed", len(p.Links), len(p.Images)))
	}
}
