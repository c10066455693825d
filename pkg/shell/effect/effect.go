// Package effect holds change sets: what a command did to a copy of the workspace. It
// collects one after a preview, shows it to a person, keeps it until the person
// decides, and plans the changes of the journal that apply it. It does not run
// commands, and does not change the workspace.
//
//	NewStage       two directories for the layers of the preview
//	(the command runs in package sandbox over these layers)
//	Stage.Collect  compare the layers with the workspace: the change set
//	Stage.Keep     store it; its SHA-256 goes into the approval
//	Open           load it, if the SHA-256 is the same
//	Stage.Plan     check that nothing has changed since; changes for the journal
//	Stage.Discard  forget it
//
// A command that a person approved does not run again. The person saw a change set, and
// exactly that is applied, as one entry of the journal that undo takes back.
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

// Op is a kind of change to a path.
type Op string

// The operations.
const (
	Create  Op = "create"
	Modify  Op = "modify"
	Delete  Op = "delete"
	Rename  Op = "rename"
	Mode    Op = "mode"
	Replace Op = "replace" // something of another kind, or another directory, takes its place
)

// Kind is the type of an entry in the file system.
type Kind string

// The kinds of entries.
const (
	Nothing   Kind = ""
	File      Kind = "file"
	Link      Kind = "link"
	Directory Kind = "directory"
	Special   Kind = "special" // a pipe, a socket or a device; it cannot be applied
)

// Entry describes what is at a path.
type Entry struct {
	Kind   Kind        `json:"kind"`
	Mode   fs.FileMode `json:"mode,omitzero"` // permission bits
	SHA    string      `json:"sha,omitzero"`  // SHA-256 of a file; the digest of a directory
	Bytes  int64       `json:"bytes,omitzero"`
	Target string      `json:"target,omitzero"` // of a link
	Files  int         `json:"files,omitzero"`  // of a directory: all entries in it
}

// Change is one change. A directory that is created or deleted is one change, with
// everything in it.
type Change struct {
	Path   string `json:"path"` // relative to the workspace, with "/"
	Op     Op     `json:"op"`
	From   string `json:"from,omitzero"` // of a rename
	Before Entry  `json:"before,omitzero"`
	After  Entry  `json:"after,omitzero"`
	// Inside are the first entries of a directory that is created, deleted or
	// replaced, relative to it.
	Inside []string `json:"inside,omitempty"`
	Diff   string   `json:"diff,omitzero"` // of text
}

// ChangeSet is everything that a command changed.
type ChangeSet struct {
	ID      string          `json:"id"`
	Changes []Change        `json:"changes"`
	Result  json.RawMessage `json:"result,omitempty"` // the caller's result of the command
	// Obstacle says why the changes can be shown but not be applied; empty if they
	// can.
	Obstacle fault.Text `json:"-"`
}

const (
	previews = "previews" // in the state directory
	record   = "effect.json"
)

// Stage holds the layers of a preview, and its change set once it is kept.
type Stage struct {
	ID      string
	Preview sandbox.Preview
	dir     *state.Dir
}

// NewStage makes a stage for one command. It removes stages whose approval has expired.
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

// name returns the directory of the stage in the state directory.
func (s *Stage) name() string { return previews + "/" + s.ID }

// Discard removes the stage.
func (s *Stage) Discard() error { return s.dir.RemoveDirectory(s.name()) }

// Keep stores a change set and returns the SHA-256 to open it with.
func (s *Stage) Keep(set *ChangeSet) (sha string, err error) {
	set.ID = s.ID
	data, err := json.Marshal(set)
	if err != nil {
		return "", err
	}
	return sum(data), s.dir.WriteFile(s.name()+"/"+record, data)
}

// Open returns a change set that was kept. The code of the fault is approval_stale if it
// is gone or has another SHA-256.
func Open(dir *state.Dir, id, sha string) (*ChangeSet, *Stage, error) {
	s := &Stage{ID: id, dir: dir}
	data, err := dir.ReadFile(s.name() + "/" + record)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.InvalidArguments) || err == nil && sum(data) != sha {
		return nil, nil, previewGone(err)
	}
	if err != nil {
		return nil, nil, err
	}
	var set ChangeSet
	if err := json.Unmarshal(data, &set); err != nil || set.ID != id {
		return nil, nil, previewGone(err)
	}
	base, err := dir.Directory(s.name())
	if err != nil {
		return nil, nil, err
	}
	s.Preview = sandbox.Preview{Upper: filepath.Join(base, "upper"), Work: filepath.Join(base, "work")}
	return &set, s, nil
}
