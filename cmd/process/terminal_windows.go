package process

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// OpenTerminal fails: a console has no single name for input and output.
func OpenTerminal() (*os.File, error) { return nil, errors.ErrUnsupported }

// Columns returns the width of a console; 0 for any other stream.
func Columns(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}

// Foreground reports true: consoles know no background.
func Foreground(any) bool { return true }

// notifyResize signals nothing: consoles have no signal for it.
func notifyResize(chan<- os.Signal) {}
