package approval

import (
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestSettled says why a request can no longer be decided or used.
func TestSettled(t *testing.T) {
	for _, c := range []struct {
		request Request
		code    fault.Code
		want    string
	}{
		{Request{ID: "a1", State: Used}, fault.ApprovalInvalid, "has been carried out"},
		{Request{ID: "a1", State: Expired}, fault.ApprovalInvalid, "a1 has expired"},
		{Request{ID: "a1", State: Denied}, fault.ApprovalInvalid, "a1 has been denied"},
		{Request{ID: "a1", State: Approved}, fault.ApprovalInvalid, "a1 has been approved"},
		{Request{ID: "a1", State: Approved, Drifted: []drift{{What: "policy"}}}, fault.ApprovalStale, "the policy has changed"},
		{Request{ID: "a1", State: Used, Drifted: []drift{{What: "policy"}}}, fault.ApprovalInvalid, "has been carried out"},
	} {
		err := c.request.Settled()
		if !fault.Is(err, c.code) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.request, err, c.want)
		}
	}
}
