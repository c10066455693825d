package manifest

import (
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// Store writes the manifest of a tool to a directory, which it makes if needed, and
// returns the file. data is the source of the tool.
func Store(dir string, t *Tool, data []byte) (file string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.System(err, dir)
	}
	file = filepath.Join(dir, t.Name+".json") // a name has no slash and no dot
	return file, config.Replace(file, data)
}

// Remove deletes a manifest.
func Remove(file string) error { return fault.System(os.Remove(file), file) }
