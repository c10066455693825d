package desk

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/guard"
	"github.com/helve-dev/helve/pkg/turn/envelope"
	"github.com/helve-dev/helve/pkg/web/gate"
)

// The paths of what needs the token, but for one.
const (
	apiPath    = "/api/"
	ticketPath = apiPath + "ticket"
)

// answer returns the data of an answer, with warnings.
type answer func(r *http.Request) (any, []fault.Text, error)

// handler returns what answers requests: the door, then the limits, then the rest. Answers
// are the documents that commands print.
func (d *Desk) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /", d.assets())
	mux.HandleFunc("GET "+apiPath+"events", d.events)
	for pattern, a := range map[string]answer{
		"POST " + ticketPath:                         d.ticket,
		"GET " + apiPath + "workspaces":              d.workspaces,
		"GET " + apiPath + "approvals":               d.approvals,
		"GET " + apiPath + "approvals/{id}":          d.approval,
		"POST " + apiPath + "approvals/{id}/approve": d.approve,
		"POST " + apiPath + "approvals/{id}/deny":    d.deny,
		"GET " + apiPath + "audit":                   d.audit,
		"GET " + apiPath + "history":                 d.history,
		"GET " + apiPath + "history/{id}":            d.change,
		"POST " + apiPath + "history/{id}/undo":      d.undo,
		"GET " + apiPath + "jobs":                    d.jobs,
		"GET " + apiPath + "jobs/{id}":               d.job,
		"POST " + apiPath + "jobs/{id}/stop":         d.stop,
		"GET " + apiPath + "schedule":                d.schedule,
		"GET " + apiPath + "agents":                  d.agents,
	} {
		mux.Handle(pattern, d.document(a))
	}
	return d.door(&gate.Limits{Next: mux, Lang: d.Lang, Slots: make(chan struct{}, maxRequests), Body: maxBody})
}

// document answers with one document.
func (d *Desk) document(a answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, warnings, err := a(r)
		if err != nil {
			e := fault.As(err)
			d.fail(w, statusOf(e.Code), e)
			return
		}
		text, err := schema.Marshal(data)
		if err != nil {
			d.fail(w, http.StatusInternalServerError, fault.As(err))
			return
		}
		d.send(w, http.StatusOK, envelope.Of(guard.Outcome{JSON: text, Warnings: warnings}, d.Lang))
	})
}

// fail answers with a fault.
func (d *Desk) fail(w http.ResponseWriter, status int, e *fault.Error) {
	d.send(w, status, envelope.Of(guard.Outcome{Err: e}, d.Lang))
}

func (d *Desk) send(w http.ResponseWriter, status int, e envelope.Envelope) {
	text, err := schema.Marshal(e)
	if err != nil {
		http.Error(w, "the answer could not be encoded", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(text) // whoever asked may have gone
}

// statusOf returns the status of HTTP for a code.
func statusOf(c fault.Code) int {
	switch c {
	case fault.NotFound, fault.NoHistory:
		return http.StatusNotFound
	case fault.ApprovalInvalid, fault.ApprovalStale, fault.UndoConflict, fault.Stale, fault.Conflict:
		return http.StatusConflict
	case fault.Locked, fault.Unavailable, fault.Timeout, fault.Canceled, fault.RateLimited:
		return http.StatusServiceUnavailable
	case fault.Internal, fault.IOError:
		return http.StatusInternalServerError
	}
	if c.Exit() == fault.Denied.Exit() {
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// read decodes the body of a request strictly. An empty one is {}.
func read[T any](r *http.Request) (T, error) {
	var v T
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return v, fault.As(err)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return v, nil
	}
	return v, decode(data, &v)
}

// number returns a whole number of the query of a request, within bounds.
func number(r *http.Request, name string, otherwise, low, high int) (int, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fault.New(fault.InvalidArguments, fault.T("%s: want %d to %d, got %q", name, low, high, text))
	}
	return n, nil
}

// ticket exchanges a ticket for the token.
func (d *Desk) ticket(r *http.Request) (any, []fault.Text, error) {
	said, err := read[struct {
		Ticket string `json:"ticket"`
	}](r)
	if err != nil {
		return nil, nil, err
	}
	token, err := d.exchange(said.Ticket)
	return struct {
		Token string `json:"token"`
	}{token}, nil, err
}
