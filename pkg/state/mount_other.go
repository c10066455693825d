//go:build unix && !linux

package state

import "os"

// sameMount reports whether a rename can lead from one directory to the other.
func sameMount(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && deviceOf(x) == deviceOf(y)
}
