package exec

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/confine"
	"github.com/helve-dev/helve/pkg/tool/screen"
	"github.com/helve-dev/helve/pkg/workspace"
)

// world is a call in an environment on real directories, and its workspace.
func world(t *testing.T, settings config.Exec, rules ...policy.Rule) (*tool.Call, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("shells of Unix")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, err := workspace.Open(dir, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	base := t.TempDir()
	kept := sync.OnceValues(func() (*state.Dir, error) { return state.Open(base, dir, state.Options{}) })
	given := make([]policy.Given, len(rules))
	for i, r := range rules {
		given[i] = policy.Given{Rule: r, From: "test"}
	}
	p, err := policy.New(given, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if settings.Sandbox == "" {
		settings.Sandbox = "auto"
	}
	if settings.Network == "" {
		settings.Network = "auto"
	}
	m := &tool.Machine{Settings: settings, Environ: os.Environ(), Home: "/home/nobody", Hidden: []string{base}, Cache: filepath.Join(t.TempDir(), "cache")}
	return tool.NewCall(&tool.Env{
		Root: func() (*workspace.Root, error) { return root, nil }, State: kept, Policy: p, Now: time.Now, Session: "s",
		Machine: func() (*tool.Machine, error) { return m, nil },
	}, Tool, nil), dir
}

// judged is the judgement of a call, and what was understood of it.
func judged(t *testing.T, call *tool.Call, a Args) (*tool.Judgement, *request) {
	t.Helper()
	if a.Cwd == "" {
		a.Cwd = "."
	}
	j, r, err := judge(t.Context(), call, a)
	if err != nil {
		t.Fatal(err)
	}
	return j, r
}

func TestNetwork(t *testing.T) {
	type want struct {
		Network  sandbox.Network
		Reaches  bool
		Commands []bool
		Granted  bool
	}
	for _, c := range []struct {
		name, setting string
		args          Args
		want          want
	}{
		{"nothing", "none", Args{Command: "ls; make"}, want{sandbox.NoNetwork, false, []bool{false, false}, false}},
		{"what needs it", "none", Args{Command: "curl x"}, want{sandbox.Full, true, []bool{true}, false}},
		{"and what stands beside it", "none", Args{Command: "ls; curl x; make"}, want{sandbox.Full, true, []bool{false, true, true}, false}},
		{"what asks for it", "none", Args{Command: "ls; make", Network: "full"}, want{sandbox.Full, true, []bool{false, true}, false}},
		{"what does without", "none", Args{Command: "curl x; make", Network: "none"}, want{sandbox.NoNetwork, false, []bool{false, false}, false}},
		{"its own loopback", "none", Args{Command: "curl x", Network: "local"}, want{sandbox.Local, false, []bool{false}, false}},
		{"by default", "auto", Args{Command: "make"}, want{sandbox.Local, false, []bool{false}, false}},
		{"beyond the default", "auto", Args{Command: "curl x"}, want{sandbox.Full, true, []bool{true}, false}},
		{"loopback by the settings", "local", Args{Command: "make"}, want{sandbox.Local, false, []bool{false}, false}},
		{"granted by the settings", "full", Args{Command: "curl x; make"}, want{sandbox.Full, true, []bool{true, false}, true}},
	} {
		call, _ := world(t, config.Exec{Network: c.setting})
		j, r := judged(t, call, c.args)
		if !r.Kind.Confines() {
			t.Skip("no sandbox")
		}
		got := want{Network: r.network, Reaches: j.Network, Granted: j.Granted}
		for _, one := range j.Commands {
			got.Commands = append(got.Commands, one.Network)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestProfile holds what the sandbox lets a command reach against its verdict.
func TestProfile(t *testing.T) {
	ask := policy.Rule{Path: "SOUL.md", Write: policy.Ask}
	deny := policy.Rule{Path: "locked/**", Write: policy.Deny}
	hide := policy.Rule{Path: "*.secret", Read: policy.Deny}
	elsewhere := t.TempDir()
	call, dir := world(t, config.Exec{Writable: []string{elsewhere}}, ask, deny, hide)
	for _, name := range []string{".git/hooks", "locked", ".vscode", ".helve/artifacts/s"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"SOUL.md", "a.secret", "locked/f", ".helve/config.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := func(names ...string) []string {
		for i, n := range names {
			names[i] = filepath.Join(dir, n)
		}
		return names
	}
	for _, c := range []struct {
		command    string
		filesystem sandbox.Filesystem
		protected  []string
		writable   []string // beside the caches
	}{
		{"ls", sandbox.ReadOnly, nil, nil},
		{"make", sandbox.Workspace, in(".git/commondir", ".git/config", ".git/config.worktree", ".git/hooks", ".git/info/attributes", ".helve/config.json", ".vscode", "SOUL.md", "locked", "locked/f"), []string{elsewhere}},
		{"echo x > SOUL.md", sandbox.Workspace, in(".git/commondir", ".git/config", ".git/config.worktree", ".git/hooks", ".git/info/attributes", ".helve/config.json", ".vscode", "locked", "locked/f"), []string{elsewhere}}, // which somebody allowed
	} {
		_, r := judged(t, call, Args{Command: c.command})
		if !r.Kind.Confines() {
			t.Skip("no sandbox")
		}
		p, err := r.Profile(call, r.grant(""))
		if err != nil {
			t.Fatal(err)
		}
		writable := slices.DeleteFunc(p.Writable, func(dir string) bool { return dir == r.Machine.Cache })
		if p.Filesystem != c.filesystem || cmp.Diff(c.protected, p.Protected) != "" || len(writable) != len(c.writable) {
			t.Errorf("%s: %s %v\n%s", c.command, p.Filesystem, writable, cmp.Diff(c.protected, p.Protected))
		}
		for i, want := range c.writable {
			if real, err := filepath.EvalSymlinks(want); err != nil || writable[i] != real {
				t.Errorf("%s may write to %v", c.command, writable)
			}
		}
		if !slices.Contains(p.Secrets, filepath.Join(dir, "a.secret")) || !slices.Contains(p.Secrets, r.Machine.Hidden[0]) {
			t.Errorf("%s: secrets are %v", c.command, p.Secrets)
		}
	}
}

// TestAllowedOutside opens what an allowed command is seen to write, and nothing
// that much else lies in.
func TestAllowedOutside(t *testing.T) {
	call, dir := world(t, config.Exec{})
	_, r := judged(t, call, Args{Command: "make"})
	outside, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.Machine.Cache, r.Machine.Home = "", filepath.Join(outside, "home", "me")
	r.Kind = sandbox.Landlock // with a /tmp of its own, nothing below is outside
	for _, name := range []string{"home/me", "d"} {
		if err := os.MkdirAll(filepath.Join(outside, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(outside, "d", "f")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r.verdict.Outside = []string{file, outside + "/d/new", outside + "/home/x", outside + "/home/me/x", "/x", filepath.Dir(dir), dir + "/f", outside + "/no/where"}
	if got := r.Writable(r.grant("").Outside); got != nil {
		t.Errorf("what was not seen to leave the workspace may write to %v", got)
	}
	r.verdict.Flags = []classify.Flag{classify.Outside}
	if d := cmp.Diff([]string{file, outside + "/d"}, r.Writable(r.grant("").Outside)); d != "" {
		t.Error(d)
	}
}

// TestWorktree believes a .git file only as far as git itself wrote the other
// half.
func TestWorktree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	call, dir := world(t, config.Exec{})
	main, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q", main}, {"-C", main, "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "x"},
		{"-C", main, "worktree", "add", "-q", "-f", dir},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	_, r := judged(t, call, Args{Command: "make"})
	r.Machine.Cache = ""
	own, shared := filepath.Join(main, ".git", "worktrees", filepath.Base(dir)), filepath.Join(main, ".git")
	if d := cmp.Diff([]string{own, shared}, r.Writable(nil)); d != "" {
		t.Error(d)
	}
	p, err := r.Profile(call, r.grant(""))
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind.Confines() && (!slices.Contains(p.Writable, shared) || !slices.Contains(p.Protected, filepath.Join(shared, "hooks"))) {
		t.Errorf("%v, %v", p.Writable, p.Protected)
	}
	victim := t.TempDir()
	for _, forged := range []string{"gitdir: " + victim + "\n", "gitdir: /\n", "gitdir: relative\n", "nonsense", "gitdir: " + shared + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, ".git"), []byte(forged), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := r.Writable(nil); got != nil {
			t.Errorf("%q is believed: %v", forged, got)
		}
	}
}

// A shell that the workspace put on the path does not run.
func TestPlantedShell(t *testing.T) {
	call, dir := world(t, config.Exec{})
	planted := filepath.Join(dir, "bash")
	if err := os.WriteFile(planted, []byte("#!/bin/sh\necho planted\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	m, err := call.Env.Machine()
	if err != nil {
		t.Fatal(err)
	}
	m.Environ = append(m.Environ, "PATH="+dir+":"+os.Getenv("PATH"), "SHELL="+planted)
	if _, r := judged(t, call, Args{Command: "ls"}); r.shell.Path == planted {
		t.Error("it would")
	}
	if _, _, err := judge(t.Context(), call, Args{Command: "ls", Cwd: ".", Shell: "user"}); !fault.Is(err, fault.PermissionDenied) {
		t.Errorf("as the person's own: %v", err)
	}
	if j, _ := judged(t, call, Args{Argv: []string{"bash", "-c", "ls"}}); j.Risk == policy.Read || !slices.Contains(j.Flags, string(classify.PathShadow)) {
		t.Errorf("by its name: %+v", j)
	}
}

func TestResolve(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"out": "/etc", "in": "sub", "dangling": "/nowhere/x", "near": "later"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip("no links")
		}
	}
	for path, want := range map[string]string{
		"new": dir + "/new", "out/x/y": "/etc/x/y", "dangling": "/nowhere/x", "dangling/z": "/nowhere/x/z", "near": dir + "/later", "in/f": dir + "/sub/f",
	} {
		if got := confine.Resolve(filepath.ToSlash(dir) + "/" + path); got != want {
			t.Errorf("%s leads to %s, want %s", path, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		r    Result
		want string
	}{
		{Result{Output: "a"}, "a\n"},
		{Result{}, "[exit code 0]\n"},
		{Result{Output: "x\n", ExitCode: 2}, "x\n[exit code 2]\n"},
		{Result{Output: "x\n", ExitCode: -1, Signal: "SIGKILL", Ended: "timeout", DurationMS: 1234}, "x\n[killed after 1.23s (timeout); exit code -1 SIGKILL]\n"},
		{Result{Job: "j"}, "[started in the background as job j]\n"},
		{Result{Output: "x\n", OutputFile: "f", TotalBytes: 9, Denials: []Denial{{Op: "write", Path: "/etc/x", Rule: "outside the workspace", Fix: "ask"}}, Killed: []string{"sleep 1"}},
			"x\n[the complete output, 9 bytes, is in f]\n[the sandbox refused: write /etc/x (outside the workspace): ask]\n[left running by the command, and killed: sleep 1]\n"},
	} {
		if d := cmp.Diff(c.want, text(c.r, screen.View{})); d != "" {
			t.Error(d)
		}
	}
	out, err := "o", "e\n"
	if d := cmp.Diff("stdout:\no\nstderr:\ne\n", text(Result{Stdout: &out, Stderr: &err}, screen.View{})); d != "" {
		t.Error(d)
	}
	for r, want := range map[*Result]int{{}: 0, {ExitCode: 3}: 3, {ExitCode: -1, Signal: "SIGKILL"}: 137, {ExitCode: -1, Signal: "SIGTERM", TimedOut: true}: 124} {
		if got := r.Status(); got != want && runtime.GOOS != "windows" {
			t.Errorf("%+v: %d, want %d", r, got, want)
		}
	}
}
