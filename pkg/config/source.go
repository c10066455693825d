package config

import (
	"path/filepath"
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
)

// Source is a kind of source of settings.
type Source string

// The sources, in rising precedence.
const (
	Default     Source = "default"
	System      Source = "system"
	User        Source = "user"
	Workspace   Source = "workspace"
	Environment Source = "environment"
	Flag        Source = "flag"
)

func (s Source) precedence() int {
	for i, one := range [...]Source{Default, System, User, Workspace, Environment, Flag} {
		if s == one {
			return i
		}
	}
	return len(s)
}

// Origin says where a value comes from.
type Origin struct {
	Source Source `json:"source"`
	File   string `json:"file,omitzero"`
	Line   int    `json:"line,omitzero"` // from 1
	Name   string `json:"name,omitzero"` // of the variable or flag
}

// String returns the origin as messages name it.
func (o Origin) String() string {
	switch {
	case o.File != "":
		return o.File + ":" + strconv.Itoa(o.Line)
	case o.Name != "":
		return o.Name
	}
	return string(o.Source)
}

// File is a configuration file, which need not exist.
type File struct {
	Source Source // System, User or Workspace; Flag for one that a flag names
	Path   string // absolute; of the workspace's own, inside Root
	Root   string // the workspace's root, absolute; for Workspace alone
	Must   bool   // it must exist
}

// name returns the name to open the file by: its path inside the root, for the
// workspace's own.
func (f File) name() string {
	if f.Source != Workspace {
		return f.Path
	}
	rel, err := filepath.Rel(f.Root, f.Path)
	if err != nil {
		return f.Path // the root refuses it
	}
	return rel
}

// base returns the directory that relative paths in the file start from.
func (f File) base() string {
	if f.Source == Workspace {
		return f.Root
	}
	return filepath.Dir(f.Path)
}

// Value is one setting from the environment or a flag.
type Value struct {
	Source Source // Environment or Flag
	Name   string // such as HELVE_PROJECT or --readonly
	Key    string // such as project
	Text   string // the value: plain text for a string, else JSON
}

// Problem is something that is wrong with a source.
type Problem struct {
	File    string // or the name of the variable or flag
	Line    int    // from 1; 0 if unknown
	Column  int    // from 1, in characters
	Key     string // JSON pointer of the setting; "" for the file as a whole
	Message fault.Text
}

// Text returns the problem with its position.
func (p Problem) Text() fault.Text {
	what := p.Message
	if p.Key != "" {
		what = fault.T("%s: %s", p.Key, what)
	}
	if p.Line == 0 {
		return fault.T("%s: %s", p.File, what)
	}
	return fault.T("%s:%d:%d: %s", p.File, p.Line, p.Column, what)
}

// Problems are the details of the error of settings that cannot be used.
type Problems []Problem

// Worded marks the problems as listed in the message.
func (p Problems) Worded() {}

// In returns the problems in a language, to be written as JSON.
func (p Problems) In(lang fault.Lang) any {
	type problem struct {
		File    string `json:"file"`
		Line    int    `json:"line,omitzero"`
		Column  int    `json:"column,omitzero"`
		Key     string `json:"key,omitzero"`
		Message string `json:"message"`
	}
	out := make([]problem, len(p))
	for i, one := range p {
		out[i] = problem{one.File, one.Line, one.Column, one.Key, one.Message.In(lang)}
	}
	return struct {
		Problems []problem `json:"problems"`
	}{out}
}

// list joins the problems in one text.
func (p Problems) list() fault.Text {
	texts := make([]fault.Text, len(p))
	for i, one := range p {
		texts[i] = one.Text()
	}
	return fault.Join(texts, "; ")
}

// Err returns the error that lists the problems; nil if there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return fault.New(fault.NotConfigured, fault.T("the configuration cannot be used: %s", p.list())).
		WithHint(fault.T("correct it; check it with helve config validate")).
		WithDetails(p)
}
