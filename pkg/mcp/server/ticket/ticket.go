// Package ticket seals what a client carries for the server between two rounds of a call:
// the requestState of the Model Context Protocol. A client can read it, but neither make
// nor change one. It is no proof that a person decided anything: only their answer, which
// comes with it, is.
//
// https://modelcontextprotocol.io/specification/2026-07-28
package ticket

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
)

const (
	keyFile = "mcp.key"
	// lockKey names the lock that is held while the key is made. No path has a NUL.
	lockKey = "\x00mcp.key"
	// purpose keeps the HMAC of a ticket from being that of anything else.
	purpose = "helve requestState 1\x00"
	// longest is the longest sealed ticket, in bytes.
	longest = 1 << 20
)

// Ticket holds the state that the server needs to continue a call.
type Ticket struct {
	For     Call      `json:"for"`
	Expires time.Time `json:"expires"`
	// Asked is the time at which the client was asked.
	Asked time.Time `json:"asked,omitzero"`
	// Approval is the id of the request that the person is asked to decide; "" is none.
	Approval string `json:"approval,omitzero"`
	// State is the tool's own state, carried by the client.
	State string `json:"state,omitzero"`
	// Answers are the answers to the tool's questions of an earlier round, while the
	// person decides about the next: an object, or nil.
	Answers json.RawMessage `json:"answers,omitempty"`
}

// Call is the call that a ticket is for.
type Call struct {
	Tool   string `json:"tool"`
	Args   string `json:"args"`   // SHA-256 of the canonical arguments, 64 hex digits
	Caller string `json:"caller"` // the server's id of the caller
}

// CallOf returns the call of a tool with arguments, which are JSON.
func CallOf(tool string, args []byte, caller string) (Call, error) {
	text, err := approval.Canonical(args)
	if err != nil {
		return Call{}, err
	}
	sum := sha256.Sum256(text)
	return Call{tool, hex.EncodeToString(sum[:]), caller}, nil
}

// Key seals and opens tickets.
type Key []byte

// KeyOf returns the key in a state directory, which only its owner can read. It makes one
// where there is none.
func KeyOf(ctx context.Context, d *state.Dir) (key Key, err error) {
	unlock, err := d.Lock(ctx, lockKey)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	key, err = d.ReadFile(keyFile)
	if err == nil && len(key) == sha256.Size || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	key = make([]byte, sha256.Size)
	rand.Read(key) // never fails
	return key, d.WriteFile(keyFile, key)
}

// Seal returns a ticket as the client carries it.
func (k Key) Seal(t Ticket) (string, error) {
	text, err := schema.Marshal(t)
	if err != nil {
		return "", err
	}
	sealed := encode(text) + "." + encode(k.mac(text))
	if len(sealed) > longest {
		return "", fault.New(fault.TooLarge, fault.T("what the client would have to carry has %d bytes; the limit is %d", len(sealed), longest)).
			WithHint(fault.T("ask for less in one call"))
	}
	return sealed, nil
}

// Open returns the ticket that a client brought for a call. The fault is
// invalid_arguments for one that is not the server's or is for another call, and
// approval_invalid for one that came too late.
func (k Key) Open(sealed string, c Call, now time.Time) (*Ticket, error) {
	if len(sealed) > longest || strings.ContainsAny(sealed, "\r\n") { // line ends are skipped when base64 is read
		return nil, foreign()
	}
	payload, sum, ok := strings.Cut(sealed, ".")
	text, failed := decode(payload)
	mac, broken := decode(sum)
	if !ok || failed != nil || broken != nil || len(k) != sha256.Size || !hmac.Equal(mac, k.mac(text)) {
		return nil, foreign()
	}
	t := &Ticket{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields() // of a later version, which may mean more than this one knows
	if err := d.Decode(t); err != nil {
		return nil, foreign()
	}
	if t.For != c {
		return nil, fault.New(fault.InvalidArguments, fault.T("requestState belongs to another call, or to another client")).
			WithHint(fault.T("repeat the call with the same arguments, or make this one without requestState"))
	}
	if !now.Before(t.Expires) {
		return nil, fault.New(fault.ApprovalInvalid, fault.T("the answer came too late: it was awaited until %s", t.Expires.UTC().Format(time.RFC3339))).
			WithHint(fault.T("make the call again to ask anew"))
	}
	return t, nil
}

func foreign() *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("requestState is not what this server gave out")).
		WithHint(fault.T("send it back as it came, or make the call without it"))
}

func (k Key) mac(text []byte) []byte {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(purpose))
	h.Write(text)
	return h.Sum(nil)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// decode takes one spelling of each text alone.
func decode(s string) ([]byte, error) { return base64.RawURLEncoding.Strict().DecodeString(s) }
