package run

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Shell is a program that runs command lines.
type Shell struct {
	Name string // bash, sh, zsh, fish, pwsh, powershell, cmd …
	Path string
}

// Argv returns the program and arguments that run a line in the shell, without its
// start files.
func (s Shell) Argv(line string) []string {
	switch s.Name {
	case "bash":
		return []string{s.Path, "--noprofile", "--norc", "-c", line}
	case "zsh":
		return []string{s.Path, "-f", "-c", line}
	case "fish":
		return []string{s.Path, "--no-config", "-c", line}
	case "pwsh", "powershell":
		return []string{s.Path, "-NoProfile", "-NonInteractive", "-Command", line}
	case "cmd":
		return []string{s.Path, "/d", "/s", "/c", line}
	}
	return []string{s.Path, "-c", line}
}

// FindShell finds the shell that a call asks for: auto, user, or a name. passwd is
// the content of /etc/passwd, for the user's shell when SHELL is not set.
func FindShell(want string, env []string, user string, passwd []byte) (Shell, error) {
	switch want {
	case "", "auto":
		names := []string{"bash", "sh"}
		if runtime.GOOS == "windows" {
			names = []string{"pwsh", "powershell", "cmd"}
		}
		return firstShell(env, names...)
	case "user":
		path := Value(env, "SHELL")
		if path == "" {
			path = loginShell(user, passwd)
		}
		if filepath.IsAbs(path) && IsProgram(path) {
			return Shell{Name: strings.TrimSuffix(filepath.Base(path), ".exe"), Path: path}, nil
		}
		return FindShell("auto", env, user, passwd)
	case "bash", "sh", "zsh", "cmd":
		return firstShell(env, want)
	case "powershell":
		return firstShell(env, "pwsh", "powershell")
	}
	return Shell{}, unknownShell(want)
}

func firstShell(env []string, names ...string) (Shell, error) {
	for _, name := range names {
		if path := Look(name, env); path != "" {
			return Shell{Name: name, Path: path}, nil
		}
	}
	return Shell{}, noShell(names[0])
}

// loginShell returns the shell of a user by passwd(5), "" without one.
func loginShell(user string, passwd []byte) string {
	for line := range strings.Lines(string(passwd)) {
		fields := strings.Split(strings.TrimRight(line, "\r\n"), ":")
		if len(fields) == 7 && user != "" && fields[0] == user {
			return fields[6]
		}
	}
	return ""
}

// Look returns the path of a program by the PATH of an environment, "" when there
// is none.
func Look(name string, env []string) string {
	if name == "" || strings.ContainsAny(name, `/\`) {
		return ""
	}
	suffixes := []string{""}
	if runtime.GOOS == "windows" && filepath.Ext(name) == "" {
		suffixes = strings.Split(strings.ToLower(cmp.Or(Value(env, "PATHEXT"), ".com;.exe;.bat;.cmd")), ";")
	}
	for _, dir := range filepath.SplitList(Value(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		for _, suffix := range suffixes {
			if path := filepath.Join(dir, name+suffix); IsProgram(path) {
				return path
			}
		}
	}
	return ""
}

// IsProgram reports whether a path is a file that can be executed.
func IsProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}
