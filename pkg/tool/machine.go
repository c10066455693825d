package tool

import "github.com/helve-dev/helve/pkg/config"

// Machine is what a tool that runs commands must know of the world they run in.
type Machine struct {
	Settings config.Exec
	Environ  []string // of this process, "NAME=value"
	Home     string   // of the person, absolute; "" if unknown
	User     string
	// Passwd is /etc/passwd, for the shell of the person.
	Passwd func() []byte
	// Hidden are directories of helve's own that no command may see.
	Hidden []string
	// Own are the files and directories that helve's settings and custom tools are
	// in, absolute. No command may change them, wherever they lie.
	Own []string
	// Cache is a directory, absolute, that commands of this workspace may keep
	// toolchains' caches in; "" is none.
	Cache string
	// Program is this executable, which background jobs are watched by.
	Program string
	// Stream, if not nil, is given output as it comes; stderr marks that of
	// standard error, where it is kept apart.
	Stream func(data []byte, stderr bool)
}
