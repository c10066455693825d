package sandbox

import "os"

// Command is what is started.
type Command struct {
	Path                  string // of the program, absolute
	Argv                  []string
	Dir                   string // absolute
	Env                   []string
	Stdin, Stdout, Stderr *os.File
	Limits                Limits
}

// Limits bound what a command may use. Zero is no limit.
type Limits struct {
	OpenFiles uint64 // files that each process has open at a time
	FileBytes uint64 // size of a file that is written
	Processes uint32 // at a time; only Windows enforces it, elsewhere the caller counts them
}

// State is how a process ended.
type State struct {
	ExitCode int    // -1 when a signal ended it
	Signal   string // "" unless a signal ended it, else its name as "SIGKILL"
}

// Process is a running command with everything that it starts.
type Process struct {
	pid    int
	ended  chan struct{} // closed when state is set
	state  State
	err    error
	system processSystem
}

// Pid is the process under which all others are found.
func (p *Process) Pid() int { return p.pid }

// Done is closed when the command itself has ended; what it started may go on.
func (p *Process) Done() <-chan struct{} { return p.ended }

// State is how the command ended. It must not be called before [Process.Done].
func (p *Process) State() (State, error) { return p.state, p.err }
