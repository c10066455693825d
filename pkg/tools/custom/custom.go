// Package custom makes tools from manifests. Each runs a program, with the arguments
// of a call as words of its command line: no shell reads them.
package custom

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/config/manifest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/artifact"
)

// grace is how much longer than its program a call may take, so that the output is
// returned even if the program was killed.
const grace = 10 * time.Second

// New returns the tool of a manifest. environ is the environment of this process, as
// "NAME=value"; the program gets what is harmless in it and what the manifest passes
// on.
func New(m *manifest.Tool, environ []string) *tool.Tool {
	c := custom{m, environ}
	d := tool.Dynamic{
		Name: m.Name, Risk: m.Risk, Doc: m.Description, Timeout: m.Timeout + grace, Parameters: m.Parameters, Digest: m.SHA,
		Preview: c.preview, Run: c.run, Text: text,
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

// preview shows the command, word by word, for a person to read.
func (c custom) preview(_ context.Context, _ *tool.Call, args any) (string, error) {
	argv, err := c.Command(args)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, word := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if word == "" || strings.ContainsFunc(word, odd) {
			word = strconv.Quote(word)
		}
		b.WriteString(word)
	}
	b.WriteByte('\n')
	input, ok, err := c.Input(args)
	if err != nil {
		return "", err
	}
	if ok {
		b.WriteString("standard input: " + strconv.Quote(string(input)) + "\n")
	}
	return b.String(), nil
}

// odd reports whether a word with the character is shown in quotes.
func odd(r rune) bool {
	return !strings.ContainsRune("%+,-./:=@_", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

func (c custom) run(ctx context.Context, call *tool.Call, args any) (any, error) {
	argv, err := c.Command(args)
	if err != nil {
		return nil, err
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	variables := run.Environment{Parent: c.environ, Pass: c.PassEnv, Workspace: root.Dir(), ReadOnly: call.Env.ReadOnly || c.Risk == policy.Read}
	for _, v := range c.Env {
		variables.Extra = append(variables.Extra, v.Name+"="+v.Value)
	}
	vars, refused := variables.Build()
	if len(refused) > 0 {
		call.Warn(fault.T("%s: these variables are never passed to a program: %s", "%s：以下变量不会传给任何程序：%s", c.Name, strings.Join(refused, ", ")))
	}
	command := run.Command{Argv: argv, Dir: root.Dir(), Env: vars, Timeout: c.Timeout, Split: c.Output != manifest.TextOutput}
	// Of text the beginning and the end say most; a part of anything else is useless.
	command.Head, command.Tail = c.MaxOutput/4, c.MaxOutput-c.MaxOutput/4
	if command.Split {
		command.Head, command.Tail, command.Raw = c.MaxOutput, 1, true
	}
	input, ok, err := c.Input(args)
	if err != nil {
		return nil, err
	}
	if ok {
		command.Stdin = bytes.NewReader(input)
	}
	file := artifact.NewOutput(call)
	if !command.Split && !call.Env.ReadOnly {
		command.Spill = file.Create
	}
	r, err := run.Run(ctx, command)
	if r == nil {
		return nil, err
	}
	if err != nil {
		call.Warn(fault.As(err).Message)
	}
	return c.result(r, file.Path(r))
}

// result reads the output in the format that the manifest names. whole is the path
// of the file with all of it, if there is one.
func (c custom) result(r *run.Result, whole string) (any, error) {
	if err := c.failure(r); err != nil {
		return nil, err
	}
	if c.Output == manifest.TextOutput {
		return Result{
			ExitCode: r.ExitCode, Output: r.Output.Text, Truncated: r.Output.Truncated, TotalBytes: r.Output.TotalBytes,
			OutputFile: whole, Duration: r.Duration.Milliseconds(), Killed: r.Killed,
		}, nil
	}
	if r.Output.Truncated {
		return nil, c.tooLarge(r.Output.TotalBytes)
	}
	out := []byte(r.Output.Text)
	switch c.Output {
	case manifest.EnvelopeOutput:
		return c.envelope(out)
	case manifest.ContentOutput:
		return c.content(out)
	}
	if !json.Valid(out) {
		return nil, c.malformed(out, "JSON")
	}
	return compact(out), nil
}

func compact(valid []byte) json.RawMessage {
	var b bytes.Buffer
	_ = json.Compact(&b, valid) // it is valid
	return b.Bytes()
}
