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

// Argument is the first argument of the process that watches a job.
const Argument = "__job"

// Spec is what is to run.
type Spec struct {
	Record  Record          `json:"record"` // without what starting gives it
	Argv    []string        `json:"argv"`
	Dir     string          `json:"dir"`
	Env     []string        `json:"env"`
	Stdin   string          `json:"stdin,omitzero"`
	Idle    time.Duration   `json:"idle,omitzero"`
	Profile sandbox.Profile `json:"profile"`
	Support sandbox.Support `json:"support"`
	Kind    sandbox.Kind    `json:"tier"`
	// StateBase and Root are for [state.Open].
	StateBase string `json:"state_base"`
	Root      string `json:"root"`
	// Watched is set by the process that stands above the one which runs it.
	Watched bool `json:"watched,omitzero"`
}

// word is the one line by which a supervisor tells whether the command runs.
type word struct {
	Record  *Record    `json:"record,omitzero"`
	Code    fault.Code `json:"code,omitzero"`
	Message string     `json:"message,omitzero"`
	Hint    string     `json:"hint,omitzero"`
}

// Start starts a job and returns when its command runs. program is the
// executable that becomes its supervisor when its one argument is [Argument].
// The errors are those of [run.Run] and, when too many run, rate_limited.
func (s *Store) Start(ctx context.Context, program string, spec Spec) (r *Record, err error) {
	if program == "" {
		return nil, fault.New(fault.Unsupported, fault.T("nothing can run in the background here", "此处无法在后台运行命令")).
			WithHint(fault.T("run it without background, with a timeout", "请不使用 background，并设置 timeout"))
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
		return nil, fault.New(fault.RateLimited, fault.T("%d jobs are running already", "已有 %d 个作业在运行", running)).
			WithHint(fault.T("stop one that is no longer needed: the tool job with action=stop", "请停止不再需要的作业：使用工具 job，action=stop"))
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

func limitText(s string) string {
	if len(s) <= commandBytes {
		return s
	}
	return strings.ToValidUTF8(s[:commandBytes], "") + "…"
}

// launch starts the supervisor and hears from it.
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
	heard := make(chan word, 1)
	go func() {
		var w word
		line, err := bufio.NewReader(wordRead).ReadBytes('\n')
		if err != nil || json.Unmarshal(line, &w) != nil {
			w = word{Code: fault.Unavailable, Message: "the process that watches the job ended early"}
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
		return nil, errors.Join(fault.New(fault.Timeout, fault.T("the job did not start in time", "作业未能及时启动")).
			WithHint(fault.T("try again", "请重试")), process.Kill())
	}
}

// fault is why the command did not start. The words are the supervisor's, in
// English.
func (w word) fault() error {
	e := fault.New(w.Code, fault.T("%s", "%s", w.Message))
	if w.Hint != "" {
		e = e.WithHint(fault.T("%s", "%s", w.Hint))
	}
	return e
}

func readSpec(in io.Reader) (*Spec, error) {
	var spec Spec
	if err := json.NewDecoder(in).Decode(&spec); err != nil {
		return nil, fault.New(fault.Internal, fault.T("the job is not understood", "无法理解该作业")).Because(err)
	}
	return &spec, nil
}

// removeTemp removes the private directory of a job.
func removeTemp(dir string) error {
	if dir == "" {
		return nil
	}
	return sandbox.Preview{Upper: dir, Work: dir}.Remove()
}
