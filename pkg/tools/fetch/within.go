package fetch

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/web"
)

// within returns what of a document the arguments ask for: a part of it, of a section, or
// the passages with some words. Its offsets are those of the whole document.
func (p *Page) within(call *tool.Call, d *page.Document, a Args) (page.Part, error) {
	from := d.Part
	if a.Section != "" {
		section, err := d.Section(a.Section)
		if err != nil {
			return page.Part{}, missing(call, d, a, err)
		}
		p.Section = &section
		from = func(start, most int) (page.Part, error) { return d.PartOf(section, start, most) }
	}
	if a.Find != "" {
		search, err := p.search(call, d, a)
		if err != nil {
			return page.Part{}, missing(call, d, a, err)
		}
		from = func(start, most int) (page.Part, error) {
			f, err := search.From(start, most)
			if err != nil {
				return page.Part{}, err
			}
			p.Passages = f.Passages
			return page.Part{Content: f.Content, Start: f.Passages[0].Start, Next: f.Next, Total: f.Total}, nil
		}
	}
	var part page.Part
	err := tokens.Fit(a.MaxChars, a.MaxTokens, func(chars int) (_ string, err error) {
		part, err = from(a.Start, chars)
		return part.Content, err
	})
	if err == nil && a.Section == "" && a.Find == "" {
		beyond(call, d, a, part)
	}
	return part, err
}

// search searches the section, or all, and says which words it did not find.
func (p *Page) search(call *tool.Call, d *page.Document, a Args) (*page.Search, error) {
	section := d.Whole()
	if p.Section != nil {
		section = *p.Section
	}
	search, err := d.Search(a.Find, section)
	if err != nil {
		return nil, err
	}
	switch {
	case len(search.Missing) > 0:
		call.Warn(fault.T("not in the text: %s; these are the passages with the other words, or with parts of these",
			web.Shorten(web.OneLine(strings.Join(search.Missing, ", ")), maxLabel)))
	case search.Some:
		call.Warn(fault.T("no passage has all of these words; these have the most"))
	}
	return search, nil
}

// missing completes the fault of something that the content does not have.
func missing(call *tool.Call, d *page.Document, a Args, err error) error {
	for _, w := range d.Warnings {
		call.Warn(w) // they may say why
	}
	e := fault.As(err)
	if e.Code != fault.TextNotFound || !a.Main || d.Extractor == page.AsSent || d.Extractor == page.ByFeed {
		return err
	}
	return e.WithHint(fault.Join([]fault.Text{e.Hint, fault.T("main=false searches all that the page shows")}, "; "))
}

// beyond says where the section begins that the address names after the #, if that is not
// in the part. The address alone does not narrow what is shown: links have fragments that
// nobody asked for.
func beyond(call *tool.Call, d *page.Document, a Args, part page.Part) {
	if a.Start > 0 || part.Next == 0 || !strings.Contains(a.URL, "#") {
		return
	}
	fragment := web.At(a.URL).URL().Fragment
	if fragment == "" {
		return
	}
	if s, err := d.Section("#" + fragment); err == nil && s.Start >= part.Next {
		call.Warn(fault.T("the section %q that the address names is not in this part: it begins at start=%d, or pass it as section",
			"#"+web.Shorten(web.OneLine(fragment), maxLabel), s.Start))
	}
}
