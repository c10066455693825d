package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/limit"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// record is one line of the audit log.
type record struct {
	At       time.Time      `json:"at"`
	Event    string         `json:"event"` // started, before anything but reading; ended, always
	PID      int            `json:"pid"`
	Session  string         `json:"session"`
	Tool     string         `json:"tool"`
	Risk     tool.Risk      `json:"risk"`
	Args     map[string]any `json:"args,omitempty"`
	Paths    []string       `json:"paths,omitempty"` // real targets
	Outcome  string         `json:"outcome,omitempty"`
	Duration int64          `json:"duration_ms,omitempty"`
}

// audit writes down every call, in a log outside the workspace. A call that
// changes something and cannot be written down is refused; one that only reads
// goes on with a warning.
func audit(next tool.Handler) tool.Handler {
	return func(ctx context.Context, c *tool.Call) (result any, err error) {
		begun := c.Env.Now()
		r := record{At: begun, Event: "started", PID: os.Getpid(), Session: c.Env.Session, Tool: c.Tool.Name, Risk: c.Tool.Risk, Args: brief(c.Input)}
		if c.Tool.Risk != tool.Read {
			if err := note(c, r); err != nil {
				return nil, err
			}
		}
		defer func() {
			crashed := recover()
			r.At, r.Event, r.Outcome = c.Env.Now(), "ended", "ok"
			r.Duration = r.At.Sub(begun).Milliseconds()
			switch {
			case crashed != nil:
				r.Outcome = string(fault.Internal)
			case err != nil:
				r.Outcome = string(fault.As(err).Code)
			}
			for _, p := range c.Paths {
				r.Paths = append(r.Paths, p.Real)
			}
			if err := note(c, r); err != nil {
				c.Env.Warn(fault.T("the audit log could not be written: %s", "无法写入审计日志：%s", fault.As(err).Message))
			}
			if crashed != nil {
				panic(crashed)
			}
		}()
		return next(ctx, c)
	}
}

func note(c *tool.Call, r record) error {
	dir, err := c.Env.State()
	if err != nil {
		return err
	}
	log, err := dir.Log("audit", limit.LogBytes)
	if err != nil {
		return err
	}
	line, err := schema.Marshal(r)
	if err != nil {
		return err
	}
	return log.Append(line, false)
}

// brief is the arguments with long texts replaced by their length and hash: the
// log says what was done, it does not keep a second copy of every file.
func brief(input []byte) map[string]any {
	const most = 200 // bytes of a text that is kept
	var args map[string]any
	if len(input) > limit.Args || json.Unmarshal(input, &args) != nil {
		return nil
	}
	var shorten func(v any) any
	shorten = func(v any) any {
		switch v := v.(type) {
		case string:
			if len(v) > most {
				sum := sha256.Sum256([]byte(v))
				return map[string]any{"bytes": len(v), "sha": hex.EncodeToString(sum[:8])}
			}
			return withoutCredentials(v)
		case []any:
			for i := range v {
				v[i] = shorten(v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = shorten(v[name])
			}
		}
		return v
	}
	shorten(args)
	if kept, err := schema.Marshal(args); err != nil || len(kept) > limit.AuditArgs {
		return map[string]any{"bytes": len(input)}
	}
	return args
}
