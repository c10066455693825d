package bolt

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename gives a file another name, and takes that from the file that has it. Windows
// refuses it while somebody has that file open; those who watch it do, for a moment.
func rename(from, to string) error {
	for attempt := 0; ; attempt++ {
		err := os.Rename(from, to)
		if attempt == 100 || !errors.Is(err, windows.ERROR_ACCESS_DENIED) && !errors.Is(err, windows.ERROR_SHARING_VIOLATION) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}
