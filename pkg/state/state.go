// Package state keeps what outlives one call: a private directory for each
// workspace, with locks, files, logs, blobs, caches and the record of what each
// session was shown. The directory is never inside the workspace. What the bytes
// mean is the business of the packages above.
package state

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Options are the optional parameters of Open.
type Options struct {
	// Fallback is an existing directory for temporary files. It is used if the
	// base is read-only, cannot be made, or is inside the workspace. Empty means
	// that there is none.
	Fallback string
	// Shared says that other processes must find what is kept. Then the fallback only
	// stands in for a base inside the workspace, where all of them use it; a base that
	// cannot be written is an error, and see [Dir.Look].
	Shared bool
	// LockWait limits the time that Lock waits; 0 means most of what is left to the
	// context, or ten seconds if that has no deadline.
	LockWait time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Dir is the state directory of one workspace, <base>/<id>. It is made at its
// first use. Its methods may be called from several goroutines, and several
// processes may use one directory. It contains
//
//	workspace.json             the path of the workspace
//	locks/<hash>               a lock, with its last holder
//	blobs/<aa>/<rest>[.flate]  bytes by their SHA-256
//	cache/<name>/<h>/<hash>    cached values
//	sessions/<id>/<hash>.jsonl what a session was shown of a file
//	scratch/<id>/              temporary files of a session
//	shelf/<hash>/              entries that were moved out of the workspace; in
//	                           .helve/shelf of a workspace on another file system
//	track/                     what was there before a command
//	tmp/                       files that are being written
//	<name>.jsonl               logs
//
// and the files that the packages above keep.
type Dir struct {
	base, root string
	opt        Options

	mu     sync.Mutex
	opened *opened
	codec  codec
}

// Open returns the state directory of the workspace at root, below base. Both are
// absolute; a relative path is the only error. The disk is not used before the
// first call that needs it.
func Open(base, root string, opt Options) (*Dir, error) {
	for _, path := range []string{base, root} {
		if !filepath.IsAbs(path) {
			return nil, fault.New(fault.NotConfigured,
				fault.T("not an absolute path: %q", path)).
				WithHint(fault.T("set HELVE_HOME to an absolute path"))
		}
	}
	if opt.Fallback != "" && !filepath.IsAbs(opt.Fallback) {
		opt.Fallback = ""
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Dir{base: filepath.Clean(base), root: filepath.Clean(root), opt: opt}, nil
}

// Path returns the path of the directory, absolute and without symbolic links.
// The directory is made if it does not exist.
func (d *Dir) Path() (string, error) {
	p, err := d.use()
	if err != nil {
		return "", err
	}
	return p.path, nil
}

// Look returns the path of the directory for one who only reads, also of a directory
// that cannot be written: then it is not made, and need not be there.
func (d *Dir) Look() (path string, writable bool, err error) {
	p, err := d.use()
	if err == nil {
		return p.path, true, nil
	}
	if path, ok := d.readable(); ok {
		return path, false, nil
	}
	return "", false, err
}

// Warning returns why the fallback is in use, so that the state may not last. It
// is empty otherwise, and for a directory that cannot be used at all; then the call
// that needs it fails.
func (d *Dir) Warning() fault.Text {
	p, err := d.use()
	if err != nil {
		return fault.Text{}
	}
	return p.why
}

// Now returns the time of the directory's clock.
func (d *Dir) Now() time.Time { return d.opt.Now() }

// use returns the opened directory. It makes the directory at its first use, and
// again if somebody removed it meanwhile.
func (d *Dir) use() (*opened, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opened != nil {
		if now, err := os.Lstat(d.opened.path); err == nil && os.SameFile(now, d.opened.info) {
			return d.opened, nil
		}
		d.opened = nil
	}
	p, err := d.choose()
	if err != nil {
		return nil, err
	}
	d.opened = p
	return p, nil
}

// shown returns a name inside the directory as messages show it.
func (p *opened) shown(name string) string { return filepath.Join(p.path, filepath.FromSlash(name)) }
