package classify

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// maxDirectories is how many directories a shell may be in, after its cd
// commands, before the judgement treats the directory as unknown.
const maxDirectories = 16

// chdir judges cd and its like. A cd may fail, or happen in a subshell, so the
// places where the shell was remain possible.
func (a *analysis) chdir(dir word.Word) {
	if !dir.Known() || dir.Text == "-" {
		a.lost = true
		return
	}
	for _, p := range a.resolve(dir) {
		if !a.within(p) {
			a.flag(Outside)
		}
		if slices.Contains(a.cwds, p) {
			continue
		}
		if len(a.cwds) == maxDirectories {
			a.lost = true
			return
		}
		a.cwds = append(a.cwds, p)
	}
}

// loseDirectory gives up on knowing the directory when n, which may run any
// number of times, changes it.
func (a *analysis) loseDirectory(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok {
			for i, w := range c.Args {
				switch a.reader().Word(w).Text {
				case "cd", "pushd", "popd":
					a.lost = a.lost || i < 3 // the name, or behind builtin or command
				}
			}
		}
		return !a.lost
	})
}

// resolve gives the absolute paths that a word may name, of its known part when
// the rest is computed. No path means that nothing can be told.
func (a *analysis) resolve(w word.Word) []string {
	p := strings.ReplaceAll(w.Prefix(), `\`, "/")
	if !w.Known() {
		// Only whole directories of the known part are certain, and nothing is
		// if the rest may climb out of them.
		rest := w.Text[len(w.Prefix()):]
		if strings.Contains(rest, "..") || w.Split && w.Prefix() == "" {
			return nil
		}
		p = p[:strings.LastIndexByte(p, '/')+1]
	}
	if strings.HasPrefix(p, "/") {
		return []string{a.follow(path.Clean(p))}
	}
	if a.lost {
		return nil
	}
	all := make([]string, 0, len(a.cwds))
	for _, cwd := range a.cwds {
		all = append(all, a.follow(path.Join(cwd, p)))
	}
	return all
}

func (a *analysis) follow(abs string) string {
	if a.o.Resolve != nil {
		return path.Clean(a.o.Resolve(abs))
	}
	return abs
}

func (a *analysis) within(abs string) bool { return workspace.Within(abs, a.o.Root) }

func (a *analysis) scratch(abs string) bool {
	return slices.ContainsFunc(a.o.Scratch, func(dir string) bool { return workspace.Within(abs, dir) })
}

// reads judges a path that is read. It adds flags only: reading does no harm
// here, and what must not be read is for the sandbox to withhold.
func (a *analysis) reads(w word.Word) {
	for _, p := range a.resolve(w) {
		if !a.within(p) && !a.scratch(p) && p != "/dev/null" {
			a.flag(Outside)
		}
		if sensitiveFile(p) {
			a.flag(Sensitive)
		}
	}
	if strings.Contains(w.Text, "..") {
		// Through a link, or from a directory that is not known, it may climb.
		for _, p := range a.resolve(w) {
			if !a.within(p) {
				a.flag(Outside)
			}
		}
	}
}

// writes judges a path that is created or changed.
func (a *analysis) writes(w word.Word) {
	if a.specialPath(w) {
		return
	}
	a.raise(Write, "", fault.T("%s is written", "会写入 %s", w.Source))
	paths := a.resolve(w)
	switch {
	case len(paths) == 0 && w.Known():
		a.raise(Destructive, DynamicArgs, fault.T("%s is written from a directory that cannot be told", "%s 写入的目录无法确定", w.Source))
	case !w.Known():
		a.raise(Write, DynamicArgs, fault.T("the path that is written is computed: %s", "写入的路径是计算得来的：%s", w.Source))
	}
	for _, p := range paths {
		a.written = append(a.written, p)
		switch {
		case a.guardedPath(p):
			a.raise(Destructive, Protected, fault.T("%s is a protected path", "%s 是受保护的路径", w.Source))
		case !a.within(p) && !a.scratch(p):
			a.outside(w)
		}
	}
}

func (a *analysis) outside(w word.Word) {
	a.raise(Destructive, Outside, fault.T("%s is outside the workspace", "%s 在工作区之外", w.Source))
}

// specialPath judges the files that are none and reports whether w was one.
func (a *analysis) specialPath(w word.Word) bool {
	if !w.Lit {
		// >(…) and <(…): the command in it is judged by itself.
		return strings.HasPrefix(w.Text, "/dev/fd/")
	}
	p := path.Clean(w.Text)
	switch p {
	case "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	switch {
	case strings.HasPrefix(p, "/dev/fd/"):
		return true
	case strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/"):
		a.network()
		a.raise(Write, Network, fault.T("%s is a network connection", "%s 是网络连接", w.Source))
		return true
	}
	return false
}

// rawDevice reports whether abs is a disk, memory or the like.
func rawDevice(abs string) bool {
	name, ok := strings.CutPrefix(abs, "/dev/")
	if !ok {
		return false
	}
	for _, prefix := range [...]string{
		"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "loop", "mem", "kmem", "port", "nbd", "sr", "ram",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// guardedPath reports whether a change of abs would change what runs later:
// repositories' hooks and settings, shells', editors' and agents' start files.
func (a *analysis) guardedPath(abs string) bool {
	if rawDevice(abs) {
		a.forbid(fault.T("%s is a raw device", "%s 是裸设备", abs))
	}
	rel, inside := workspace.Rel(abs, a.o.Root)
	inside = inside && rel != "."
	if inside && a.o.Protect != nil && a.o.Protect(rel) {
		return true
	}
	if !inside {
		rel = abs
	}
	for name := range strings.SplitSeq(rel, "/") {
		if protectedName(fold(name)) {
			return true
		}
	}
	return false
}

// fold makes names equal that some file system takes for equal.
func fold(name string) string {
	name = strings.Map(func(r rune) rune {
		if invisible(r) || bidirectional(r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimRight(name, ". ")
}

func protectedName(name string) bool {
	switch name {
	case ".git", "git~1", ".hg", ".svn", ".jj", ".helve", "helve~1", ".ssh", ".gnupg", ".aws", ".kube", ".docker",
		".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv",
		".zprofile", ".zlogin", ".kshrc", ".cshrc", ".tcshrc", ".inputrc", ".gitconfig", ".gitmodules", ".npmrc", ".yarnrc",
		".pypirc", ".netrc", ".curlrc", ".wgetrc", ".vimrc", ".exrc", ".gdbinit", ".lldbinit", ".pythonrc", ".envrc",
		".vscode", ".idea", ".claude", ".codex", ".cursor", ".gemini", ".mcp.json", ".ripgreprc", ".xinitrc", ".xprofile",
		".pam_environment", ".tmux.conf", ".screenrc", ".rhosts", ".forward":
		return true
	}
	return false
}

// sensitiveFile reports whether abs holds secrets as a rule.
func sensitiveFile(abs string) bool {
	switch abs {
	case "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/krb5.keytab":
		return true
	}
	if strings.HasPrefix(abs, "/proc/") && (strings.HasSuffix(abs, "/environ") || strings.HasSuffix(abs, "/mem")) {
		return true
	}
	for _, part := range [...]string{
		"/.ssh", "/.aws", "/.azure", "/.gnupg", "/.kube", "/.docker", "/.config/gh", "/.config/gcloud", "/.password-store",
		"/.local/share/keyrings", "/.mozilla", "/etc/ssl/private", "/etc/sudoers.d", "/run/secrets",
	} {
		if strings.Contains(abs+"/", part+"/") {
			return true
		}
	}
	base := path.Base(abs)
	switch base {
	case ".netrc", "_netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".env", ".bash_history", ".zsh_history",
		"credentials.json":
		return true
	}
	return strings.HasPrefix(base, "id_rsa") || strings.HasPrefix(base, "id_ed25519") || strings.HasPrefix(base, "id_ecdsa") ||
		strings.HasPrefix(base, ".env.") || strings.HasSuffix(base, ".pem") || strings.HasSuffix(base, ".keystore")
}

// vital reports whether abs is the system, a home directory, or one of the
// directories that they live by.
func (a *analysis) vital(abs string) bool {
	if a.within(abs) && a.o.Root != "/" {
		return false
	}
	home := cmp.Or(a.o.Home, word.UnnamedHome)
	if workspace.Within(a.o.Root, abs) || workspace.Within(home, abs) || abs == home { // above or at
		return true
	}
	dir, base := path.Split(abs)
	switch dir {
	case "/":
		switch base {
		case "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "opt", "proc", "root", "run", "sbin", "srv", "sys",
			"usr", "var", "Applications", "Library", "System", "Users", "private", "Windows":
			return true
		}
	case "/home/", "/Users/", "/usr/", "/var/":
		return true
	}
	return false
}
