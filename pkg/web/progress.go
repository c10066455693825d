package web

import (
	"io"
	"net/http"
	"time"
)

// Progress is the progress of a request: only Host is set until the host has answered.
type Progress struct {
	Host string // the host at present, which may differ from the first
	// Received counts the bytes of the body that came, as they are sent; Total is the
	// number of all, 0 if the server does not say.
	Received, Total int64
	// Pause is the wait after a failure, before the host is asked again.
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
