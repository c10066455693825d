// Package forms knows the plain forms of sites: the addresses at which a site gives the
// content of a page as data, publicly and without a key, and how that becomes a document.
// It does not fetch. Where a form cannot be had or read, the page itself is there.
//
// A form is worth it where the page is empty without scripts (crates.io, changes on
// GitHub), shows a part of a thread (Discourse, GitHub), or is often refused to programs
// (Reddit, npm, Stack Overflow). Pages that read well by themselves have none: Wikipedia,
// discussions and the fronts of repositories on GitHub.
//
// Limits, as the sites state them: api.github.com answers 60 requests an hour from one
// address, api.stackexchange.com 300 a day, hn.algolia.com 10,000 an hour.
package forms

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/web"
)

// Form is the plain form of a page.
type Form struct {
	// URL is its address. More are further parts, without which it can be read, too.
	URL  string
	More []string

	read func(bodies []string) (*Thread, error) // nil reads it as any page
}

// errEmpty is why something that is well-formed is not a form.
var errEmpty = errors.New("it has no content")

// Of returns the plain form of the page at an address.
func Of(at web.Address) (Form, bool) {
	u := at.URL()
	if u.Scheme != "https" && u.Scheme != "http" || u.Port() != "" {
		return Form{}, false
	}
	steps := strings.Split(strings.Trim(u.EscapedPath(), "/"), "/")
	host := strings.TrimPrefix(u.Hostname(), "www.")
	var f Form
	switch {
	case host == "github.com":
		f = github(steps)
	case host == "gist.github.com":
		f = gist(steps)
	case stackSite(host) != "":
		f = stack(stackSite(host), steps)
	case host == "reddit.com", host == "old.reddit.com", host == "new.reddit.com":
		f = reddit(steps)
	case host == "news.ycombinator.com":
		f = hackerNews(u, steps)
	case host == "arxiv.org":
		f = arxiv(steps)
	case host == "pypi.org":
		f = pypi(steps)
	case host == "npmjs.com":
		f = npm(steps)
	case host == "crates.io":
		f = crate(steps)
	default:
		f = discourse(u, steps)
	}
	return f, f.URL != ""
}

// Hosts returns the hosts that the form is read from.
func (f *Form) Hosts() []string {
	var all []string
	for _, address := range append([]string{f.URL}, f.More...) {
		if at, err := web.Parse(address); err == nil {
			all = append(all, at.Hostname())
		}
	}
	return all
}

// AsPage reports whether the form is read as any page is.
func (f *Form) AsPage() bool { return f.read == nil }

// Document reads the bodies at URL and More, "" for one that could not be had. Relative
// addresses refer to base. An error says that the page itself should be read.
func (f *Form) Document(bodies []string, base web.Address, format page.Format) (*page.Document, error) {
	t, err := f.read(bodies)
	if err != nil {
		return nil, err
	}
	return t.document(base.URL(), format)
}

// decode reads JSON.
func decode[T any](body string) (T, error) {
	var v T
	err := json.Unmarshal([]byte(body), &v)
	return v, err
}

// isNumber reports whether a step of a path is the number of something.
func isNumber(s string) bool {
	return s != "" && len(s) <= 12 && strings.Trim(s, "0123456789") == ""
}

// step returns the nth step of a path, "" if there is none.
func step(steps []string, n int) string {
	if n >= len(steps) {
		return ""
	}
	return steps[n]
}
