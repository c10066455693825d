package provider

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/web"
)

const (
	// maxTime limits the time of one request to a search engine.
	maxTime = 15 * time.Second
	// maxAnswer limits the bytes read of its response.
	maxAnswer = 4 << 20
)

// asking is a search engine being asked.
type asking struct {
	p       provider
	client  *web.Client
	query   Query
	account Account
	secrets []string
	plan    plan
	now     time.Time
	begins  int // the first result of the last page of duckduckgo
}

// ask searches with one search engine.
func (e *Engine) ask(ctx context.Context, p provider, q Query) (*Answer, error) {
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
	plan, unable := p.plan(q)
	if unable != nil {
		return nil, unable
	}
	a := &asking{p: p, client: client, query: q, account: account, secrets: account.secrets(), plan: plan, now: e.opt.Now()}
	if q.News && !p.news() {
		a.query.News = false
		a.plan.warnings = append([]fault.Text{noNews(p)}, a.plan.warnings...)
	}
	return a.answer(ctx)
}

// answer asks for pages until there are enough results.
func (a *asking) answer(ctx context.Context) (*Answer, error) {
	var all found
	want := a.query
	want.Limit += a.plan.skip
	var results []Result
	request := a.p.ask(a.query, a.plan, a.account, a.now)
	for n := 1; ; n++ {
		f, err := a.read(ctx, request)
		if err != nil {
			return nil, err
		}
		all.add(f)
		results = tidy(all.results, want, a.secrets)
		if short := a.query.Limit - len(results); n == 1 && a.plan.walk && a.plan.page == 1 && short > 0 { // so was page 1 when it was asked for
			a.plan.skip, want.Limit = a.plan.skip-short, want.Limit-short
		}
		if !a.plan.walk || len(results) == want.Limit || len(f.results) == 0 || n == maxPages {
			break
		}
		next, more := a.next(f, n+1)
		if !more {
			break
		}
		request = next
	}
	answer := &Answer{
		Provider: a.p.name(), Results: results[min(a.plan.skip, len(results)):],
		Corrected: web.Shorten(secret.Hide(plain(all.corrected), a.secrets...), maxTitle), Direct: all.direct.tidy(a.secrets), Warnings: a.plan.warnings,
	}
	if len(all.silent) > 0 {
		if len(answer.Results) == 0 && answer.Direct == nil {
			return nil, nothing(a.p, &all, a.secrets)
		}
		answer.Warnings = append(answer.Warnings, fault.T("some engines of %s did not answer: %s", a.p.name(), all.unanswered(a.secrets)))
	}
	if a.query.start() > 0 && len(answer.Results) == 0 {
		answer.Warnings = append(answer.Warnings, fault.T("%s has no further results: page %d is empty", a.p.name(), a.query.Page))
	}
	return answer, nil
}

// next returns the request for the next page of the engine, its n-th from the first
// one asked for.
func (a *asking) next(f found, n int) (web.Request, bool) {
	if d, ok := a.p.(duckduckgo); ok {
		if f.begins <= a.begins { // there is none, or it leads back
			return web.Request{}, false
		}
		a.begins = f.begins
		return d.more(f, a.account), true
	}
	w := a.plan
	w.page += n - 1
	return a.p.ask(a.query, w, a.account, a.now), true
}

// read returns what the response to a request holds.
func (a *asking) read(ctx context.Context, request web.Request) (found, error) {
	response, err := a.send(ctx, request)
	if err != nil {
		return found{}, err
	}
	f, err := a.p.read(response)
	d, page := a.p.(duckduckgo)
	if page && errors.Is(err, errForeign) && request.Body == nil { // this page changes now and then, the plain one hardly ever
		if response, err = a.send(ctx, d.askLite(a.query, a.account)); err != nil {
			return found{}, err
		}
		f, err = d.read(response)
	}
	if !page && len(f.results) == 0 {
		if refused := refusal(a.p, response, a.secrets); refused != nil {
			return found{}, refused
		}
	}
	if err != nil {
		return found{}, misread(a.p, err)
	}
	return f, nil
}

// send sends a request, and returns its response if that is a success. An address
// from the person's configuration may be private.
func (a *asking) send(ctx context.Context, r web.Request) (*web.Response, error) {
	if a.account.login != nil && r.Secret["Authorization"] == "" {
		r.Secret = maps.Clone(r.Secret)
		if r.Secret == nil {
			r.Secret = map[string]string{}
		}
		r.Secret["Authorization"] = "Basic " + a.account.credentials()
	}
	r.Timeout, r.MaxBytes, r.NoStore, r.Base = maxTime, maxAnswer, true, a.account.URL != ""
	response, err := a.client.Get(ctx, r)
	if err != nil {
		f := fault.As(err)
		if f.Code == fault.InvalidArguments { // about an address that is not an argument of the caller
			return nil, misread(a.p, err)
		}
		if f.Code == fault.Unavailable {
			return nil, unreachable(a.p, f)
		}
		return nil, f
	}
	if failed := failure(a.p, response, a.secrets); failed != nil {
		return nil, failed
	}
	return response, nil
}
