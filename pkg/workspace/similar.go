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
)

// similarPaths is how many paths are suggested, and similarVisits how many
// directory entries are looked at for them.
const (
	similarPaths  = 3
	similarVisits = 5000
)

// Similar returns up to three existing paths that the caller may have meant by
// name, the likeliest first, and the nearest directory above it that exists, as
// [Root.Show] shows them. It compares names in the directory where the first name
// is missing, and searches the tree, breadth first, for the last name.
func (r *Root) Similar(name string) (similar []string, parent string) {
	rel, err := r.Clean(name)
	if err != nil {
		return nil, "."
	}
	parent, rest := r.nearest(rel)
	s := search{root: r, want: path.Base(rel), budget: similarVisits}
	s.misspelled(parent, rest)
	s.elsewhere()
	slices.SortStableFunc(s.found, func(a, b guess) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), strings.Compare(a.path, b.path))
	})
	for _, g := range s.found {
		if len(similar) < similarPaths && g.path != rel && !slices.Contains(similar, g.path) {
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
		if i, err := r.Stat(parent); err == nil && i.IsDir() {
			return parent, rest
		}
	}
	return ".", rest
}

// guess is a path that the caller may have meant; the smaller its cost, the likelier.
type guess struct {
	path string
	cost int
}

// The costs of guesses. An edit distance is added to costDistance.
const (
	costCase      = 0
	costDistance  = 1
	costElsewhere = 3
	costStem      = 8
)

type search struct {
	root   *Root
	want   string // the last name
	budget int    // number of entries that may still be read
	found  []guess
}

// misspelled searches dir for names like the first that is missing, below which the
// others exist.
func (s *search) misspelled(dir string, rest []string) {
	if len(rest) == 0 {
		return
	}
	for _, e := range s.entries(dir) {
		cost, ok := likeness(rest[0], Escape(e.Name()))
		if !ok {
			continue
		}
		p := path.Join(append([]string{dir, Escape(e.Name())}, rest[1:]...)...)
		if len(rest) > 1 {
			if _, err := s.root.Stat(p); err != nil {
				continue
			}
		}
		s.found = append(s.found, guess{p, cost})
	}
}

// elsewhere searches the tree for the last name.
func (s *search) elsewhere() {
	want := foldName(s.want)
	for queue := []string{"."}; len(queue) > 0 && s.budget > 0; queue = queue[1:] {
		for _, e := range s.entries(queue[0]) {
			p := path.Join(queue[0], Escape(e.Name()))
			if foldName(e.Name()) == want {
				s.found = append(s.found, guess{p, costElsewhere})
			}
			if e.Type() == fs.ModeDir && !isBulk(e.Name()) {
				queue = append(queue, p)
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

// likeness returns the cost of got for want. It is not ok if they are not similar.
func likeness(want, got string) (cost int, ok bool) {
	w, g := foldName(want), foldName(got)
	if w == g {
		return costCase, true
	}
	most := max(1, utf8.RuneCountInString(w)/4)
	if d := similar.Distance(w, g); d <= most {
		return costDistance + d, true
	}
	if stem := strings.TrimSuffix(w, path.Ext(w)); len(stem) > 1 && stem == strings.TrimSuffix(g, path.Ext(g)) {
		return costStem, true
	}
	return 0, false
}
