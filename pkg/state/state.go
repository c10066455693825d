// Package state is where helve keeps what outlives one call: a private
// directory a workspace, with its locks, files, logs, blobs and the ledger of
// what sessions were shown. It is never inside the workspace and gives the
// bytes it keeps no meaning.
package state

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Options are what Open can do without.
type Options struct {
	// Fallback is an existing directory for temporary files, used when the base
	// cannot be: it is read-only, cannot be made, or lies inside the workspace.
	// Empty means there is none.
	Fallback string
	// LockWait is how long a lock is waited for; 0 means ten seconds.
	LockWait time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Dir is the state directory of one workspace, <base>/<id>. It is made when it
// is first used. Its methods may be called from several goroutines, and several
// processes may use one directory. In it are
//
//	workspace.json             whose it is
//	locks/<hash>               a lock, with its last holder
//	blobs/<aa>/<rest>[.flate]  bytes by their SHA-256
//	cache/<name>/<h>/<hash>    what can be had again
//	sessions/<id>/<hash>.jsonl what a session was shown of a file
//	shelf/<hash>/              what was moved out of the workspace as a whole; in
//	                           .helve/shelf of a workspace on another file system
//	tmp/                       files on their way to their names
//	<name>.jsonl               logs
//
// and whatever files the packages above keep.
type Dir struct {
	base, root string
	opt        Options

	mu     sync.Mutex
	opened *opened
	codec  codec
}

// Open gives the state directory of the workspace at root, below base. Both are
// absolute. Nothing on disk is looked at before the first use, so only a
// relative path is an error here.
func Open(base, root string, opt Options) (*Dir, error) {
	for _, path := range []string{base, root} {
		if !filepath.IsAbs(path) {
			return nil, fault.New(fault.NotConfigured,
				fault.T("not an absolute path: %q", "不是绝对路径: %q", path)).
				WithHint(fault.T("set HELVE_HOME to an absolute path", "请将 HELVE_HOME 设为绝对路径"))
		}
	}
	if opt.Fallback != "" && !filepath.IsAbs(opt.Fallback) {
		opt.Fallback = ""
	}
	if opt.LockWait <= 0 {
		opt.LockWait = lockWait
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	return &Dir{base: filepath.Clean(base), root: filepath.Clean(root), opt: opt}, nil
}

// Path is the directory itself, absolute and free of symbolic links. It is made
// if it is not there.
func (d *Dir) Path() (string, error) {
	p, err := d.use()
	if err != nil {
		return "", err
	}
	return p.path, nil
}

// Volatile reports whether the fallback is in use, so that what is kept may be
// gone tomorrow. It is false for a directory that cannot be used at all: there
// the call that needs it fails.
func (d *Dir) Volatile() bool {
	p, err := d.use()
	return err == nil && p.volatile
}

// Warning says why the directory is volatile; it is empty for one that is not.
func (d *Dir) Warning() fault.Text {
	p, err := d.use()
	if err != nil {
		return fault.Text{}
	}
	return p.why
}

// Now is the time by the clock that the directory was opened with.
func (d *Dir) Now() time.Time { return d.opt.Now() }

// use gives the directory, making it at first and again when somebody took it
// away under a process that lives on.
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

// shown is how a name inside the directory appears in a message.
func (p *opened) shown(name string) string { return filepath.Join(p.path, filepath.FromSlash(name)) }
