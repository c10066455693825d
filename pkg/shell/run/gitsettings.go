package run

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config"
)

// What is read of the settings of repositories: more than anybody writes by hand.
const (
	maxGitFiles    = 200
	maxGitSections = 500
)

// gitSettings are the names in the settings of repositories. They are read without
// regard to conditions, so that there are rather more than those that git sees.
type gitSettings struct {
	home     string
	seen     map[string]bool // files
	sections []gitSection
	text     []byte // of all files, folded
	unclear  bool   // something could not be read
}

// gitSection is the heading [section "name"].
type gitSection struct{ section, name string }

// says reports whether a word is anywhere in the settings.
func (g *gitSettings) says(word string) bool { return bytes.Contains(g.text, []byte(word)) }

// repository reads the settings of the repository that a directory lies in; see
// gitrepository-layout(5).
func (g *gitSettings) repository(dir string) {
	if dir == "" {
		return
	}
	for ; ; dir = filepath.Dir(dir) {
		git := filepath.Join(dir, ".git")
		if info, err := os.Stat(git); err == nil {
			if !info.IsDir() {
				git = pathIn(dir, strings.TrimPrefix(firstLine(git), "gitdir:"))
			}
			g.file(filepath.Join(git, "config.worktree"))
			if common := firstLine(filepath.Join(git, "commondir")); common != "" {
				git = pathIn(git, common)
			}
			g.file(filepath.Join(git, "config"))
			g.file(filepath.Join(dir, ".gitmodules"))
			return
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}

// pathIn returns what a path means in a file of dir.
func pathIn(dir, path string) string {
	if path = filepath.FromSlash(strings.TrimSpace(path)); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func firstLine(name string) string {
	text, err := config.Read(config.File{Source: config.User, Path: name})
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}

// file reads a file and those that it includes.
func (g *gitSettings) file(name string) {
	if g.seen[name] {
		return
	}
	g.seen[name] = true
	if info, err := os.Stat(name); err != nil && os.IsNotExist(err) || err == nil && info.IsDir() {
		return // git cannot include it either
	}
	text, err := config.Read(config.File{Source: config.User, Path: name})
	if err != nil || len(g.seen) > maxGitFiles {
		g.unclear = true
		return
	}
	folded := bytes.ToLower(text)
	g.text = append(append(g.text, folded...), '\n')
	for rest := text; ; {
		i := bytes.IndexByte(rest, '[')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		g.heading(rest)
	}
	for at := 0; ; {
		i := bytes.Index(folded[at:], []byte("path"))
		if i < 0 {
			return
		}
		at += i + len("path")
		if value, ok := bytes.CutPrefix(bytes.TrimLeft(text[min(at, len(text)):], " \t\r"), []byte("=")); ok {
			g.include(filepath.Dir(name), gitValue(value))
		}
	}
}

// heading reads what is behind a bracket. Where that is in a value, a name too many
// is found.
func (g *gitSettings) heading(text []byte) {
	i := bytes.IndexAny(text, "] \t\n")
	if i < 0 {
		return
	}
	section := string(text[:i])
	if text[i] == ']' { // the old form, in which case does not matter
		if section, name, ok := strings.Cut(section, "."); ok {
			g.add(section, strings.ToLower(name))
		}
		return
	}
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(text[i:], " \t\r\v\f"), []byte(`"`))
	if !ok {
		return
	}
	var name []byte
	for i := 0; i < len(rest) && rest[i] != '\n'; i++ {
		switch c := rest[i]; {
		case c == '"':
			g.add(section, string(name))
			return
		case c == '\\' && i+1 < len(rest):
			i++
			name = append(name, rest[i])
		default:
			name = append(name, c)
		}
	}
}

func (g *gitSettings) add(section, name string) {
	s := gitSection{strings.ToLower(section), name}
	switch s.section {
	case "filter", "diff", "merge", "man", "browser", "gpg", "credential", "remote", "submodule":
	default:
		return
	}
	if slices.Contains(g.sections, s) {
		return
	}
	if len(g.sections) == maxGitSections || strings.IndexByte(name, 0) >= 0 {
		g.unclear = true
		return
	}
	g.sections = append(g.sections, s)
}

// include reads a file that another one in dir names.
func (g *gitSettings) include(dir, name string) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		name = filepath.Join(g.home, rest)
	}
	if name != "" && strings.IndexByte(name, 0) < 0 {
		g.file(pathIn(dir, name))
	}
}

// gitValue reads a value as git-config(1) describes it.
func gitValue(text []byte) string {
	var value []byte
	quoted := false
	text = bytes.TrimLeft(text, " \t")
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n', !quoted && (c == '#' || c == ';'):
			return strings.TrimRight(string(value), " \t\r")
		case c == '"':
			quoted = !quoted
		case c == '\\' && i+1 < len(text):
			i++
			switch text[i] {
			case '\n':
			case 't':
				value = append(value, '\t')
			case 'n':
				value = append(value, '\n')
			default:
				value = append(value, text[i])
			}
		default:
			value = append(value, c)
		}
	}
	return strings.TrimRight(string(value), " \t\r")
}
