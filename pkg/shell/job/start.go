package job

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
)

// Argument is the first argument of the program when it is to supervise a job.
const Argument = "__job"

// Spec says what to run.
type Spec struct {
	Record  Record          `json:"record"` // without what is known only after the start
	Argv    []string        `json:"argv"`
	Dir     string          `json:"dir"`
	Env     []string        `json:"env"`
	Stdin   string          `json:"stdin,omitzero"`
	Idle    time.Duration   `json:"idle,omitzero"`
	Profile sandbox.Profile `json:"profile"`
	Support sandbox.Support `json:"support"`
	Kind    sandbox.Kind    `json:"tier"`
	Lang    fault.Lang      `json:"lang,omitzero"` // of what the record says
	// StateBase and Root are for [state.Open].
	StateBase string `json:"state_base"`
	Root      string `json:"root"`
	// Reaped is set by a reaper for the supervisor that it starts; see reap.
	Reaped bool `json:"reaped,omitzero"`
}

// reply is the one line in which a supervisor reports whether the command runs.
type reply struct {
	Record  *Record    `json:"record,omitzero"`
	Code    fault.Code `json:"code,omitzero"`
	Message string     `json:"message,omitzero"`
	Hint    string     `json:"hint,omitzero"`
}

// Start starts a job and returns when its command runs. program is the executable that
// calls [Supervise] when its one argument is [Argument]. The errors are those of
// [run.Run] and, if too many jobs run, rate_limited.
func (s *Store) Start(ctx context.Context, program string, spec Spec) (r *Record, err error) {
	if program == "" {
		return nil, noBackground()
	}
	unlock, err := s.dir.Lock(ctx, listLock)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	all, err := s.sweep()
	if err != nil {
		return nil, err
	}
	running := 0
	for _, other := range all {
		if other.State == Running {
			running++
		}
	}
	if running >= maxJobs {
		return nil, tooMany(running)
	}
	path, err := s.dir.Path()
	if err != nil {
		return nil, err
	}
	spec.StateBase = filepath.Dir(path)
	spec.Record.ID, spec.Record.Started = strings.ToLower(state.NewID(s.dir.Now())), s.dir.Now().UTC()
	spec.Record.Command = limitText(spec.Record.Command)
	return launch(ctx, program, &spec)
}

// limitText cuts a command line to commandBytes.
func limitText(s string) string {
	if len(s) <= commandBytes {
		return s
	}
	return strings.ToValidUTF8(s[:commandBytes], "") + "…"
}

// launch starts the supervisor and waits for its reply.
func launch(ctx context.Context, program string, spec *Spec) (*Record, error) {
	specRead, specWrite, err := os.Pipe()
	if err != nil {
		return nil, fault.System(err, "pipe")
	}
	defer specRead.Close()
	wordRead, wordWrite, err := os.Pipe()
	if err != nil {
		specWrite.Close()
		return nil, fault.System(err, "pipe")
	}
	defer wordRead.Close()
	process, err := detach(program, specRead, wordWrite)
	wordWrite.Close()
	if err != nil {
		specWrite.Close()
		return nil, fault.System(err, program)
	}
	text, err := schema.Marshal(spec)
	if err == nil {
		_, err = specWrite.Write(text)
	}
	if err = errors.Join(err, specWrite.Close()); err != nil {
		return nil, errors.Join(fault.System(err, program), process.Kill())
	}
	heard := make(chan reply, 1)
	go func() {
		var w reply
		line, err := bufio.NewReader(wordRead).ReadBytes('\n')
		if err != nil || json.Unmarshal(line, &w) != nil {
			w = reply{Code: fault.Unavailable, Message: "the supervisor of the job ended early"}
		}
		heard <- w
	}()
	late := time.NewTimer(startTime)
	defer late.Stop()
	select {
	case w := <-heard:
		if w.Record == nil {
			return nil, w.fault()
		}
		return w.Record, process.Release()
	case <-ctx.Done():
		return nil, errors.Join(context.Cause(ctx), process.Kill())
	case <-late.C:
		return nil, errors.Join(notInTime(), process.Kill())
	}
}

// fault returns why the command did not start, in the supervisor's English words.
func (w reply) fault() error {
	e := fault.New(w.Code, fault.T("%s", "%s", w.Message))
	if w.Hint != "" {
		e = e.WithHint(fault.T("%s", "%s", w.Hint))
	}
	return e
}

// readSpec reads what to run.
func readSpec(in io.Reader) (*Spec, error) {
	var spec Spec
	if err := json.NewDecoder(in).Decode(&spec); err != nil {
		return nil, badSpec(err)
	}
	return &spec, nil
}

// removeTemp removes the private directory of a job.
func removeTemp(dir string) error {
	if dir == "" {
		return nil
	}
	return sandbox.RemoveAll(dir)
}
