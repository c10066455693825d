// Package stack grows the stack of a goroutine before there is much on it. It bounds
// no recursion.
package stack

// size is the stack of the deepest of the usual calls, in bytes.
const size = 24 << 10

// The stack of the first goroutine grows before most packages initialise: some of them
// compile regular expressions. This package imports nothing, and so comes before all
// that do.
func init() { Grow() } //nolint:gochecknoinits // see above

// Grow makes the calling goroutine's stack large enough for a usual call. A stack
// starts with a few kilobytes, and is copied to one of twice the size when it is full.
// For that the runtime looks up every function on it, in tables that a process that
// has just started must first load page by page: that was a fifth of a short call.
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
