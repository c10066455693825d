package bolt

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// remote returns the name of a file system that is on another host; "" for one that is
// on this one.
func remote(dir string) (kind string, err error) {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	if err != nil {
		return "", err
	}
	if windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return "network drive", nil
	}
	return "", nil
}
