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

// ended returns the fault of a program that failed; nil if it did not.
func (c custom) ended(r *run.Result) error {
	details := Failure{ExitCode: r.ExitCode, Signal: r.Signal, Output: r.Output.Text, Stderr: r.Stderr.Text, Truncated: r.Output.Truncated || r.Stderr.Truncated}
	said := lastLine(r.Stderr.Text)
	if said == "" {
		said = lastLine(r.Output.Text)
	}
	code := c.Code(r.ExitCode)
	var e *fault.Error
	switch {
	case r.Ended == run.TimedOut:
		e = fault.New(fault.Timeout, fault.T("%s took longer than %v and was killed", "%s 用时超过 %v，已被终止", c.Name, c.Timeout)).
			WithHint(fault.T("ask for less at once; its output is in details", "请一次少要一些；其输出见 details"))
	case r.Ended == run.Canceled:
		e = fault.New(fault.Canceled, fault.T("%s was canceled", "%s 已被取消", c.Name)).WithHint(fault.T("call again if you still need it", "如仍需要请重新调用"))
	case r.Ended != run.NoReason:
		e = fault.New(fault.IOError, fault.T("%s was killed: %s", "%s 已被终止：%s", c.Name, string(r.Ended))).
			WithHint(fault.T("its output is in details", "其输出见 details"))
	case r.Signal != "":
		e = fault.New(fault.IOError, fault.T("%s was killed by %s", "%s 被 %s 终止", c.Name, r.Signal)).
			WithHint(fault.T("its output is in details", "其输出见 details"))
	case code != "" && said != "":
		e = fault.New(code, fault.T("%s failed with status %d: %s", "%s 失败，状态 %d：%s", c.Name, r.ExitCode, said)).
			WithHint(fault.T("correct what it complains about, then call again; all of its output is in details", "请按其提示修正后重新调用；全部输出见 details"))
	case code != "":
		e = fault.New(code, fault.T("%s failed with status %d and no output", "%s 失败，状态 %d，且没有任何输出", c.Name, r.ExitCode)).
			WithHint(fault.T("try other arguments", "请尝试其他参数"))
	default:
		return nil
	}
	return e.WithDetails(details)
}

// Failure is the details of a program that failed.
type Failure struct {
	ExitCode  int    `json:"exit_code"` // -1 when a signal ended it
	Signal    string `json:"signal,omitzero"`
	Output    string `json:"output,omitzero"`
	Stderr    string `json:"stderr,omitzero"`
	Truncated bool   `json:"truncated,omitzero"`
}

// lastLine returns the last line that is not blank, cut to what fits in a message.
func lastLine(s string) string {
	const most = 300 // characters
	s = strings.TrimSpace(s)
	line := []rune(strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:]))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}

// result reads the output in the format that the manifest names. whole is the path
// of the file with all of it, if there is one.
func (c custom) result(r *run.Result, whole string) (any, error) {
	if err := c.ended(r); err != nil {
		return nil, err
	}
	if c.Output == manifest.TextOutput {
		return Result{
			ExitCode: r.ExitCode, Output: r.Output.Text, Truncated: r.Output.Truncated, TotalBytes: r.Output.TotalBytes,
			OutputFile: whole, Duration: r.Duration.Milliseconds(), Killed: r.Killed,
		}, nil
	}
	if r.Output.Truncated {
		return nil, fault.New(fault.TooLarge, fault.T("%s printed %d bytes; the limit is %d", "%s 输出了 %d 字节，最多读取 %d 字节", c.Name, r.Output.TotalBytes, c.MaxOutput)).
			WithHint(fault.T("ask for less; the person can raise max_output in its manifest", "请缩小范围；用户可在清单中提高 max_output"))
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

// malformed returns the fault of output that is not in the format of the manifest.
func (c custom) malformed(out []byte, want string) error {
	const shown = 200 // bytes
	begin := strings.ToValidUTF8(string(out[:min(len(out), shown)]), "\uFFFD")
	return fault.New(fault.BadDocument, fault.T("%s did not print %s: %q", "%s 的输出不是 %s：%q", c.Name, want, begin)).
		WithHint(fault.T("the program does not follow its manifest; tell the person", "该程序不符合其清单；请告知用户"))
}
