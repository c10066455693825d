// Package spill keeps the whole output of programs among a session's artefacts,
// for the caller to read back. It decides nothing about what is shown of it.
package spill

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// The names of the files: the prefix, an id that sorts by time, the suffix.
const (
	prefix = "exec-"
	suffix = ".log"
)

// What a session keeps at most.
const (
	maxFiles = 50
	maxBytes = 512 << 20 // of all files
	maxAge   = 7 * 24 * time.Hour
)

// File is the file that the whole output of one program goes to. It is made when
// there is more than is shown.
type File struct {
	call *tool.Call
	name string
}

// New makes no file yet.
func New(call *tool.Call) *File { return &File{call: call} }

// Create makes the file, for [run.Command], and clears away old ones.
func (s *File) Create() (io.WriteCloser, error) {
	root, err := s.call.Env.Root()
	if err != nil {
		return nil, err
	}
	artifacts, dir, err := root.Artifacts(s.call.Env.Session)
	if err != nil {
		return nil, err
	}
	defer artifacts.Close()
	clearOld(artifacts, s.call.Env.Now())
	base := prefix + strings.ToLower(state.NewID(s.call.Env.Now())) + suffix
	f, err := artifacts.Create(base)
	if err != nil {
		return nil, err
	}
	s.name = root.Show(dir + "/" + base)
	return f, nil
}

// Keep is the path of the file when it holds the output, else "". That it could
// not be written is a warning: the output that is shown was not lost.
func (s *File) Keep(out *run.Result) string {
	if out.SpillErr != nil {
		s.call.Warn(fault.T("the whole output could not be kept: %s", "无法保存完整输出：%s", fault.As(out.SpillErr).Message))
	}
	if s.name == "" || errors.Is(out.SpillErr, os.ErrInvalid) || !out.Output.Spilled && !out.Stderr.Spilled {
		return ""
	}
	return s.name
}

// clearOld removes what is old, and the oldest of what takes too much room. It is
// housekeeping: what cannot be removed is tried again by the next.
func clearOld(artifacts *workspace.Root, now time.Time) {
	entries, err := artifacts.ReadDir(".")
	if err != nil {
		return
	}
	var bytes int64
	kept := 0
	for _, e := range slices.Backward(entries) { // the newest first
		if !strings.HasPrefix(e.Name, prefix) || !strings.HasSuffix(e.Name, suffix) || e.Info == nil {
			continue
		}
		bytes += e.Info.Size()
		if kept++; kept >= maxFiles || bytes > maxBytes || now.Sub(e.Info.ModTime()) > maxAge {
			_ = artifacts.Remove(e.Name) // see above
		}
	}
}
