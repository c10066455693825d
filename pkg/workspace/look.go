package workspace

import (
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/workspace/gitdir"
)

// Look holds the findings of a survey in one directory, by the names of its entries. A nil
// one has none.
type Look struct {
	// Bare says that the directory may itself be one of git's, which the content of its
	// files decides.
	Bare bool

	dir      string // relative to the root
	obeyed   []string
	git      []string // directories that are, or some file system may take for, .git
	pointers []string // what else is called like that
	bare     bool     // the directory is one of git's
	shut     []string // names of directories that a survey does not look into
}

// LookAt looks at a directory, by its path relative to an absolute root, "." being the
// root itself. Entries are the names in it, and whether they are directories.
func LookAt(root, dir string, entries iter.Seq2[string, bool]) *Look {
	var l Look
	names := append(pathNames(dir), "")
	dependency := slices.ContainsFunc(names, isDependencies)
	parts := 0
	for name, isDir := range entries {
		names[len(names)-1] = name
		if isPart(name) {
			parts++
		}
		class := obeyedAt(names)
		if class == Free && !isDir {
			continue
		}
		at := func() string { return strings.Join(names, "/") }
		shut := true
		switch {
		case class == Refused && sameName(foldName(name), ".helve"): // it is protected by itself
		case class == Refused && isDir:
			l.git = append(l.git, at())
			if name != ".git" {
				l.pointers = append(l.pointers, at())
			}
		case class == Refused:
			l.pointers = append(l.pointers, at())
		case class == Asked && !dependency:
			l.obeyed = append(l.obeyed, at())
		default:
			shut = false
		}
		if shut && isDir {
			l.shut = append(l.shut, name)
		}
	}
	if l.Bare = parts > 1; l.Bare {
		l.bare = gitdir.Is(filepath.Join(root, filepath.FromSlash(dir)))
	}
	if !l.Bare && len(l.git)+len(l.pointers)+len(l.obeyed)+len(l.shut) == 0 {
		return nil
	}
	l.dir = dir
	return &l
}

// isPart reports whether a name is one of those that make a directory one of git's. On
// some file systems its case does not count; the entry may be a link.
func isPart(name string) bool {
	switch len(name) {
	case len("HEAD"):
		return strings.EqualFold(name, "HEAD") || strings.EqualFold(name, "refs")
	case len("objects"):
		return strings.EqualFold(name, "objects")
	case len("commondir"):
		return strings.EqualFold(name, "commondir")
	}
	return false
}

// Enters reports whether a survey looks into a directory in the one looked at.
func (l *Look) Enters(name string) bool {
	return l == nil || !l.bare && !slices.Contains(l.shut, name)
}

// SurveyFrom makes a survey of looks at every directory of the tree at an absolute path
// that the survey enters. Partial says that some are missing.
func SurveyFrom(dir string, looks []*Look, partial bool) Survey {
	s := Survey{Root: dir, Partial: partial}
	for _, l := range looks {
		top := filepath.Join(dir, filepath.FromSlash(l.dir))
		s.Obeyed = append(s.Obeyed, l.obeyed...)
		for _, at := range l.git {
			s.Git = append(s.Git, gitdir.Of(filepath.Join(dir, filepath.FromSlash(at)), top))
		}
		for _, at := range l.pointers {
			s.Pointers = append(s.Pointers, Pointer{Path: at})
		}
		if l.bare {
			s.Git = append(s.Git, gitdir.Of(top, ""))
		}
	}
	s.lead()
	slices.Sort(s.Obeyed)
	slices.SortFunc(s.Pointers, func(a, b Pointer) int { return strings.Compare(a.Path, b.Path) })
	// The one that knows its work tree comes first.
	slices.SortFunc(s.Git, func(a, b gitdir.Dir) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(b.Top, a.Top)
	})
	s.Git = slices.CompactFunc(s.Git, func(a, b gitdir.Dir) bool { return a.Path == b.Path })
	return s
}

// lead adds git's directories that others lead to.
func (s *Survey) lead() {
	if d, ok := gitdir.Above(s.Root); ok {
		s.Git = append(s.Git, d)
	}
	for i := range s.Pointers {
		p := &s.Pointers[i]
		if path.Base(p.Path) != ".git" {
			continue
		}
		if d, ok := gitdir.At(filepath.Join(s.Root, filepath.FromSlash(path.Dir(p.Path)))); ok {
			p.Leads = d.Path
			s.Git = append(s.Git, d)
		}
	}
	for _, d := range s.Git {
		inner, complete := d.Inner()
		s.Git = append(s.Git, inner...)
		s.Partial = s.Partial || !complete
	}
	for _, d := range s.Git {
		s.TodoRuns = append(s.TodoRuns, d.TodoRuns()...)
	}
}
