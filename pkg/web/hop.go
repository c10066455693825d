package web

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// hop returns the response of one server: the stored one while it is fresh or
// after the server has confirmed it, else a new one.
func (x *exchange) hop(ctx context.Context) (*Response, error) {
	s := x.slot()
	old := s.load()
	now := x.client.opt.Now()
	if old != nil && (old.fresh(now) || x.request.Reuse > 0 && now.Sub(old.Checked) <= x.request.Reuse) {
		return x.stored(old, false), nil
	}
	header := x.header()
	if old != nil {
		old.condition(header)
	}
	r, peer, err := x.askAndRetry(ctx, header)
	failed := err != nil || r.Status >= http.StatusInternalServerError
	if failed && ctx.Err() == nil && old != nil && old.outlasts(now) {
		x.warnings = append(x.warnings, fault.T("%s does not respond; this is its response of %s", x.at.Hostname(), old.Checked.UTC().Format(time.RFC3339)))
		return x.stored(old, false), nil
	}
	if err != nil {
		if r == nil || errors.Is(context.Cause(ctx), context.Canceled) {
			return nil, err
		}
		r.breakOff(x.waited(), err)
		return r, nil
	}
	if old != nil && r.Status == http.StatusNotModified {
		old.renew(r.Header, x.client.opt.Now())
		s.save(old)
		return x.stored(old, true), nil
	}
	if e := newEntry(x.page(), r, peer, header, x.client.opt.Now()); e != nil {
		s.save(e)
	} else if old != nil && r.Status < http.StatusInternalServerError {
		s.drop()
	}
	return r, nil
}

// stored makes a response from a stored one.
func (x *exchange) stored(e *entry, revalidated bool) *Response {
	r := &Response{
		Status: e.Status, Header: e.Header.Clone(), Body: e.body, Size: int64(len(e.body)),
		Cached: true, Revalidated: revalidated, Date: e.Checked,
	}
	r.MIME, r.Charset = mediaType(e.Header.Get("Content-Type"))
	if int64(len(r.Body)) > x.request.MaxBytes {
		r.Body, r.Truncated = r.Body[:x.request.MaxBytes:x.request.MaxBytes], true
	}
	return r
}

// ask sends the request to one server once, and reads the response. With a fault of the
// body it also returns the response as far as it came, if that is of use.
func (x *exchange) ask(ctx context.Context, header http.Header) (*Response, netip.Addr, error) {
	x.tell(Progress{})
	r, peer, err := x.send(ctx, header)
	if err != nil {
		return nil, peer, err
	}
	defer r.Body.Close()
	x.watch(r)
	if x.request.Once || x.follows(r.StatusCode, r.Header) { // the body of a redirect is for old browsers
		return &Response{Status: r.StatusCode, Header: r.Header, Date: x.client.opt.Now()}, peer, nil
	}
	kind, charset := mediaType(r.Header.Get("Content-Type"))
	most := x.request.MaxBytes
	if x.goesInto(r) {
		head, n, wire, err := x.pour(r, most)
		if err != nil {
			return nil, peer, err
		}
		return &Response{
			Status: r.StatusCode, Header: r.Header, MIME: kind, Charset: charset, Date: x.client.opt.Now(),
			Body: head, Truncated: int64(len(head)) < n, Wire: wire, Size: n,
		}, peer, nil
	}
	if r.ContentLength > most && !readable(kind) {
		most = sniffed // the beginning of such a file is enough to see its type
	}
	b, err := receive(r, x.at.Hostname(), most)
	if b == nil || err != nil && !x.keeps(kind, b) {
		return nil, peer, err
	}
	answer := &Response{
		Status: r.StatusCode, Header: r.Header, MIME: kind, Charset: charset, Date: x.client.opt.Now(),
		Body: b.data, Truncated: b.truncated, Wire: b.wire, Size: int64(len(b.data)),
	}
	if b.truncated {
		answer.Size = -1
		if r.ContentLength > 0 && r.Header.Get("Content-Encoding") == "" {
			answer.Size = r.ContentLength
		}
	}
	answer.limitToRange()
	x.unsay(answer)
	return answer, peer, err
}

// sniffed is the number of bytes read of a file that is too large and not text.
const sniffed = 4 << 10
