package tool

import (
	"encoding/json"

	"github.com/helve-dev/helve/pkg/config"
)

// Machine describes the system for tools that run commands.
type Machine struct {
	Settings config.Exec
	Git      config.Git
	Environ  []string // of this process, "NAME=value"
	Home     string   // of the person, absolute; "" if unknown
	// Homes are further home directories of the person, absolute: that of the user database,
	// which may be another one than that of the environment.
	Homes []string
	User  string
	// Passwd returns /etc/passwd, for the login shell of the person.
	Passwd func() []byte
	// Projects are the directories of the other projects, absolute, by id.
	Projects map[string]string
	// Hidden are directories of helve that no command may see.
	Hidden []string
	// Own are the files and directories of helve's settings and custom tools,
	// absolute. No command may change them, wherever they are.
	Own []string
	// Cache is a directory, absolute, for caches of toolchains that commands of this
	// workspace run; "" is none.
	Cache string
	// Program is this executable, which also watches background jobs.
	Program string
	// Supervision returns what another process needs to use the services of this run.
	Supervision func() (json.RawMessage, error)
	// Stream, if not nil, receives output as it comes. stderr marks that of standard
	// error, if the call keeps it apart.
	Stream func(data []byte, stderr bool)
}
