package track

import (
	"bytes"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/files/gitindex"
	"github.com/helve-dev/helve/pkg/files/gitobject"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Where a repository has its index and its objects.
const (
	indexPath   = ".git/index"
	objectsPath = ".git/objects"
)

// repository is the git repository of a workspace, as far as it can be read without
// git. A nil one tracks nothing.
type repository struct {
	index   *gitindex.Index
	written int64 // when git wrote the index, in nanoseconds since 1970
	size    int64 // of the index, in bytes
	objects *gitobject.Store
}

// repository opens the repository whose top is the root. There is none if anything about
// it is unusual: then its files are copied as those of any directory.
func (w Workspace) repository() *repository {
	files := onRoot{w.Root}
	data, written, ok := files.read(indexPath)
	if !ok {
		return nil
	}
	settings, _, _ := files.read(".git/config")
	if bytes.Contains(bytes.ToLower(settings), []byte("objectformat")) {
		return nil // objects are not named by SHA-1
	}
	index, err := gitindex.Parse(data)
	if err != nil {
		return nil
	}
	r := &repository{index: index, written: written, size: int64(len(data))}
	// Without objects, the index still lists the tracked files.
	if objects, err := gitobject.Open(files, objectsPath); err == nil {
		r.objects = objects
	}
	return r
}

func (r *repository) close() {
	if r != nil && r.objects != nil {
		r.objects.Close()
	}
}

// tracked returns the index, or nil.
func (r *repository) tracked() *gitindex.Index {
	if r == nil {
		return nil
	}
	return r.index
}

// cursor returns what finds entries of the index.
func (r *repository) cursor() gitindex.Cursor {
	if r == nil {
		return (&gitindex.Index{}).Cursor()
	}
	return r.index.Cursor()
}

// clean returns the object with the content of a file, if git knows that the file has
// not changed. An index that was written within the tick of the file's last change does
// not know; see git's racy-git.
func (r *repository) clean(e *entry, index *gitindex.Cursor) (gitindex.OID, bool) {
	if r == nil || r.objects == nil {
		return gitindex.OID{}, false
	}
	x, ok := index.Find(e.path)
	if !ok || !r.unchanged(x, e) {
		return gitindex.OID{}, false
	}
	return x.OID, true
}

// unchanged reports whether a file has not changed since git last looked at it.
func (r *repository) unchanged(x *gitindex.Entry, e *entry) bool {
	return x.Modified == e.Modified && x.Size == uint32(e.Size) && e.Modified < r.written &&
		(x.Changed == e.Changed || e.Changed == 0) && (x.Inode == uint32(e.Inode) || e.Inode == 0) && x.Mode&0o170000 == 0o100000
}

// converts reports whether a file of attributes can make the bytes of a file differ from
// those of its object, though their number is the same.
func converts(attributes []byte) bool {
	for _, word := range []string{"filter", "working-tree-encoding", "ident"} {
		if bytes.Contains(attributes, []byte(word)) {
			return true
		}
	}
	return false
}

// convert looks at all files of attributes. If one converts, objects do not tell what
// files hold.
func (r *repository) convert(w Workspace, t *tree) {
	if r == nil || r.objects == nil {
		return
	}
	files := onRoot{w.Root}
	names := []string{".git/info/attributes"}
	for _, e := range t.entries {
		if strings.HasSuffix(e.path, ".gitattributes") && path.Base(e.path) == ".gitattributes" {
			names = append(names, workspace.Escape(e.path))
		}
	}
	for _, name := range names {
		if data, _, ok := files.read(name); ok && converts(data) {
			r.objects.Close()
			r.objects = nil
			return
		}
	}
}

// meaning returns that of the bytes of an index, which git rewrites whenever it looks at
// the files; see [journal.Options].
func meaning(name string, data []byte) string {
	if _, inside := inRepository(name); !inside || path.Base(name) != "index" {
		return ""
	}
	return tracks(data)
}

// tracks returns 64 hex digits for what the bytes of an index track, or "" if they cannot
// be read.
func tracks(data []byte) string {
	index, err := gitindex.Parse(data)
	if err != nil {
		return ""
	}
	return index.Meaning()
}

// sameIndex reports whether the bytes of two indexes track the same.
func sameIndex(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	is := tracks(a)
	return is != "" && is == tracks(b)
}

// onRoot are the files of a workspace.
type onRoot struct{ root *workspace.Root }

// Open opens a file.
func (o onRoot) Open(name string) (gitobject.File, error) {
	// Most are looked for in vain, and opening would look for similar names.
	p, err := o.root.Clean(name)
	if err != nil {
		return nil, err
	}
	if _, err := o.root.Lstat(p); err != nil {
		return nil, err
	}
	f, err := o.root.Open(p)
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return f, nil
}

// Names lists a directory.
func (o onRoot) Names(dir string) ([]string, error) {
	p, err := o.root.Clean(dir)
	if err != nil {
		return nil, err
	}
	entries, err := o.root.ReadDir(p)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names, err
}

// mostIndex limits the bytes read of a file of git.
const mostIndex = 256 << 20

// read returns a regular file and when it was written.
func (o onRoot) read(name string) (data []byte, written int64, ok bool) {
	info, err := o.root.Tree().Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostIndex {
		return nil, 0, false
	}
	data, err = o.root.Tree().ReadFile(name)
	return data, info.ModTime().UnixNano(), err == nil
}
