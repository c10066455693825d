package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Read gives the bytes of a configuration file; nil for one that is not there.
// The workspace's own file is not followed out of the workspace: links there are
// the work of whoever writes the repository. The faults are not_a_file and
// too_large, for more than [jsonc.MaxBytes], and those of the system.
func Read(f File) ([]byte, error) {
	open := os.OpenFile
	if f.Source == Workspace {
		root, err := os.OpenRoot(f.Root)
		if err != nil {
			return nil, absent(err, f.Root)
		}
		defer root.Close()
		open = root.OpenFile
	}
	// A FIFO would hold up whoever opens it for reading.
	in, err := open(f.name(), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, absent(err, f.Path)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, fault.System(err, f.Path)
	}
	if !info.Mode().IsRegular() {
		return nil, fault.New(fault.NotAFile, fault.T("%s is not a file", "%s 不是文件", f.Path)).
			WithHint(fault.T("put a regular file there, or remove it", "请改放普通文件，或将其移除"))
	}
	data, err := io.ReadAll(io.LimitReader(in, jsonc.MaxBytes+1))
	if err == nil && len(data) > jsonc.MaxBytes {
		return nil, fault.New(fault.TooLarge, fault.T("the file has more than %d bytes", "文件超过 %d 字节", jsonc.MaxBytes)).
			WithHint(fault.T("shorten it", "请精简内容"))
	}
	return data, fault.System(err, f.Path)
}

// absent is nil for a file that is not there.
func absent(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, ok := errors.AsType[syscall.Errno](err); !ok { // the root's own word
		return fault.New(fault.OutsideWorkspace, fault.T("%s leads out of its directory", "%s 指向其所在目录之外", path)).
			WithHint(fault.T("put a regular file there, or remove it", "请改放普通文件，或将其移除")).Because(err)
	}
	return fault.System(err, path)
}
