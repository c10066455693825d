package manifest

import (
	"os"
	"path/filepath"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// Store puts the manifest of a tool into a directory, which is made if need be,
// and gives its file. data is what the tool was parsed from.
func Store(dir string, t *Tool, data []byte) (file string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fault.System(err, dir)
	}
	file = filepath.Join(dir, t.Name+".json") // a name has no slash and no dot
	return file, config.Replace(file, data)
}

// Remove takes a manifest away.
func Remove(file string) error { return fault.System(os.Remove(file), file) }
