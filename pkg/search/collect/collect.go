// Package collect says how often the garbage collector runs while a tree is walked.
package collect

import (
	"runtime/debug"
	"slices"
	"sync"
)

var (
	mu     sync.Mutex
	wishes []int // of the walks under way
	before int   // what holds when none is
)

// Until lets garbage gather to a percentage of the memory in use, until the function it
// returns is called. The setting is global to the process: of several walks at once the
// lowest percentage applies, and the last to end restores the old setting.
func Until(percent int) func() {
	mu.Lock()
	defer mu.Unlock()
	if len(wishes) == 0 {
		before = debug.SetGCPercent(percent)
	}
	wishes = append(wishes, percent)
	debug.SetGCPercent(slices.Min(wishes))
	return sync.OnceFunc(func() { end(percent) })
}

func end(percent int) {
	mu.Lock()
	defer mu.Unlock()
	at := slices.Index(wishes, percent)
	wishes = slices.Delete(wishes, at, at+1)
	if len(wishes) == 0 {
		debug.SetGCPercent(before)
		return
	}
	debug.SetGCPercent(slices.Min(wishes))
}
