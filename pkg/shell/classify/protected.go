package classify

import (
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
	"github.com/helve-dev/helve/pkg/workspace"
)

// specialPath judges a path that is no file, such as /dev/null or /dev/tcp/..., and
// reports whether w is one.
func (a *analysis) specialPath(w word.Word) bool {
	if !w.Lit {
		// >(...) and <(...): the command in it is judged by itself.
		if strings.HasPrefix(w.Source, ">(") || strings.HasPrefix(w.Source, "<(") {
			return true
		}
		a.reopened = a.reopened || strings.HasPrefix(w.Prefix(), "/dev/fd/")
		return false
	}
	p := path.Clean(w.Text)
	switch {
	case p == "/dev/stdin" || p == "/dev/fd/0":
		a.reopens(w)
		return true
	case p == "/dev/stdout" || p == "/dev/stderr" || strings.HasPrefix(p, "/dev/fd/"):
		a.reopened = true
		return true
	case terminal(p):
		return true
	case strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/"):
		a.network()
		a.raise(Write, Network, fault.T("%s is a network connection", w.Source))
		return true
	}
	return false
}

// terminal reports whether an absolute path is a device that keeps nothing, or the
// terminal, of which a command here has none.
func terminal(p string) bool {
	switch p {
	case "/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom":
		return true
	}
	return false
}

// reopens judges a path such as /dev/fd/3 that is written: the system opens the file
// behind the descriptor anew, also one that was opened for reading.
func (a *analysis) reopens(w word.Word) {
	a.raise(Destructive, DynamicArgs, fault.T("%s writes to whatever file is open there", w.Source))
}

// rawDevice reports whether abs is a disk, the memory or the like.
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

// guardedPath reports whether a change of abs would change what runs later: the
// hooks and settings of repositories, the start files of shells, editors and
// agents. A raw device is never allowed.
func (a *analysis) guardedPath(abs string) bool {
	if rawDevice(abs) {
		a.forbid(fault.T("%s is a raw device", abs))
	}
	rel, inside := workspace.Rel(abs, a.o.Root)
	inside = inside && rel != "."
	if inside && a.o.Protect != nil && a.o.Protect(rel) {
		return true
	}
	if !inside {
		rel = abs
	}
	class, _ := workspace.Obeyed(strings.Map(func(r rune) rune {
		if invisible(r) || bidirectional(r) {
			return -1
		}
		return r
	}, rel))
	return class != workspace.Free
}

// sensitiveFile reports whether abs usually holds secrets.
func sensitiveFile(abs string) bool {
	switch abs {
	case "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/krb5.keytab":
		return true
	}
	if strings.HasPrefix(abs, "/proc/") && (strings.HasSuffix(abs, "/environ") || strings.HasSuffix(abs, "/mem")) {
		return true
	}
	below := abs + "/"
	for _, dir := range [...]string{
		"/.ssh/", "/.aws/", "/.azure/", "/.gnupg/", "/.kube/", "/.docker/", "/.config/gh/", "/.config/gcloud/", "/.password-store/",
		"/.local/share/keyrings/", "/.mozilla/", "/etc/ssl/private/", "/etc/sudoers.d/", "/run/secrets/",
	} {
		if strings.Contains(below, dir) {
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

// sensitivePattern reports whether a path that the shell completes may become one
// that usually holds secrets. What is all computed is not taken for one.
func sensitivePattern(w word.Word) bool {
	pattern := strings.ReplaceAll(w.Text, string(word.Hole), "*")
	if sensitiveFile(path.Clean("/" + pattern)) {
		return true
	}
	for part := range strings.SplitSeq(pattern, "/") {
		plain := strings.Trim(part, "*?.")
		if plain == "" && part != ".*" || !strings.ContainsAny(part, "*?[(") {
			continue
		}
		for name := range strings.FieldsSeq(".ssh .aws .azure .gnupg .kube .docker .password-store .netrc .npmrc .pypirc .git-credentials .pgpass .env .env.local " +
			".bash_history .zsh_history id_rsa id_ed25519 id_ecdsa shadow environ") {
			matches, err := path.Match(part, name)
			if err != nil || matches && (name[0] != '.' || part[0] == '.' || part[0] == '[') || strings.Contains(part, "(") && strings.Contains(part, name) {
				return true
			}
		}
	}
	return false
}
