package stack

import (
	"testing"
	"unsafe"
)

// moves reports whether a call that takes n bytes moved its goroutine's stack.
func moves(n int, prepare func()) bool {
	moved := make(chan bool)
	go func() {
		var local byte
		prepare()
		before := uintptr(unsafe.Pointer(&local))
		deep(n)
		moved <- before != uintptr(unsafe.Pointer(&local))
	}()
	return <-moved
}

//go:noinline
func deep(n int) byte {
	var bytes [512]byte
	if n <= len(bytes) {
		return bytes[n%len(bytes)]
	}
	return bytes[n%len(bytes)] + deep(n-len(bytes))
}

func TestGrow(t *testing.T) {
	if moves(size/2, Grow) {
		t.Error("a stack that was grown still moved")
	}
	if !moves(size/2, func() {}) {
		t.Error("a stack that was not grown did not move: the test shows nothing")
	}
}
