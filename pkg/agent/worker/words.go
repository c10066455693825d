package worker

import (
	"bytes"
	"io"
)

const (
	wordBytes = 3 << 10  // of what a worker says before it crashes, in the fault of the job
	keptBytes = 64 << 10 // that are searched for the beginning of a crash
)

// listen reads what a worker writes to its standard error, to the end, and returns the
// last part.
func listen(in io.Reader) []byte {
	var kept []byte
	part := make([]byte, 4<<10)
	for {
		n, err := in.Read(part)
		kept = append(kept, part[:n]...)
		kept = kept[max(0, len(kept)-keptBytes):]
		if err != nil {
			return kept
		}
	}
}

// words returns the most telling lines of a crash: the report of Go's runtime has them at
// its beginning, and other texts at their end.
func words(said []byte) string {
	for _, sign := range []string{"panic: ", "fatal error: "} {
		if i := bytes.Index(said, []byte(sign)); i == 0 || i > 0 && said[i-1] == '\n' {
			return string(said[i:min(len(said), i+wordBytes)])
		}
	}
	return string(said[max(0, len(said)-wordBytes):])
}
