package web

import (
	"io"
	"net/http"
	"time"
)

// Progress is how far a request has come: nothing but Host is set while that has not
// answered.
type Progress struct {
	Host string // the one that is asked, which may be another than the first
	// Received is how many bytes of the body came, as they are sent; Total is how many
	// there are, 0 if the server does not say.
	Received, Total int64
	// Pause is how long the host is left alone, after a failure, before it is asked again.
	Pause time.Duration
}

// tell says how far the request at hand has come, if somebody listens.
func (x *exchange) tell(p Progress) {
	if x.request.Progress != nil {
		p.Host = x.at.Hostname()
		x.request.Progress(p)
	}
}

// watch has the body of a response say how much of it came, if somebody listens.
func (x *exchange) watch(r *http.Response) {
	if x.request.Progress != nil {
		r.Body = &watched{ReadCloser: r.Body, came: func(n int64) { x.tell(Progress{Received: n, Total: max(r.ContentLength, 0)}) }}
	}
}

// watched says how much was read of it.
type watched struct {
	io.ReadCloser
	n    int64
	came func(n int64)
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 {
		w.n += int64(n)
		w.came(w.n)
	}
	return n, err
}
