package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Read returns the bytes of a configuration file; nil if it does not exist. Links of
// the workspace's own file are not followed out of the workspace, since whoever
// writes the repository makes them. The errors are not_a_file, too_large for more
// than [jsonc.MaxBytes], and those of the system.
func Read(f File) ([]byte, error) { return ReadAtMost(f, jsonc.MaxBytes) }

// ReadAtMost is [Read] of a file that may have up to so many bytes.
func ReadAtMost(f File, most int) ([]byte, error) {
	open := os.OpenFile
	if f.Source == Workspace {
		root, err := os.OpenRoot(f.Root)
		if err != nil {
			return nil, absent(err, f.Root)
		}
		defer root.Close()
		open = root.OpenFile
	}
	// Opening a FIFO for reading would block.
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
		return nil, fault.New(fault.NotAFile, fault.T("%s is not a file", f.Path)).
			WithHint(fault.T("put a regular file there, or remove it"))
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(most)+1))
	if err == nil && len(data) > most {
		return nil, fault.New(fault.TooLarge, fault.T("the file has more than %d bytes", most)).
			WithHint(fault.T("shorten it"))
	}
	return data, fault.System(err, f.Path)
}

// Names returns the names of the files in a directory that end so, sorted, without
// hidden ones. The directory need not exist.
func Names(dir, suffix string) ([]string, error) {
	root, err := os.OpenRoot(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.System(err, dir)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fault.System(err, dir)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// absent returns the error of opening a file; nil if it does not exist.
func absent(err error, path string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, ok := errors.AsType[syscall.Errno](err); !ok { // an error of os.Root itself
		return fault.New(fault.OutsideWorkspace, fault.T("%s leads out of its directory", path)).
			WithHint(fault.T("put a regular file there, or remove it")).Because(err)
	}
	return fault.System(err, path)
}
