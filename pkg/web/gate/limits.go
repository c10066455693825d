package gate

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// writeTime limits the time of a client for a piece of an answer.
const writeTime = 2 * time.Minute

// Limits bounds what clients can make a server hold: requests, the bytes of one, and
// connections that do not move.
type Limits struct {
	Next  http.Handler
	Lang  fault.Lang
	Slots chan struct{} // one for each request that is answered
	Body  int64         // bytes of a request
}

func (l *Limits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case l.Slots <- struct{}{}:
		defer func() { <-l.Slots }()
	default:
		Busy(w, l.Lang, fault.T("the server answers %d requests already", cap(l.Slots)))
		return
	}
	p := &paced{ResponseWriter: w, control: http.NewResponseController(w)}
	defer p.extend() // for what is sent after the handler
	if !l.receive(p, r) {
		return
	}
	l.Next.ServeHTTP(p, r)
}

// receive reads the body of a request, and reports whether it could.
func (l *Limits) receive(w *paced, r *http.Request) bool {
	body, err := []byte(nil), error(&http.MaxBytesError{Limit: l.Body})
	if r.ContentLength <= l.Body {
		body, err = io.ReadAll(http.MaxBytesReader(w.ResponseWriter, r.Body, l.Body))
	}
	if err != nil {
		w.Header().Set("Connection", "close") // the rest is not read
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			Refuse(w, l.Lang, http.StatusRequestEntityTooLarge, fault.T("the request has more than %d bytes", l.Body))
			return false
		}
		Refuse(w, l.Lang, http.StatusBadRequest, fault.T("the request could not be read: %v", err))
		return false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	// The request is whole: what follows may take as long as it takes, and what is read from
	// the connection now can only be its end.
	_ = w.control.SetReadDeadline(time.Time{}) // fails only for a connection that has ended
	return true
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
