// Package provider asks search engines, each in its own way, and brings what
// they find into one form. It fetches none of the pages found.
package provider

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Query is what to look for.
type Query struct {
	Text      string
	Limit     int    // results at most
	Site      string // results of this host and below alone, with an optional path; "" is any
	Freshness string // day, week, month or year; "" is any
}

// Result is one page that was found. All texts are plain and on one line.
type Result struct {
	Title       string `json:"title"`
	URL         string `json:"url"`
	Description string `json:"description"`
	Age         string `json:"age,omitzero"` // a date, or words such as "3 days ago"
	Site        string `json:"site"`         // the host, without www
}

// Account is what the person has set up for a search engine.
type Account struct {
	Key    string
	URL    string // base address, where it is not the usual one
	Engine string // Google's cx

	login *url.Userinfo // of the address
}

// provider is a search engine.
type provider interface {
	name() string
	// ready reports whether the account has all that is needed.
	ready(Account) bool
	// lacks says what the account needs.
	lacks() fault.Text
	// ask is the request to make, now.
	ask(q Query, a Account, now time.Time) web.Request
	// read finds the results in an answer of success. The error is a fault, or
	// errForeign for what no such service sends.
	read(r *web.Response) ([]Result, error)
	// refuse words a status of failure, nil for the usual words.
	refuse(r *web.Response) *fault.Error
}

// providers lists the search engines in the order in which they are chosen. The
// one that needs nothing is the last.
func providers() []provider {
	return []provider{brave{}, tavily{}, exa{}, serper{}, google{}, searxng{}, duckduckgo{}}
}

// Names lists the search engines.
func Names() []string {
	var names []string
	for _, p := range providers() {
		names = append(names, p.name())
	}
	return names
}

// Options are the surroundings of an [Engine].
type Options struct {
	Client   func() (*web.Client, error)
	Account  func(name string) Account
	Provider string // the one to ask; "" or auto chooses
	Now      func() time.Time
}

// Engine searches with the search engines that are set up.
type Engine struct{ opt Options }

// New is an engine; it does nothing yet.
func New(o Options) *Engine { return &Engine{o} }

// Answer is what was found, by which search engine.
type Answer struct {
	Provider string
	Results  []Result
	Warnings []fault.Text // of search engines that failed before
}

// Search asks the named search engine, or for "" the first that is set up; when
// that one is out of order or has had enough, the next. One that refuses the
// person's key is never passed over.
//
// The faults are those of [web.Client.Get], not_configured, rate_limited (with
// a challenge to prove that one is human, too), and unavailable.
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
		warnings = append(warnings, fault.T("%s did not answer: %s", "%s 没有应答：%s", p.name(), f.Message))
	}
	return nil, first
}

// choose lists the search engines to ask, one after the other.
func (e *Engine) choose(name string) ([]provider, error) {
	var ready []provider
	for _, p := range providers() {
		if name == p.name() {
			if !p.ready(e.opt.Account(name)) {
				return nil, fault.New(fault.NotConfigured, fault.T("%s is not set up", "%s 尚未配置", name)).WithHint(p.lacks())
			}
			return []provider{p}, nil
		}
		if p.ready(e.opt.Account(p.name())) {
			ready = append(ready, p)
		}
	}
	if name != "" && name != "auto" {
		return nil, fault.New(fault.NotConfigured, fault.T("there is no search engine %q", "没有搜索引擎 %q", name)).
			WithHint(fault.T("the search engines are: %s", "可用的搜索引擎：%s", strings.Join(Names(), ", ")))
	}
	return ready, nil
}

const (
	// maxTime is how long one search engine may take.
	maxTime = 15 * time.Second
	// maxAnswer is how much of its answer is read, in bytes.
	maxAnswer = 4 << 20
)

// ask is one search with one search engine.
func (e *Engine) ask(ctx context.Context, p provider, q Query) ([]Result, error) {
	client, err := e.opt.Client()
	if err != nil {
		return nil, err
	}
	account := e.opt.Account(p.name())
	if account.URL != "" {
		u, err := url.Parse(account.URL)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fault.New(fault.NotConfigured, fault.T("the address of %s is none with http or https", "%s 的地址不是 http 或 https 地址", p.name())).
				WithHint(fault.T("ask the person to mend web.search.%s.url", "请用户修正 web.search.%s.url", p.name())).Because(err)
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
	if d, ok := p.(duckduckgo); ok && errors.Is(err, errForeign) { // its page changes now and then; the plain one hardly ever
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

// fetch makes the request. An address that the person has set may be a private
// one.
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
	if f.Code == fault.InvalidArguments { // about an address that the caller never gave
		return nil, misread(p, err)
	}
	if f.Code == fault.Unavailable {
		f = fault.New(f.Code, fault.T("%s cannot be reached: %s", "无法访问 %s：%s", p.name(), f.Message)).
			WithHint(fault.T("try another provider; if none can be reached there is no network: go on without searching, and tell the person",
				"请换一个 provider；若都无法访问则没有网络：请不搜索继续，并告知用户")).Because(err)
	}
	return nil, f
}
