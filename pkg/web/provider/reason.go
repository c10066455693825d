package provider

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/web"
)

// reason is why a service refuses a search.
type reason int

const (
	noReason  reason = iota
	wrongKey         // it does not know the key
	notInPlan        // the account does not include this
	noCredit         // the account is used up, for now or until the person pays
	tooFast          // fewer requests, please
	walled           // words for people: a test for humans, a block, a login
)

// reasonOf returns why a service refuses. It believes the status first where that
// has one meaning, then the codes and the words of the body, as services send most
// of this with 400, 403, 422, 429 or even 200.
func reasonOf(r *web.Response) reason {
	if isWall(r) {
		return walled
	}
	switch r.Status {
	case http.StatusUnauthorized:
		return wrongKey
	case http.StatusPaymentRequired, 432, 433: // the last two are Tavily's
		return noCredit
	}
	c := complaintIn(r.Body)
	why := c.reason()
	switch {
	case r.Status == http.StatusTooManyRequests && why != noCredit && why != notInPlan:
		return tooFast
	case r.Status == http.StatusForbidden && why == noReason:
		if !json.Valid(r.Body) { // it comes from what stands before the service
			return walled
		}
		return wrongKey
	}
	return why
}

// reason returns what the codes say or, if they say nothing, the words.
func (c complaint) reason() reason {
	for _, code := range c.codes {
		switch strings.ToUpper(code) {
		case "SUBSCRIPTION_TOKEN_INVALID", "SUBSCRIPTION_TOKEN_MISSING", "API_KEY_INVALID", "INVALID_API_KEY", "UNAUTHORIZED", "UNAUTHENTICATED":
			return wrongKey
		case "OPTION_NOT_IN_PLAN", "RESOURCE_NOT_ALLOWED", "FEATURE_DISABLED":
			return notInPlan
		case "NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED", "TEAM_BUDGET_EXCEEDED", "QUOTA_LIMITED", "QUOTAEXCEEDED", "DAILYLIMITEXCEEDED", "RESOURCE_EXHAUSTED":
			return noCredit
		case "RATE_LIMITED", "RATELIMITEXCEEDED", "USERRATELIMITEXCEEDED":
			return tooFast
		}
	}
	words := strings.ToLower(c.message)
	says := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(words, p) })
	}
	switch {
	case says("invalid api key", "api key not valid", "token is invalid", "unauthorized", "invalid token"):
		return wrongKey
	case says("not in plan", "not subscribed", "not available on your plan", "not included in your"):
		return notInPlan
	case says("credits", "usage limit", "quota", "billing", "daily limit"):
		return noCredit
	case says("rate limit", "too many requests"):
		return tooFast
	}
	return noReason
}

// maxWall limits the bytes of a page that are searched for the signs of a wall.
const maxWall = 256 << 10

// isWall reports whether a service that speaks JSON, or what stands before it, sent
// a page that asks for a person.
func isWall(r *web.Response) bool {
	if r.Header.Get("Cf-Mitigated") == "challenge" {
		return true
	}
	body := bytes.TrimSpace(r.Body[:min(len(r.Body), maxWall)])
	if !bytes.HasPrefix(body, []byte("<")) {
		return false
	}
	body = bytes.ToLower(body)
	for _, sign := range []string{
		"captcha", "challenge-platform", "cf-chl-", "just a moment...", "attention required!", "unusual traffic", "verify you are human", "you have been blocked",
	} {
		if bytes.Contains(body, []byte(sign)) {
			return true
		}
	}
	return false
}
