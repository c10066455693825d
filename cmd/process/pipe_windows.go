package process

import "os"

// WithoutSIGPIPE returns f: Windows sends no signal for a pipe without a reader.
func WithoutSIGPIPE(f *os.File) *os.File { return f }
