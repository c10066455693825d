package guard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
)

// record is one line of the audit log.
type record struct {
	At       time.Time      `json:"at"`
	Event    event          `json:"event"`
	PID      int            `json:"pid"`
	Session  string         `json:"session"`
	Run      string         `json:"run,omitempty"` // of a job of the schedule, that makes the call
	Tool     string         `json:"tool"`
	Risk     policy.Risk    `json:"risk"`
	Project  string         `json:"project,omitempty"` // that the call works in
	Args     map[string]any `json:"args,omitempty"`
	Paths    []string       `json:"paths,omitempty"` // real targets
	Decision *tool.Decision `json:"decision,omitempty"`
	Outcome  string         `json:"outcome,omitempty"` // ok or a code
	Duration int64          `json:"duration_ms,omitempty"`
}

// event is a stage of a call. All are recorded for a call that does more than read;
// for one that reads, only the last.
type event string

const (
	proposed event = "proposed" // came in
	decided  event = "decided"  // was allowed or not, by whom
	executed event = "executed" // has run; its result may still be refused
	answered event = "answered"
)

// audit records every call in a log outside the workspace. A call that changes
// something and cannot be recorded is refused; one that only reads gets a warning.
func audit(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		begun := c.Home.Now()
		if c.Tool.Risk != policy.Read {
			if err := note(c, proposed, ""); err != nil {
				return nil, err
			}
		}
		defer func() {
			crashed := recover()
			r := recordOf(c, answered, outcome(err))
			if crashed != nil {
				r.Outcome = string(fault.Internal)
			}
			r.Duration = r.At.Sub(begun).Milliseconds()
			if err := r.write(c.Env); err != nil {
				c.Warn(fault.T("the audit log could not be written: %s", fault.As(err).Message))
			}
			if crashed != nil {
				panic(crashed)
			}
		}()
		return next(ctx, c)
	}
}

func outcome(err error) string {
	if err != nil {
		return string(fault.As(err).Code)
	}
	return "ok"
}

func recordOf(c *tool.Call, e event, outcome string) record {
	r := record{
		At: c.Env.Now(), Event: e, PID: os.Getpid(), Session: c.Env.Session, Run: c.Env.Run, Tool: c.Tool.Name, Risk: c.Risk(), Project: c.Env.Project, Outcome: outcome, Decision: c.Decision,
	}
	if e == proposed || c.Tool.Risk == policy.Read {
		r.Args = brief(c.Input, c.Env.Mask)
	}
	for _, p := range c.Paths {
		r.Paths = append(r.Paths, p.Real.String())
	}
	return r
}

// note records that a call is at an event.
func note(c *tool.Call, e event, outcome string) error {
	r := recordOf(c, e, outcome)
	return r.write(c.Env)
}

func (r *record) write(env *tool.Env) error {
	dir, err := env.Audit()
	if err != nil {
		return err
	}
	log, err := dir.Log("audit", cmp.Or(env.AuditBytes, state.LogBytes))
	if err != nil {
		return err
	}
	r.At = r.At.UTC() // the local zone would have to be loaded
	line, err := schema.Marshal(r)
	if err != nil {
		return err
	}
	return log.Append(line, false)
}

// maxArgs is the most of a call's arguments, in bytes, that the log keeps when long
// texts have been replaced.
const maxArgs = 64 << 10

// brief returns the arguments without secrets, and with long texts replaced by their
// length and hash: the log says what was done, it is no second copy of every file.
func brief(input []byte, mask func(string) string) map[string]any {
	const most = 200 // bytes of a text that is kept
	var args map[string]any
	if len(input) > schema.MaxBytes || json.Unmarshal(input, &args) != nil {
		return nil
	}
	if mask == nil {
		mask = secret.Mask
	}
	var shorten func(name string, v any) any
	shorten = func(name string, v any) any {
		switch v := v.(type) {
		case string:
			switch {
			case secret.Named(name):
				return secret.Hidden
			case len(v) > most:
				sum := sha256.Sum256([]byte(v))
				return map[string]any{"bytes": len(v), "sha": hex.EncodeToString(sum[:8])}
			}
			return mask(v)
		case []any:
			for i := range v {
				v[i] = shorten(name, v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = shorten(name, v[name])
			}
		}
		return v
	}
	shorten("", args)
	if kept, err := schema.Marshal(args); err != nil || len(kept) > maxArgs {
		return map[string]any{"bytes": len(input)}
	}
	return args
}
