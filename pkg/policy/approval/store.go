package approval

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

const (
	// Lifetime limits the time for a decision, and for its use.
	Lifetime = 10 * time.Minute
	// remembered is the time that a request is kept after that.
	remembered = 24 * time.Hour
	// maxWaiting limits the waiting requests of a workspace.
	maxWaiting = 100
	// maxRequest is the largest request, in bytes, with its arguments and preview.
	maxRequest = 8 << 20
)

const (
	recordDir = "approvals"
	keyFile   = "approvals.key"
	// lockKey names the lock that is held while a request is read and written back.
	// No path has a NUL.
	lockKey = "\x00approvals"
)

// Store holds the requests of one workspace, in files of its state directory that
// no other user can read. See the package comment for what protects them.
type Store struct {
	dir *state.Dir

	mu      sync.Mutex
	running map[string]func() error // what lets go of the requests that are being carried out, by id
}

// NewStore returns the store in a state directory. It uses the directory's clock.
func NewStore(d *state.Dir) *Store { return &Store{dir: d} }

// stored is a request as it is written to its file.
type stored struct {
	Request json.RawMessage `json:"request"`
	MAC     string          `json:"mac"`
}

// New stores a call that needs a person. If the same call of the same session is
// already pending, or approved and not used, New returns that request.
func (s *Store) New(ctx context.Context, c Call) (r *Request, err error) {
	if c.Args, err = Canonical(c.Args); err != nil {
		return nil, err
	}
	sum, err := digest(c)
	if err != nil {
		return nil, err
	}
	unlock, err := s.dir.Lock(ctx, lockKey)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	requests, err := s.sweep()
	if err != nil {
		return nil, err
	}
	waiting := 0
	for i := range requests {
		if old := &requests[i]; old.State == Pending || old.State == Approved {
			if old.Digest == sum && old.Session == c.Session {
				return old, nil
			}
			waiting++
		}
	}
	if waiting >= maxWaiting {
		return nil, tooMany(waiting)
	}
	now := s.dir.Now().UTC()
	r = &Request{ID: rand.Text(), Call: c, Digest: sum, Created: now, Expires: now.Add(Lifetime), State: Pending}
	return r, s.put(r)
}

// Get returns the request with an id, in any case. The error is approval_invalid if
// there is none, or if something without the key has changed it.
func (s *Store) Get(id string) (*Request, error) {
	id = strings.ToUpper(strings.TrimSpace(id))
	if !isID(id) {
		return nil, unknown(id)
	}
	data, err := s.dir.ReadFile(recordDir + "/" + id + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, unknown(id)
	}
	if err != nil {
		return nil, err
	}
	key, err := s.key(false)
	if err != nil {
		return nil, err
	}
	r, ok := open(data, key, id)
	if !ok {
		return nil, damaged(id)
	}
	now := r.at(s.dir.Now())
	return &now, nil
}

// List returns all requests that are kept, the oldest first, without damaged ones.
func (s *Store) List() ([]Request, error) {
	names, err := s.dir.List(recordDir)
	if err != nil {
		return nil, err
	}
	var requests []Request
	for _, name := range names {
		id, ok := strings.CutSuffix(name, ".json")
		if !ok || !isID(id) {
			continue
		}
		r, err := s.Get(id)
		if fault.Is(err, fault.ApprovalInvalid) {
			continue
		}
		if err != nil {
			return nil, err
		}
		requests = append(requests, *r)
	}
	slices.SortFunc(requests, func(a, b Request) int {
		if c := a.Created.Compare(b.Created); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return requests, nil
}

// sweep removes requests that expired long ago, and returns the rest.
func (s *Store) sweep() ([]Request, error) {
	requests, err := s.List()
	if err != nil {
		return nil, err
	}
	dead := s.dir.Now().Add(-remembered)
	var kept []Request
	for _, r := range requests {
		if r.Expires.Before(dead) {
			for _, file := range []string{outcomeFile(r.ID), recordDir + "/" + r.ID + ".json"} {
				if err := s.dir.Remove(file); err != nil {
					return nil, err
				}
			}
			continue
		}
		kept = append(kept, r)
	}
	return kept, nil
}

// put writes a request. The caller holds the lock.
func (s *Store) put(r *Request) error {
	key, err := s.key(true)
	if err != nil {
		return err
	}
	data, err := seal(r, key)
	if err != nil {
		return err
	}
	if len(data) > maxRequest {
		return tooLarge(len(data))
	}
	return s.dir.WriteFile(recordDir+"/"+r.ID+".json", data)
}

// key returns the key of the HMAC. With create, for which the caller holds the
// lock, it makes one where there is none.
func (s *Store) key(create bool) ([]byte, error) {
	key, err := s.dir.ReadFile(keyFile)
	if err == nil && len(key) == sha256.Size {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !create {
		return nil, nil // no request can be opened without a key
	}
	key = make([]byte, sha256.Size)
	rand.Read(key) // never fails
	return key, s.dir.WriteFile(keyFile, key)
}

// seal returns the file of a request or an outcome.
func seal(r any, key []byte) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	request := bytes.TrimSpace(b.Bytes())
	var out bytes.Buffer
	enc = json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(stored{request, mac(request, key)})
	return out.Bytes(), err
}

// open reads a request from its file; ok is false if its HMAC, its id or its digest
// is wrong.
func open(data, key []byte, id string) (r *Request, ok bool) {
	text, ok := unseal(data, key)
	r = &Request{}
	if !ok || json.Unmarshal(text, r) != nil || r.ID != id {
		return nil, false
	}
	sum, err := digest(r.Call)
	switch r.State {
	case Pending, Approved, Denied, Used, Expired:
		return r, err == nil && sum == r.Digest
	}
	return nil, false
}

// unseal returns what [seal] was given, as JSON; ok is false if its HMAC is wrong.
func unseal(data, key []byte) (text []byte, ok bool) {
	var file stored
	if len(key) != sha256.Size || json.Unmarshal(data, &file) != nil || !hmac.Equal([]byte(mac(file.Request, key)), []byte(file.MAC)) {
		return nil, false
	}
	return file.Request, true
}

func mac(request, key []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write(request)
	return hex.EncodeToString(h.Sum(nil))
}

func isID(id string) bool {
	return len(id) == len(rand.Text()) && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}
