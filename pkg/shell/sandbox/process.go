package sandbox

import (
	"os"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
)

// Command is a program to start.
type Command struct {
	Path                  string // of the program, absolute
	Argv                  []string
	Dir                   string // absolute
	Env                   []string
	Stdin, Stdout, Stderr *os.File
	Limits                Limits
	// Mark is in the environment of the command, where [System.Marked] finds it; "" is any.
	Mark string
}

// OpenNull opens the null device, for a command without input.
func OpenNull() (*os.File, error) {
	fd, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, fault.System(err, os.DevNull)
	}
	return os.NewFile(uintptr(fd), os.DevNull), nil
}

// Limits bound what a command may use. Zero is no limit.
type Limits struct {
	OpenFiles uint64 // files that each process has open at a time
	FileBytes uint64 // size of a file that is written
	TempBytes uint64 // size of a directory for temporary files that is the sandbox's own
	Processes uint32 // at a time; only Windows enforces it, elsewhere the caller counts them
}

// State is the exit status of a process.
type State struct {
	ExitCode int    // -1 when a signal ended it
	Signal   string // the name of that signal, such as "SIGKILL"
}
