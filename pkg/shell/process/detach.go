package process

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Command is helve as a process that outlives this one.
type Command struct {
	Program  string   // helve's executable
	Argument string   // its only argument
	Env      []string // its environment, besides what every program needs
	Spec     []byte   // what it reads from its standard input
	// Within limits the wait for its answer.
	Within time.Duration
	Leave  bool // it goes on when ctx ends before it has answered, or it takes longer
}

// The errors of [Start] for a process that does not answer.
var (
	ErrSilent = errors.New("the process has ended without an answer")
	ErrLate   = errors.New("the process has not answered in time")
)

// answer is the one line that a process writes to its standard output.
type answer struct {
	Reply   json.RawMessage `json:"reply,omitempty"`
	Code    fault.Code      `json:"code,omitzero"`
	Message string          `json:"message,omitzero"`
	Hint    string          `json:"hint,omitzero"`
}

// Start starts a process in a session of its own, and returns when it has answered by
// [Answer]: reply points to what the answer is decoded to. The error is the one that it
// answered with, in its English words, or ErrSilent, ErrLate, or why it could not be
// started. When ctx ends first, the process is killed, unless Leave is set.
func Start(ctx context.Context, c Command, reply any) error {
	specRead, specWrite, err := os.Pipe()
	if err != nil {
		return fault.System(err, "pipe")
	}
	defer specRead.Close()
	lineRead, lineWrite, err := os.Pipe()
	if err != nil {
		specWrite.Close()
		return fault.System(err, "pipe")
	}
	defer lineRead.Close()
	c.Env = Environment(c.Env, "HELVE=1")
	p, err := detach(c, specRead, lineWrite)
	lineWrite.Close()
	if err != nil {
		specWrite.Close()
		return fault.System(err, c.Program)
	}
	go func() { _, _ = p.Wait() }() // how it ends is known from elsewhere
	go func() {
		_, _ = specWrite.Write(c.Spec) // a process that does not read it does not answer
		specWrite.Close()
	}()
	heard := make(chan []byte, 1)
	go func() {
		line, _ := bufio.NewReader(lineRead).ReadBytes('\n') // a part of a line is no answer
		heard <- line
	}()
	late := time.NewTimer(c.Within)
	defer late.Stop()
	select {
	case line := <-heard:
		return decode(line, reply)
	case <-ctx.Done():
		err = context.Cause(ctx)
	case <-late.C:
		err = ErrLate
	}
	if c.Leave {
		return err
	}
	if killed := p.Kill(); !errors.Is(killed, os.ErrProcessDone) {
		err = errors.Join(err, killed)
	}
	return err
}

// Answer writes the line that says whether a process has started, and closes out. The
// process that has started it may be gone.
func Answer(out io.WriteCloser, reply any, err error) {
	Say(out, reply, err)
	_ = out.Close()
}

// Say writes a line as [Answer] does, and leaves out open.
func Say(out io.Writer, reply any, err error) {
	var a answer
	if err == nil {
		a.Reply, err = schema.Marshal(reply)
	}
	if err != nil {
		e := fault.As(err)
		a = answer{Code: e.Code, Message: e.Message.String(), Hint: e.Hint.String()}
	}
	if line, err := schema.Marshal(a); err == nil {
		_, _ = out.Write(append(line, '\n')) // see Answer
	}
}

// Hear reads a line that was written by [Answer] or [Say]. The error is the one in the
// line, or ErrSilent.
func Hear(in *bufio.Reader, reply any) error {
	line, err := in.ReadBytes('\n')
	if err != nil {
		return ErrSilent
	}
	return decode(line, reply)
}

// decode reads an answer.
func decode(line []byte, reply any) error {
	var a answer
	switch err := json.Unmarshal(line, &a); {
	case err != nil:
		return ErrSilent
	case a.Code == "":
		if json.Unmarshal(a.Reply, reply) != nil {
			return ErrSilent
		}
		return nil
	}
	e := fault.New(a.Code, fault.T("%s", a.Message))
	if a.Hint != "" {
		e = e.WithHint(fault.T("%s", a.Hint))
	}
	return e
}

// Environment returns an environment with some of its variables set: "NAME=value".
func Environment(environ []string, set ...string) []string {
	kept := slices.DeleteFunc(slices.Clone(environ), func(have string) bool {
		return slices.ContainsFunc(set, func(s string) bool {
			name, _, _ := strings.Cut(s, "=")
			return strings.HasPrefix(have, name+"=")
		})
	})
	return append(kept, set...)
}
