package process

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// Kernel returns the name and the release of the system's kernel, such as "Windows
// 10.0.26100".
func Kernel() string {
	v := windows.RtlGetVersion()
	return fmt.Sprintf("Windows %d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
}

// DiskLeft returns how many bytes this user can still write on the disk of a path.
func DiskLeft(path string) (left uint64, err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &left, nil, nil)
	return left, err
}
