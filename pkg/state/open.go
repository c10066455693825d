package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

// opened is a state directory that was checked and opened.
type opened struct {
	path string      // absolute, without symbolic links
	root string      // of the workspace, likewise
	info fs.FileInfo // of path
	dir  *os.Root
	why  fault.Text // why it is the fallback; else empty
}

// identity is the file that names the workspace of a state directory.
const identity = "workspace.json"

// choose opens the directory below the base, or else below the fallback. If others
// can change the base, that is an error and not a reason for the fallback.
func (d *Dir) choose() (*opened, error) {
	root, err := filepath.EvalSymlinks(d.root)
	if err != nil {
		return nil, fault.System(err, d.root)
	}
	id := dirName(root, filepath.Base(root))
	p, err := openAt(d.base, id, root)
	if err == nil || fault.Is(err, fault.PermissionDenied) {
		return p, err
	}
	if d.opt.Shared && !errors.Is(err, errWithin) {
		return nil, d.unshared(err)
	}
	if d.opt.Fallback == "" {
		return nil, err
	}
	p, second := openAt(filepath.Join(d.opt.Fallback, "helve-"+owner()), id, root)
	if second != nil {
		if fault.Is(second, fault.PermissionDenied) {
			return nil, second
		}
		return nil, err
	}
	p.why = fault.T("undo history and other state are in %s and may not last: %s", p.path, fault.As(err).Message)
	return p, nil
}

// errWithin is the cause where the directory would be inside the workspace.
var errWithin = errors.New("inside the workspace")

// unshared returns the error where nothing can be kept so that others find it.
func (d *Dir) unshared(err error) error {
	code := fault.IOError
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		code = fault.PermissionDenied
	}
	return fault.New(code, fault.T("the store of this workspace cannot be used: %s", fault.As(err).Message)).
		WithHint(fault.T("let this user write to %s, or set HELVE_HOME to one directory for all who are to find it", d.base)).
		Because(err)
}

// readable returns the path of a directory that can be read, or that is certainly not
// there.
func (d *Dir) readable() (path string, ok bool) {
	root, err := filepath.EvalSymlinks(d.root)
	if err != nil {
		return "", false
	}
	path = filepath.Join(d.base, dirName(root, filepath.Base(root)))
	real, there, within := locate(path, root)
	switch {
	case within:
		return "", false
	case !there:
		_, err := os.Lstat(path)
		return path, errors.Is(err, fs.ErrNotExist)
	}
	for _, dir := range []string{d.base, path} {
		if checkPrivate(dir) != nil {
			return "", false
		}
	}
	dir, err := os.Open(real)
	if err != nil {
		return "", false
	}
	return real, dir.Close() == nil
}

// openAt makes base/id unless it exists, checks it and opens it. The error
// permission_denied means that it exists and is not safe; any other means that it
// cannot be used.
func openAt(base, id, root string) (*opened, error) {
	path := filepath.Join(base, id)
	real, there, within := locate(path, root)
	if within {
		return nil, fault.New(fault.NotConfigured,
			fault.T("the state directory %s would be inside the workspace %s", path, root)).
			WithHint(fault.T("set HELVE_HOME to a directory outside of the workspace")).Because(errWithin)
	}
	if !there {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return nil, unusable(path, err)
		}
	}
	for _, dir := range []string{base, path} {
		if err := checkPrivate(dir); err != nil {
			return nil, err
		}
	}
	if !there {
		var err error
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return nil, unusable(path, err)
		}
	}
	dir, err := os.OpenRoot(real)
	if err != nil {
		return nil, unusable(path, err)
	}
	p := &opened{path: real, root: root, dir: dir}
	if p.info, err = dir.Stat("."); err == nil {
		// Check what was opened as well, not only its name.
		err = checkOwner(path, p.info)
	}
	if err == nil {
		err = p.writable(base, root)
	}
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return p, nil
}

// writable checks whether files can be made, by writing the identity if it is
// missing, else by asking the system.
func (p *opened) writable(base, root string) error {
	_, err := p.dir.Lstat(identity)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = p.identify(base, root)
	case err == nil:
		err = access(p.path)
	}
	if err != nil {
		return unusable(p.path, err)
	}
	return nil
}

// identify writes the identity, and makes the directory's own name durable.
func (p *opened) identify(base, root string) error {
	data, err := json.Marshal(struct {
		V    int    `json:"v"`
		Root string `json:"root"`
	}{1, root})
	if err != nil {
		return err
	}
	if err := p.replace(identity, append(data, '\n'), true); err != nil {
		return err
	}
	up, err := os.OpenRoot(base)
	if err != nil {
		return err
	}
	return errors.Join(syncDir(up, "."), up.Close())
}

// checkPrivate checks a directory by name: a symbolic link must belong to the user,
// and others must not be able to write to its target.
func checkPrivate(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if !ours(info) {
			return notPrivate(path, fault.T("is a symbolic link that belongs to somebody else"))
		}
		info, err = os.Stat(path)
	}
	if err != nil {
		return unusable(path, err)
	}
	return checkOwner(path, info)
}

func checkOwner(path string, info fs.FileInfo) error {
	switch {
	case !info.IsDir():
		return notPrivate(path, fault.T("is not a directory"))
	case !ours(info):
		return notPrivate(path, fault.T("belongs to somebody else"))
	case exposed(info):
		return notPrivate(path, fault.T("can be written by other users"))
	}
	return nil
}

func notPrivate(path string, why fault.Text) error {
	return fault.New(fault.PermissionDenied, fault.T("the state directory %s %s", path, why)).
		WithHint(fault.T("make it a directory of your own with mode 0700, or set HELVE_HOME to another one"))
}

func unusable(path string, err error) error {
	var known *fault.Error
	if errors.As(err, &known) && known.Code == fault.NotConfigured {
		return known
	}
	reason := fault.As(fault.System(err, path)).Message
	return fault.New(fault.NotConfigured, fault.T("state cannot be kept in %s: %s", path, reason)).
		WithHint(fault.T("set HELVE_HOME to a directory that can be written")).
		Because(err)
}

// dirName returns the name of a directory for something with any spelling: enough
// of its hash to be unique, and the harmless characters of its name.
func dirName(hashed, name string) string {
	sum := sha256.Sum256([]byte(hashed))
	id := hex.EncodeToString(sum[:8])
	slug := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_':
			return r
		}
		return -1
	}, name)
	if slug == "" {
		return id
	}
	return id + "-" + slug[:min(len(slug), 32)]
}

// locate returns the real path of a state directory, whether it exists, and
// whether it is in the workspace. It runs at every call: without a symbolic link
// in the path, one lstat of each directory answers all three.
func locate(path, root string) (real string, there, within bool) {
	thorough := func() (string, bool, bool) {
		real, there := realAhead(path)
		return real, there, inside(real, root)
	}
	top, err := os.Stat(root)
	if err != nil || runtime.GOOS == "windows" { // on Windows a name can have a second, short spelling
		return thorough()
	}
	there = true
	for at := path; ; {
		info, err := os.Lstat(at)
		switch {
		case err != nil:
			there = false
		case info.Mode()&fs.ModeSymlink != 0:
			return thorough()
		case os.SameFile(info, top):
			within = true
		}
		up := filepath.Dir(at)
		if up == at {
			return path, there, within
		}
		at = up
	}
}

// realAhead returns path with the symbolic links of its existing part resolved,
// and whether all of it exists.
func realAhead(path string) (real string, whole bool) {
	rest := ""
	for at := path; ; {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), rest == ""
		}
		up := filepath.Dir(at)
		if up == at {
			return path, false
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = up
	}
}

// inside reports whether path is root or below it: by spelling, or by identity,
// as a file system can have several spellings for one directory.
func inside(path, root string) bool {
	if workspace.WithinOS(path, root) {
		return true
	}
	top, err := os.Stat(root)
	if err != nil {
		return false
	}
	for at := path; ; {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, top) {
			return true
		}
		up := filepath.Dir(at)
		if up == at {
			return false
		}
		at = up
	}
}
