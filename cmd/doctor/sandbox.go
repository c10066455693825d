package doctor

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/shell/sandbox/native"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
)

// newestLandlock is the version of Landlock from which on nothing is missing that a
// sandbox asks for.
const newestLandlock = 6

// kernel says what the kernel has for sandboxes.
func (v *visit) kernel(context.Context) []Check {
	if runtime.GOOS != "linux" {
		return nil
	}
	all := v.namespaces()
	switch abi := v.support.LandlockABI; {
	case abi == 0 && v.support.Filtered:
		all = append(all, wrong(Warning, "landlock", fault.T("not to be had here: %s; a filter of system calls, as containers have, may refuse what the kernel has", v.support.LandlockReason),
			fault.T("in a container, allow landlock_create_ruleset, landlock_add_rule and landlock_restrict_self in its seccomp profile"))...)
	case abi == 0:
		all = append(all, wrong(Warning, "landlock", fault.T("the kernel has no Landlock, or it is not turned on"),
			fault.T("use a kernel from 5.13 on, with landlock in the boot parameter lsm="))...)
	case abi < newestLandlock:
		all = append(all, could("landlock", fault.T("version %d of its interface; later ones enforce more", abi),
			fault.T("a kernel from 6.12 on has all that helve uses"))...)
	default:
		all = append(all, fine("landlock", fault.T("version %d of its interface", abi))...)
	}
	if !v.support.Seccomp {
		return append(all, wrong(Warning, "seccomp", fault.T("the kernel cannot filter system calls"),
			fault.T("use a kernel with CONFIG_SECCOMP_FILTER"))...)
	}
	if v.support.Broker && !v.support.Sockets {
		return append(all, could("seccomp", fault.T("filters, and can hand calls to another process, which may not copy descriptors: under Landlock commands have no loopback and no sockets with paths (no_loopback, no_unix_sockets)"),
			fault.T("in a container, allow pidfd_open and pidfd_getfd in its seccomp profile (docker run --cap-add SYS_PTRACE does)"))...)
	}
	if !v.support.Broker {
		return append(all, fine("seccomp", fault.T("filters, but cannot hand calls to another process"))...)
	}
	return append(all, fine("seccomp", fault.T("filters, and can hand calls to another process"))...)
}

// namespaces says whether there are user namespaces, and which setting of the kernel
// forbids them.
func (v *visit) namespaces() []Check {
	const name = "user namespaces"
	if v.support.Namespaces {
		return fine(name, fault.T("can be made"))
	}
	detail := fault.T("cannot be made: %s", v.support.Reason)
	if v.support.Filtered {
		detail = fault.T("cannot be made: %s; a filter of system calls, as containers have, may refuse what the kernel allows", v.support.Reason)
	}
	if host.UnderHelve() {
		return wrong(Warning, name, detail, fault.T("nothing: a command in a sandbox is given none"))
	}
	if setting, value, better := native.Obstacle(); setting != "" {
		return wrong(Warning, name, fault.T("cannot be made, as %s is %s", setting, value),
			fault.T("sudo sysctl -w %s=%s allows them", setting, better))
	}
	return wrong(Warning, name, detail, fault.T("in a container, allow them in its seccomp profile (docker run --security-opt seccomp=FILE, with clone, unshare and mount) or run helve outside of it"))
}

// tiers runs a command in each sandbox that this machine has.
func (v *visit) tiers(ctx context.Context) (all []Check) {
	for _, kind := range [...]sandbox.Kind{sandbox.Namespaces, sandbox.Landlock, sandbox.Seatbelt} {
		if v.support.Has(kind) {
			all = append(all, of(string(kind), v.tier(ctx, kind))...)
		}
	}
	return all
}

// tier runs a command that writes inside and outside of its workspace.
func (v *visit) tier(ctx context.Context, kind sandbox.Kind) []Check {
	const name = "sandbox"
	escaped, report, err := v.confined(ctx, kind)
	switch {
	case err != nil:
		e := failed(Warning, name, err)
		e[0].Detail = fault.T("a command could not be run in it: %s", e[0].Detail)
		return e
	case escaped:
		return wrong(Error, name, fault.T("a command in it wrote outside of its workspace"),
			fault.T("please report this: helve doctor --report; until then set exec.sandbox to another one"))
	case len(report.Degraded) > 0:
		return fine(name, fault.T("a command ran in it and could not write outside of its workspace; not enforced here: %s", strings.Join(report.Degraded, ", ")))
	}
	return fine(name, fault.T("a command ran in it and could not write outside of its workspace"))
}

// confined runs the command of [visit.tier] and reports whether it got out.
func (v *visit) confined(ctx context.Context, kind sandbox.Kind) (escaped bool, report sandbox.Report, err error) {
	shell, err := run.FindShell("sh", host.Environ(), "", nil)
	if err != nil {
		return false, report, err
	}
	dir, err := os.MkdirTemp("", "helve-doctor-")
	if err != nil {
		return false, report, fault.System(err, os.TempDir())
	}
	defer func() { _ = sandbox.RemoveAll(dir) }() // it is a temporary file at worst
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return false, report, fault.System(err, dir)
	}
	inside, temp, outside := filepath.Join(dir, "inside"), filepath.Join(dir, "temp"), filepath.Join(dir, "outside")
	for _, one := range [...]string{inside, temp, outside} {
		if err := os.Mkdir(one, 0o700); err != nil {
			return false, report, fault.System(err, one)
		}
	}
	box, err := native.New(sandbox.Profile{Filesystem: sandbox.Workspace, Network: sandbox.NoNetwork, Workspace: inside, Temp: temp, Readable: []string{outside}}, v.support, kind)
	if err != nil {
		return false, report, err
	}
	result, err := run.Run(ctx, run.Command{
		Argv: shell.Argv("echo > here && echo hello; echo > " + outside + "/there"), Dir: inside, Env: host.Environment(), Timeout: patience, Split: true, Sandbox: box,
	})
	if err != nil {
		return false, report, err
	}
	_, made := os.Stat(filepath.Join(inside, "here"))
	if made != nil || result.Output.Text != "hello\n" {
		said := strings.TrimSpace(result.Output.Text + result.Stderr.Text)
		return false, report, fault.New(fault.SandboxUnavailable, fault.T("it could not write in its workspace (status %d): %s", result.ExitCode, said)).
			WithHint(fault.T("helve config set exec.sandbox names another one"))
	}
	_, err = os.Stat(filepath.Join(outside, "there"))
	return err == nil, result.Sandbox, nil
}

// chosen says which sandbox commands have, by the settings.
func (v *visit) chosen(context.Context) []Check {
	const name = "sandbox of commands"
	best := v.support.Best()
	switch want := v.settings.Config.Exec.Sandbox; {
	case want == "off":
		return wrong(Warning, name, fault.T("exec.sandbox is off: commands can reach whatever this user can"),
			fault.T("helve config set exec.sandbox auto"))
	case want == "require" && !best.Confines(), want == "namespaces" && !v.support.Namespaces, want == "landlock" && !v.support.Has(sandbox.Landlock):
		return wrong(Error, name, fault.T("exec.sandbox is %s, which is not to be had here, so no command runs", want),
			fault.T("see user namespaces and landlock above, or helve config set exec.sandbox auto"))
	case want == "namespaces", want == "landlock":
		best = sandbox.Kind(want)
	case !best.Confines() && host.UnderHelve():
		return fine(name, fault.T("commands here run in the sandbox of the helve that started this one"))
	case !best.Confines() && runtime.GOOS == "windows":
		return fine(name, fault.T("there is none on Windows: a person is asked about every command that may change something"))
	case !best.Confines():
		return wrong(Error, name, fault.T("there is none here: a person is asked about every command that may change something"),
			fault.T("see user namespaces and landlock above: either is enough"))
	}
	if n := v.leftOut(); n > 0 {
		return wrong(Warning, name, fault.T("commands run in %s, where they cannot read %d entries of directories with something hidden: there are too many (secrets_overblocked)", best, n),
			fault.T("helve config set exec.reads home, or name what commands read in exec.readable"))
	}
	return fine(name, fault.T("commands run in %s", best))
}

// leftOut returns how many entries commands cannot read although the settings let them, 0 if
// that cannot be found out.
func (v *visit) leftOut() int {
	if v.usable != nil {
		return 0
	}
	env, _, err := v.host.Governed()
	if err != nil {
		return 0
	}
	n, _ := confine.LeftOut(&tool.Call{Env: env}) // a fault of the workspace has a line of its own
	return n
}
