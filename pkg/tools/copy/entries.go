package copy

import (
	"context"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/journal"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Bounds of one copy: each entry is locked, each file is synced to the disk, and all bytes
// are in memory until they are written, together or not at all.
const (
	maxEntries = 1000
	maxBytes   = 64 << 20
)

// entry is a file, a directory or a link, and where its copy goes. Paths are those
// of [workspace.Root.Resolve].
type entry struct {
	from, to string
	info     fs.FileInfo
	target   string      // of a link
	over     fs.FileInfo // the file or link that it replaces; nil: nothing
}

// list returns the entries to copy, directories before their content. The first entry is
// the one that the arguments name: no link, as a link that is named is followed.
func list(ctx context.Context, call *tool.Call, a Args) ([]entry, error) {
	root, given, err := call.Confined(a.From)
	if err != nil {
		return nil, err
	}
	_, free, err := call.Confined(a.To)
	if err != nil {
		return nil, err
	}
	from, err := root.Resolve(given, schema.ReadPath)
	if err != nil {
		return nil, err
	}
	to, err := root.Resolve(free, schema.CreatePath)
	if err != nil {
		return nil, err
	}
	info, err := root.Lstat(root.At(from.String()))
	if fault.Is(err, fault.NotFound) {
		err = root.NotFound(given) // with names that are there
	}
	if err != nil {
		return nil, err
	}
	over, err := root.Lstat(free)
	switch {
	case fault.Is(err, fault.NotFound):
		over = nil
	case err != nil:
		return nil, err
	case workspace.SameFile(info, over):
		return nil, fault.New(fault.InvalidArguments, fault.T("%s and %s are the same", a.From, a.To)).
			WithHint(fault.T("choose another path for the copy"))
	case over.IsDir():
		return nil, fault.New(fault.IsDirectory, fault.T("%s is a directory", a.To)).
			WithHint(fault.T("pass the complete new path, such as %[1]s/%[2]s", a.To, path.Base(a.From)))
	case info.IsDir():
		return nil, fault.New(fault.AlreadyExists, fault.T("%s already exists and is not a directory", a.To)).
			WithHint(fault.T("choose another path"))
	case !a.Overwrite:
		return nil, fault.New(fault.AlreadyExists, fault.T("%s already exists", a.To)).
			WithHint(fault.T("choose another path, or overwrite=true to replace the file"))
	}
	if info.IsDir() && workspace.Within(to.String(), from.String()) {
		return nil, fault.New(fault.InvalidArguments, fault.T("%s cannot be copied into itself", a.From)).
			WithHint(fault.T("copy it to a path beside it"))
	}
	l := &lister{root: root}
	if err := l.add(ctx, entry{from: from.String(), to: to.String(), info: info, over: over}); err != nil {
		return nil, err
	}
	return l.all, nil
}

// lister collects entries.
type lister struct {
	root  *workspace.Root
	all   []entry
	bytes int64
}

func (l *lister) add(ctx context.Context, e entry) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	shown := l.root.Show(e.from)
	switch mode := e.info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		if e.target, err = l.target(e); err != nil {
			return err
		}
	case mode.IsRegular():
		l.bytes += e.info.Size()
		if e.info.Size() > state.MaxBlob {
			return tooMuch(fault.T("%s is larger than %d MiB", shown, state.MaxBlob>>20))
		}
	case !mode.IsDir():
		return fault.New(fault.NotAFile, fault.T("%s is neither a file, a directory nor a link", shown)).
			WithHint(fault.T("copy the others one by one"))
	}
	l.all = append(l.all, e)
	switch {
	case len(l.all) > maxEntries:
		return tooMuch(fault.T("there are more than %d entries to copy", maxEntries))
	case l.bytes > maxBytes:
		return tooMuch(fault.T("there are more than %d MiB to copy", maxBytes>>20))
	case !e.info.IsDir():
		return nil
	}
	below, err := l.root.ReadDir(l.root.At(e.from))
	if err != nil {
		return err
	}
	for _, b := range below {
		if b.Err != nil {
			return b.Err
		}
		if err := l.add(ctx, entry{from: path.Join(e.from, b.Name), to: path.Join(e.to, b.Name), info: b.Info}); err != nil {
			return err
		}
	}
	return nil
}

// target returns where a link leads, if that is in the workspace from its old place
// and from its new one.
func (l *lister) target(e entry) (string, error) {
	from := l.root.At(e.from)
	target, err := l.root.ReadLink(from)
	if err != nil {
		return "", err
	}
	if _, err := l.root.Resolve(from, schema.ReadPath); err != nil {
		return "", err
	}
	if filepath.IsAbs(target) {
		return target, nil // it leads to the same from everywhere
	}
	if at := path.Join(path.Dir(e.to), filepath.ToSlash(target)); at == ".." || strings.HasPrefix(at, "../") {
		return "", fault.New(fault.OutsideWorkspace, fault.T("the link %s would lead out of the workspace from %s, to %s",
			l.root.Show(e.from), l.root.Show(e.to), target)).
			WithHint(fault.T("copy the other entries one by one"))
	}
	return target, nil
}

func tooMuch(what fault.Text) error {
	return fault.New(fault.TooLarge, what).WithHint(fault.T("copy it with cp -R in exec, which undo takes back, too"))
}

// changesOf returns the changes that make the copy.
func changesOf(ctx context.Context, root *workspace.Root, entries []entry) ([]journal.Change, error) {
	var all, closing []journal.Change
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		mode := e.info.Mode()
		switch {
		case mode.IsDir():
			// A directory that may not be written to is filled before.
			if perm := mode.Perm(); perm&0o700 != 0o700 && perm != 0 {
				closing = append(closing, journal.Change{Op: journal.Chmod, Path: e.to, Mode: perm})
			}
			all = append(all, journal.Change{Op: journal.Mkdir, Path: e.to, Mode: mode.Perm() | 0o700})
		case mode&fs.ModeSymlink != 0:
			all = append(all, journal.Change{Op: journal.Symlink, Path: e.to, Target: e.target})
		default:
			content, err := e.content(root)
			if err != nil {
				return nil, err
			}
			write := journal.Change{Op: journal.Write, Path: e.to, Content: content, Mode: mode.Perm(), Expect: journal.Absent}
			if e.over != nil {
				write.Expect = ""
				if !e.over.Mode().IsRegular() { // a link is replaced, not what it leads to
					all = append(all, journal.Change{Op: journal.Delete, Path: e.to})
				}
			}
			all = append(all, write)
		}
	}
	slices.Reverse(closing)
	return append(all, closing...), nil
}

// content returns the bytes of a file, if it is still the one that was listed.
func (e entry) content(root *workspace.Root) ([]byte, error) {
	shown := root.Show(e.from)
	f, err := root.Open(root.At(e.from))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fault.System(err, shown)
	}
	if !workspace.SameFile(info, e.info) {
		return nil, meanwhile(shown)
	}
	content, err := io.ReadAll(io.LimitReader(f, state.MaxBlob+1)) // the journal refuses more
	return content, fault.System(err, shown)
}

func meanwhile(from string) error {
	return fault.New(fault.Conflict, fault.T("%s was changed while it was being copied; nothing was copied", from)).
		WithHint(fault.T("copy again"))
}
