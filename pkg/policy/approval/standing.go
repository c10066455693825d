package approval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

const standingDir = "standing"

// Standing is an approval for a call that is made again and again while nobody is
// there, such as that of a job of the schedule. It holds for the same call from the
// same directory with the same programs, and until somebody revokes it; the policy may
// change meanwhile, as whoever asks has the policy's own word first.
type Standing struct {
	For     string    `json:"for"`              // what makes the call, such as "cron:backup"
	Digest  string    `json:"digest"`           // of the call, without the policy
	Request string    `json:"request,omitzero"` // id of the request that a person decided about
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// Stand records that a call of whatever is named owner is approved, by a person who
// decided about the request with the given id. An earlier approval of that owner holds
// no more.
func (s *Store) Stand(ctx context.Context, owner string, c Call, request, by string) (err error) {
	sum, err := standingDigest(c)
	if err != nil {
		return err
	}
	unlock, err := s.dir.Lock(ctx, lockKey)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	key, err := s.key(true)
	if err != nil {
		return err
	}
	data, err := seal(Standing{For: owner, Digest: sum, Request: request, By: by, At: s.dir.Now().UTC()}, key)
	if err != nil {
		return err
	}
	return s.dir.WriteFile(standingFile(owner), data)
}

// Standing returns the approval that an owner has, whatever call it is for; nil if it
// has none, or one that is not sealed by us.
func (s *Store) Standing(owner string) (*Standing, error) {
	data, err := s.dir.ReadFile(standingFile(owner))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	key, err := s.key(false)
	if err != nil {
		return nil, err
	}
	a := &Standing{}
	if text, ok := unseal(data, key); !ok || json.Unmarshal(text, a) != nil || a.For != owner {
		return nil, nil //nolint:nilerr // what was not written by helve is no approval
	}
	return a, nil
}

// Stands returns the approval of an owner if it covers a call; nil if it has none. The
// fault for one that covers another call is approval_stale.
func (s *Store) Stands(owner string, c Call) (*Standing, error) {
	a, err := s.Standing(owner)
	if a == nil || err != nil {
		return nil, err
	}
	sum, err := standingDigest(c)
	if err != nil {
		return nil, err
	}
	if a.Digest != sum {
		return nil, fault.New(fault.ApprovalStale, fault.T("what a person approved for %s is not what it would do now", owner)).
			WithHint(fault.T("the action, its directory, its times, or a program or script that it runs has changed: a person must approve it again"))
	}
	return a, nil
}

// Revoke removes the approval of an owner. One that there is not is no error.
func (s *Store) Revoke(owner string) error {
	err := s.dir.Remove(standingFile(owner))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func standingDigest(c Call) (string, error) {
	args, err := Canonical(c.Args)
	if err != nil {
		return "", err
	}
	c.Args, c.Binding.Policy = args, ""
	return digest(c)
}

func standingFile(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return standingDir + "/" + hex.EncodeToString(sum[:16]) + ".json"
}
