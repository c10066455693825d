package approval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"time"
)

// grantLifetime limits the duration of an approval for a session.
const grantLifetime = 12 * time.Hour

const grantDir = "grants"

// Grant is an approval for a session: the same call, bound to the same directory,
// policy, programs and files, runs in it without a question.
type Grant struct {
	Request string    `json:"request"` // id of the request that a person decided about
	Session string    `json:"session"`
	Digest  string    `json:"digest"` // of the request
	By      string    `json:"by"`
	Expires time.Time `json:"expires"`
}

// ApproveSession is [Store.Approve] for every such call of the session of the request.
func (s *Store) ApproveSession(ctx context.Context, id, by string) (*Request, error) {
	return s.change(ctx, id, func(r *Request) error {
		if r.State != Pending {
			return r.Settled()
		}
		if err := s.sweepGrants(); err != nil {
			return err
		}
		now := s.dir.Now().UTC()
		key, err := s.key(true)
		if err != nil {
			return err
		}
		data, err := seal(Grant{Request: r.ID, Session: r.Session, Digest: r.Digest, By: by, Expires: now.Add(grantLifetime)}, key)
		if err != nil {
			return err
		}
		r.State, r.DecidedBy, r.DecidedAt = Approved, by, now
		return s.dir.WriteFile(grantFile(r.Session, r.Digest), data)
	})
}

// Granted returns the approval for the session that a call falls under; nil for none.
func (s *Store) Granted(c Call) (*Grant, error) {
	args, err := Canonical(c.Args)
	if err != nil {
		return nil, err
	}
	c.Args = args
	sum, err := digest(c)
	if err != nil {
		return nil, err
	}
	g, err := s.grant(grantFile(c.Session, sum))
	if g == nil || g.Session != c.Session || g.Digest != sum {
		return nil, err
	}
	return g, nil
}

// grant reads a grant; nil for one that is not there, expired, or not sealed by us.
func (s *Store) grant(name string) (*Grant, error) {
	data, err := s.dir.ReadFile(name)
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
	return openGrant(data, key, s.dir.Now()), nil
}

// openGrant reads the file of a grant; nil if it does not count.
func openGrant(data, key []byte, now time.Time) *Grant {
	g := &Grant{}
	if text, ok := unseal(data, key); !ok || json.Unmarshal(text, g) != nil || !now.Before(g.Expires) || g.Expires.Sub(now) > grantLifetime {
		return nil
	}
	return g
}

// sweepGrants removes the grants that count no more. The caller holds the lock.
func (s *Store) sweepGrants() error {
	names, err := s.dir.List(grantDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		name = grantDir + "/" + name
		if g, err := s.grant(name); err != nil {
			return err
		} else if g == nil && strings.HasSuffix(name, ".json") {
			if err := s.dir.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// grantFile is the file of the grant for a call of a session.
func grantFile(session, digest string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + digest))
	return grantDir + "/" + hex.EncodeToString(sum[:16]) + ".json"
}
