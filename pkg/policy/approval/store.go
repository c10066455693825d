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
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
)

const (
	// Lifetime is how long a person has to decide, and the decision to be used.
	Lifetime = 10 * time.Minute
	// remembered is how long a request is kept after that.
	remembered = 24 * time.Hour
	// maxWaiting is how many requests of a workspace may wait at once.
	maxWaiting = 100
	// maxRequest is the largest request, in bytes, with its arguments and preview.
	maxRequest = 8 << 20
)

const (
	recordDir = "approvals"
	keyFile   = "approvals.key"
	// lockKey is held across every change of a record, so that each is read and
	// written by one process at a time. No path holds a NUL.
	lockKey = "\x00approvals"
)

// Store is the requests of one workspace, in files of its state directory that
// nobody else can read.
//
// Each file carries an HMAC under a key beside it. That is worth this much: what
// can write in the directory but not read the key, such as a restored backup, a
// tool with a hole or a half-confined process, cannot forge a decision. It is
// worth nothing against a process that runs as the same user with all files open
// to it: that one reads the key. Keeping the directory out of sight is the
// sandbox's part.
type Store struct{ dir *state.Dir }

// NewStore gives the requests kept in a state directory. Time is by its clock.
func NewStore(d *state.Dir) *Store { return &Store{d} }

// stored is a record as it lies in its file.
type stored struct {
	Request json.RawMessage `json:"request"`
	MAC     string          `json:"mac"`
}

// New stores a call that needs a person. The very same call of the same session
// that already waits, or is approved and not yet used, is not stored again: its
// request is given back.
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
		return nil, fault.New(fault.RateLimited, fault.T("%d calls wait for a person already", "已有 %d 个调用等待用户决定", waiting)).
			WithHint(fault.T("wait until they are decided or expire", "请等待它们被决定或过期"))
	}
	now := s.dir.Now().UTC()
	r = &Request{ID: rand.Text(), Call: c, Digest: sum, Created: now, Expires: now.Add(Lifetime), State: Pending}
	return r, s.put(r)
}

// Get finds a request by its id, in lower case too. The error is approval_invalid
// for one that is unknown, or was changed by something without the key.
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
		return nil, fault.New(fault.ApprovalInvalid, fault.T("the request %s was tampered with, or is damaged", "请求 %s 被篡改或已损坏", id)).
			WithHint(fault.T("make the call again to ask anew", "请重新发起调用以再次请求"))
	}
	now := r.at(s.dir.Now())
	return &now, nil
}

// List gives all requests that are remembered, the oldest first. What is damaged
// is left out.
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

// sweep removes what nobody asks about any more and lists the rest.
func (s *Store) sweep() ([]Request, error) {
	requests, err := s.List()
	if err != nil {
		return nil, err
	}
	dead := s.dir.Now().Add(-remembered)
	var kept []Request
	for _, r := range requests {
		if r.Expires.Before(dead) {
			if err := s.dir.Remove(recordDir + "/" + r.ID + ".json"); err != nil {
				return nil, err
			}
			continue
		}
		kept = append(kept, r)
	}
	return kept, nil
}

// put writes a record; the caller holds the lock.
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
		return fault.New(fault.TooLarge, fault.T("the request has %d bytes; at most %d can be asked about", "请求有 %d 字节，最多可请求 %d 字节", len(data), maxRequest)).
			WithHint(fault.T("make the change in smaller parts", "请将改动拆分为更小的部分"))
	}
	return s.dir.WriteFile(recordDir+"/"+r.ID+".json", data)
}

// key gives the key of the HMAC, and makes it at first use. Only a holder of the
// lock may make one.
func (s *Store) key(create bool) ([]byte, error) {
	key, err := s.dir.ReadFile(keyFile)
	if err == nil && len(key) == sha256.Size {
		return key, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !create {
		return nil, nil // opens nothing
	}
	key = make([]byte, sha256.Size)
	rand.Read(key) // which never fails
	return key, s.dir.WriteFile(keyFile, key)
}

func seal(r *Request, key []byte) ([]byte, error) {
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

// open reads a record and holds it to its HMAC and to its own digest.
func open(data, key []byte, id string) (*Request, bool) {
	var file stored
	if len(key) != sha256.Size || json.Unmarshal(data, &file) != nil || !hmac.Equal([]byte(mac(file.Request, key)), []byte(file.MAC)) {
		return nil, false
	}
	var r Request
	if json.Unmarshal(file.Request, &r) != nil || r.ID != id {
		return nil, false
	}
	sum, err := digest(r.Call)
	switch r.State {
	case Pending, Approved, Denied, Used:
		return &r, err == nil && sum == r.Digest
	}
	return nil, false
}

func mac(request, key []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write(request)
	return hex.EncodeToString(h.Sum(nil))
}

func isID(id string) bool {
	return len(id) == len(rand.Text()) && strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

func unknown(id string) error {
	return fault.New(fault.ApprovalInvalid, fault.T("there is no request %q", "没有请求 %q", id)).
		WithHint(fault.T("helve approvals list shows what waits", "helve approvals list 会列出等待中的请求"))
}
