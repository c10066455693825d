package web

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// keeps reports whether the beginning of a body is returned although the rest did not come:
// the caller wants it, and it is text.
func (x *exchange) keeps(kind string, b *body) bool {
	if !x.request.Partial || x.request.direct() || len(bytes.TrimSpace(b.data)) == 0 {
		return false
	}
	if kind == "application/octet-stream" { // what servers say that do not know
		return bytes.IndexByte(b.data, 0) < 0
	}
	return readable(kind)
}

// breakOff marks a body that ended early with err, after so long, and says what came of it.
func (r *Response) breakOff(waited time.Duration, err error) {
	r.Broken, r.Truncated = true, true
	came := fault.T("%d bytes", r.Wire)
	if whole, bad := strconv.ParseInt(r.Header.Get("Content-Length"), 10, 64); bad == nil && whole >= r.Wire {
		came = fault.T("%d of %d bytes", r.Wire, whole)
		if r.Header.Get("Content-Encoding") == "" {
			r.Size = whole
		}
	}
	switch known, _ := errors.AsType[*fault.Error](err); {
	case known != nil:
		r.warn(fault.T("the body is damaged after %s: what was readable is below, the rest is missing; fetch it again for the rest, or use another source", came))
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errSlow) || isTimeout(err):
		r.warn(fault.T("only %s came within %s: the rest is missing; fetch it again with a longer timeout", came, seconds(waited)))
	default:
		r.warn(fault.T("the server closed the connection after %s: the rest is missing; fetch it again for the rest, or use another source", came))
	}
}

// limitToRange marks a response that is only a part of what is at the address, although the
// whole was asked for (RFC 9110, 15.3.7).
func (r *Response) limitToRange() {
	if r.Status != http.StatusPartialContent {
		return
	}
	given := r.Header.Get("Content-Range")
	first, size := byteRange(given)
	if first == 0 && size == r.Size && !r.Truncated {
		return // all of it
	}
	r.Broken, r.Truncated, r.Size = true, true, size
	if given == "" {
		given = "?"
	}
	r.warn(fault.T("the server sent only a part of the page (HTTP 206, %s): the rest is missing; use another address or source for it", Shorten(OneLine(given), 80)))
}

// byteRange reads a Content-Range such as "bytes 0-99/1000". What it does not say is -1.
func byteRange(value string) (first, size int64) {
	first, size = -1, -1
	unit, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	if !strings.EqualFold(unit, "bytes") {
		return first, size
	}
	span, whole, _ := strings.Cut(rest, "/")
	start, _, _ := strings.Cut(span, "-")
	if n, err := strconv.ParseInt(strings.TrimSpace(start), 10, 64); err == nil && n >= 0 {
		first = n
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(whole), 10, 64); err == nil && n >= 0 {
		size = n
	}
	return first, size
}

func (r *Response) warn(text fault.Text) { r.Warnings = append(r.Warnings, text) }
