//go:build !linux

package browser

import "testing"

// using returns nothing: other processes are not looked at here.
func using(*testing.T, string) []int { return nil }
