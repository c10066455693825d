package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/workspace"
)

// outputBytes limits the output of a program that is read.
const outputBytes = 4 << 20

// bench runs programs of one call.
type bench struct {
	*confine.Sandboxed
	call *tool.Call
	temp string
	done func()
}

// newBench returns what runs programs for a call. They run in a sandbox or not at all: what
// they read, such as the settings of a linter, may be a program of whoever writes the workspace.
func newBench(call *tool.Call) (*bench, error) {
	place, err := confine.Find(call)
	if err != nil {
		return nil, err
	}
	if !place.Kind.Confines() || place.Machine.Cache == "" {
		return nil, fault.New(fault.SandboxUnavailable, fault.T("there is no sandbox for formatters and checkers"))
	}
	b := &bench{Sandboxed: place, call: call}
	if b.temp, b.done, err = place.SessionTemporary(call); err != nil {
		return nil, err
	}
	return b, nil
}

// profile returns what a program may reach: it reads what commands read, and writes to its
// caches and to the directory writable, absolute.
func (b *bench) profile(writable string) (sandbox.Profile, error) {
	if err := os.MkdirAll(b.Machine.Cache, 0o700); err != nil {
		return sandbox.Profile{}, fault.System(err, b.Machine.Cache)
	}
	cache, err := filepath.EvalSymlinks(b.Machine.Cache)
	if err != nil {
		return sandbox.Profile{}, fault.System(err, b.Machine.Cache)
	}
	network := sandbox.NoNetwork
	if b.Kind == sandbox.Namespaces {
		network = sandbox.Local
	}
	p, err := b.Profile(b.call, confine.Grant{Risk: policy.Write, Network: network, Temp: b.temp, Caches: true, Survey: &workspace.Survey{}})
	if err != nil {
		return p, err
	}
	p.Readable = append(p.Readable, b.Root.Dir())
	p.Workspace, p.Writable = cache, nil
	if writable != "" {
		p.Workspace, p.Writable = writable, []string{cache}
	}
	p.Survey, p.Resurvey, p.Movable, p.Settings = nil, nil, nil, nil
	p.Protected = slices.DeleteFunc(p.Protected, func(path string) bool { return !p.Inside(path) })
	return p, nil
}

// command returns the run of a program in a directory.
func (b *bench) command(argv []string, dir string, limit time.Duration) run.Command {
	own := func(name, sub string) string { return name + "=" + filepath.Join(b.Machine.Cache, "check", sub) }
	env, _ := run.Environment{
		Parent: b.Machine.Environ, Pass: b.Machine.Settings.Pass, Temp: b.TempInside(b.temp), Workspace: b.Root.Dir(), Sandboxed: true,
		Set: append(b.Caches(), own("CARGO_TARGET_DIR", "cargo"), own("MYPY_CACHE_DIR", "mypy"), own("RUFF_CACHE_DIR", "ruff"),
			own("PYTHONPYCACHEPREFIX", "python")),
	}.Build()
	return run.Command{
		Argv: argv, Dir: dir, Env: env, Timeout: limit, Abrupt: true, Split: true, Head: outputBytes, Tail: 1, Budget: b.Budget(b.temp),
	}
}

// run runs a program to its end.
func (b *bench) run(ctx context.Context, c run.Command, p sandbox.Profile) (*run.Result, error) {
	var err error
	if c.Sandbox, err = native.New(p, b.Support, b.Kind); err != nil {
		return nil, err
	}
	out, err := run.Run(ctx, c)
	if out == nil {
		b.Refuted(err) // for the next call
		return nil, err
	}
	return out, nil
}
