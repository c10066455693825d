package workspace

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/workspace/rank"
)

// similarPaths limits the paths that are suggested, and similarVisits the directory
// entries that are read for them.
const (
	similarPaths  = 3
	similarVisits = 5000
)

// Similar returns up to three existing paths that the caller may have meant by
// p, the likeliest first, and the nearest directory above it that exists, as
// [Root.Show] shows them. It looks for the names that follow below directories like the
// one that is missing, and searches the tree, breadth first, for names like the last, as
// package rank has it.
func (r *Root) Similar(p Path) (similar []string, parent string) {
	parent, rest := r.nearest(p.rel)
	q := rank.Compile(p.rel)
	if q == nil {
		return nil, r.Show(parent)
	}
	s := search{root: r, ranker: q.Ranker(), budget: similarVisits}
	s.misspelled(parent, rest)
	s.elsewhere()
	slices.SortStableFunc(s.found, func(a, b guess) int {
		return cmp.Or(a.score.Compare(b.score), strings.Compare(a.path, b.path))
	})
	for _, g := range s.found {
		if len(similar) < similarPaths && g.path != p.rel && !slices.Contains(similar, g.path) {
			similar = append(similar, g.path)
		}
	}
	for i, p := range similar {
		similar[i] = r.Show(p)
	}
	return similar, r.Show(parent)
}

// nearest splits rel into the directory that exists and the names after it.
func (r *Root) nearest(rel string) (parent string, rest []string) {
	for parent, rest = rel, nil; parent != "."; {
		parent, rest = path.Dir(parent), append([]string{path.Base(parent)}, rest...)
		if i, err := r.Stat(pathAt(parent)); err == nil && i.IsDir() {
			return parent, rest
		}
	}
	return ".", rest
}

// guess is a path that the caller may have meant.
type guess struct {
	path  string
	score rank.Score
}

type search struct {
	root   *Root
	ranker *rank.Ranker
	budget int // number of entries that may still be read
	found  []guess
}

// look keeps a path if it may be meant.
func (s *search) look(dir, name string) {
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	s.ranker.Enter(prefix)
	if score := s.ranker.Rank(name, rank.Near); score.Tier < rank.None {
		s.found = append(s.found, guess{prefix + name, score})
	}
}

// misspelled looks in dir for names like the first that is missing, below which the
// others exist. Such a directory may be beyond the budget of elsewhere.
func (s *search) misspelled(dir string, rest []string) {
	if len(rest) == 0 {
		return
	}
	for _, e := range s.entries(dir) {
		name := Escape(e.Name())
		if len(rest) == 1 {
			s.look(dir, name)
			continue
		}
		first, want := strings.ToLower(name), strings.ToLower(rest[0])
		if _, ok := similar.Within(want, first, max(1, utf8.RuneCountInString(want)/4)); !ok {
			continue
		}
		p := path.Join(append([]string{dir, name}, rest[1:]...)...)
		if _, err := s.root.Stat(pathAt(p)); err == nil {
			s.look(path.Dir(p), path.Base(p))
		}
	}
}

// elsewhere searches the tree.
func (s *search) elsewhere() {
	for queue := []string{"."}; len(queue) > 0 && s.budget > 0; queue = queue[1:] {
		for _, e := range s.entries(queue[0]) {
			name := Escape(e.Name())
			s.look(queue[0], name)
			if e.Type() == fs.ModeDir && !isBulk(e.Name()) {
				queue = append(queue, path.Join(queue[0], name))
			}
		}
	}
}

// entries lists a directory as far as the budget goes.
func (s *search) entries(dir string) []os.DirEntry {
	if s.budget <= 0 {
		return nil
	}
	f, err := s.root.open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(s.budget) // what could be read is good enough to guess from
	s.budget -= len(list)
	return list
}

// isBulk reports whether a directory has many files that callers do not name.
func isBulk(name string) bool {
	switch name {
	case ".git", ".hg", ".svn", ".jj", ".helve", "node_modules":
		return true
	}
	return false
}
