// Package provider asks search engines, each by its own protocol, and returns the
// results in one form. It does not fetch the pages that they find.
package provider

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Query is what to search for.
type Query struct {
	Text      string
	Limit     int    // most results
	Site      string // only results of this host and its subdomains, below an optional path; "" is any
	Freshness string // day, week, month or year; "" is any
}

// Result is a page that was found. Its texts are plain, each on one line.
type Result struct {
	Title       string `json:"title"`
	URL         string `json:"url"`
	Description string `json:"description"`
	Age         string `json:"age,omitzero"` // a date, or words such as "3 days ago"
	Site        string `json:"site"`         // the host, without www
}

// Account is what the person has configured for a search engine.
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
	// ask returns the request for a query.
	ask(q Query, a Account, now time.Time) web.Request
	// read returns the results in a successful response. The error is a fault, or
	// errForeign if the response is not one of this engine.
	read(r *web.Response) ([]Result, error)
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
	Provider string
	Results  []Result
	Warnings []fault.Text // about engines that failed before it
}

// Search asks the named search engine or, for "", the configured ones in order
// until one answers. It passes over engines that fail or limit the rate, but not
// over one that refuses the person's key.
//
// The faults are those of [web.Client.Get], not_configured, rate_limited (also for
// a test for humans) and unavailable.
func (e *Engine) Search(ctx context.Context, q Query, name string) (*Answer, error) {
	if name == "" || name == "auto" {
		name = e.opt.Provider
	}
	chosen, err := e.choose(name)
	if err != nil {
		return nil, err
	}
	var first error
	var warnings []fault.Text
	for _, p := range chosen {
		results, err := e.ask(ctx, p, q)
		if err == nil {
			return &Answer{p.name(), results, warnings}, nil
		}
		if first == nil {
			first = err
		}
		f := fault.As(err)
		if !f.Code.Retryable() || ctx.Err() != nil {
			return nil, err
		}
		warnings = append(warnings, fault.T("%s failed: %s", "%s 失败：%s", p.name(), f.Message))
	}
	return nil, first
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

const (
	// maxTime is how long one search engine may take.
	maxTime = 15 * time.Second
	// maxAnswer is how much of its answer is read, in bytes.
	maxAnswer = 4 << 20
)

// ask searches with one search engine.
func (e *Engine) ask(ctx context.Context, p provider, q Query) ([]Result, error) {
	client, err := e.opt.Client()
	if err != nil {
		return nil, err
	}
	account := e.opt.Account(p.name())
	if account.URL != "" {
		u, err := url.Parse(account.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, badBase(p, err)
		}
		account.login, u.User = u.User, nil
		account.URL = u.String()
	}
	secrets := account.secrets()
	response, err := e.fetch(ctx, client, p, p.ask(q, account, e.opt.Now()), account)
	if err != nil {
		return nil, err
	}
	if failed := failure(p, response, secrets); failed != nil {
		return nil, failed
	}
	found, err := p.read(response)
	if d, ok := p.(duckduckgo); ok && errors.Is(err, errForeign) { // this page changes now and then, the plain one hardly ever
		if response, err = e.fetch(ctx, client, p, d.askLite(q, account), account); err != nil {
			return nil, err
		}
		found, err = d.read(response)
	}
	if err != nil {
		return nil, misread(p, err)
	}
	return tidy(found, q, secrets), nil
}

// fetch sends the request. An address from the person's configuration may be
// private.
func (e *Engine) fetch(ctx context.Context, client *web.Client, p provider, r web.Request, a Account) (*web.Response, error) {
	if a.login != nil && r.Secret["Authorization"] == "" {
		r.Secret = maps.Clone(r.Secret)
		if r.Secret == nil {
			r.Secret = map[string]string{}
		}
		r.Secret["Authorization"] = "Basic " + a.credentials()
	}
	r.Timeout, r.MaxBytes, r.NoStore, r.Base = maxTime, maxAnswer, true, a.URL != ""
	response, err := client.Get(ctx, r)
	if err == nil {
		return response, nil
	}
	f := fault.As(err)
	if f.Code == fault.InvalidArguments { // about an address that is not an argument of the caller
		return nil, misread(p, err)
	}
	if f.Code == fault.Unavailable {
		return nil, unreachable(p, f)
	}
	return nil, f
}
