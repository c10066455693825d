//go:build linux

package sandbox

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/helve-dev/helve/pkg/fault"
)

// Strip takes what the kernel keeps for itself off something of the upper layer,
// and off all that is in it, before it leaves the layer.
func (v Preview) Strip(name string) error {
	err := filepath.WalkDir(name, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		buf := make([]byte, 64<<10)
		n, err := unix.Llistxattr(name, buf)
		if errors.Is(err, unix.ENOTSUP) {
			return nil
		}
		if err != nil {
			return err
		}
		for key := range strings.SplitSeq(string(buf[:n]), "\x00") {
			if strings.HasPrefix(key, "user.overlay.") {
				if err := unix.Lremovexattr(name, key); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return fault.System(err, name)
}
