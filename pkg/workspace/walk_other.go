//go:build !linux

package workspace

import "os"

// Std is the root of the standard library, for an engine that goes through whole
// trees. The caller closes it.
func (r *Root) Std() (*os.Root, error) {
	std, err := r.handle.std.OpenRoot(".")
	if err != nil {
		return nil, r.failure(err, ".")
	}
	return std, nil
}
