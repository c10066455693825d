// Package effect keeps what a command did to a copy of the workspace until
// somebody decides about it, and tells the changes that make it real. It runs no
// commands and changes nothing in the workspace itself.
package effect

import (
	"crypto/rand"
	"encoding/json"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
)

// Op is what becomes of a path.
type Op string

// What becomes of a path.
const (
	Create  Op = "create"
	Modify  Op = "modify"
	Delete  Op = "delete"
	Rename  Op = "rename"
	Mode    Op = "mode"
	Replace Op = "replace" // by something of another kind, or by another directory
)

// Kind is what stands at a path.
type Kind string

// The kinds of entries that can be made real.
const (
	Nothing   Kind = ""
	File      Kind = "file"
	Link      Kind = "link"
	Directory Kind = "directory"
	Special   Kind = "special" // a pipe, a socket or a device: shown only
)

// Entry is what stands at a path.
type Entry struct {
	Kind   Kind        `json:"kind"`
	Mode   fs.FileMode `json:"mode,omitzero"` // permission bits
	SHA    string      `json:"sha,omitzero"`  // SHA-256 of a file; the digest of a directory
	Bytes  int64       `json:"bytes,omitzero"`
	Target string      `json:"target,omitzero"` // of a link
	Files  int         `json:"files,omitzero"`  // of a directory: all entries in it
}

// Change is one effect. A directory that comes or goes is one, with all in it.
type Change struct {
	Path   string `json:"path"` // relative to the workspace, with "/"
	Op     Op     `json:"op"`
	From   string `json:"from,omitzero"` // of a rename
	Before Entry  `json:"before,omitzero"`
	After  Entry  `json:"after,omitzero"`
	// Inside are the first entries of a directory that comes, goes or is
	// replaced, relative to it.
	Inside []string `json:"inside,omitempty"`
	Diff   string   `json:"diff,omitzero"` // of text
}

// Set is everything that a command did.
type Set struct {
	ID      string          `json:"id"`
	Changes []Change        `json:"changes"`
	Result  json.RawMessage `json:"result,omitempty"` // the caller's own words about the command
	// Obstacle says why the changes can be shown but not be made real; empty when
	// they can.
	Obstacle fault.Text `json:"-"`
}

const (
	previews = "previews" // in the state directory
	record   = "effect.json"
)

// Stage is the place where a command is going to work on a copy.
type Stage struct {
	ID      string
	Preview sandbox.Preview
	dir     *state.Dir
}

// NewStage makes a place for one command, and clears away those that nobody may
// decide about any more.
func NewStage(dir *state.Dir) (*Stage, error) {
	if err := dir.ExpireDirectories(previews, approval.Lifetime+time.Minute); err != nil {
		return nil, err
	}
	s := &Stage{ID: rand.Text(), dir: dir}
	for name, path := range map[string]*string{"upper": &s.Preview.Upper, "work": &s.Preview.Work} {
		var err error
		if *path, err = dir.Directory(s.name() + "/" + name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *Stage) name() string { return previews + "/" + s.ID }

// Discard forgets what the command did.
func (s *Stage) Discard() error { return s.dir.RemoveDirectory(s.name()) }

// Keep stores a set until it is decided about, and gives the SHA-256 that it is
// opened with.
func (s *Stage) Keep(set *Set) (sha string, err error) {
	set.ID = s.ID
	data, err := json.Marshal(set)
	if err != nil {
		return "", err
	}
	return sum(data), s.dir.WriteFile(s.name()+"/"+record, data)
}

// Open gives a set that was kept. The fault is approval_stale for one that is
// gone, or is not the one with that SHA-256.
func Open(dir *state.Dir, id, sha string) (*Set, *Stage, error) {
	s := &Stage{ID: id, dir: dir}
	data, err := dir.ReadFile(s.name() + "/" + record)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.InvalidArguments) || err == nil && sum(data) != sha {
		return nil, nil, gone(err)
	}
	if err != nil {
		return nil, nil, err
	}
	var set Set
	if err := json.Unmarshal(data, &set); err != nil || set.ID != id {
		return nil, nil, gone(err)
	}
	base, err := dir.Directory(s.name())
	if err != nil {
		return nil, nil, err
	}
	s.Preview = sandbox.Preview{Upper: filepath.Join(base, "upper"), Work: filepath.Join(base, "work")}
	return &set, s, nil
}

func gone(err error) error {
	return fault.New(fault.ApprovalStale, fault.T("what the command did in its preview is no longer kept", "命令在预览中的结果已不再保留")).
		WithHint(fault.T("make the call again to ask anew", "请重新发起调用以再次请求")).Because(err)
}
