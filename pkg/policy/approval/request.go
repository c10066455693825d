package approval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// State is the state of a request.
type State string

// The states of a request. Denied, Used and Expired are final.
const (
	Pending  State = "pending"
	Approved State = "approved"
	Denied   State = "denied"
	Used     State = "used" // carried out, or about to be
	Expired  State = "expired"
)

// Target is a file that a call would change, as it was when the person was asked.
type Target struct {
	Path string `json:"path"`
	SHA  string `json:"sha,omitzero"` // of its bytes; "" when it was not there
}

// Binding is the context that a decision is bound to besides the call itself. Once any of
// it has changed, the decision is stale.
type Binding struct {
	Dir     string   `json:"dir"`              // working directory, absolute
	DirID   string   `json:"dir_id,omitzero"`  // distinguishes it from another of that name, as "dev:ino"
	Policy  string   `json:"policy"`           // revision of the policy
	Program string   `json:"program,omitzero"` // the programs of a command, resolved, with their identity
	Targets []Target `json:"targets,omitempty"`
}

// Words is a text in both languages, as it is stored.
type Words struct {
	En string `json:"en"`
	Zh string `json:"zh"`
}

// WordsOf returns a text to be stored.
func WordsOf(t fault.Text) Words { return Words{t.In(fault.English), t.In(fault.Chinese)} }

// Text returns the words as a text of helve's own.
func (w Words) Text() fault.Text { return fault.Verbatim(w.En, w.Zh) }

// In returns the text in a language.
func (w Words) In(lang fault.Lang) string {
	if lang == fault.Chinese {
		return w.Zh
	}
	return w.En
}

// Call is a call that a person is asked about.
type Call struct {
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"` // in the canonical spelling once stored
	Binding Binding         `json:"binding"`
	Risk    policy.Risk     `json:"risk"`
	Reasons []Words         `json:"reasons,omitempty"`
	Preview string          `json:"preview,omitzero"` // a diff, or the commands, one on a line
	Session string          `json:"session,omitzero"`
	// Rule is the rule that always allows the call, for a person to add to their settings;
	// nil if no rule allows exactly that.
	Rule *policy.Rule `json:"rule,omitempty"`
	// Effect names the changes that the call made in its preview. They are made real
	// when the call is allowed, and the call is not run again.
	Effect string `json:"effect,omitzero"`
}

// Request is a stored call with its state.
type Request struct {
	ID string `json:"id"` // 26 characters A-Z2-7: 130 random bits
	Call
	Digest    string    `json:"digest"` // SHA-256 of tool, arguments and binding, 64 hex digits
	Created   time.Time `json:"created"`
	Expires   time.Time `json:"expires"`
	State     State     `json:"state"`
	DecidedBy string    `json:"decided_by,omitzero"`
	DecidedAt time.Time `json:"decided_at,omitzero"`
	Reason    string    `json:"reason,omitzero"` // the person's words
	UsedAt    time.Time `json:"used_at,omitzero"`
	Drifted   []drift   `json:"drifted,omitempty"` // what had changed when the decision was to be used, and spent it
}

// at returns the request as it is at a moment: one that waited too long is expired.
func (r Request) at(now time.Time) Request {
	if (r.State == Pending || r.State == Approved) && !now.Before(r.Expires) {
		r.State = Expired
	}
	return r
}

// drift is one thing that has changed since the person was asked.
type drift struct {
	What string `json:"what"` // tool, args, dir, policy, program or target
	Path string `json:"path,omitzero"`
}

// For reports whether a call is the one that the request is about, whatever has
// changed around it since.
func (r *Request) For(now Call) bool {
	args, err := Canonical(now.Args)
	return err == nil && r.Tool == now.Tool && string(r.Args) == string(args) && r.Binding.Dir == now.Binding.Dir
}

// drifted lists what differs between a request and the call at hand.
func (r *Request) drifted(now Call) []drift {
	var drifts []drift
	differ := func(what string, different bool) {
		if different {
			drifts = append(drifts, drift{What: what})
		}
	}
	args, err := Canonical(now.Args)
	differ("tool", r.Tool != now.Tool)
	differ("args", err != nil || string(r.Args) != string(args))
	differ("dir", r.Binding.Dir != now.Binding.Dir || r.Binding.DirID != now.Binding.DirID)
	differ("policy", r.Binding.Policy != now.Binding.Policy)
	differ("program", r.Binding.Program != now.Binding.Program)
	before, after := sorted(r.Binding.Targets), sorted(now.Binding.Targets)
	for _, t := range before {
		if !slices.Contains(after, t) {
			drifts = append(drifts, drift{"target", t.Path})
		}
	}
	for _, t := range after {
		known := func(other Target) bool { return other.Path == t.Path }
		if !slices.ContainsFunc(before, known) {
			drifts = append(drifts, drift{"target", t.Path})
		}
	}
	return drifts
}

// sorted returns targets in the order of their paths.
func sorted(targets []Target) []Target {
	return slices.SortedFunc(slices.Values(targets), func(a, b Target) int { return strings.Compare(a.Path, b.Path) })
}

// digest returns the SHA-256 of what a decision is bound to.
func digest(c Call) (string, error) {
	b := c.Binding
	b.Targets = sorted(b.Targets)
	text, err := schema.Marshal(struct {
		Tool    string
		Args    json.RawMessage
		Binding Binding
	}{c.Tool, c.Args, b})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
