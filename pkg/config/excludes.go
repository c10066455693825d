package config

import (
	"path/filepath"
	"strings"
)

// gitIncludes is how deeply files of git's settings may include others, as in git.
const gitIncludes = 10

// GitPaths says where a person's settings of git are. A path may be empty.
type GitPaths struct {
	Home   string // the home directory
	XDG    string // $XDG_CONFIG_HOME
	Global string // $GIT_CONFIG_GLOBAL, which replaces the person's own files
	System string // $GIT_CONFIG_SYSTEM, by default /etc/gitconfig
}

// GitExcludes returns the content of the file of ignore rules that git follows in
// every repository of a person: core.excludesFile, by default git/ignore in the
// configuration directory. It is nil if there is none or it cannot be read; git then
// ignores it as well. See gitignore(5) and git-config(1).
func GitExcludes(p GitPaths) []byte {
	xdg := p.XDG
	if xdg == "" && p.Home != "" {
		xdg = filepath.Join(p.Home, ".config")
	}
	files := []string{p.System}
	switch {
	case p.Global != "":
		files = append(files, p.Global)
	default:
		files = append(files, under(xdg, "git", "config"), under(p.Home, ".gitconfig"))
	}
	name := under(xdg, "git", "ignore")
	for _, file := range files {
		if named, ok := excludesFile(file, p.Home, gitIncludes); ok {
			name = named
		}
	}
	return foreign(name)
}

// under joins names to a directory; it returns "" for no directory.
func under(dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(append([]string{dir}, names...)...)
}

// foreign returns the content of a file of another program; nil if it cannot be read.
func foreign(name string) []byte {
	if name == "" {
		return nil
	}
	data, err := Read(File{Source: User, Path: name})
	if err != nil {
		return nil
	}
	return data
}

// excludesFile returns core.excludesFile of a file of git's settings and of those that
// it includes.
func excludesFile(file, home string, includes int) (name string, ok bool) {
	return excludesIn(string(foreign(file)), home, filepath.Dir(file), func(included string) (string, bool) {
		if includes == 0 {
			return "", false
		}
		return excludesFile(included, home, includes-1)
	})
}

// excludesIn returns core.excludesFile of the text of a file in dir. The last one
// counts.
func excludesIn(text, home, dir string, include func(file string) (string, bool)) (name string, ok bool) {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, opens := strings.CutPrefix(line, "["); opens {
			head, tail, closed := strings.Cut(rest, "]")
			if !closed {
				return name, ok
			}
			section, line = strings.ToLower(strings.TrimSpace(head)), strings.TrimSpace(tail)
		}
		key, value, set := strings.Cut(line, "=")
		if !set || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		switch section + "." + strings.ToLower(strings.TrimSpace(key)) {
		case "core.excludesfile":
			name, ok = expand(gitValue(value), home, ""), true
		case "include.path":
			if named, found := include(expand(gitValue(value), home, dir)); found {
				name, ok = named, true
			}
		}
	}
	return name, ok
}

// gitValue returns a value without quotes, escapes, a comment, and space around it.
func gitValue(s string) string {
	var b strings.Builder
	quoted, kept := false, 0 // kept is the length without trailing space
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"':
			quoted = !quoted
			continue
		case c == '\\' && i+1 < len(s):
			i++
			c = s[i]
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:kept]
		}
		b.WriteByte(c)
		if quoted || c != ' ' && c != '\t' {
			kept = b.Len()
		}
	}
	return b.String()[:kept]
}

// expand returns the path that git means: ~ is the home directory, and a relative
// path starts at dir, or is no path without one.
func expand(name, home, dir string) string {
	switch rest, inHome := strings.CutPrefix(name, "~/"); {
	case name == "":
		return ""
	case inHome:
		return under(home, rest)
	case filepath.IsAbs(name):
		return name
	case strings.HasPrefix(name, "~"):
		return "" // another person's home
	}
	return under(dir, name)
}
