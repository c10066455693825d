// Package custom makes tools from manifests. Each runs a program, with the arguments of a
// call as words of its command line: no shell reads them. The program is confined like a
// command of exec, by the risk that the manifest declares.
package custom

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/output"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/artifact"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/tool/recorded"
	"github.com/helve-dev/helve/pkg/workspace"
)

// grace is added to the time of the program for the call, so that the output is returned
// even if the program was killed.
const grace = 10 * time.Second

// New returns the tool of a manifest. environ is the environment of this process, as
// "NAME=value"; the program gets what is harmless in it and what the manifest passes
// on.
func New(m *manifest.Tool, environ []string) *tool.Tool {
	c := custom{m, environ}
	d := tool.Dynamic[*request]{
		Name: m.Name, Risk: m.Risk, Doc: m.Description, Timeout: m.Timeout + grace, Parameters: func() *schema.Object { return m.Parameters }, Digest: m.SHA,
		Judge: c.judge, Preview: preview, Run: c.run, Text: text,
	}
	d.Contents = m.Output == manifest.ContentOutput
	switch m.Output {
	case manifest.TextOutput:
		d.Output = func() (schema.Document, error) { return schema.ResultOf(reflect.TypeFor[Result]()) }
	case manifest.ContentOutput:
		d.Output = func() (schema.Document, error) { return schema.ResultOf(reflect.TypeFor[Content]()) }
	}
	for _, e := range m.Examples {
		d.Examples = append(d.Examples, tool.Example{Doc: e.Doc, Args: e.Args})
	}
	return d.Tool()
}

type custom struct {
	*manifest.Tool
	environ []string
}

// request is a call as judged: what runs and where.
type request struct {
	*confine.Sandboxed
	argv  []string
	stdin []byte
	reads bool // it has a standard input
}

// judge returns the risk that the manifest declares. A person vouches for it; the
// sandbox holds the program to it.
func (c custom) judge(_ context.Context, call *tool.Call, args any) (*tool.Judgement, *request, error) {
	place, err := confine.Find(call)
	if err != nil {
		return nil, nil, err
	}
	r := &request{Sandboxed: place}
	values := c.values(call, args)
	if r.argv, err = c.Command(values); err != nil {
		return nil, nil, err
	}
	if r.stdin, r.reads, err = c.input(call, values); err != nil {
		return nil, nil, err
	}
	return &tool.Judgement{
		Risk: c.Risk, Flags: []string{}, Unconfined: !place.Confined(),
		Rest: policy.Command{Risk: c.Risk}, // the program does more than its paths say
	}, r, nil
}

// values returns the arguments as the program gets them: a path is relative to the
// root, where the program runs, with its links resolved. So the program opens what
// was decided about.
func (c custom) values(call *tool.Call, args any) schema.Document {
	values := c.Parameters.Values(args)
	confined := call.Paths
	for i := range c.Parameters.Fields {
		f := &c.Parameters.Fields[i]
		if f.Path == schema.NoPath {
			continue
		}
		var words []any
		for _, path := range c.Parameters.Paths(args, f) {
			if *path == "" {
				words = append(words, "") // an optional path that was left empty
				continue
			}
			words, confined = append(words, operand(confined[0].Real.String())), confined[1:]
		}
		switch {
		case words == nil:
		case f.Type.Kind == schema.Array:
			values = values.With(f.Name, words)
		default:
			values = values.With(f.Name, words[0])
		}
	}
	return values
}

// operand returns a path as a word that no program takes for an option.
func operand(real string) string {
	real = workspace.Unescape(real)
	if strings.HasPrefix(real, "-") {
		real = "./" + real
	}
	return filepath.FromSlash(real)
}

// preview shows the command, word by word, for a person to read.
func preview(_ context.Context, _ *tool.Call, r *request) (string, error) {
	var b strings.Builder
	for i, word := range r.argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if word == "" || strings.ContainsFunc(word, odd) {
			word = strconv.Quote(word)
		}
		b.WriteString(word)
	}
	b.WriteByte('\n')
	if r.reads {
		b.WriteString("standard input: " + strconv.Quote(string(r.stdin)) + "\n")
	}
	return b.String(), nil
}

// odd reports whether a word with the character is shown in quotes.
func odd(r rune) bool {
	return !strings.ContainsRune("%+,-./:=@_", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

func (c custom) run(ctx context.Context, call *tool.Call, r *request) (any, error) {
	temp, done, err := r.Temporary()
	if err != nil {
		return nil, err
	}
	defer done()
	command := run.Command{Argv: r.argv, Dir: r.Root.Dir(), Env: c.variables(call, r, temp), Timeout: c.Timeout, Split: c.Output != manifest.TextOutput, Budget: r.Budget(temp)}
	// Of text the beginning and the end say most; a part of anything else is useless.
	command.Head, command.Tail = output.Source{Commands: [][]string{r.argv}, Runs: true}.Window()
	command.Head, command.Tail = max(command.Head, c.MaxOutput/4), max(command.Tail, c.MaxOutput-c.MaxOutput/4)
	if command.Split {
		command.Head, command.Tail, command.Raw = c.MaxOutput, 1, true
	}
	if r.reads {
		command.Stdin = bytes.NewReader(r.stdin)
	}
	grant := confine.Grant{Risk: c.Risk, Network: sandbox.Full, Temp: temp, Caches: true, Named: c.Template, Decided: call.Paths}
	running, end := context.WithCancel(ctx)
	defer end()
	var printed *printed
	if c.Output == manifest.ContentOutput {
		printed = newPrinted(c.MaxOutput, call.Home.Progress, end)
		command.Stream = printed.take
	}
	recording, err := recorded.Begin(ctx, call, c.Name, strings.Join(r.argv, " "), c.Risk, grant.Surveyed())
	if err != nil {
		return nil, err
	}
	defer recording.Drop()
	grant.Survey, grant.Resurvey = recording.Surveys()
	if command.Sandbox, err = c.sandbox(call, r, grant); err != nil {
		return nil, err
	}
	file := artifact.NewOutput(call)
	if !command.Split && !call.Env.ReadOnly {
		command.Spill = file.Create
	}
	command.Mark = recording.Mark()
	out, err := run.Run(running, command)
	if out == nil {
		r.Refuted(err) // for the next call
		return nil, err
	}
	if len(out.Planted) > 0 {
		recording.Moved()
	}
	changed := recording.End(ctx)
	if err != nil {
		call.Warn(fault.As(err).Message)
	}
	c.warn(call, r, out)
	result, err := c.result(out, printed)
	if text, ok := result.(Result); ok {
		text.fit(out, c.MaxOutput, r.argv, file, call.Env.ReadOnly)
		text.Outcome = changed
		return text, err
	}
	if changed.UndoID != "" { // the result is the program's own
		call.Warn(fault.T("undo what it changed in the workspace with id %s", changed.UndoID))
	}
	for _, g := range changed.NotCovered {
		call.Warn(fault.T("it changed %s, which undo does not restore: %s", g.Path, g.Why))
	}
	return result, err
}

// variables returns the environment of the program.
func (c custom) variables(call *tool.Call, r *request, temp string) []string {
	env := run.Environment{
		Parent: c.environ, Pass: c.PassEnv, Set: slices.Concat(r.Caches(), call.Env.Variables()), Temp: r.TempInside(temp), Workspace: r.Root.Dir(), Dir: r.Root.Dir(),
		ReadOnly: call.Env.ReadOnly || c.Risk == policy.Read, Sandboxed: r.Kind.Confines(),
	}
	for _, v := range c.Env {
		env.Extra = append(env.Extra, v.Name+"="+v.Value)
	}
	vars, refused := env.Build()
	if len(refused) > 0 {
		call.Warn(fault.T("%s: these variables are never passed to a program: %s", c.Name, strings.Join(refused, ", ")))
	}
	return vars
}

// sandbox returns the sandbox of the program. The network is open: a manifest cannot
// say that a tool needs it, and many tools are there for that.
func (c custom) sandbox(call *tool.Call, r *request, grant confine.Grant) (sandbox.Sandbox, error) {
	profile, err := r.Profile(call, grant)
	if err != nil {
		return nil, err
	}
	return native.New(profile, r.Support, r.Kind)
}

// warn says what the sandbox refused or took back.
func (c custom) warn(call *tool.Call, r *request, out *run.Result) {
	for _, d := range out.Denials {
		call.Warn(fault.T("the sandbox refused %s: %s %s (%s)", c.Name, d.Op, r.Shown(d.Path), d.Rule))
	}
	for _, path := range out.Restored {
		call.Warn(fault.T("%s changed %s, which is protected; it was restored", c.Name, r.Shown(path)))
	}
	for _, m := range out.Planted {
		call.Warn(fault.T("%s made %s, which other programs run or obey; it was moved to %s", c.Name, r.Shown(m.Path), r.Shown(m.To)))
	}
}

// result reads the output in the format that the manifest names. Text is yet to be
// fitted. printed has the output of a content program, and is nil for the other formats.
func (c custom) result(r *run.Result, printed *printed) (any, error) {
	if printed != nil && printed.endless() {
		return nil, c.endless()
	}
	if err := c.failure(r); err != nil {
		return nil, err
	}
	if c.Output == manifest.TextOutput {
		return Result{
			ExitCode: r.ExitCode, TotalBytes: r.Output.TotalBytes, Duration: r.Duration.Milliseconds(), Killed: r.Killed,
		}, nil
	}
	if printed != nil {
		out, total := printed.rest()
		if total > int64(c.MaxOutput) {
			return nil, c.tooLarge(total)
		}
		return c.content(out)
	}
	if r.Output.Truncated {
		return nil, c.tooLarge(r.Output.TotalBytes)
	}
	out := []byte(r.Output.Text)
	if c.Output == manifest.EnvelopeOutput {
		return c.envelope(out)
	}
	if !json.Valid(out) {
		return nil, c.malformed(out, "JSON")
	}
	return compact(out), nil
}

// fit puts what the program printed into the result, at most that many bytes. A run that
// only reads makes no file with the rest, so then nothing is left out but for length.
func (r *Result) fit(out *run.Result, most int, argv []string, file *artifact.Output, onlyRead bool) {
	if onlyRead {
		f := output.Fit(out.Output.Text, most, output.Source{Raw: true})
		r.Output, r.Truncated = f.Text, f.Truncated || out.Output.Truncated
		return
	}
	f, _ := file.Fit(out, most, output.Source{Commands: [][]string{argv}, Runs: true, End: output.Ended(out.ExitCode)})
	r.Output, r.Truncated, r.Reduced, r.OutputFile = f.Text, f.Truncated, f.Reduced, file.Path(out)
}

func compact(valid []byte) json.RawMessage {
	var b bytes.Buffer
	_ = json.Compact(&b, valid) // it is valid
	return b.Bytes()
}
