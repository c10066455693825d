package config

import (
	"path/filepath"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

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
	r := gitdir.Reader{Home: p.Home}
	for _, one := range r.Read(files...).All {
		if one.Is("core", "excludesfile") {
			name = r.Expand(one.Value, "")
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
