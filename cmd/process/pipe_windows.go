package process

import (
	"os"

	"golang.org/x/sys/windows"
)

// WithoutSIGPIPE returns f: Windows sends no signal for a pipe without a reader.
func WithoutSIGPIPE(f *os.File) *os.File { return f }

// Seal keeps a descriptor from the programs that this process starts; here they inherit
// only what they are given.
func Seal(int) {}

// Claim returns standard output under a handle that nobody else has. What asks the system
// for standard output from now on gets standard error.
func Claim(f *os.File) (*os.File, error) {
	self := windows.CurrentProcess()
	var own windows.Handle
	if err := windows.DuplicateHandle(self, windows.Handle(f.Fd()), self, &own, 0, false, windows.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, err
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		_ = windows.CloseHandle(own) // the error above says more
		return nil, err
	}
	return os.NewFile(uintptr(own), f.Name()), nil
}

// Abandoned returns at once: the system reports a missing reader only to a write.
func Abandoned(*os.File, func()) {}
