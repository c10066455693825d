package exec

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// request is a call as judged: what runs, where and in which sandbox. What runs is
// what was judged.
type request struct {
	args    Args
	machine *tool.Machine
	root    *workspace.Root
	dir     string // where it runs, absolute and real
	shell   run.Shell
	env     []string // for a command that writes
	kind    sandbox.Kind
	support sandbox.Support
	network sandbox.Network
	verdict classify.Verdict
}

// understand returns all about a call but its risk.
func understand(call *tool.Call, a Args) (*request, error) {
	if call.Env.Machine == nil {
		return nil, fault.New(fault.Unsupported, fault.T("commands cannot run here", "此处无法运行命令")).
			WithHint(fault.T("use the other tools", "请使用其他工具"))
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	machine, err := call.Env.Machine()
	if err != nil {
		return nil, err
	}
	r := &request{args: a, machine: machine, root: root}
	if err := r.findDir(); err != nil {
		return nil, err
	}
	if r.env, err = r.environment(false, ""); err != nil {
		return nil, err
	}
	if a.Command != "" {
		if r.shell, err = r.findShell(); err != nil {
			return nil, err
		}
	}
	return r, r.chooseSandbox(call)
}

func (a Args) check() error {
	switch {
	case a.Command == "" && len(a.Argv) == 0:
		return schema.Invalid("/command", fault.T("command or argv is required", "缺少 command 或 argv"))
	case a.Command != "" && len(a.Argv) > 0:
		return schema.Invalid("/argv", fault.T("pass either command or argv, not both", "command 与 argv 只能二选一"))
	case len(a.Argv) > 0 && a.Argv[0] == "":
		return schema.Invalid("/argv/0", fault.T("the name of the program is empty", "程序名为空"))
	case a.Background && a.Preview:
		return schema.Invalid("/preview", fault.T("a background command cannot be previewed", "后台命令没有预览"))
	}
	for i, text := range append(slices.Clone(a.Argv), a.Command) {
		if strings.IndexByte(text, 0) >= 0 {
			pointer := "/command"
			if i < len(a.Argv) {
				pointer = "/argv/" + strconv.Itoa(i)
			}
			return schema.Invalid(pointer, fault.T("must not contain a NUL", "不得包含 NUL"))
		}
	}
	return nil
}

// findDir finds the directory to run in.
func (r *request) findDir() error {
	info, err := r.root.Stat(r.args.Cwd)
	if fault.Is(err, fault.NotFound) {
		return r.root.NotFound(r.args.Cwd)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fault.New(fault.NotADirectory, fault.T("%s is not a directory", "%s 不是目录", r.args.Cwd)).
			WithHint(fault.T("name the directory to run in", "请指定要在其中运行的目录"))
	}
	real, err := r.root.Resolve(r.args.Cwd, schema.ReadPath)
	if err != nil {
		return err
	}
	r.dir = filepath.Join(r.root.Dir(), filepath.FromSlash(real))
	return nil
}

// environment returns the variables of the command.
func (r *request) environment(reads bool, temp string) ([]string, error) {
	env, refused := run.Environment{
		Parent: r.machine.Environ, Extra: r.args.Env, Pass: r.machine.Settings.Pass, Set: r.caches(), Temp: temp,
		Workspace: r.root.Dir(), ReadOnly: reads, Sandboxed: r.kind.Confines(),
	}.Build()
	for i, entry := range r.args.Env {
		name, _, ok := strings.Cut(entry, "=")
		at := "/env/" + strconv.Itoa(i)
		switch {
		case !ok || name == "":
			return nil, schema.Invalid(at, fault.T("must be NAME=value, got %q", "应为 NAME=value，实际为 %q", entry))
		case slices.Contains(refused, name):
			return nil, schema.Invalid(at, fault.T("%s can make programs run other code, and cannot be set", "%s 会使程序运行其他代码，不能设置", name))
		}
	}
	return env, nil
}

// findShell finds the shell. Neither the call nor the workspace can influence what it
// finds.
func (r *request) findShell() (run.Shell, error) {
	var passwd []byte
	if r.args.Shell == "user" && run.Value(r.machine.Environ, "SHELL") == "" && r.machine.Passwd != nil {
		passwd = r.machine.Passwd()
	}
	env, _ := run.Environment{Parent: r.machine.Environ, Workspace: r.root.Dir(), ReadOnly: true}.Build()
	shell, err := run.FindShell(r.args.Shell, env, r.machine.User, passwd)
	if err == nil && !r.trusted(shell.Path) {
		err = fault.New(fault.PermissionDenied, fault.T("the shell %s is in the workspace, or where anyone can write", "shell %s 位于工作区内或任何人都可写入的目录", shell.Path)).
			WithHint(fault.T("choose another shell, or correct PATH", "请指定其他 shell，或修正 PATH"))
	}
	return shell, err
}

// chooseSandbox finds the sandbox that the settings ask for.
func (r *request) chooseSandbox(call *tool.Call) error {
	r.kind = sandbox.None
	if r.machine.Settings.Sandbox == "off" {
		return nil
	}
	r.support = sandbox.Probe(cacheOf(call))
	r.kind = r.support.Best()
	if r.machine.Settings.Sandbox == "require" && !r.kind.Confines() {
		return fault.New(fault.SandboxUnavailable, fault.T("exec.sandbox is require, but there is no sandbox here: %s", "exec.sandbox 为 require，但此处没有沙箱：%s", r.support.Reason)).
			WithHint(fault.T("only the person can change that: helve config set exec.sandbox auto", "只有用户可以更改：helve config set exec.sandbox auto"))
	}
	return nil
}

// cacheOf keeps in the state directory what sandbox this machine supports.
func cacheOf(call *tool.Call) sandbox.Cache {
	const file = "sandbox.json"
	dir, err := call.Env.State()
	if err != nil {
		return sandbox.Cache{} // then every call probes
	}
	return sandbox.Cache{
		Load:  func() ([]byte, error) { return dir.ReadFile(file) },
		Store: func(data []byte) error { return dir.WriteFile(file, data) },
	}
}

// dialect returns the grammar of the shell that will run the command.
func (r *request) dialect() classify.Dialect {
	switch r.shell.Name {
	case "bash":
		return classify.Bash
	case "sh", "dash", "ash":
		return classify.POSIX
	case "zsh":
		return classify.Zsh
	}
	return classify.Other
}

// argv returns what is started.
func (r *request) argv() []string {
	if r.args.Command == "" {
		return r.args.Argv
	}
	return r.shell.Argv(r.args.Command)
}
