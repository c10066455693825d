package server

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// limits bounds what clients can make the server hold: requests, the bytes of one, and
// connections that do not move.
type limits struct {
	next  http.Handler
	lang  fault.Lang
	slots chan struct{} // one for each request that is answered
	body  int64         // bytes of a request
}

func (l *limits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	default:
		busy(w, l.lang, fault.T("the server answers %d requests already", "服务器已在处理 %d 个请求", cap(l.slots)))
		return
	}
	p := &paced{ResponseWriter: w, control: http.NewResponseController(w)}
	defer p.extend() // for what is sent after the handler
	if !l.receive(p, r) {
		return
	}
	l.next.ServeHTTP(p, r)
}

// receive reads the body of a request, and reports whether it could.
func (l *limits) receive(w *paced, r *http.Request) bool {
	body, err := []byte(nil), error(&http.MaxBytesError{Limit: l.body})
	if r.ContentLength <= l.body {
		body, err = io.ReadAll(http.MaxBytesReader(w.ResponseWriter, r.Body, l.body))
	}
	if err != nil {
		w.Header().Set("Connection", "close") // the rest is not read
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			refuse(w, l.lang, http.StatusRequestEntityTooLarge, fault.T("the request has more than %d bytes", "请求超过 %d 字节", l.body))
			return false
		}
		refuse(w, l.lang, http.StatusBadRequest, fault.T("the request could not be read: %v", "无法读取请求：%v", err))
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	// The request is whole: what follows may take as long as it takes, and what is read from
	// the connection now can only be its end.
	_ = w.control.SetReadDeadline(time.Time{}) // fails only for a connection that has ended
	return true
}

// busy asks a client to come back.
func busy(w http.ResponseWriter, lang fault.Lang, why fault.Text) {
	w.Header().Set("Retry-After", "1")
	refuse(w, lang, http.StatusServiceUnavailable, why)
}

// paced is an answer of which each piece must be taken within some time.
type paced struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Unwrap returns the writer, for [http.ResponseController].
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *paced) Write(b []byte) (int, error) {
	p.extend()
	return p.ResponseWriter.Write(b)
}

// Flush sends what was written.
func (p *paced) Flush() {
	p.extend()
	_ = p.control.Flush() // the next write fails
}

func (p *paced) extend() {
	_ = p.control.SetWriteDeadline(time.Now().Add(writeTime)) // fails only for a connection that has ended
}
