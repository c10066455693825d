package walk

import (
	"slices"
	"sync/atomic"
)

// Levels walks breadth first: the entries of each level come in byte-wise order
// of their paths once all of the level is known.
type Levels struct {
	// MaxDepth is how many levels there are; 0 means all.
	MaxDepth int
	// Take looks at one entry, a directory or not, and says whether it is a
	// result. It is called by several goroutines at once, each with a number
	// below [Workers].
	Take func(worker int, h *Handle, e Entry) bool
	// Level gets the results of a level. It ends the walk by returning false.
	Level func(found []Entry) (more bool)
}

// Run walks the tree below start.
func (l Levels) Run(w *Walker, start Directory) {
	level := []Directory{start}
	for len(level) > 0 && !w.Stopped() {
		found, next := l.level(w, level)
		if !l.Level(found) || l.MaxDepth > 0 && level[0].Depth+1 >= l.MaxDepth {
			return
		}
		level = next
	}
}

func (l Levels) level(w *Walker, dirs []Directory) (found []Entry, next []Directory) {
	type listed struct {
		found []Entry
		subs  []Directory
	}
	results := make([]listed, len(dirs))
	var taken atomic.Int64
	var all Group
	for worker := range min(Workers(), len(dirs)) {
		all.Go(func() {
			var s Scratch
			var kept []Entry
			for {
				i := int(taken.Add(1)) - 1
				if i >= len(dirs) || w.Stopped() {
					return
				}
				kept, results[i].subs = l.directory(w, dirs[i], worker, &s, kept[:0])
				results[i].found = slices.Clone(kept)
			}
		}, w.Stop)
	}
	all.Wait()
	total, subs := 0, 0
	for i := range results {
		total += len(results[i].found)
		subs += len(results[i].subs)
	}
	found, next = make([]Entry, 0, total), make([]Directory, 0, subs)
	for i := range results {
		found = append(found, results[i].found...)
		next = append(next, results[i].subs...)
		results[i] = listed{}
	}
	return found, next
}

func (l Levels) directory(w *Walker, d Directory, worker int, s *Scratch, found []Entry) (_ []Entry, subs []Directory) {
	c, err := w.Open(d, s)
	if err != nil {
		w.Report(d.Rel, err)
		return found, nil
	}
	defer c.Handle.Close()
	subs = make([]Directory, 0, len(c.Dirs))
	for _, e := range c.Dirs {
		subs = append(subs, c.Sub(d, e))
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
	return found, subs
}
