package exec

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/classify"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// profile returns what the command may reach. It follows from the verdict: a command
// that was judged to read cannot write, so that a wrong verdict does no harm.
func (r *request) profile(call *tool.Call, temp string) (sandbox.Profile, error) {
	p := sandbox.Profile{Filesystem: sandbox.Workspace, Network: r.network, Workspace: r.root.Dir(), Temp: temp, Secrets: r.secrets()}
	if r.verdict.Risk == policy.Read {
		p.Filesystem = sandbox.ReadOnly
	}
	files, err := r.policyFiles(call)
	if err != nil {
		return p, err
	}
	p.Secrets = append(p.Secrets, files.hidden...)
	if p.Filesystem == sandbox.ReadOnly {
		return p, nil
	}
	p.Protected = append(r.ownFiles(), files.denied...)
	if !r.verdict.Has(classify.Protected) {
		// Who allowed a command that visibly changes such files allowed that.
		p.Protected = append(append(p.Protected, r.trustedFiles()...), files.asked...)
	}
	p.Writable = r.writable()
	slices.Sort(p.Protected)
	p.Protected = slices.Compact(p.Protected)
	return p, nil
}

// secrets returns what no command may see, unless the settings say otherwise.
func (r *request) secrets() []string {
	all := append(sandbox.Secrets(r.machine.Home), r.machine.Hidden...)
	return slices.DeleteFunc(all, func(secret string) bool {
		return slices.ContainsFunc(r.machine.Settings.Readable, func(path string) bool { return workspace.WithinOS(secret, filepath.Clean(path)) })
	})
}

// ownFiles returns the files of helve's own in the workspace, without the artifacts
// of sessions.
func (r *request) ownFiles() []string {
	names := []string{"config.json"}
	if entries, err := r.root.ReadDir(".helve"); err == nil {
		for _, e := range entries {
			if e.Name != "artifacts" && !slices.Contains(names, e.Name) {
				names = append(names, e.Name)
			}
		}
	}
	for i, name := range names {
		names[i] = filepath.Join(r.root.Dir(), ".helve", name)
	}
	return append(names, r.exposed()...)
}

// exposed returns the person's settings and custom tools that are where the command
// may write.
func (r *request) exposed() []string {
	var all []string
	for _, path := range r.machine.Own {
		for _, path := range slices.Compact([]string{path, filepath.FromSlash(resolve(filepath.ToSlash(path)))}) {
			if slices.ContainsFunc(append([]string{r.root.Dir()}, r.machine.Settings.Writable...), func(dir string) bool { return workspace.WithinOS(path, dir) && dir != path }) {
				all = append(all, path)
			}
		}
	}
	return all
}

// trustedFiles returns what git, editors and agents run or obey without asking.
func (r *request) trustedFiles() []string {
	names := []string{".vscode", ".idea", ".claude", ".codex", ".cursor", ".gemini", ".mcp.json", ".envrc"}
	all := make([]string, 0, len(names)+len(gitFiles))
	for _, name := range names {
		if _, err := r.root.Lstat(name); err == nil {
			all = append(all, filepath.Join(r.root.Dir(), name))
		}
	}
	for _, dir := range r.gitDirs() {
		for _, name := range gitFiles {
			all = append(all, filepath.Join(dir, name))
		}
	}
	return all
}

// gitFiles are where git takes programs from, or paths to look for them; see
// gitrepository-layout(5).
var gitFiles = [...]string{"hooks", "config", "config.worktree"}

// gitDirs returns the directories of the workspace's repository: that of the
// worktree, and the one that it shares with others.
func (r *request) gitDirs() []string {
	info, err := r.root.Lstat(".git")
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		return []string{filepath.Join(r.root.Dir(), ".git")}
	}
	return r.worktree()
}

// worktree returns the directories of a repository that has them elsewhere. The .git
// file may say anything, so the directory must name this worktree in turn; see
// git-worktree(1).
func (r *request) worktree() []string {
	target, ok := strings.CutPrefix(firstLine(r.root, ".git"), "gitdir: ")
	if !ok || !filepath.IsAbs(target) {
		return nil
	}
	dir, err := workspace.Open(target, workspace.Options{})
	if err != nil {
		return nil
	}
	defer dir.Close()
	back, err := filepath.EvalSymlinks(firstLine(dir, "gitdir"))
	if err != nil || back != filepath.Join(r.root.Dir(), ".git") || path.Base(filepath.ToSlash(filepath.Dir(dir.Dir()))) != "worktrees" {
		return nil
	}
	return []string{dir.Dir(), filepath.Dir(filepath.Dir(dir.Dir()))}
}

// firstLine returns the first line of a small file; "" if there is none.
func firstLine(root *workspace.Root, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	buf := make([]byte, 4096)
	n, _ := f.Read(buf) // without bytes there is no line
	line, _, _ := strings.Cut(string(buf[:n]), "\n")
	return strings.TrimRight(line, "\r")
}

// writable returns the directories outside the workspace that the command may write
// to: those of the settings, caches of toolchains, the repository of a worktree, and
// what was allowed with the command.
func (r *request) writable() []string {
	var all []string
	add := func(dir string) {
		if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.Dir(real) != real && !workspace.WithinOS(r.root.Dir(), real) && !slices.Contains(all, real) {
			all = append(all, real)
		}
	}
	for _, dir := range r.machine.Settings.Writable {
		add(dir)
	}
	if r.hasCaches() && os.MkdirAll(r.machine.Cache, 0o700) == nil {
		add(r.machine.Cache)
	}
	for _, dir := range r.gitDirs() {
		if !workspace.WithinOS(dir, r.root.Dir()) {
			add(dir)
		}
	}
	if !r.verdict.Has(classify.Outside) {
		return all
	}
	for _, path := range r.verdict.Written {
		if path = filepath.FromSlash(path); workspace.WithinOS(path, r.root.Dir()) {
			continue
		}
		if _, err := os.Lstat(path); err != nil {
			path = filepath.Dir(path) // it will be created there
		}
		if !r.above(path) {
			add(path)
		}
	}
	return all
}

// above reports whether a path contains the workspace, the home directory or helve.
func (r *request) above(path string) bool {
	for _, below := range append([]string{r.root.Dir(), r.machine.Home, r.machine.Program}, r.machine.Hidden...) {
		if below != "" && workspace.WithinOS(below, path) {
			return true
		}
	}
	return false
}

func (r *request) hasCaches() bool { return r.machine.Cache != "" && r.kind.Confines() }

// caches returns variables that move the caches of toolchains to where a confined
// command may write: otherwise the toolchains would fail.
func (r *request) caches() []string {
	if !r.hasCaches() {
		return nil
	}
	var env []string
	for _, c := range [...][2]string{
		{"GOCACHE", "go-build"}, {"GOLANGCI_LINT_CACHE", "golangci-lint"}, {"npm_config_cache", "npm"}, {"YARN_CACHE_FOLDER", "yarn"},
		{"PIP_CACHE_DIR", "pip"}, {"UV_CACHE_DIR", "uv"}, {"CCACHE_DIR", "ccache"},
	} {
		env = append(env, c[0]+"="+filepath.Join(r.machine.Cache, c[1]))
	}
	return env
}

// policyPaths are files that rules restrict.
type policyPaths struct {
	hidden []string // must not be read
	denied []string // must not be changed
	asked  []string // must not be changed without asking
}

// policyFiles finds the files of the workspace that rules keep from being read or
// changed, for the sandbox to enforce.
func (r *request) policyFiles(call *tool.Call) (policyPaths, error) {
	var found policyPaths
	if call.Env.Policy == nil || !call.Env.Policy.NarrowsPaths() {
		return found, nil
	}
	for _, given := range call.Env.Policy.Rules() {
		name := given.Rule.Path
		if strings.ContainsAny(name, `*?[{\`) || name == "" {
			continue
		}
		if _, err := r.root.Lstat(name); !fault.Is(err, fault.NotFound) {
			continue // it exists: visit finds it
		}
		if v := call.Verdict(name, schema.WritePath); v != policy.Allow {
			found.note(v, filepath.Join(r.root.Dir(), filepath.FromSlash(name)))
		}
	}
	left := visits
	return found, r.visit(call, ".", &left, &found)
}

// note adds a path that must not be changed.
func (f *policyPaths) note(v policy.Verdict, abs string) {
	if v == policy.Ask {
		f.asked = append(f.asked, abs)
	} else {
		f.denied = append(f.denied, abs)
	}
}

// visits is how many entries of the workspace are compared with the rules.
const visits = 200_000

func (r *request) visit(call *tool.Call, dir string, left *int, found *policyPaths) error {
	entries, err := r.root.ReadDir(dir)
	if fault.Is(err, fault.PermissionDenied) || fault.Is(err, fault.NotFound) {
		return nil // the command cannot read it either, or it has gone
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if *left--; *left < 0 {
			return fault.New(fault.TooLarge, fault.T("the workspace has more than %d entries to compare with the rules", "工作区需要与规则比较的条目超过 %d 个", visits)).
				WithHint(fault.T("use a subdirectory as root, or rules about argv", "请以子目录作为根目录，或改用关于 argv 的规则"))
		}
		name := path.Join(dir, e.Name)
		abs := filepath.Join(r.root.Dir(), filepath.FromSlash(name))
		if call.Verdict(name, schema.ReadPath) != policy.Allow || call.Hidden != nil && call.Hidden(name) {
			found.hidden = append(found.hidden, abs)
			continue
		}
		if v := call.Verdict(name, schema.WritePath); v != policy.Allow {
			found.note(v, abs)
		}
		if e.Info != nil && e.Info.IsDir() {
			if err := r.visit(call, name, left, found); err != nil {
				return err
			}
		}
	}
	return nil
}
