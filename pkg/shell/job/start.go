package job

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/run"
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
	Budget  run.Budget      `json:"budget,omitzero"`
	Profile sandbox.Profile `json:"profile"`
	Support sandbox.Support `json:"support"`
	Kind    sandbox.Kind    `json:"tier"`
	Lang    fault.Lang      `json:"lang,omitzero"` // of what the record says
	// Notify is a regular expression: lines of output that match, and the end, are sent to
	// Origin. Host has what the sender needs, and Environ is the environment of its process.
	Notify  string          `json:"notify,omitzero"`
	Origin  Origin          `json:"origin,omitzero"`
	Host    json.RawMessage `json:"host,omitempty"`
	Environ []string        `json:"-"`
	// StateBase and Root are for [state.Open].
	StateBase string `json:"state_base"`
	Root      string `json:"root"`
	// Reaped is set by a reaper for the supervisor that it starts; see reap.
	Reaped bool `json:"reaped,omitzero"`
}

// Origin is the conversation that a job was started in, as its host names it.
type Origin struct {
	Channel string `json:"channel,omitzero"`
	To      string `json:"to,omitzero"`
	Turn    string `json:"turn,omitzero"`
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
	spec.Record.Command = limitText(spec.Record.Command, commandBytes)
	return launch(ctx, program, &spec)
}

// limitText cuts a text to most bytes.
func limitText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// launch starts the supervisor and waits for its answer.
func launch(ctx context.Context, program string, spec *Spec) (*Record, error) {
	text, err := schema.Marshal(spec)
	if err != nil {
		return nil, err
	}
	var r Record
	switch err := process.Start(ctx, process.Command{Program: program, Argument: Argument, Env: spec.Environ, Spec: text, Within: startTime}, &r); {
	case errors.Is(err, process.ErrSilent):
		return nil, endedEarly()
	case errors.Is(err, process.ErrLate):
		return nil, notInTime()
	case err != nil:
		return nil, err
	}
	return &r, nil
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
