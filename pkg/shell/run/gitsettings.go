package run

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// maxGitSections limits the named sections that are overridden. It is more than anybody
// writes by hand.
const maxGitSections = 500

// gitSettings are the settings of repositories. Conditions are ignored, so they include
// all that git sees, and perhaps more.
type gitSettings struct {
	gitdir.Settings
	home     string
	sections []gitSection
}

// gitSection is the heading [section "name"].
type gitSection struct{ section, name string }

// repository reads the settings of the repository that a directory lies in.
func (g *gitSettings) repository(dir string) {
	if dir == "" {
		return
	}
	d, ok := gitdir.Above(dir)
	if !ok {
		return
	}
	r := gitdir.Reader{Home: g.home, Every: true}
	g.include(d.Settings(r))
	g.include(r.Read(filepath.Join(d.Top, ".gitmodules"))) // for the names of submodules
}

func (g *gitSettings) include(s gitdir.Settings) {
	g.All = append(g.All, s.All...)
	g.Unclear = g.Unclear || s.Unclear
	for _, one := range s.All {
		g.add(gitSection{one.Section, one.Name})
	}
}

func (g *gitSettings) add(s gitSection) {
	switch s.section {
	case "filter", "diff", "merge", "man", "browser", "gpg", "credential", "remote", "submodule":
	default:
		return
	}
	switch {
	case s.name == "" || slices.Contains(g.sections, s):
	case len(g.sections) == maxGitSections || strings.ContainsRune(s.name, 0):
		g.Unclear = true
	default:
		g.sections = append(g.sections, s)
	}
}
