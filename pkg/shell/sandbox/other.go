//go:build !linux

package sandbox

// This file has what only Linux can do: previews, and protected paths that are put
// back.

// missing returns nothing: processes are ended by other means here.
func missing(Kind) []string { return nil }

// snapshot is empty: where the kernel keeps protected paths, nothing is saved.
type snapshot struct{}

// watch is empty: nothing is looked for.
type watch struct{}

// Keep exempts a child of this process from [Process.Finish], which kills no others
// here anyway.
func Keep(start func() (pid int, err error)) (int, error) { return start() }

// Marked returns nothing: the environment of a process is not looked at here.
func Marked(string) []int { return nil }

// Count returns how many processes the command has now. This system does not tell.
func (p *Process) Count() int { return 1 }

// Memory returns 0: this system does not tell.
func (p *Process) Memory() int64 { return 0 }

// Restored puts nothing back here.
func (sb *Sandbox) Restored() ([]string, error) { return nil, nil }

// Planted does nothing: nothing is looked for.
func (sb *Sandbox) Planted() (moved []Moved, err error) { return nil, nil }

// Changes returns nothing: there are no previews here.
func (sb *Sandbox) Changes() ([]Change, bool, error) { return nil, true, nil }

// Strip does nothing: there are no previews here.
func Strip(string) error { return nil }

// ProbeLayers returns false: there are no layers here.
func ProbeLayers(string, Support, Cache) bool { return false }

// Obstacle names nothing: there are no namespaces here.
func Obstacle() (setting, value, better string) { return "", "", "" }
