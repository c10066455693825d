//go:build !linux

package cmd_test

// restrict is for Linux.
func restrict() { panic("restrict is for Linux") }
