package walk

import (
	"slices"
	"sync"

	"github.com/helve-dev/helve/pkg/search/ignore"
)

// Levels walks breadth first: the entries of each level come in byte-wise order
// of their paths.
type Levels struct {
	// MaxDepth limits the levels; 0 means all.
	MaxDepth int
	// Take reports whether an entry, which may be a directory, is a result.
	// Several goroutines call it at once, each with a number below [Workers].
	Take func(worker int, h *Handle, e Entry) bool
	// Found receives the results in order, those of one directory at a time.
	Found func(Names)
	// Level is called after each level. The walk ends if it returns false.
	Level func() (more bool)
}

// Run walks the tree below start.
func (l Levels) Run(w *Walker, start Directory) {
	memory := make([]levelMemory, Workers())
	level := &frontier{first: &start}
	for depth := start.Depth; level.nonempty() && !w.Stopped(); depth++ {
		last := l.MaxDepth > 0 && depth+1 >= l.MaxDepth
		next := &frontier{depth: depth + 1}
		l.level(w, level, next, last, memory)
		if !l.Level() || last {
			return
		}
		next.paths.Seal()
		level = next
	}
}

// frontier is the directories of one level. A large tree has many of them, so
// their paths are kept packed until they are needed.
type frontier struct {
	first *Directory // the start of the walk; then nothing else is set
	depth int
	paths Paths
	rules []*ignore.Stack // of each group: the rules of the directory above

	groups reader
	group  Names // the rest of the current group, the directories in one directory
	read   int   // how many groups were read
	taken  int   // how many directories were returned by next
}

func (f *frontier) nonempty() bool { return f.first != nil || f.paths.Len > 0 }

// add appends the directories in one directory.
func (f *frontier) add(n Names, rules *ignore.Stack) {
	if n.Len > 0 {
		f.paths.Add(n)
		f.rules = append(f.rules, rules)
	}
}

// next returns the next directory and its number, counted from 0.
func (f *frontier) next() (d Directory, number int, ok bool) {
	switch {
	case f.first != nil:
		d, f.first = *f.first, nil
		return d, 0, true
	case f.taken == f.paths.Len:
		return Directory{}, 0, false
	}
	if f.taken == 0 {
		f.groups = reader{parts: f.paths.parts}
	}
	for f.group.Len == 0 {
		f.group, _ = f.groups.next()
		f.read++
	}
	var name string
	name, _, f.group = f.group.cut()
	f.taken++
	return Directory{prefix: f.group.Prefix + name + "/", Depth: f.depth, rules: f.rules[f.read-1]}, f.taken - 1, true
}

// levelMemory is memory that one worker reuses.
type levelMemory struct {
	Scratch
	kept   []Entry
	packed []byte
}

// listed is the result of listing one directory.
type listed struct {
	found, subs Names
	rules       *ignore.Stack // that apply in subs
}

// level lists the directories of a level and gathers those of the next.
func (l Levels) level(w *Walker, level, next *frontier, last bool, memory []levelMemory) {
	var mu sync.Mutex     // guards the rest
	var waiting []*listed // from the first unfinished directory on; nil is unfinished
	done := 0
	pass := func(r listed) {
		if r.found.Len > 0 {
			l.Found(r.found)
		}
		next.add(r.subs, r.rules)
	}
	begin := func() (d Directory, number int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		return level.next()
	}
	end := func(number int, r listed) {
		mu.Lock()
		defer mu.Unlock()
		if number > done {
			for len(waiting) <= number-done {
				waiting = append(waiting, nil)
			}
			waiting[number-done] = &r
			return
		}
		pass(r)
		known := 1
		for known < len(waiting) && waiting[known] != nil {
			pass(*waiting[known])
			known++
		}
		waiting = slices.Delete(waiting, 0, min(known, len(waiting)))
		done += known
	}
	work := func(worker int) {
		for d, number, ok := begin(); ok && !w.Stopped(); d, number, ok = begin() {
			end(number, l.directory(w, d, worker, &memory[worker], last))
		}
	}
	var all Group
	for worker := range Workers() {
		all.Go(func() { work(worker) }, w.Stop)
	}
	all.Wait()
	// If the walk was stopped, pass on what it has found.
	for _, r := range waiting {
		if r != nil {
			pass(*r)
		}
	}
}

func (l Levels) directory(w *Walker, d Directory, worker int, s *levelMemory, last bool) (r listed) {
	c, err := w.Open(d, &s.Scratch)
	if err != nil {
		w.Report(d.Rel(), err)
		return listed{}
	}
	defer c.Handle.Close()
	found := s.kept[:0]
	for _, e := range c.Dirs {
		if l.Take(worker, c.Handle, e) {
			found = append(found, e)
		}
	}
	dirs := len(found)
	for _, e := range c.Files {
		if w.Stopped() {
			break
		}
		if l.Take(worker, c.Handle, e) {
			found = append(found, e)
		}
	}
	if dirs > 0 {
		slices.SortFunc(found, byName)
	}
	s.kept = found
	r.found, s.packed = NamesOf(d.prefix, found, s.packed)
	if last {
		for _, e := range c.Dirs {
			w.leave(e, Deeper)
		}
	} else {
		r.rules = c.rules
		r.subs, s.packed = NamesOf(d.prefix, c.Dirs, s.packed)
	}
	return r
}
