package run

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/policy/secret"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Environment describes the variables of a command: those of the parent that
// programs are known to need and that hold no secret, and those that keep programs
// from waiting for a person.
type Environment struct {
	Parent []string // "NAME=value", of this process
	Extra  []string // "NAME=value", of the call; see loadsCode for what is refused
	Pass   []string // further names to take from Parent, by the settings
	Set    []string // "NAME=value", by the settings; Extra overrides them
	Temp   string   // private temporary directory
	// Proxy is the address, a host and a port, of the proxy that the command reaches hosts
	// by; "" is none.
	Proxy string
	// For a command that only reads, directories of Workspace are left out of
	// PATH, so that no file of the workspace runs in place of a program.
	Workspace string
	ReadOnly  bool
	// Dir is the directory of such a command; "" without one. The repositories of Dir and
	// Workspace cannot make git run a program.
	Dir string
	// Sandboxed forbids a helve that the command starts to approve calls.
	Sandboxed bool
}

// Build returns the variables, sorted, and the names of the variables of the call
// that it refused.
func (e Environment) Build() (env, refused []string) {
	vars := map[string]string{}
	pass := make([]string, len(e.Pass))
	for i, name := range e.Pass {
		pass[i] = fold(name)
	}
	for _, entry := range e.Parent {
		name, value, ok := strings.Cut(entry, "=")
		name = fold(name)
		if ok && (passed(name) || slices.Contains(pass, name)) && !loadsCode(name) &&
			(slices.Contains(pass, name) || !secretName(name) && !secret.Value(value)) {
			vars[name] = value
		}
	}
	for _, entry := range append(fixed(), e.Set...) {
		name, value, _ := strings.Cut(entry, "=")
		vars[fold(name)] = value
	}
	if e.Temp != "" {
		vars["TMPDIR"] = e.Temp
		if e.Sandboxed { // in the home a browser could not make its profile
			vars["CHROME_CONFIG_HOME"] = e.Temp
		}
		if runtime.GOOS == "windows" {
			vars["TEMP"], vars["TMP"] = e.Temp, e.Temp
		}
	}
	if e.Proxy != "" {
		for _, v := range proxied(e.Proxy) {
			vars[v.name] = v.value
		}
	}
	if e.ReadOnly {
		var repositories []string
		if e.Dir != "" {
			repositories = []string{e.Workspace, e.Dir}
		}
		for _, entry := range gitForReading(Value(e.Parent, "HOME"), !e.Sandboxed, repositories...) {
			name, value, _ := strings.Cut(entry, "=")
			vars[fold(name)] = value
		}
	}
	for _, entry := range e.Extra {
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" || loadsCode(fold(name)) || strings.ContainsAny(entry, "\x00") {
			refused = append(refused, name)
			continue
		}
		vars[fold(name)] = value
	}
	if runtime.GOOS == "windows" {
		// cmd runs no file of the directory that it is in for a bare name.
		vars["NODEFAULTCURRENTDIRECTORYINEXEPATH"] = "1"
	}
	vars["PATH"] = e.path(vars["PATH"])
	if e.Sandboxed {
		vars["HELVE_SANDBOX"] = "1"
	}
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env, refused
}

// path returns a PATH without relative directories and, for a command that only
// reads, without directories of the workspace.
func (e Environment) path(list string) string {
	var kept []string
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if e.ReadOnly && e.Workspace != "" && e.leadsThrough(dir) {
			continue
		}
		kept = append(kept, dir)
	}
	if len(kept) == 0 && runtime.GOOS != "windows" {
		kept = []string{"/usr/local/bin", "/usr/bin", "/bin"}
	}
	return strings.Join(kept, string(filepath.ListSeparator))
}

// leadsThrough reports whether a directory is in the workspace, or is reached by
// ".." from there: the workspace may have a link on the way.
func (e Environment) leadsThrough(dir string) bool {
	before, _, _ := strings.Cut(dir, string(filepath.Separator)+"..")
	return workspace.WithinOS(dir, e.Workspace) || workspace.WithinOS(before, e.Workspace)
}

// fold returns the name of a variable in upper case where the system ignores case:
// there Path and PATH are one variable.
func fold(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// passed reports whether programs are known to need a variable, whose name is folded.
func passed(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY",
		"GOTOOLCHAIN", "CARGO_HOME", "RUSTUP_HOME", "JAVA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "NVM_DIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
		"XDG_DATA_HOME", "TRACEPARENT", "TRACESTATE":
		return true
	}
	if strings.HasPrefix(name, "LC_") {
		return true
	}
	if runtime.GOOS != "windows" {
		return false
	}
	switch name {
	case "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "SYSTEMDRIVE", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
		"PROGRAMFILES(X86)", "USERNAME", "HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE":
		return true
	}
	return false
}

// loadsCode reports whether a variable is never passed on: it makes shells, loaders
// or interpreters run code before the command, or leads to a person's agents.
func loadsCode(name string) bool {
	switch name {
	case "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_COMMITTER_DATE":
		return false
	case "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS0", "PS4", "PROMPT_COMMAND", "IFS", "CDPATH", "GLOBIGNORE", "GLIBC_TUNABLES", "PYTHONSTARTUP",
		"PYTHONHOME", "PYTHONINSPECT", "PERL5OPT", "PERL5DB", "RUBYOPT", "NODE_OPTIONS", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DISPLAY",
		"WAYLAND_DISPLAY", "XAUTHORITY", "KUBECONFIG", "LESSOPEN", "LESSCLOSE", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS":
		return true
	}
	for _, prefix := range [...]string{"BASH_FUNC_", "LD_", "DYLD_", "GIT_", "DBUS_", "HELVE"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// secretName reports whether a variable holds a secret by its name.
func secretName(name string) bool {
	upper := strings.ToUpper(name)
	for _, part := range [...]string{"KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH", "PRIVATE", "SESSION"} {
		if strings.Contains(upper, part) {
			return true
		}
	}
	return false
}

// fixed returns the variables that keep programs from asking, paging, colouring and
// buffering. The editor is false and not true, which would accept every text. Vim would
// wait for keys without a terminal, too, so it ends when it has done what its arguments
// say; see "initialization" in its manual.
func fixed() []string {
	return []string{
		"CI=1", "NO_COLOR=1", "CLICOLOR=0", "TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GH_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=", "EDITOR=false",
		"VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GCM_INTERACTIVE=never", "GH_PROMPT_DISABLED=1", "DEBIAN_FRONTEND=noninteractive", "npm_config_yes=true", "npm_config_update_notifier=false",
		"PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PYTHONUNBUFFERED=1", "HELVE=1", "VIMINIT=set viminfo=|autocmd VimEnter * cquit",
	}
}

// Value returns the value of a variable in an environment. The last entry counts.
func Value(env []string, name string) string {
	name = fold(name)
	for _, entry := range slices.Backward(env) {
		if key, value, ok := strings.Cut(entry, "="); ok && fold(key) == name {
			return value
		}
	}
	return ""
}
