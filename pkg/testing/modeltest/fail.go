package modeltest

import (
	"cmp"
	"io"
	"net/http"
	"strings"
)

// failure returns how a step is to fail this time; nil if it is not.
func (v *Server) failure(key string, step *Step) *Fail {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := v.failed[key]
	for i := range step.Fail {
		times := cmp.Or(step.Fail[i].Times, 1)
		if times < 0 || n < times {
			v.failed[key]++
			return &step.Fail[i]
		}
		n -= times
	}
	return nil
}

// fail fails. It returns true if an answer is to be sent nevertheless.
func (v *Server) fail(w http.ResponseWriter, r *http.Request, f format, q *Request, how *Fail) bool {
	switch how.How {
	case Hang:
		select {
		case <-r.Context().Done():
		case <-v.closed:
		}
		panic(http.ErrAbortHandler)
	case Close:
		panic(http.ErrAbortHandler)
	case Half:
		return true
	case Garbage:
		v.answer(w, q, http.StatusOK, "<html>Welcome to the \x00\xff hotspot", "application/json")
	case Huge:
		v.huge(w, q)
	case Empty:
		v.answer(w, q, http.StatusOK, f.empty(), "application/json")
	case Stream:
		v.answer(w, q, http.StatusOK, f.stream(), "text/event-stream")
	case Error:
		v.answer(w, q, http.StatusOK, string(f.refuse(&refusal{http.StatusBadGateway, how.Code, "", cmp.Or(how.Message, "the provider failed")})), "application/json")
	default:
		for name, value := range how.Header {
			w.Header().Set(name, value)
		}
		body := string(f.refuse(&refusal{how.Status, how.Code, "", cmp.Or(how.Message, "it fails as the script says")}))
		if how.Body != nil {
			body = *how.Body
		}
		v.answer(w, q, how.Status, body, "application/json")
	}
	return false
}

// huge sends a reply that is larger than any reply can be.
func (v *Server) huge(w http.ResponseWriter, q *Request) {
	v.mu.Lock()
	q.Status = http.StatusOK
	v.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	part := strings.Repeat("all work and no play ", 50_000)
	_, _ = io.WriteString(w, `{"choices":[{"message":{"role":"assistant","content":"`)
	for range 64 {
		if _, err := io.WriteString(w, part); err != nil {
			return // the client has had enough
		}
	}
	_, _ = io.WriteString(w, `"}}]}`)
}
