package state

import (
	"path/filepath"
	"strings"
)

// sameMount reports whether a rename can lead from one directory to the other.
func sameMount(a, b string) bool {
	return strings.EqualFold(filepath.VolumeName(a), filepath.VolumeName(b))
}
