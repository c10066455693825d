// Package hook runs the person's own programs before and after calls. They run as the person,
// outside of the sandbox, and get the call on standard input, in helve's form and in that of
// the agents whose hooks are known. They can refuse a call, have a person asked about it, or
// change its arguments, about which the policy then decides; they can allow nothing.
package hook

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// answerBytes limits the output of a hook that is read, saidBytes what of it goes to the
	// model.
	answerBytes = 256 << 10
	saidBytes   = 2000
	// refuses is the exit status that refuses a call.
	refuses = 2
)

// Hooks implement [tool.Hooks] by the settings.
type Hooks struct{ settings config.Hooks }

// New returns the hooks of the settings; nil if there are none.
func New(s config.Hooks) tool.Hooks {
	if len(s.Before)+len(s.After)+len(s.Session) == 0 {
		return nil
	}
	return &Hooks{s}
}

// answer holds the decision of a hook.
type answer struct {
	decision  string // allow, deny or ask; "" leaves it to the others
	reason    string
	arguments json.RawMessage // nil leaves those of the call
	theirs    bool            // arguments have the names of other agents
	context   string          // for the model
}

// Before implements [tool.Hooks].
func (h *Hooks) Before(ctx context.Context, call *tool.Call) (changed []byte, ask fault.Text, err error) {
	if err := h.begin(ctx, call); err != nil {
		return nil, ask, err
	}
	e, err := eventOf(call, "PreToolUse")
	if err != nil {
		return nil, ask, err
	}
	for i := range h.settings.Before {
		hook := &h.settings.Before[i]
		if !e.concerns(hook.Tool) {
			continue
		}
		a, err := run1(ctx, call, hook, e)
		if err != nil {
			return nil, ask, err
		}
		if a.decision == "deny" {
			return nil, ask, denied(hook, a.reason)
		}
		if a.decision == "ask" && ask.IsZero() {
			ask = fault.T("the hook %s asks: %s", name(hook), a.reason)
		}
		if a.context != "" {
			call.Warn(fault.T("the hook %s says: %s", name(hook), a.context))
		}
		if a.arguments != nil {
			if changed, err = e.change(a.arguments, a.theirs); err != nil {
				return nil, ask, denied(hook, fault.As(err).Message.In(call.Env.Lang))
			}
		}
	}
	return changed, ask, nil
}

// After implements [tool.Hooks].
func (h *Hooks) After(ctx context.Context, call *tool.Call, result []byte, failure error) (said []fault.Text) {
	if len(h.settings.After) == 0 || call.Args == nil {
		return nil
	}
	e, err := eventOf(call, "PostToolUse")
	if err != nil {
		return nil
	}
	e.Result, e.Response = result, result
	if failure != nil {
		e.Error, _ = schema.Marshal(fault.As(failure))
		e.Response = e.Error
	}
	for i := range h.settings.After {
		hook := &h.settings.After[i]
		if !e.concerns(hook.Tool) {
			continue
		}
		a, err := run1(ctx, call, hook, e)
		switch {
		case err != nil:
			said = append(said, fault.As(err).Message)
		case a.decision == "deny":
			said = append(said, fault.T("the hook %s objects: %s", name(hook), a.reason))
		case a.context != "":
			said = append(said, fault.T("the hook %s says: %s", name(hook), a.context))
		}
	}
	return said
}

// begin runs the hooks of the session, unless a call of it has.
func (h *Hooks) begin(ctx context.Context, call *tool.Call) error {
	if len(h.settings.Session) == 0 {
		return nil
	}
	dir, err := call.Home.State()
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(call.Env.Session))
	file := "hooks/" + hex.EncodeToString(sum[:8])
	if _, err := dir.ReadFile(file); err == nil {
		return nil
	}
	e, err := eventOf(call, "SessionStart")
	if err != nil {
		return err
	}
	for i := range h.settings.Session {
		hook := &h.settings.Session[i]
		a, err := run1(ctx, call, hook, e)
		if err != nil {
			return err
		}
		if a.decision == "deny" {
			return denied(hook, a.reason)
		}
		if a.context != "" {
			call.Warn(fault.T("the hook %s says: %s", name(hook), a.context))
		}
	}
	return dir.Put(file, []byte(call.Env.Now().UTC().Format(time.RFC3339)))
}

// run1 runs one hook and reads its answer. A hook that fails has no answer, and a required one
// refuses.
func run1(ctx context.Context, call *tool.Call, hook *config.Hook, e *event) (answer, error) {
	a, err := answered(ctx, call, hook, e)
	if err == nil {
		return a, nil
	}
	if hook.Required || ctx.Err() != nil {
		return answer{}, fault.New(fault.Denied, fault.T("the hook %s is required and failed: %s", name(hook), fault.As(err).Message)).
			WithHint(fault.T("do not call again until a person has mended the hook"))
	}
	call.Warn(fault.T("the hook %s failed: %s", name(hook), fault.As(err).Message))
	return answer{}, nil
}

func answered(ctx context.Context, call *tool.Call, hook *config.Hook, e *event) (a answer, err error) {
	machine, root, err := place(call)
	if err != nil {
		return a, err
	}
	if err := trusted(call, machine, root, hook.Run); err != nil {
		return a, err
	}
	input, err := schema.Marshal(e)
	if err != nil {
		return a, err
	}
	out, err := run.Run(ctx, run.Command{
		Argv: hook.Run, Dir: root.Dir(), Env: append(slices.Clone(machine.Environ), "CLAUDE_PROJECT_DIR="+root.Dir()), Stdin: bytes.NewReader(input),
		Timeout: time.Duration(hook.Timeout) * time.Second, Abrupt: true, Split: true, Raw: true, Head: answerBytes, Tail: 1,
	})
	if out == nil {
		return a, err
	}
	stderr := brief(out.Stderr.Text)
	switch {
	case out.Ended == run.Canceled:
		return a, fault.New(fault.Canceled, fault.T("the call was canceled"))
	case out.Ended != run.NoReason:
		return a, fault.New(fault.Timeout, fault.T("it did not end within %d seconds", hook.Timeout))
	case out.ExitCode == refuses:
		return answer{decision: "deny", reason: stderr}, nil
	case out.ExitCode != 0:
		return a, fault.New(fault.IOError, fault.T("it ended with %d: %s", out.ExitCode, stderr))
	case out.Output.Truncated:
		return a, fault.New(fault.TooLarge, fault.T("it printed more than %d bytes", answerBytes))
	}
	return read([]byte(out.Output.Text))
}

// place returns what the programs of a call run on: of its home, whichever project it works in.
func place(call *tool.Call) (*tool.Machine, *workspace.Root, error) {
	if call.Home.Machine == nil {
		return nil, nil, fault.New(fault.Unsupported, fault.T("commands cannot run here"))
	}
	machine, err := call.Home.Machine()
	if err != nil {
		return nil, nil, err
	}
	root, err := call.Home.Root()
	return machine, root, err
}

// trusted refuses a hook of which a file lies where the agent may write without a question: it
// would run as the person.
func trusted(call *tool.Call, machine *tool.Machine, root *workspace.Root, argv []string) error {
	for i, word := range argv {
		path := word
		switch {
		case i == 0 && filepath.Base(word) == word:
			path = run.Look(word, machine.Environ)
		case !filepath.IsAbs(word):
			path = filepath.Join(root.Dir(), word)
		}
		if _, err := os.Lstat(path); path == "" || err != nil {
			continue // an argument that is no file, or a program that is not there
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fault.System(err, path)
		}
		for _, at := range []string{path, real} {
			if writes(call, machine, root, at) {
				return fault.New(fault.PermissionDenied, fault.T("%s lies where commands may write", at)).
					WithHint(fault.T("move it, such as beside your settings"))
			}
		}
	}
	return nil
}

// writes reports whether calls may change what is at an absolute path without a question.
func writes(call *tool.Call, machine *tool.Machine, root *workspace.Root, path string) bool {
	if rel, ok := root.Rel(filepath.Clean(path)); ok {
		at := root.At(rel)
		asks := root.Asks(at, schema.WritePath) && !(call.Home.Policy != nil && call.Home.Policy.Permits(policy.Project{ID: call.Home.Project}, rel))
		verdict := policy.Allow
		if call.Home.Policy != nil {
			verdict = call.Home.Policy.Path(policy.Project{ID: call.Home.Project}, rel, schema.WritePath)
		}
		_, err := root.Resolve(at, schema.WritePath) // what is protected is refused
		return err == nil && !asks && verdict == policy.Allow
	}
	dirs := append(slices.Clone(machine.Settings.Writable), machine.Cache)
	for _, dir := range machine.Projects {
		dirs = append(dirs, dir)
	}
	return slices.ContainsFunc(dirs, func(dir string) bool { return dir != "" && workspace.WithinOS(path, dir) })
}

// read reads the answer of a hook: helve's own, or one of the forms of other agents. Text that is no
// object is nothing to decide by.
func read(output []byte) (a answer, err error) {
	output = bytes.TrimSpace(output)
	if len(output) == 0 || output[0] != '{' {
		return a, nil
	}
	var o struct {
		Decision  string          `json:"decision"`
		Reason    string          `json:"reason"`
		Arguments json.RawMessage `json:"arguments"`
		Continue  *bool           `json:"continue"`
		Stop      string          `json:"stopReason"`
		Message   string          `json:"systemMessage"`
		Specific  struct {
			Decision string          `json:"permissionDecision"`
			Reason   string          `json:"permissionDecisionReason"`
			Input    json.RawMessage `json:"updatedInput"`
			Context  string          `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(output, &o); err != nil {
		return a, fault.New(fault.BadDocument, fault.T("its answer is not the JSON of a decision")).Because(err)
	}
	a = answer{decision: o.Decision, reason: o.Reason, arguments: o.Arguments, context: brief(o.Specific.Context)}
	if o.Specific.Decision != "" {
		a.decision, a.reason = o.Specific.Decision, o.Specific.Reason
	}
	if o.Specific.Input != nil {
		a.arguments, a.theirs = o.Specific.Input, true
	}
	if o.Continue != nil && !*o.Continue {
		a.decision, a.reason = "deny", o.Stop
	}
	a.reason = brief(a.reason)
	switch a.decision {
	case "", "allow", "deny", "ask":
	case "approve":
		a.decision = "allow"
	case "block":
		a.decision = "deny"
	default:
		return answer{}, fault.New(fault.BadDocument, fault.T("it decides %q: want allow, deny or ask", a.decision))
	}
	return a, nil
}

func brief(text string) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "�")
	return strings.ToValidUTF8(text[:min(len(text), saidBytes)], "")
}

func name(hook *config.Hook) string { return filepath.Base(hook.Run[0]) }

func denied(hook *config.Hook, reason string) error {
	return fault.New(fault.Denied, fault.T("the hook %s refused this call: %s", name(hook), reason)).
		WithHint(fault.T("do what it says, or something else"))
}
