package modeltest

import (
	"fmt"
	"io"
)

// Main is the server as a program. It prints its base URL on out, or what is wrong with the
// script, and plays until in ends. It returns the exit status.
func Main(script []byte, in io.Reader, out io.Writer) int {
	s, err := Parse(script)
	if err != nil {
		_, _ = fmt.Fprintln(out, err) // there is no other place to say it
		return 2
	}
	v := New(s)
	defer v.Close()
	if _, err := fmt.Fprintln(out, v.Base()); err != nil {
		return 1
	}
	if _, err := io.Copy(io.Discard, in); err != nil {
		return 1
	}
	return 0
}
