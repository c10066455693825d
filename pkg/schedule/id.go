package schedule

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
)

// freeID returns an ID that no job has: see [state.ShortID]. No job that
// was removed has had it, in all likelihood, so that the runs of one are not those of
// another.
func freeID(r store.Reader, name string) (string, error) {
	for range 100 {
		id := state.ShortID(name)
		e, err := r.Get(jobKeys + id)
		if err != nil || e.Revision == 0 {
			return id, err
		}
	}
	return "", fault.New(fault.Conflict, fault.T("no ID is free for a job named %q", name)).
		WithHint(fault.T("pass another name"))
}

// fingerprint returns a hash of what was added, and in which session. The anchor of a
// period is left out: it is the moment of the call.
func (j *Job) fingerprint() (string, error) {
	same := *j
	same.ID, same.CreatedAt, same.UpdatedAt, same.State = "", time.Time{}, time.Time{}, State{}
	same.Enabled, same.Reason, same.Approved, same.Added, same.Lang = true, "", "", "", ""
	same.Timing.Anchor = time.Time{}
	data, err := json.Marshal(same)
	if err != nil {
		return "", err
	}
	return digest(data), nil
}

// digest returns 32 hex digits of the SHA-256 of some bytes.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// equal reports whether two values have the same JSON.
func equal(a, b any) (bool, error) {
	x, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	y, err := json.Marshal(b)
	return bytes.Equal(x, y), err
}
