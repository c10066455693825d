package job

import (
	"errors"
	"io"
	"os"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/process"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
)

// reap turns this process into a reaper: it starts the supervisor as a child, becomes
// the parent of the processes that a killed supervisor leaves, and kills them. The
// supervisor is asked to end when the reaper is killed. In namespaces the kernel does
// all of that, and reap returns false.
func reap(spec *Spec, out io.WriteCloser) (reaper bool, status int) {
	line, ok := out.(*os.File)
	if spec.Kind == sandbox.Namespaces || spec.Reaped || !ok {
		return false, 0
	}
	spec.Reaped = true
	if !process.Adopt() {
		return false, 0 // an emulator refuses it, and the report of the sandbox says so; or the system has no such thing
	}
	supervisor, in, err := startSupervisor(line)
	if err != nil {
		process.Answer(out, nil, err)
		return true, 1
	}
	text, err := schema.Marshal(spec)
	if err == nil {
		_, err = in.Write(text)
	}
	if errors.Join(err, in.Close(), out.Close()) != nil {
		supervisor.Signal(true) // it has only a part of the specification
	}
	status = supervisor.Wait()
	supervisor.End()
	return true, max(status, 0)
}

// startSupervisor starts the supervisor, which reads its specification from in.
func startSupervisor(line *os.File) (t *process.Tree, in *os.File, err error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	defer read.Close()
	t, err = process.StartTree(process.Child{Argument: Argument, Env: os.Environ(), Stdin: read, Stdout: line, Stderr: os.Stderr})
	if err != nil {
		write.Close()
		return nil, nil, err
	}
	return t, write, nil
}
