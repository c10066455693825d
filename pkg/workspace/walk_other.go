//go:build !linux

package workspace

import "os"

// Std returns the root as an [os.Root], for an engine that walks trees. The caller
// closes it.
func (r *Root) Std() (*os.Root, error) {
	std, err := r.handle.std.OpenRoot(".")
	if err != nil {
		return nil, r.failure(err, pathAt("."))
	}
	return std, nil
}
