package limit

import "time"

// Budgets of running commands.
const (
	// ExecGrace is the time between the polite and the final signal.
	ExecGrace = 2 * time.Second
	// ExecDrain is how long output is awaited from processes that outlive the
	// command but hold its output open.
	ExecDrain = 200 * time.Millisecond
	// ExecHead and ExecTail are how many bytes of the beginning and of the end
	// of the output are kept.
	ExecHead = 8 << 10
	ExecTail = 24 << 10
	// ExecSpill is how much of the output is kept on disk, in bytes.
	ExecSpill = 64 << 20
	// ExecPipe is the size of the pipe that carries the output, and ExecRead
	// how much is taken from it at once, in bytes.
	ExecPipe = 1 << 20
	ExecRead = 64 << 10
	// ExecSniff is how much of the output decides whether it is binary.
	ExecSniff = 8 << 10
	// ExecFiles is how many files a command may have open, ExecFileBytes how
	// large a file it may write, and ExecProcesses how many processes it may
	// have at a time.
	ExecFiles     = 4096
	ExecFileBytes = 2 << 30
	ExecProcesses = 512
	// ExecLeftovers is how many of the processes that had to be killed a result
	// names, and ExecName how much of each one's command line, in bytes.
	ExecLeftovers = 20
	ExecName      = 200
)

// Budgets of the sandbox.
const (
	// SandboxSecretEntries is how many directory entries may have to be listed
	// to leave out the secrets where only allowing is possible.
	SandboxSecretEntries = 600
	// SandboxSnapshot is how many bytes, and SandboxSnapshotFiles how many
	// files, of protected paths are remembered to be put back.
	SandboxSnapshot      = 8 << 20
	SandboxSnapshotFiles = 500
	// SandboxDenials is how many refused accesses a result lists.
	SandboxDenials = 20
	// SandboxChanges is how many changes a preview lists.
	SandboxChanges = 100_000
)
