package search

import "github.com/helve-dev/helve/pkg/fault"

// outside returns the error for a start that is not below the root.
func outside(path string) *fault.Error {
	return fault.New(fault.OutsideWorkspace, fault.T("%s is outside the workspace", path)).
		WithHint(fault.T("use a path relative to the workspace root"))
}

// notFound returns the error for a start that [Scope.Deny] hides.
func notFound(path string) *fault.Error {
	return fault.New(fault.NotFound, fault.T("file not found: %s", path))
}

// neverSearched returns the error for a directory of version control or of helve.
func neverSearched(path string) *fault.Error {
	return fault.New(fault.InvalidArguments,
		fault.T("%s is a directory of version control or of helve, which is never searched", path)).
		WithHint(fault.T("name a single file in it, or list it with ls"))
}

// notAFile returns the error for a start that is a link, a pipe or a device.
func notAFile(path string) *fault.Error {
	return fault.New(fault.NotAFile, fault.T("%s is neither a file nor a directory", path)).
		WithHint(fault.T("name the directory or file itself"))
}
