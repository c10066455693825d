//go:build !linux

package process

import (
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
)

// treeSystem is a sandbox that confines nothing: it ends the process group of the
// child, and on Windows its job object, which the kernel also does when this process is
// killed.
type treeSystem struct{ process sandbox.Process }

// Adopt returns false: here no process can become the parent of orphans.
func Adopt() bool { return false }

// StartTree starts a child in a process group of its own.
func StartTree(c Child) (*Tree, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir := filepath.Clean(os.TempDir())
	open, err := native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.Full, Workspace: dir}, sandbox.Support{}, sandbox.None)
	if err != nil {
		return nil, err
	}
	p, err := open.Start(sandbox.Command{
		Path: program, Argv: []string{"helve", c.Argument}, Dir: dir, Env: c.Env, Stdin: c.Stdin, Stdout: c.Stdout, Stderr: c.Stderr, Mark: c.Mark,
	})
	if err != nil {
		return nil, err
	}
	return &Tree{pid: p.Pid(), mark: c.Mark, treeSystem: treeSystem{p}}, nil
}

// Wait waits until the child has ended, and returns its exit status, -1 when it was
// killed. What it started may still run.
func (t *Tree) Wait() (status int) {
	<-t.process.Done()
	state, err := t.process.State()
	if err != nil {
		return -1
	}
	return state.ExitCode
}

// Signal asks the child to end, or kills it with its process group.
func (t *Tree) Signal(kill bool) {
	if kill {
		_, _ = t.process.Finish() // what is left is of no interest
		return
	}
	t.process.Terminate()
}

// End kills what the child has left. It is called after [Tree.Wait].
func (t *Tree) End() { _, _ = t.process.Finish() } // see Signal

// EndChildren kills nothing: the children of a process are not known here.
func EndChildren() {}

// EndMarked kills nothing: the environment of other processes is not readable here.
func EndMarked(...string) (found int) { return 0 }
