package provider

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/web"
)

// misread returns the fault for a response that could not be read.
func misread(p provider, err error) *fault.Error {
	if known, ok := errors.AsType[*fault.Error](err); ok && known.Code != fault.InvalidArguments {
		return known
	}
	return fault.New(fault.Unavailable, fault.T("%s sent a response without search results", p.name())).
		WithHint(fault.T("try another provider; the login page of a network may have answered instead")).Because(err)
}

// failure returns the fault for a response that is not a success, nil for one that
// is.
func failure(p provider, r *web.Response, secrets []string) *fault.Error {
	if own := p.refuse(r); own != nil {
		return own
	}
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	if f := refusal(p, r, secrets); f != nil {
		return f
	}
	said := saying(r, secrets)
	switch {
	case r.Status >= 300 && r.Status < 400, r.Status == http.StatusNotFound, r.Status == http.StatusMethodNotAllowed, r.Status == http.StatusGone:
		return fault.New(fault.NotConfigured, fault.T("%s is no longer at this address (HTTP %d)", p.name(), r.Status)).
			WithHint(fault.T("ask the person to correct web.search.%s.url, or use another provider", p.name()))
	case r.Status >= 500:
		return fault.New(fault.Unavailable, fault.T("%s has a problem (HTTP %d)%s", p.name(), r.Status, said)).WithHint(tryAnother())
	case aboutQuery(r.Status):
		return fault.New(fault.HTTPStatus, fault.T("%s refused the search (HTTP %d)%s", p.name(), r.Status, said)).
			WithHint(fault.T("simplify the query, or use another provider"))
	}
	return fault.New(fault.Unavailable, fault.T("%s refused the search (HTTP %d)%s", p.name(), r.Status, said)).WithHint(tryAnother())
}

// aboutQuery reports whether a status says that the request is wrong. Of the others
// that are left, such as 418 and 451, another search engine knows nothing.
func aboutQuery(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusUnprocessableEntity:
		return true
	}
	return false
}

// refusal returns the fault for a response without results by which a service
// refuses, whatever its status; nil for any other.
func refusal(p provider, r *web.Response, secrets []string) *fault.Error {
	said := saying(r, secrets)
	switch reasonOf(r) {
	case wrongKey:
		return badKey(p, r.Status, said)
	case notInPlan:
		return fault.New(fault.Unsupported, fault.T("the plan for %s does not include this search (HTTP %d)%s", p.name(), r.Status, said)).
			WithHint(fault.T("use another provider; the person can change the plan of that account"))
	case noCredit:
		return usedUp(p, r.Status, said)
	case tooFast:
		hint := tryAnother()
		if after, ok := r.RetryAfter(); ok && after > 0 {
			hint = fault.T("call again in %d seconds, or with another provider", int(after.Round(time.Second)/time.Second))
		}
		return fault.New(fault.RateLimited, fault.T("%s accepts no more searches for now (HTTP %d)%s", p.name(), r.Status, said)).WithHint(hint)
	case walled:
		return fault.New(fault.RateLimited, fault.T("%s blocks this machine: it sent words for people instead of results (HTTP %d)", p.name(), r.Status)).
			WithHint(tryAnother())
	}
	if r.Status >= 200 && r.Status < 300 && !said.IsZero() { // an error that calls itself a success
		return fault.New(fault.Unavailable, fault.T("%s sent an error instead of results%s", p.name(), said)).WithHint(tryAnother())
	}
	return nil
}

// errKey is the cause of the fault about a key that a search engine refuses.
var errKey = errors.New("the key is refused")

// passable reports whether another search engine may be asked after a fault: any
// that is not about the call, nor about the person's key.
func passable(f *fault.Error) bool {
	return f.Code.Retryable() || f.Code == fault.Unsupported || f.Code == fault.NotConfigured && !errors.Is(f, errKey)
}

// none returns the fault of several search engines of which none answered. It has the
// code of the first fault after which another try helps, as one is enough.
func none(faults []*fault.Error) *fault.Error {
	if len(faults) == 1 {
		return faults[0]
	}
	first := faults[max(0, slices.IndexFunc(faults, func(f *fault.Error) bool { return f.Code.Retryable() }))]
	var messages, hints []fault.Text
	for _, f := range faults {
		messages = append(messages, f.Message)
		same := func(h fault.Text) bool { return h.String() == f.Hint.String() }
		if !f.Hint.IsZero() && !slices.ContainsFunc(hints, same) {
			hints = append(hints, f.Hint)
		}
	}
	return fault.New(first.Code, fault.T("no search engine answered: %s", fault.Join(messages, "; "))).
		WithHint(fault.Join(hints, "; ")).Because(first)
}

// usedUp is the fault of an account without credit.
func usedUp(p provider, status int, said fault.Text) *fault.Error {
	return fault.New(fault.RateLimited, fault.T("the account at %s has no searches left (HTTP %d)%s", p.name(), status, said)).
		WithHint(fault.T("use another provider; the person can add credit to that account, or configure another one"))
}

// notConfigured is the fault of a search engine without an account.
func notConfigured(p provider) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("%s is not configured", p.name())).WithHint(p.lacks())
}

// unknown is the fault of a name that is not one of a search engine.
func unknown(name string) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("there is no search engine %q", name)).
		WithHint(fault.T("the search engines are: %s", strings.Join(names(), ", ")))
}

// badBase is the fault of a configured address that cannot be used.
func badBase(p provider, err error) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("the address of %s is not an http or https address", p.name())).
		WithHint(fault.T("ask the person to correct web.search.%s.url", p.name())).Because(err)
}

// unreachable is the fault of a search engine that cannot be reached.
func unreachable(p provider, cause *fault.Error) *fault.Error {
	return fault.New(cause.Code, fault.T("%s cannot be reached: %s", p.name(), cause.Message)).
		WithHint(fault.T("try another provider; if none can be reached, there is no network: continue without searching, and tell the person")).Because(cause)
}

// badKey is the fault of a key that the search engine refuses.
func badKey(p provider, status int, said fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, fault.T("%s refuses the key (HTTP %d)%s", p.name(), status, said)).
		WithHint(p.lacks()).Because(errKey)
}

// tryAnother is the hint to use another search engine.
func tryAnother() fault.Text {
	return fault.T("try again later, or with another provider; the person can configure one: BRAVE_API_KEY, TAVILY_API_KEY, EXA_API_KEY, SERPER_API_KEY, SEARXNG_URL")
}

// saying returns what a service says about its failure, without secrets; empty if
// it says nothing.
func saying(r *web.Response, secrets []string) fault.Text {
	words := secret.Hide(plain(complaintIn(r.Body).message), secrets...)
	if words == "" {
		return fault.Text{}
	}
	return fault.T(": %s", web.Shorten(words, 200))
}
