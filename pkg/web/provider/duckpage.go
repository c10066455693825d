package provider

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/parse"
	"github.com/helve-dev/helve/pkg/web"
)

// duckpage reads one of DuckDuckGo's pages, tag by tag.
type duckpage struct {
	found
	none       bool // it says that nothing was found
	advertised bool // the result at hand is an advertisement

	into                       *strings.Builder // takes the text of the element at hand
	inside                     string           // the name of that element
	depth                      int              // how deep it is nested in itself
	title, description, direct strings.Builder
	source                     string // of the direct answer

	form url.Values // the hidden values of the form at hand
}

// read returns the results on either page. Each begins with a link of the class
// result__a or result-link; its description follows in the class result__snippet
// or result-snippet. The next page has a form with the number of its first result.
func (duckduckgo) read(r *web.Response) (found, error) {
	var p duckpage
	for t := range parse.Tokens(r.Text().Text) {
		switch t.Kind {
		case parse.Text:
			if p.into != nil {
				p.into.WriteString(t.Raw) // plain decodes it
			}
		case parse.StartTag:
			p.nest(t, 1)
			p.start(t)
		case parse.EndTag:
			p.nest(t, -1)
			if t.Atom == atom.Form {
				p.closeForm()
			}
		}
	}
	p.finish()
	p.found.direct = directly("", p.direct.String(), p.source)
	if len(p.results) == 0 && !p.none {
		return found{}, errForeign
	}
	return p.found, nil
}

// nest counts the tags of the element at hand, and leaves it after the last one.
func (p *duckpage) nest(t *parse.Token, step int) {
	if p.into == nil || t.Data != p.inside {
		return
	}
	if p.depth += step; p.depth == 0 {
		p.into = nil
	}
}

// take takes the text of the element that begins.
func (p *duckpage) take(into *strings.Builder, t *parse.Token) {
	p.into, p.inside, p.depth = into, t.Data, 1
}

// finish ends the result at hand.
func (p *duckpage) finish() {
	if n := len(p.results); n > 0 {
		p.results[n-1].Title, p.results[n-1].Description = p.title.String(), p.description.String()
	}
	p.title.Reset()
	p.description.Reset()
}

// start reads the beginning of an element.
func (p *duckpage) start(t *parse.Token) {
	a := attributes(t)
	switch {
	case t.Atom == atom.Form:
		p.form = url.Values{}
		p.lite = p.lite || strings.Contains(a.action, "/lite/")
	case t.Atom == atom.Input:
		if p.form != nil && a.name != "" && len(a.name)+len(a.value) <= web.MaxURL {
			p.form.Set(a.name, a.value)
		}
	case t.Atom == atom.Tr: // on the plainer page
		p.advertised = has(a.class, "result-sponsored")
	case has(a.class, "no-results"):
		p.none = true
	case has(a.class, "result--ad"):
		p.advertised = true
	case has(a.class, "result"):
		p.advertised = false
	case t.Atom == atom.A && (has(a.class, "result__a") || has(a.class, "result-link")):
		p.finish()
		if p.advertised {
			a.href = ""
		}
		p.results = append(p.results, Result{URL: a.href})
		p.take(&p.title, t)
	case len(p.results) > 0 && (has(a.class, "result__snippet") || has(a.class, "result-snippet")):
		p.take(&p.description, t)
	case len(p.results) == 0 && p.direct.Len() == 0 && (a.id == "zero_click_abstract" || has(a.class, "zci__result")):
		p.take(&p.direct, t)
	case t.Atom == atom.A && p.into == &p.direct && p.source == "":
		p.source = a.href
	}
}

// closeForm keeps the form for the next page: of those with the values that
// DuckDuckGo wants, the one that begins last, as another leads back.
func (p *duckpage) closeForm() {
	n, err := strconv.Atoi(p.form.Get("s"))
	if err == nil && n > p.begins && p.form.Get("vqd") != "" && p.form.Get("q") != "" {
		p.next, p.begins = p.form, n
	}
	p.form = nil
}

// attributed are the attributes of a tag that matter here.
type attributed struct{ class, href, id, name, value, action string }

func attributes(t *parse.Token) (of attributed) {
	for _, a := range t.Attr {
		switch a.Key {
		case "class":
			of.class = a.Val
		case "href":
			of.href = a.Val
		case "id":
			of.id = a.Val
		case "name":
			of.name = a.Val
		case "value":
			of.value = a.Val
		case "action":
			of.action = a.Val
		}
	}
	return of
}

func has(classes, class string) bool { return slices.Contains(strings.Fields(classes), class) }
