// Package stack gives a goroutine a large stack while there is next to nothing on
// it. It bounds no recursion.
package stack

// size is what the deepest of the usual calls takes, in bytes.
const size = 24 << 10

// The first goroutine is given its stack before most packages initialise: some of
// them compile regular expressions. This package imports nothing, and so comes
// before all that do.
func init() { Grow() } //nolint:gochecknoinits // see above

// Grow makes the calling goroutine's stack so large that a usual call does not
// outgrow it. A stack starts with a few kilobytes and is moved to one of twice
// the size whenever it is full. Each time the runtime looks up every function on
// it, in tables that a process that has just started must first fetch page by
// page: that was a fifth of a short call.
func Grow() { frame(-1) }

// frame has a stack frame of size bytes, for which the runtime makes room when it
// is entered. It does not touch them, which would cost as much again.
//
//go:noinline
func frame(i int) byte {
	if i < 0 {
		return 0
	}
	var bytes [size]byte
	return bytes[i]
}
