package cmd

import "os"

// withoutSignal is f itself: no signal is sent for a pipe without a reader.
func withoutSignal(f *os.File) *os.File { return f }
