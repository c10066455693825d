// Package artifact saves files of a session in the workspace, for the caller to
// read back: the complete output of programs, and images. It does not decide what
// a result shows of them.
package artifact

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The name of an output: the prefix, an id that sorts by time, the suffix.
const (
	prefix = "exec-"
	suffix = ".log"
)

// The outputs that are kept at most.
const (
	maxFiles = 50        // of one session
	maxBytes = 512 << 20 // of all sessions together
	maxAge   = 7 * 24 * time.Hour
)

// Output is the file with the complete output of one program. It is created when
// there is more output than a result shows.
type Output struct {
	call *tool.Call
	name string
}

// NewOutput creates no file yet.
func NewOutput(call *tool.Call) *Output { return &Output{call: call} }

// Create creates the file, for [run.Command], and removes old ones.
func (o *Output) Create() (io.WriteCloser, error) {
	root, err := o.call.Env.Root()
	if err != nil {
		return nil, err
	}
	artifacts, dir, err := root.Artifacts(o.call.Env.Artifacts, o.call.Env.Session)
	if err != nil {
		return nil, err
	}
	defer artifacts.Close()
	removeOld(o.call.Env, root)
	base := prefix + strings.ToLower(state.NewID(o.call.Env.Now())) + suffix
	f, err := artifacts.Create(artifacts.At(base))
	if err != nil {
		return nil, err
	}
	o.name = root.Show(dir + "/" + base)
	return f, nil
}

// Path returns the path of the file if it holds the output, else "". A failure to
// write it is a warning: the output that is shown was not lost.
func (o *Output) Path(out *run.Result) string {
	if out.SpillErr != nil {
		o.call.Warn(fault.T("the complete output could not be saved: %s", fault.As(out.SpillErr).Message))
	}
	if o.name == "" || errors.Is(out.SpillErr, os.ErrInvalid) || !out.Output.Spilled && !out.Stderr.Spilled {
		return ""
	}
	return o.name
}

// Fit reduces what a program printed by what is known about its output, built in or by
// the person's own rules, and cuts each stream to most bytes. The file is created if something is left out.
func (o *Output) Fit(out *run.Result, most int, from output.Source) (stdout, stderr output.Fitted) {
	from.Own = Rules(o.call)
	fit := func(text run.Output) output.Fitted {
		if text.Binary {
			return output.Fitted{Text: text.Text, Truncated: text.Truncated}
		}
		f := output.Fit(text.Text, most, from)
		f.Truncated = f.Truncated || text.Truncated
		return f
	}
	stdout, stderr = fit(out.Output), fit(out.Stderr)
	less := func(f output.Fitted) bool { return f.Truncated || f.Reduced != nil }
	if o.name == "" && (less(stdout) || less(stderr)) {
		out.SpillErr = errors.Join(out.SpillErr, o.save(out.Output.Printed, out.Stderr.Printed))
		out.Output.Spilled = out.SpillErr == nil
	}
	return stdout, stderr
}

// save creates the file with what was printed.
func (o *Output) save(parts ...[]byte) error {
	f, err := o.Create()
	if err != nil {
		return err
	}
	for _, part := range parts {
		if _, err = f.Write(part); err != nil {
			break
		}
	}
	return errors.Join(err, f.Close())
}

// removeOld removes outputs of all sessions that are too old, too many of one session or
// too large together, the oldest first. What it cannot remove, the next call tries
// again.
func removeOld(env *tool.Env, root *workspace.Root) {
	sessions := []string{env.Session}
	if env.Artifacts == "" || env.Artifacts == workspace.ArtifactsDir {
		if all, err := root.ArtifactSessions(); err == nil {
			sessions = all
		}
	}
	now := env.Now()
	type output struct {
		session, name string
		bytes         int64
		written       time.Time
		surplus       bool
	}
	var all []output
	dirs := map[string]*workspace.Root{}
	for _, session := range sessions {
		dir, _, err := root.Artifacts(env.Artifacts, session)
		if err != nil {
			continue // a name that no session has
		}
		defer dir.Close()
		dirs[session] = dir
		entries, err := dir.ReadDir(dir.At("."))
		if err != nil {
			continue
		}
		kept := 0
		for _, e := range slices.Backward(entries) { // the newest first
			if strings.HasPrefix(e.Name, prefix) && strings.HasSuffix(e.Name, suffix) && e.Info != nil {
				kept++
				all = append(all, output{session, e.Name, e.Info.Size(), e.Info.ModTime(), kept >= maxFiles})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b output) int { return b.written.Compare(a.written) })
	var bytes int64
	for _, o := range all {
		bytes += o.bytes
		if o.surplus || bytes > maxBytes || now.Sub(o.written) > maxAge {
			dir := dirs[o.session]
			_ = dir.Remove(dir.At(o.name)) // see above
		}
	}
}
