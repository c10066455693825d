package web

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// hop is the answer of one server: the stored one while it is fresh, the stored
// one again when the server says that it still holds, or a new one.
func (x *exchange) hop(ctx context.Context) (*Response, error) {
	s := x.shelf()
	old := s.load()
	now := x.client.opt.Now()
	if old != nil && (old.fresh(now) || x.request.Reuse > 0 && now.Sub(old.Checked) <= x.request.Reuse) {
		return x.stored(old, false), nil
	}
	header := x.header()
	if old != nil {
		old.condition(header)
	}
	r, peer, err := x.insist(ctx, header)
	failed := err != nil || r.Status >= http.StatusInternalServerError
	if failed && ctx.Err() == nil && old != nil && old.outlasts(now) {
		x.warnings = append(x.warnings, fault.T("%s does not answer now; this is what it said at %s", "%s 目前没有应答；以下是其在 %s 的内容", x.at.Hostname(), old.Checked.UTC().Format(time.RFC3339)))
		return x.stored(old, false), nil
	}
	if err != nil {
		return nil, err
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

// stored is a response made of what was kept of it.
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

// ask is one try at a server.
func (x *exchange) ask(ctx context.Context, header http.Header) (*Response, netip.Addr, error) {
	r, peer, err := x.send(ctx, header)
	if err != nil {
		return nil, peer, err
	}
	defer r.Body.Close()
	if x.follows(r.StatusCode, r.Header) { // what it says beside that is for browsers of old
		return &Response{Status: r.StatusCode, Header: r.Header, Date: x.client.opt.Now()}, peer, nil
	}
	kind, charset := mediaType(r.Header.Get("Content-Type"))
	most := x.request.MaxBytes
	if r.ContentLength > most && !readable(kind) {
		most = sniffed // a part of it is of no use, but to tell what it is
	}
	b, err := receive(r, x.at.Hostname(), most)
	if err != nil {
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
	return answer, peer, nil
}

// sniffed is how much of a large file of no known use is read.
const sniffed = 4 << 10
