package web

import (
	"context"
)

// hop asks one server, and again where that may help.
func (x *exchange) hop(ctx context.Context) (*Response, error) {
	r, _, err := x.send(ctx, x.header())
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	b, err := receive(r, x.at.Hostname(), x.request.MaxBytes)
	if err != nil {
		return nil, err
	}
	kind, charset := mediaType(r.Header.Get("Content-Type"))
	return &Response{
		Status: r.StatusCode, Header: r.Header, MIME: kind, Charset: charset,
		Body: b.data, Truncated: b.truncated, Wire: b.wire, Date: x.client.opt.Now(),
	}, nil
}
