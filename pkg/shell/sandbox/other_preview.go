//go:build !linux

package sandbox

// Strip is for systems that can run previews.
func (v Preview) Strip(string) error { return nil }
