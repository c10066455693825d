// Package archive lists archives and compressed files, and reads one member of them. It
// unpacks nothing to disk.
//
// It reads ZIP (with what is packed in it: jar, whl, apk), tar as USTAR, PAX and GNU
// write it, and both gzip and bzip2, around a tar archive or any other file.
package archive

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of what an archive may make a reader do.
const (
	// MemberBytes is the size of a member that can be read.
	MemberBytes = 64 << 20
	// maxEntries limits the entries of a listing.
	maxEntries = 100_000
	// maxNames limits the bytes of the names in a listing.
	maxNames = 16 << 20
	// maxUnpacked limits the bytes unpacked to list members or to find one.
	maxUnpacked = 1 << 30
)

// Format is a file format of archives.
type Format string

// The formats. A file that is compressed alone has one member, itself.
const (
	ZIP     Format = "zip"
	Tar     Format = "tar"
	TarGzip Format = "tar.gz"
	TarBz2  Format = "tar.bz2"
	Gzip    Format = "gz"
	Bzip2   Format = "bz2"
)

// Reads reports whether the package reads files of a MIME type.
func Reads(mime string) bool {
	switch mime {
	case "application/zip", "application/java-archive", "application/x-tar", "application/gzip", "application/x-bzip2":
		return true
	}
	return false
}

// Entry is a member, as the archive describes it.
type Entry struct {
	Name      string // with slashes; directories end with one. It may lead anywhere: it is no path to write to.
	Bytes     int64  // unpacked; -1 is not known
	Modified  time.Time
	Mode      fs.FileMode
	Link      string // where a link leads
	Encrypted bool
}

// Archive is an opened archive.
type Archive struct {
	Format Format
	// Name is the name of the only member of a compressed file.
	Name string
	// At is the path of an archive within an archive, with a slash at the end: errors put
	// it before the names of members.
	At string

	members
}

// members iterates over an archive.
type members interface {
	// each calls yield for each entry in the order of the archive, with a function that
	// opens it, until yield returns false.
	each(ctx context.Context, yield func(Entry, func() (io.ReadCloser, error)) bool) error
}

// Open opens an archive of a MIME type that the package reads. Its name yields that of
// the file in a compressed file. An archive that is damaged is a bad_document.
func Open(ctx context.Context, file io.ReaderAt, size int64, mime, name string) (*Archive, error) {
	switch mime {
	case "application/zip", "application/java-archive":
		z, err := openZIP(file, size)
		return &Archive{Format: ZIP, members: z}, err
	case "application/x-tar":
		return &Archive{Format: Tar, members: &tarball{open: func() (io.Reader, error) { return io.NewSectionReader(file, 0, size), nil }}}, nil
	case "application/gzip":
		return compressed(ctx, file, size, name, Gzip, TarGzip, func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) })
	case "application/x-bzip2":
		return compressed(ctx, file, size, name, Bzip2, TarBz2, func(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil })
	}
	return nil, fault.New(fault.UnsupportedContent, fault.T("%s is no archive", mime))
}

// compressed opens a compressed file, which may be a tar archive.
func compressed(ctx context.Context, file io.ReaderAt, size int64, name string, alone, tarred Format, unpack func(io.Reader) (io.Reader, error)) (*Archive, error) {
	open := func() (io.Reader, error) {
		r, err := unpack(bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 64<<10))
		if err != nil {
			return nil, damaged(err)
		}
		return &budget{ctx: ctx, r: r, left: maxUnpacked}, nil
	}
	r, err := open()
	if err != nil {
		return nil, err
	}
	head := make([]byte, blockBytes)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) || n == 0 && errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, damaged(err)
	}
	if isTar(head[:n]) {
		return &Archive{Format: tarred, members: &tarball{open: open}}, nil
	}
	inner := unpackedName(name)
	return &Archive{Format: alone, Name: inner, members: &single{name: inner, open: open}}, nil
}

// unpackedName returns the name of a compressed file without its extension.
func unpackedName(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, ext := range []string{".gz", ".bz2", ".z"} {
		if base := name[:max(len(name)-len(ext), 0)]; base != "" && strings.EqualFold(name[len(base):], ext) {
			return base
		}
	}
	return name
}

// single is a compressed file.
type single struct {
	name string
	open func() (io.Reader, error)
}

func (s *single) each(_ context.Context, yield func(Entry, func() (io.ReadCloser, error)) bool) error {
	yield(Entry{Name: s.name, Bytes: -1}, func() (io.ReadCloser, error) {
		r, err := s.open()
		return io.NopCloser(r), err
	})
	return nil
}

// Listing lists the members of an archive.
type Listing struct {
	Entries []Entry
	// Exact is false if the limits ended the listing early.
	Exact bool

	names int // the bytes of all names
}

// add lists an entry too, unless the limits are reached.
func (l *Listing) add(e Entry) {
	if l.names += len(e.Name) + len(e.Link); len(l.Entries) == maxEntries || l.names > maxNames {
		l.Exact = false
	}
	if l.Exact {
		l.Entries = append(l.Entries, e)
	}
}

// List returns the entries in the order of the archive. A damaged one is listed up to the
// damage, with the error.
func (a *Archive) List(ctx context.Context) (Listing, error) {
	l := Listing{Exact: true}
	err := a.each(ctx, func(e Entry, _ func() (io.ReadCloser, error)) bool {
		l.add(e)
		return l.Exact
	})
	if errors.Is(err, errBudget) {
		l.Exact, err = false, nil
	}
	return l, err
}

// errBudget reports that a limit on unpacked data ended the work.
var errBudget = errors.New("too much to unpack")

// budget reads up to a limit, and until the context ends.
type budget struct {
	ctx  context.Context //nolint:containedctx // a reader has no other way to learn of it
	r    io.Reader
	left int64
}

func (b *budget) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, errBudget
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// damaged wraps an error of a decoder. A limit and the end of a context are no damage.
func damaged(err error) error {
	if err == nil || errors.Is(err, errBudget) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return err
	}
	return fault.New(fault.BadDocument, fault.T("the archive is damaged: %s", err.Error())).
		WithHint(fault.T("it may be incomplete: get the file again")).Because(err)
}
