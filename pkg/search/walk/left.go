package walk

import (
	"cmp"
	"slices"
	"strings"
)

// Left is a directory that a walk did not enter, and why.
type Left struct {
	Path string
	Why  Why
}

// Why is a reason not to enter a directory.
type Why string

// The reasons.
const (
	Ignored Why = "ignored" // ignore files exclude it
	Hidden  Why = "hidden"  // its name starts with a dot
	Skipped Why = "skipped" // [Filter.Skip]
	Deeper  Why = "depth"   // it is below the last level
)

// mostLeft limits the names of directories that were not entered.
const mostLeft = 5

// leave records that a directory was not entered. It keeps the nearest to the root, by
// path among those.
func (w *Walker) leave(e Entry, why Why) {
	if why == Deeper {
		w.deeper.Add(1)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.left); n == mostLeft && strings.Count(e.prefix, "/") > strings.Count(w.left[n-1].Path, "/") {
		return
	}
	l := Left{e.Path(), why}
	at, _ := slices.BinarySearchFunc(w.left, l, func(a, b Left) int {
		return cmp.Or(cmp.Compare(strings.Count(a.Path, "/"), strings.Count(b.Path, "/")), cmp.Compare(a.Path, b.Path))
	})
	w.left = slices.Insert(w.left, at, l)
	w.left = w.left[:min(len(w.left), mostLeft)]
}
