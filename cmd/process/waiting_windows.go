package process

import (
	"io"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

var peekNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("PeekNamedPipe")

// peekPipe looks into a pipe.
func peekPipe(f *os.File, timeout time.Duration) Waiting {
	text := make([]byte, mostWaiting)
	var n, there uint32
	for end := time.Now().Add(timeout); ; <-time.After(time.Millisecond) {
		ok, _, _ := peekNamedPipe.Call(f.Fd(), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), uintptr(unsafe.Pointer(&n)), uintptr(unsafe.Pointer(&there)), 0)
		if ok == 0 { // it has ended, and holds nothing
			return Waiting{}
		}
		if there > 0 || !time.Now().Before(end) {
			break
		}
	}
	if n == 0 {
		return Waiting{Open: true}
	}
	text = text[:n]
	return Waiting{Text: text, All: n == there, take: func() error {
		taken := make([]byte, n)
		_, err := io.ReadFull(f, taken) // they are there: this does not wait
		return same(taken, text, err)
	}}
}

// peekSocket returns nothing: standard input is no socket on this system.
func peekSocket(*os.File, time.Duration) Waiting { return Waiting{} }
