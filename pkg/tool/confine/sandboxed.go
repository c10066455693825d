// Package confine says where the program of a call runs and what it may reach there:
// the same for a command of exec, the program of a custom tool and an agent program. It
// translates settings and rules into a profile of package sandbox, which enforces it. It
// judges nothing and starts nothing.
package confine

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Sandboxed is the workspace and the sandbox that the program of a call runs in.
type Sandboxed struct {
	Machine *tool.Machine
	Root    *workspace.Root
	Kind    sandbox.Kind
	Support sandbox.Support

	state func() (*state.Dir, error)
	cache sandbox.Cache // of what this machine supports
	once  sync.Once
	found found // by caches

	closing sync.Once
	home    home // by atHome
}

// Find returns the workspace of a call with the sandbox that the settings ask for.
func Find(call *tool.Call) (*Sandboxed, error) {
	if call.Env.Machine == nil {
		return nil, fault.New(fault.Unsupported, fault.T("commands cannot run here")).
			WithHint(fault.T("use the other tools"))
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	machine, err := call.Env.Machine()
	if err != nil {
		return nil, err
	}
	p := &Sandboxed{Machine: machine, Root: root, Kind: sandbox.None, state: call.Env.State}
	if machine.Settings.Sandbox == "off" {
		return p, nil
	}
	p.cache = p.cacheOf()
	p.Support = native.Probe(p.cache)
	p.Kind = p.Support.Best()
	switch want := machine.Settings.Sandbox; want {
	case "require":
		if !p.Kind.Confines() {
			return nil, missing(fault.T("exec.sandbox is require, but there is no sandbox here: %s", p.Support.Reason+"; "+p.Support.Why(sandbox.Landlock)))
		}
	case string(sandbox.Namespaces), string(sandbox.Landlock):
		p.Kind = sandbox.Kind(want)
		if !p.Support.Has(p.Kind) {
			return nil, missing(fault.T("exec.sandbox is %s, which is not to be had here: %s", want, p.Support.Why(p.Kind)))
		}
	}
	return p, nil
}

func missing(what fault.Text) *fault.Error {
	return fault.New(fault.SandboxUnavailable, what).
		WithHint(fault.T("only the person can change that: helve config set exec.sandbox auto"))
}

// Refuted reports whether an error of a start says that the machine no longer has the sandbox
// that it had, such as after a change of its settings. Then it is probed anew, and the next
// call of [Find] knows what there is.
func (p *Sandboxed) Refuted(err error) bool {
	if !fault.Is(err, fault.SandboxUnavailable) || p.Kind == sandbox.None {
		return false
	}
	return !native.Probe(sandbox.Cache{Store: p.cache.Store}).Has(p.Kind)
}

// LeftOut returns how many entries of directories a program of a call cannot read although
// the settings let it; see [sandbox.System.LeftOut].
func LeftOut(call *tool.Call) (int, error) {
	p, err := Find(call)
	if err != nil {
		return 0, err
	}
	profile, err := p.Profile(call, Grant{Risk: policy.Read})
	return native.LeftOut(profile, p.Kind), err
}

// cacheOf keeps in the state directory what sandbox this machine supports.
func (p *Sandboxed) cacheOf() sandbox.Cache {
	dir, err := p.state()
	if err != nil {
		return sandbox.Cache{} // then every call probes
	}
	return fileCache(dir, "sandbox")
}

// fileCache keeps an answer in a file of the state directory.
func fileCache(dir *state.Dir, file string) sandbox.Cache {
	return sandbox.Cache{
		Load:  func() ([]byte, error) { return dir.ReadFile(file) },
		Store: func(data []byte) error { return dir.WriteFile(file, data) },
	}
}

// Confined reports whether the sandbox keeps a program from changing what it must
// not. Landlock can allow only whole directories: protected files in them are
// restored at the end, which is too late for settings that other calls read
// meanwhile.
func (p *Sandboxed) Confined() bool {
	return p.Kind.Confines() && (p.Kind != sandbox.Landlock || len(p.Exposed()) == 0)
}

// Temporary creates a directory for temporary files, unless the sandbox has one of its
// own. done removes it.
func (p *Sandboxed) Temporary() (dir string, done func(), err error) {
	switch p.Kind {
	case sandbox.Landlock, sandbox.Seatbelt:
	default:
		return "", func() {}, nil
	}
	dir, err = os.MkdirTemp("", "helve-exec-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", nil, fault.System(err, os.TempDir())
	}
	return dir, func() { _ = sandbox.RemoveAll(dir) }, nil
}

// Shown returns a path as the caller knows it: relative in the workspace.
func (p *Sandboxed) Shown(path string) string {
	if rel, ok := p.Root.Rel(path); ok {
		return rel
	}
	return path
}

// Resolve follows the links of a path, as far as it exists.
func Resolve(abs string) string {
	rest := ""
	for dir := filepath.FromSlash(abs); ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.ToSlash(filepath.Join(real, rest))
		}
		// Writing to a dangling link creates its target.
		if target, err := os.Readlink(dir); err == nil && !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(dir), target)
			return filepath.ToSlash(filepath.Join(target, rest))
		} else if err == nil {
			return filepath.ToSlash(filepath.Join(target, rest))
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return abs
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = parent
	}
}
