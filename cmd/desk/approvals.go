package desk

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/helve-dev/helve/cmd/overview"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/turn/envelope"
)

// soon limits the time that a response waits for the end of a call that was allowed, so
// that most pages show its result at once.
const soon = time.Second

// shownApproval is a request as the page shows it.
type shownApproval struct {
	overview.Approval
	// Failure is why a call that the person allowed here was not made.
	Failure *envelope.Failure `json:"failure,omitempty"`
}

func decode(data []byte, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return fault.New(fault.InvalidArguments, fault.T("the request is not the JSON that was expected: %v", err)).Because(err)
	}
	return nil
}

// show returns a request as the page shows it.
func (d *Desk) show(p *place, r *approval.Request) (shownApproval, error) {
	shown, _, err := overview.ApprovalOf(p.requests, r, d.Lang)
	p.mu.Lock()
	defer p.mu.Unlock()
	s := shownApproval{Approval: shown}
	if r.State != approval.Used {
		s.Failure = p.failed[r.ID]
	}
	return s, err
}

// approvals lists the requests, the newest first.
func (d *Desk) approvals(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	requests, err := p.requests.List()
	if err != nil {
		return nil, nil, err
	}
	shown := make([]shownApproval, len(requests))
	for i := range requests {
		if shown[i], err = d.show(p, &requests[i]); err != nil {
			return nil, nil, err
		}
	}
	slices.Reverse(shown)
	return struct {
		Approvals []shownApproval `json:"approvals"`
		Now       time.Time       `json:"now"` // for a page whose clock differs
	}{shown, d.Now().UTC()}, nil, nil
}

func (d *Desk) approval(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	request, err := p.requests.Get(r.PathValue("id"))
	if err != nil {
		return nil, nil, err
	}
	shown, err := d.show(p, request)
	return shown, nil, err
}

// approve allows a request and makes its call, as helve approve does.
func (d *Desk) approve(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	said, err := read[struct {
		Scope approval.Scope `json:"scope"`
	}](r)
	if err != nil {
		return nil, nil, err
	}
	request, err := p.Allow(r.Context(), p.requests, r.PathValue("id"), said.Scope)
	if err != nil {
		return nil, nil, err
	}
	done := make(chan struct{})
	d.running.Go(func() { // which goes on when the page is closed
		defer close(done)
		d.carryOut(p, request)
	})
	wait := time.NewTimer(soon)
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	}
	if request, err = p.requests.Get(request.ID); err != nil {
		return nil, nil, err
	}
	shown, err := d.show(p, request)
	return shown, nil, err
}

// carryOut makes the call of a request. What it came to is kept with the request; why it
// was not made, here.
func (d *Desk) carryOut(p *place, r *approval.Request) {
	_, o, err := p.CarryOut(d.ending, r)
	if err == nil {
		if o.Err == nil {
			return
		}
		err = o.Err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed[r.ID] = envelope.FailureOf(fault.As(err), d.Lang)
}

// deny forbids a request, as helve deny does.
func (d *Desk) deny(r *http.Request) (any, []fault.Text, error) {
	p, err := d.at(r)
	if err != nil {
		return nil, nil, err
	}
	said, err := read[struct {
		Reason string `json:"reason"`
	}](r)
	if err != nil {
		return nil, nil, err
	}
	request, err := p.Deny(r.Context(), p.requests, r.PathValue("id"), said.Reason)
	if err != nil {
		return nil, nil, err
	}
	shown, err := d.show(p, request)
	return shown, nil, err
}
