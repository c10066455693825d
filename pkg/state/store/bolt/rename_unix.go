//go:build unix

package bolt

import "os"

// rename gives a file another name, and takes that from the file that has it.
func rename(from, to string) error { return os.Rename(from, to) }
