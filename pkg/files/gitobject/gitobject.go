// Package gitobject reads objects of a git repository, loose ones and those in packs,
// without git. The formats are in gitrepository-layout(5) and gitformat-pack(5).
package gitobject

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git names objects by it
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/files/gitindex"
)

// File is an open file of a repository.
type File interface {
	io.Reader
	io.ReaderAt
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Files are the files of a repository.
type Files interface {
	// Open opens a file; the error of a missing one matches fs.ErrNotExist.
	Open(name string) (File, error)
	// Names lists a directory.
	Names(dir string) ([]string, error)
}

// Errors of an object that cannot be read.
var (
	ErrMissing = errors.New("no such object")
	ErrDamaged = errors.New("a damaged object")
	ErrLarge   = errors.New("an object above the limit")
)

const (
	mostPacks = 256  // that are opened; each takes two descriptors
	mostBases = 4096 // below one delta
)

// Store reads the objects of one repository. Its packs stay open, so that they can be
// read when a program has removed them.
type Store struct {
	files Files
	dir   string
	packs []*pack
}

// Open opens the packs in a directory of objects. The error is [ErrMissing] if the
// objects are not all there: borrowed from another repository, left with a server, or in
// more packs than are opened.
func Open(files Files, dir string) (_ *Store, err error) {
	s := &Store{files: files, dir: dir}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if f, err := files.Open(path.Join(dir, "info/alternates")); err == nil {
		return nil, errors.Join(fmt.Errorf("%w: some are in another repository", ErrMissing), f.Close())
	}
	names, err := files.Names(path.Join(dir, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, name := range names {
		base, ok := strings.CutSuffix(name, ".idx")
		switch {
		case path.Ext(name) == ".promisor":
			return nil, fmt.Errorf("%w: some are with a server", ErrMissing)
		case !ok:
			continue
		case len(s.packs) == mostPacks:
			return nil, fmt.Errorf("%w: too many packs", ErrMissing)
		}
		p, err := openPack(files, path.Join(dir, "pack", base))
		if err != nil {
			return nil, err
		}
		s.packs = append(s.packs, p)
	}
	return s, nil
}

// Close closes the packs. They were only read, so that errors do not matter.
func (s *Store) Close() {
	for _, p := range s.packs {
		p.close()
	}
	s.packs = nil
}

// kind is the kind of an object, with the numbers that packs use.
type kind uint8

const (
	commit kind = 1 + iota
	tree
	blob
	tag
	_
	offsetDelta
	nameDelta
)

func (k kind) String() string {
	switch k {
	case commit:
		return "commit"
	case tree:
		return "tree"
	case blob:
		return "blob"
	case tag:
		return "tag"
	}
	return "delta"
}

// Blob returns the bytes of a file's content, at most so many. Their sum is checked.
func (s *Store) Blob(id gitindex.OID, most int64) ([]byte, error) {
	k, data, err := s.object(id, most, 0)
	switch {
	case err != nil:
		return nil, err
	case k != blob:
		return nil, fmt.Errorf("%w: %s is a %s", ErrDamaged, id, k)
	}
	h := sha1.New() //nolint:gosec // see above
	_, _ = fmt.Fprintf(h, "%s %d\x00", k, len(data))
	_, _ = h.Write(data) // a hash takes everything
	if !bytes.Equal(h.Sum(nil), id[:]) {
		return nil, fmt.Errorf("%w: %s holds something else", ErrDamaged, id)
	}
	return data, nil
}

func (s *Store) object(id gitindex.OID, most int64, depth int) (kind, []byte, error) {
	for _, p := range s.packs {
		at, ok, err := p.find(id)
		if err != nil {
			return 0, nil, err
		}
		if ok {
			return s.packed(p, at, most, depth)
		}
	}
	return s.loose(id, most)
}

// loose reads an object that is a file of its own.
func (s *Store) loose(id gitindex.OID, most int64) (_ kind, _ []byte, err error) {
	name := id.String()
	f, err := s.files.Open(path.Join(s.dir, name[:2], name[2:]))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil, fmt.Errorf("%w: %s", ErrMissing, name)
	}
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := zlib.NewReader(f)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	in := bufio.NewReader(z)
	head, err := in.ReadString(0)
	if err != nil || len(head) > 32 {
		return 0, nil, fmt.Errorf("%w: %s", ErrDamaged, name)
	}
	word, number, _ := strings.Cut(head[:len(head)-1], " ")
	size, err := strconv.ParseInt(number, 10, 64)
	if err != nil || size < 0 {
		return 0, nil, fmt.Errorf("%w: %s", ErrDamaged, name)
	}
	data, err := exactly(in, size, most)
	if err != nil {
		return 0, nil, err
	}
	for _, k := range []kind{commit, tree, blob, tag} {
		if k.String() == word {
			return k, data, nil
		}
	}
	return 0, nil, fmt.Errorf("%w: %s is a %q", ErrDamaged, name, word)
}

// exactly reads size bytes, which must be all.
func exactly(in io.Reader, size, most int64) ([]byte, error) {
	if size > most {
		return nil, fmt.Errorf("%w: %d bytes", ErrLarge, size)
	}
	// The size may be a lie, so memory is taken as bytes come.
	data, err := io.ReadAll(io.LimitReader(in, size+1))
	if err != nil || int64(len(data)) != size {
		return nil, fmt.Errorf("%w: %d of %d bytes: %w", ErrDamaged, len(data), size, err)
	}
	return data, nil
}
