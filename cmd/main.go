// Package cmd puts the command line together: the tools and the groups of commands, help
// and completion, and the commands about helve itself.
//
// A command is a function that takes a [host.Host], which composes what a call gets, and an
// [out.Printer], and returns a [cobra.Command]. It neither reads the environment nor writes
// to a stream by itself. Each group of commands is a package below this one that knows
// cmd/out and cmd/line, and no other group.
//
// A call of a tool goes through Main, newRoot (the command tree, with the flags of the named
// tool alone), line.Ready (the action of the command), host.Host.Env, line.Input (the JSON
// of the call), guard.Run and out.Printer.Result.
package cmd

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/agent/worker"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/gocache"
	"github.com/helve-dev/helve/pkg/shell/job"
	"github.com/helve-dev/helve/pkg/tool/guard"
)

// Main runs one command and returns the exit status. Whatever happens, standard
// output gets exactly one document, unless a command prints one a line, or speaks a
// protocol; standard error is for people.
func Main(args []string, in io.Reader, stdout, stderr io.Writer) (status int) {
	if line, ok := stdout.(io.WriteCloser); ok && len(args) == 1 {
		switch args[0] {
		case job.Argument:
			return job.Supervise(in, line, host.WatchJob, host.NotifyJob)
		case worker.KeeperArgument:
			return worker.Keep(in, line, host.Keeping)
		case worker.Argument:
			return worker.Main(in, line, host.Keeping)
		}
	}
	if len(args) == 3 && args[0] == gocache.Argument {
		return gocache.Serve(args[1], args[2], in, stdout)
	}
	p := out.New(stdout, stderr)
	defer p.Unsaid()
	defer func() {
		if v := recover(); v != nil {
			p.Default = nil // it may be what crashed
			status = p.Fail(guard.Crashed(v))
		}
	}()
	h := newHost(stderr)
	defer h.Close()
	defer func() {
		if err := h.Tend(); err != nil { // the caller has its answer, and the next command tries again
			p.Log().Warn("jobs of sub-agents", "err", err)
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer process.Settle(cancel)()

	root := newRoot(h, p, args)
	root.SetIn(in)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if c, err := root.ExecuteContextC(ctx); err != nil {
		preset(p, args)
		if c.Annotations[out.ErrorsToStderr] != "" {
			p.ToStderr()
		}
		return p.Fail(usage(err))
	}
	return p.Status
}

// newHost returns the host that the environment asks for.
func newHost(stderr io.Writer) *host.Host {
	o := host.FromEnvironment()
	// Most calls ask for no names: to know them is to build every command.
	o.Commands, o.Version = sync.OnceValue(commandNames), current
	if process.IsTerminal(stderr) {
		o.Terminal = func() (io.ReadWriteCloser, error) { return process.OpenTerminal() }
	}
	return host.New(o)
}

// usage gives cobra's own errors a code and a hint.
func usage(err error) *fault.Error {
	var e *fault.Error
	if errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return fault.As(err)
	}
	return fault.New(fault.Usage, fault.T("%[1]v", err)).
		WithHint(fault.T("helve --help lists the commands, helve COMMAND --help the flags of one"))
}
