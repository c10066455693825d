package schedule

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state/store"
)

// idDigits are those of a job's ID: letters and digits that are not taken for others.
const idDigits = "23456789abcdefghjkmnpqrstvwxyz"

// freeID returns an ID that no job has: of the name and four random digits. No job that
// was removed has had it, in all likelihood, so that the runs of one are not those of
// another.
func freeID(r store.Reader, name string) (string, error) {
	slug := slugOf(name)
	for range 100 {
		var random [4]byte
		_, _ = rand.Read(random[:]) // never fails
		for i, b := range random {
			random[i] = idDigits[int(b)%len(idDigits)]
		}
		id := slug + string(random[:])
		e, err := r.Get(jobKeys + id)
		if err != nil || e.Revision == 0 {
			return id, err
		}
	}
	return "", fault.New(fault.Conflict, fault.T("no ID is free for a job named %q", "没有可用于任务 %q 的 ID", name)).
		WithHint(fault.T("pass another name", "请换一个名称"))
}

// slugOf returns what an ID begins with: up to 20 letters and digits of a name and a
// dash, or "job-".
func slugOf(name string) string {
	var slug strings.Builder
	for _, c := range strings.ToLower(name) {
		if slug.Len() == 20 {
			break
		}
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			slug.WriteRune(c)
		case slug.Len() > 0 && !strings.HasSuffix(slug.String(), "-"):
			slug.WriteByte('-')
		}
	}
	s := strings.Trim(slug.String(), "-")
	if s == "" {
		s = "job"
	}
	return s + "-"
}

// fingerprint returns a hash of what was added, and in which session. The anchor of a
// period is left out: it is the moment of the call.
func (j *Job) fingerprint() (string, error) {
	same := *j
	same.ID, same.CreatedAt, same.UpdatedAt, same.State = "", time.Time{}, time.Time{}, State{}
	same.Enabled, same.Reason, same.Approved, same.Added = true, "", "", ""
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
