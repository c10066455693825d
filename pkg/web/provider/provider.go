// Package provider asks search engines, each by its own protocol, and returns the
// results in one form. It does not fetch the pages that they find.
package provider

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Query is a search query.
type Query struct {
	Text      string
	Limit     int    // most results
	Page      int    // of so many results each; 0 is 1
	News      bool   // only news
	Country   string // to search from, ISO 3166-1 alpha-2 in capitals; "" is any
	Language  string // of the results, the primary subtag of BCP 47 in lower case; "" is any
	Site      string // only results of this host and its subdomains, below an optional path; "" is any
	Freshness string // day, week, month or year; "" is any
	// Asking, if it is set, is called with the name of each search engine that is asked.
	Asking func(name string)
}

// Result is a page that was found. Its texts are plain, each on one line.
type Result struct {
	Title       string `json:"title"`
	URL         string `json:"url"`
	Description string `json:"description"`
	Age         string `json:"age,omitzero"` // a date, or words such as "3 days ago"
	Site        string `json:"site"`         // the host, without www
}

// Direct is an answer of the search engine itself, such as a fact or the beginning of
// an encyclopedia's article.
type Direct struct {
	Title string `json:"title,omitzero"`
	Text  string `json:"text"`
	URL   string `json:"url,omitzero"` // where it comes from
}

// Account is the person's configuration of a search engine.
type Account struct {
	Key    string
	URL    string // base address; "" is the engine's own
	Engine string // Google's cx

	login *url.Userinfo // of the address
}

// provider is a search engine.
type provider interface {
	name() string
	// ready reports whether the account has all that the engine needs.
	ready(Account) bool
	// lacks returns a hint about what the account needs.
	lacks() fault.Text
	// news reports whether it has a search for news.
	news() bool
	// plan returns how it serves the query. The fault is unsupported: the query is
	// too long, or the page too far.
	plan(q Query) (plan, *fault.Error)
	// ask returns the request for a query.
	ask(q Query, w plan, a Account, now time.Time) web.Request
	// read returns what is in a successful response. The error is errForeign if the
	// response is not one of this engine.
	read(r *web.Response) (found, error)
	// refuse returns the fault for a response by which only this engine refuses, nil
	// for any other.
	refuse(r *web.Response) *fault.Error
}

// providers returns the search engines in the order in which they are chosen. The
// last needs no account.
func providers() []provider {
	return []provider{brave{}, tavily{}, exa{}, serper{}, google{}, searxng{}, duckduckgo{}}
}

// names returns the names of the search engines.
func names() []string {
	var all []string
	for _, p := range providers() {
		all = append(all, p.name())
	}
	return all
}

// Options configure an [Engine].
type Options struct {
	Client   func() (*web.Client, error)
	Account  func(name string) Account
	Provider string // the one to ask; "" or auto chooses
	Now      func() time.Time
}

// Engine searches with the search engines that are configured.
type Engine struct{ opt Options }

// New returns an engine.
func New(o Options) *Engine { return &Engine{o} }

// Answer is the results of a search, and the engine that found them.
type Answer struct {
	Provider  string
	Results   []Result
	Corrected string       // how it corrects the query; "" if it does not
	Direct    *Direct      // its own answer; nil if it has none
	Warnings  []fault.Text // about engines that failed before it, and what it could not do
}

// Search asks the named search engine or, for "", the configured ones in order
// until one answers. It passes over engines that fail, limit the rate, block this
// machine, have no credit left, are set up wrongly or cannot do what is asked, but
// not over one that refuses the person's key: the person should know of that.
//
// The faults are those of [web.Client.Get], not_configured, rate_limited (also for
// a test for humans, and for an account without credit), unsupported (what neither
// the engine nor its plan offers) and unavailable.
func (e *Engine) Search(ctx context.Context, q Query, name string) (*Answer, error) {
	if name == "" || name == "auto" {
		name = e.opt.Provider
	}
	chosen, err := e.choose(name)
	if err != nil {
		return nil, err
	}
	if q.News { // those that have news come first
		slices.SortStableFunc(chosen, func(a, b provider) int { return cmp.Compare(rank(a), rank(b)) })
	}
	var faults []*fault.Error
	var warnings []fault.Text
	for _, p := range chosen {
		if q.Asking != nil {
			q.Asking(p.name())
		}
		answer, err := e.ask(ctx, p, q)
		if err == nil {
			if len(warnings) > 0 && q.Page > 1 {
				warnings = append(warnings, fault.T("this is page %d of %s; the pages before may have come from another search engine", q.Page, p.name()))
			}
			answer.Warnings = append(warnings, answer.Warnings...)
			return answer, nil
		}
		f := fault.As(err)
		faults = append(faults, f)
		if !passable(f) || ctx.Err() != nil {
			return nil, err
		}
		warnings = append(warnings, fault.T("%s failed: %s", p.name(), f.Message))
	}
	return nil, none(faults)
}

// rank is 0 for an engine that has a search for news.
func rank(p provider) int {
	if p.news() {
		return 0
	}
	return 1
}

// choose returns the search engines to ask, in order.
func (e *Engine) choose(name string) ([]provider, error) {
	var ready []provider
	for _, p := range providers() {
		if name == p.name() {
			if !p.ready(e.opt.Account(name)) {
				return nil, notConfigured(p)
			}
			return []provider{p}, nil
		}
		if p.ready(e.opt.Account(p.name())) {
			ready = append(ready, p)
		}
	}
	if name != "" && name != "auto" {
		return nil, unknown(name)
	}
	return ready, nil
}
