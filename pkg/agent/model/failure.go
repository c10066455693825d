package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web"
)

// Failure are the details of a fault of a model's server.
type Failure struct {
	Status     int    `json:"status,omitzero"` // of HTTP
	URL        string `json:"url"`             // without what may be secret
	Tries      int    `json:"tries"`
	RetryAfter int    `json:"retry_after,omitzero"` // seconds that the server asks to wait
}

// failure is why there was no reply.
type failure struct {
	fault  *fault.Error
	status int           // of HTTP; 0 if there was no response
	said   string        // the server's words in lower case, or its whole body, to learn from
	asked  time.Duration // how long the server asks to wait; 0 if it does not
	again  bool          // the same request may succeed later
}

func (f *failure) code() fault.Code { return f.fault.Code }

// failed is an error that a server reports with a status of success.
type failed struct{ status int }

func (f *failed) Error() string { return "the server reports an error" }

func notConfigured(message fault.Text) *fault.Error {
	return fault.New(fault.NotConfigured, message)
}

func hintKey() fault.Text {
	return fault.T("ask the person to set the environment variable that spawn.key_env names (else OPENAI_API_KEY) to a key of this server")
}

// unreached returns the failure for a request that got no response. The words are those of
// the web client; what it advises is for pages.
func (c *Client) unreached(err error) *failure {
	e := fault.As(err)
	switch e.Code {
	case fault.Unavailable, fault.Timeout:
	case fault.TooLarge, fault.UnsupportedContent: // a bomb, an unknown compression
		return c.misread(e.Message, false)
	default:
		return &failure{fault: e}
	}
	again := fault.New(e.Code, e.Message).Because(err).
		WithHint(fault.T("check that %s is the address of a model's server that runs (spawn.base_url), or try again later", c.shown()))
	return &failure{fault: again, again: !web.Lasting(err)}
}

// misread returns the failure for a response that is no reply.
func (c *Client) misread(what fault.Text, again bool) *failure {
	return &failure{again: again, fault: fault.New(fault.BadDocument, what).
		WithHint(fault.T("check that %s is the address of a model's server (spawn.base_url) and that spawn.format is what it speaks", c.shown()))}
}

// refused returns the failure for a status, or for an error that the body reports.
func (c *Client) refused(status int, header http.Header, body []byte, asked time.Duration) *failure {
	code, words := readError(body)
	lower := strings.ToLower(code + " " + words)
	f := &failure{status: status, said: lower, asked: asked, again: retries(status, header)}
	var said fault.Text
	if words = oneLine(c.masked(words)); words != "" {
		said = fault.T(": %s", words)
	} else {
		f.said = strings.ToLower(string(body))
	}
	host := c.at.Hostname()
	switch {
	case status != http.StatusTooManyRequests && isTooLong(lower) || status == http.StatusRequestEntityTooLarge:
		f.again = false
		f.fault = fault.New(fault.TooLarge, fault.T("the conversation is too long for the model (HTTP %d)%s", status, said)).
			WithHint(fault.T("give smaller tasks, or ask the person to lower spawn.context"))
	case status == http.StatusPaymentRequired || isUnpaid(lower):
		f.again = false
		f.fault = notConfigured(fault.T("the account at %s has no credit or quota left (HTTP %d)%s", host, status, said)).
			WithHint(fault.T("ask the person to add credit, or to set another key or server (spawn.key_env, spawn.base_url)"))
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		f.again = false
		f.fault = notConfigured(fault.T("%s refuses the key (HTTP %d)%s", host, status, said)).WithHint(hintKey())
		if c.opt.Key == "" {
			f.fault = notConfigured(fault.T("%s wants a key, and none is set (HTTP %d)%s", host, status, said)).WithHint(hintKey())
		}
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusBadRequest && isUnknownModel(lower):
		f.again = false
		f.fault = notConfigured(fault.T("%s knows no model %q at %s (HTTP %d)%s", host, c.opt.Model, c.shown(), status, said)).WithHint(c.hintAddress())
	case status >= 300 && status < 400:
		f.fault = notConfigured(fault.T("%s redirects requests elsewhere (HTTP %d)%s", c.shown(), status, c.target(header))).WithHint(c.hintAddress())
	case status == http.StatusTooManyRequests:
		f.fault = fault.New(fault.RateLimited, fault.T("%s asks for fewer requests (HTTP 429)%s", host, said)).
			WithHint(fault.T("try again later, or ask the person to lower spawn.max_jobs"))
	case f.again:
		f.fault = fault.New(fault.Unavailable, fault.T("%s fails (HTTP %d)%s", host, status, said)).
			WithHint(fault.T("try again later"))
	default:
		f.fault = fault.New(fault.HTTPStatus, fault.T("%s refuses the request (HTTP %d)%s", host, status, said)).
			WithHint(fault.T("tell the person what the server says; spawn.model, spawn.format and spawn.max_output may not fit it"))
	}
	return f
}

// hintAddress returns what to do about a model or a path that a server does not know.
func (c *Client) hintAddress() fault.Text {
	return fault.T("requests go to %s: ask the person to check spawn.model (else OPENAI_MODEL) and spawn.base_url (else OPENAI_BASE_URL), which often ends in /v1", c.shown())
}

// target names where a redirect leads to, without what may be secret.
func (c *Client) target(header http.Header) fault.Text {
	to, err := c.at.Parse(header.Get("Location"))
	if err != nil || header.Get("Location") == "" {
		return fault.Text{}
	}
	shown := (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
	return fault.T(": %s", oneLine(c.masked(shown)))
}

// giveUp returns the fault of the last try.
func (c *Client) giveUp(f *failure, tries int) error {
	e := f.fault
	switch {
	case f.asked > maxAsked:
		e.Message = fault.T("%s; it asks to wait %v", e.Message, f.asked.Round(time.Second))
	case f.again:
		e.Message = fault.T("%s; this was try %d", e.Message, tries)
	}
	return e.WithDetails(Failure{f.status, c.shown(), tries, int(f.asked.Round(time.Second) / time.Second)})
}

// isTooLong reports whether words are about the length of a conversation, as the servers in use
// put it.
func isTooLong(words string) bool {
	return containsAny(words, "context_length_exceeded", "maximum context length", "prompt is too long", "context window", "context size",
		"context length", "exceed_context", "exceed context limit", "input token count", "reduce the length", "request_too_large", "maximum prompt length",
		"too many tokens", "input is too long", "string_above_max_length")
}

// isUnpaid reports whether words are about an account rather than its rate.
func isUnpaid(words string) bool {
	return containsAny(words, "insufficient_quota", "billing", "credit balance", "insufficient balance", "insufficient_balance", "exceeded your current quota, please check your plan")
}

func isUnknownModel(words string) bool {
	return containsAny(words, "model_not_found", "not a valid model", "model does not exist", "unknown model", "invalid model")
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// maxWords limits the bytes shown of a server's own message.
const maxWords = 400

// oneLine returns a foreign text as one line, cut to maxWords, without control characters.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if len(text) > maxWords {
		text = strings.ToValidUTF8(text[:maxWords], "") + "…"
	}
	return text
}

// readError returns the code and the words of an error's body, of whatever server. Both may be
// empty.
func readError(body []byte) (code, words string) {
	text := bytes.TrimSpace(body)
	if !json.Valid(text) {
		if bytes.HasPrefix(text, []byte("<")) {
			return "", "" // a page for people
		}
		return "", string(text[:min(len(text), 4*maxWords)])
	}
	return errorIn(text, 0)
}

// maxNested limits the depth of errors nested in others.
const maxNested = 6

func errorIn(text json.RawMessage, depth int) (code, words string) {
	if depth > maxNested {
		return "", ""
	}
	if s, ok := readString(text); ok {
		if inner := strings.TrimSpace(s); strings.HasPrefix(inner, "{") && json.Valid([]byte(inner)) { // a proxy's error has another's as a text
			return errorIn(json.RawMessage(inner), depth+1)
		}
		return "", s
	}
	if list := readList(text); len(list) > 0 { // Gemini's, and what FastAPI says of arguments
		return errorIn(list[0], depth+1)
	}
	o := readObject(text)
	for _, name := range []string{"error", "message", "detail", "msg", "error_description"} {
		inner := o.get(name)
		if inner == nil {
			continue
		}
		if code, words = errorIn(inner, depth+1); words != "" {
			break
		}
	}
	if place := readList(o.get("loc")); len(place) > 0 {
		words += " " + string(o.get("loc"))
	}
	if raw := readObject(o.get("metadata")).text("raw"); raw != "" { // OpenRouter: what the provider said
		_, inner := errorIn(encode(raw), depth+1)
		words += " (" + inner + ")"
	}
	for _, name := range []string{"code", "type", "status"} {
		if code == "" {
			code = o.text(name)
		}
	}
	return code, words
}
