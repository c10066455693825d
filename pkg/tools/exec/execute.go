package exec

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/tool/recorded"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/track"
	"github.com/helve-dev/helve/pkg/workspace"
)

// execute runs a command that was judged and approved.
func execute(ctx context.Context, call *tool.Call, r *request) (Result, error) {
	if r.args.Preview {
		return r.show(ctx, call)
	}
	if err := r.lost(); err != nil {
		return Result{}, err
	}
	if call.ChangeSet != "" {
		return r.commit(ctx, call)
	}
	if err := r.keepTaken(ctx, call); err != nil {
		return Result{}, err
	}
	temp, done, err := r.SessionTemporary(call)
	if err != nil {
		return Result{}, err
	}
	if r.args.Background {
		result, err := r.background(ctx, call, temp)
		if err != nil {
			done()
		}
		return result, err // the job removes its temporary directory
	}
	if !call.Home.AnswerBy.IsZero() {
		return r.answering(ctx, call, temp, done)
	}
	defer done()
	return r.foreground(ctx, call, temp)
}

// foreground runs the command to its end, in the sandbox that the machine still has.
func (r *request) foreground(ctx context.Context, call *tool.Call, temp string) (Result, error) {
	result, err := r.confined(ctx, call, temp)
	if next := r.fallBack(ctx, call, err); next != nil {
		return next.confined(ctx, call, temp)
	}
	return result, err
}

// fallBack returns the request in the next best sandbox if an error says that the machine no
// longer has the one of the request; nil if it does, or if the call would have been judged
// otherwise: then only the next call can go on.
func (r *request) fallBack(ctx context.Context, call *tool.Call, err error) *request {
	if err == nil || !r.Refuted(err) {
		return nil
	}
	j, next, err := judge(ctx, call, r.args)
	had := call.Judgement
	if err != nil || j.Risk != had.Risk || j.Network != had.Network || j.Unconfined != had.Unconfined || !slices.Equal(j.Flags, had.Flags) {
		return nil
	}
	next.held = r.held
	return next
}

// confined runs the command to its end in the sandbox of the request.
func (r *request) confined(ctx context.Context, call *tool.Call, temp string) (Result, error) {
	recording, err := recorded.Begin(ctx, call, "exec", r.line(), r.verdict.Risk, r.grant(temp).Surveyed(), r.changed()...)
	if err != nil {
		return Result{}, err
	}
	defer recording.Drop()
	if r.moves.Pull != nil {
		if rest, err := r.fetch(ctx, call, temp, recording); err != nil || rest != nil {
			return r.decideRest(ctx, call, rest, recording, err)
		}
	}
	command, profile, err := r.command(call, temp, recording)
	if err != nil {
		return Result{}, err
	}
	profile.Loopback, profile.Shares = r.loopback(call), r.held != nil && len(r.granted) == 0
	defer profile.Loopback.Close()
	if command.Sandbox, err = native.New(profile, r.Support, r.Kind); err != nil {
		return Result{}, err
	}
	if r.held != nil {
		command.Started = func() { r.held.Share(command.Sandbox.Loopback()) }
	}
	r.connect(call, &command)
	command.Mark = recording.Mark()
	result, out, err := r.finish(ctx, call, command, recording)
	if err != nil {
		return result, err
	}
	r.remember(call, &result, out)
	r.offer(ctx, call, &result)
	return result, nil
}

// lost returns a fault if the command would make a file in a directory above the workspace
// where the sandbox has a temporary directory of its own: it would be gone afterwards.
// Elsewhere the command meets a file system that it cannot write to.
func (r *request) lost() error {
	for _, file := range r.verdict.Outside {
		file = filepath.FromSlash(file)
		scratch := slices.ContainsFunc(r.scratch(), func(dir string) bool { return workspace.WithinOS(file, dir) })
		if _, err := os.Lstat(file); err != nil && scratch && workspace.WithinOS(r.Root.Dir(), filepath.Dir(file)) {
			return fault.New(fault.OutsideWorkspace, fault.T("%s is outside the workspace, where a command makes no files", file)).
				WithHint(fault.T("write inside the workspace"))
		}
	}
	return nil
}

// finish runs a command to its end and returns the result, with what it changed in the
// time of a recording.
func (r *request) finish(ctx context.Context, call *tool.Call, command run.Command, recording *recorded.Recording) (Result, *run.Result, error) {
	file := artifact.NewOutput(call)
	command.Spill = file.Create
	out, err := run.Run(ctx, command)
	if out == nil {
		return Result{}, nil, err
	}
	if len(out.Planted) > 0 {
		recording.Moved()
	}
	changed := recording.End(ctx)
	if r.held != nil {
		r.held.out, r.held.changed = out, changed
	}
	if err != nil {
		call.Warn(fault.As(err).Message)
	}
	result := r.result(call, out)
	r.disconnect(call, &result)
	r.fit(&result, out, file)
	if wantsTerminal(out) {
		call.Warn(fault.T("there is no terminal here, so editors and other programs for a person end: change files with the tools edit and write, give git its text by -m, and others their answers by options or stdin"))
	}
	if out.Excess != nil {
		call.Warn(fault.T("the command was killed: %s", *out.Excess))
	}
	if path := r.twofold(); path != "" {
		call.Warn(fault.T("%[1]s: the command has a /tmp of its own, which lasts for the session; the machine's %[1]s was not used (a person can open it by exec.readable)", path))
	}
	result.OutputFile = file.Path(out)
	result.add(changed)
	for _, c := range changed.Changes {
		if c.Action == track.Rename {
			textfile.RecordMove(call, c.From, c.Path)
		}
	}
	if out.Ended == run.Canceled {
		return Result{}, nil, fault.New(fault.Canceled, fault.T("the command was killed because the call was canceled")).
			WithDetails(result).Because(context.Cause(ctx))
	}
	return result, out, nil
}

// twofold returns a path that the command names and that is another one in its sandbox
// than on the machine; "" if there is none.
func (r *request) twofold() string {
	if r.Kind != sandbox.Namespaces {
		return ""
	}
	for _, text := range append(slices.Clone(r.args.Argv), r.args.Command) {
		for {
			i := strings.Index(text, "/tmp/")
			if i < 0 {
				break
			}
			path := text[i:]
			if end := strings.IndexAny(path, " \t\n'\"`;&|<>(){}$*?:,="); end >= 0 {
				path = path[:end]
			}
			inner := i > 0 && !strings.ContainsRune(" \t\n'\"`;&|<>({:,=", rune(text[i-1])) // as in /var/tmp/x
			if _, err := os.Lstat(path); err == nil && !inner && r.Private(filepath.Clean(path)) {
				return path
			}
			text = text[i+len("/tmp/"):]
		}
	}
	return ""
}

// command returns what to run, and the profile of the sandbox to run it in. What a
// recording knows of the workspace serves the profile.
func (r *request) command(call *tool.Call, temp string, recording *recorded.Recording) (run.Command, sandbox.Profile, error) {
	vars, err := r.environment(r.verdict.Risk == policy.Read, r.TempInside(temp))
	if err != nil {
		return run.Command{}, sandbox.Profile{}, err
	}
	grant := r.grant(temp)
	grant.Survey, grant.Resurvey = recording.Surveys()
	profile, err := r.Profile(call, grant)
	if err != nil {
		return run.Command{}, profile, err
	}
	if r.proxy() != "" {
		profile.Port = r.port
	}
	a := r.args
	c := run.Command{
		Argv: r.argv(), Dir: r.dir, Env: vars, Split: a.Split, Raw: a.Raw,
		Timeout: time.Duration(a.Timeout) * time.Second, Idle: time.Duration(a.Idle) * time.Second,
		Budget: r.Budget(temp),
	}
	if c.Head, c.Tail = output.Of(a.Command, r.verdict.Commands, 0).Window(); a.Raw {
		c.Head, c.Tail = a.MaxOutput/4, a.MaxOutput-a.MaxOutput/4
	}
	if a.Stdin != "" {
		c.Stdin = strings.NewReader(a.Stdin)
	}
	switch stream := r.Machine.Stream; {
	case stream != nil:
		c.Stream = func(chunk run.Chunk) { stream(chunk.Data, chunk.Stderr) }
	case call.Watched():
		c.Stream = (&speaking{call: call}).write
	}
	if r.held != nil {
		r.hold(&c)
	}
	return c, profile, nil
}

// line returns the command as a person reads it.
func (r *request) line() string {
	if r.args.Command == "" {
		return strings.Join(r.args.Argv, " ")
	}
	return r.args.Command
}

// result returns the result of a command that has ended.
func (r *request) result(call *tool.Call, out *run.Result) Result {
	res := Result{
		ExitCode: out.ExitCode, Signal: out.Signal, TimedOut: out.Ended == run.TimedOut || out.Ended == run.Idle, Ended: string(out.Ended),
		DurationMS: out.Duration.Milliseconds(), TotalBytes: out.Output.TotalBytes + out.Stderr.TotalBytes,
		Risk: call.Judgement.Risk, Flags: call.Judgement.Flags, Reasons: []string{}, Sandbox: out.Sandbox,
		Killed: out.Killed, Shell: r.shell.Path, Cwd: r.args.Cwd,
	}
	for _, why := range call.Judgement.Reasons {
		res.Reasons = append(res.Reasons, why.In(call.Env.Lang))
	}
	for _, d := range out.Denials {
		if d.Refused {
			d.Fix = r.listening(call, d.Fix)
		}
		res.Denials = append(res.Denials, Denial{Op: d.Op, Path: r.Shown(d.Path), Rule: d.Rule, Fix: d.Fix.In(call.Env.Lang)})
	}
	for _, path := range out.Restored {
		res.Restored = append(res.Restored, r.Shown(path))
	}
	for _, m := range out.Planted {
		res.Planted = append(res.Planted, sandbox.Moved{Path: r.Shown(m.Path), To: r.Shown(m.To)})
	}
	return res
}

// fit puts what a command printed into its result, in the size that the call asks for.
func (r *request) fit(res *Result, out *run.Result, file *artifact.Output) {
	stdout, stderr := output.Fitted{Text: out.Output.Text, Truncated: out.Output.Truncated}, output.Fitted{Text: out.Stderr.Text, Truncated: out.Stderr.Truncated}
	from := r.source(out)
	if r.args.Raw {
		from = output.Source{Raw: true}
	}
	// What is raw is of the right size in bytes already.
	most := r.args.MaxTokens
	_ = tokens.Fit(r.args.MaxOutput, most, func(bytes int) (string, error) { // cutting does not fail
		if !r.args.Raw || bytes < r.args.MaxOutput {
			stdout, stderr = file.Fit(out, bytes, from)
		}
		return stdout.Text + stderr.Text, nil
	})
	res.Truncated = stdout.Truncated || stderr.Truncated
	res.Reduced = stdout.Reduced.And(stderr.Reduced)
	if res.Output = stdout.Text; r.args.Split {
		res.Output, res.Stdout, res.Stderr = "", &stdout.Text, &stderr.Text
	}
}

// source returns what printed the output of the command.
func (r *request) source(out *run.Result) output.Source {
	status := out.ExitCode
	if out.Ended != run.NoReason {
		status = -1
	}
	return output.Of(r.args.Command, r.verdict.Commands, status)
}

// add puts what a command changed into its result.
func (r *Result) add(o track.Outcome) {
	for _, c := range o.Changes {
		r.Changes = append(r.Changes, Change{Path: c.Path, Action: c.Action, From: c.From, Entries: c.Entries})
	}
	r.Total, r.UndoID, r.NotCovered, r.Others = o.Total, o.UndoID, o.NotCovered, o.Others
}

// signalNumber returns the number of a signal, which a shell adds to 128.
func signalNumber(name string) int {
	if runtime.GOOS == "windows" {
		return 1
	}
	switch name {
	case "SIGHUP":
		return 1
	case "SIGINT":
		return 2
	case "SIGQUIT":
		return 3
	case "SIGILL":
		return 4
	case "SIGTRAP":
		return 5
	case "SIGABRT":
		return 6
	case "SIGFPE":
		return 8
	case "SIGKILL":
		return 9
	case "SIGSEGV":
		return 11
	case "SIGPIPE":
		return 13
	case "SIGALRM":
		return 14
	case "SIGTERM":
		return 15
	}
	return 1
}
