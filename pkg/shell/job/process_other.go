//go:build !linux && !windows

package job

func machine() string { return "" }
