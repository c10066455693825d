//go:build !linux

package run

import "os"

// widen is for systems whose pipes can be made wider.
func widen(*os.File) {}
