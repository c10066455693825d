package fetch

import (
	"net/url"

	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/web"
)

// alternates fills in the other forms that the page and the header of its response name.
// None is asked for: reading a page costs no further request.
func (p *Page) alternates(r *web.Response, d *page.Document) {
	all := d.Alternates
	if base, err := url.Parse(p.FinalURL); err == nil && r.Header != nil {
		all.Linked(r.Header, base)
	}
	if !all.IsZero() {
		p.Alternates = &all
	}
}
