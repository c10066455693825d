package calls

import (
	"io"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestLongLine refuses a line of more than 64 MiB.
func TestLongLine(t *testing.T) {
	for size, code := range map[int]fault.Code{64<<20 - 1: "", 64 << 20: fault.TooLarge} {
		lines, ended := scan(t.Context(), io.LimitReader(zeros{}, int64(size)))
		for line := range lines {
			if len(line) != size {
				t.Errorf("%d bytes: a line of %d", size, len(line))
			}
		}
		err := <-ended
		if (code == "") != (err == nil) || err != nil && !fault.Is(err, code) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
