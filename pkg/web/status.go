package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Failure are the details of a fault for a status.
type Failure struct {
	Status     int    `json:"status"`
	URL        string `json:"url"`
	RetryAfter int    `json:"retry_after,omitzero"` // seconds that the server asks to wait
}

// Err returns the fault for a status that is not a success: rate_limited for 429,
// else http_status. It returns nil for 200 to 299.
func (r *Response) Err() error {
	if r.Status >= 200 && r.Status < 300 {
		return nil
	}
	details := Failure{Status: r.Status, URL: r.FinalURL.String()}
	if after, ok := retryAfter(r.Header, r.Date); ok {
		details.RetryAfter = int(after.Round(time.Second) / time.Second)
	}
	if r.Status == http.StatusTooManyRequests {
		e := fault.New(fault.RateLimited, fault.T("the server asks for fewer requests (HTTP 429 from %s)", Shown(r.FinalURL.URL()))).WithDetails(details)
		if details.RetryAfter > 0 {
			return e.WithHint(fault.T("call again in %d seconds", details.RetryAfter))
		}
		return e.WithHint(fault.T("call again in a minute"))
	}
	hint := statusHint(r.Status)
	if r.Status < 400 && r.Header.Get("Location") == "" {
		hint = fault.T("the server names no address to redirect to; use another source")
	}
	said := strings.TrimSpace(strconv.Itoa(r.Status) + " " + http.StatusText(r.Status))
	return fault.New(fault.HTTPStatus, fault.T("HTTP %s from %s", said, Shown(r.FinalURL.URL()))).
		WithHint(hint).WithDetails(details)
}

// RetryAfter returns how long the server asks to wait; false if it does not ask.
func (r *Response) RetryAfter() (time.Duration, bool) { return retryAfter(r.Header, r.Date) }

// statusHint returns what to do about a status.
func statusHint(status int) fault.Text {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return fault.T("the page is not public; use another source")
	case status == http.StatusNotFound, status == http.StatusGone:
		return fault.T("the page does not exist; check the address, or find it with websearch")
	case status >= 500:
		return fault.T("the server has a problem; try again later, or use another source")
	case status >= 300 && status < 400:
		return fault.T("the redirect was not followed; fetch its target")
	}
	return fault.T("correct the address, or use another source")
}

// retryAfter reads the header Retry-After, which is a number of seconds or a date (RFC
// 9110, 10.2.3). The time is neither negative nor longer than longestAsked.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if n, err := strconv.Atoi(value); err == nil || errors.Is(err, strconv.ErrRange) { // n is then the nearest number
		return time.Duration(min(max(n, 0), int(longestAsked/time.Second))) * time.Second, true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(0, at.Sub(now)), longestAsked), true
}

// longestAsked is the longest time that a server can ask to wait for: a year.
const longestAsked = 365 * 24 * time.Hour
