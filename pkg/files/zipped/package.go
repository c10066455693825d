package zipped

import (
	"archive/zip"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of the parts of a package, in bytes.
const (
	// PackageEntries limits the entries of a package. Real documents have at most a few
	// thousand.
	PackageEntries = 10_000
	// maxStreamed limits the unpacked size of all parts together. It bounds the time
	// that a document takes; streamed parts take no memory.
	maxStreamed = 1 << 30
	// HeldBytes is the largest part that [Package.Read] holds in memory; all of them
	// together may be four times as large.
	HeldBytes = 64 << 20
	// suspicious is the least size, in bytes, of a part whose ratio counts. Small parts
	// are often repetitive.
	suspicious = 64 << 20
	maxRatio   = 250
)

// ErrLimit is the cause of the faults of parts that unpack to more than is read of a package.
var ErrLimit = errors.New("the package unpacks to too much")

// Package is a document that consists of parts in a ZIP archive: an office document or an
// e-book. All readers of its parts share one budget.
type Package struct {
	entries        []entry  // by their folded names
	names          []string // folded, parallel to entries
	streamed, held int64    // what is left
}

// entry is a part as the archive has it.
type entry struct {
	name           string
	packed, claims int64 // bytes, packed and, as the archive claims, unpacked
	encrypted      bool
	open           func() (io.ReadCloser, error)
}

// OpenPackage opens a package. Of one whose directory is damaged or missing, as that of a
// download that stopped, it finds the parts by their own headers. An entry that overlaps another one, and a second entry of
// the same name, are a bad_document: two programs would read two documents.
func OpenPackage(file io.ReaderAt, size int64) (*Package, error) {
	entries, err := directory(file, size)
	if fault.Is(err, fault.BadDocument) && (errors.Is(err, errNoDirectory) || errors.Is(err, zip.ErrFormat)) {
		if found := salvage(file, size); len(found) > 0 {
			entries, err = found, nil
		}
	}
	if err != nil {
		return nil, err
	}
	p := &Package{entries: entries, streamed: maxStreamed, held: 4 * HeldBytes}
	slices.SortStableFunc(p.entries, func(a, b entry) int { return strings.Compare(fold(a.name), fold(b.name)) })
	p.names = make([]string, len(p.entries))
	for i, e := range p.entries {
		if p.names[i] = fold(e.name); i > 0 && p.names[i] == p.names[i-1] {
			return nil, damaged(fault.T("it has two entries %s", e.name))
		}
	}
	return p, nil
}

// directory returns the entries that the directory of an archive lists.
func directory(file io.ReaderAt, size int64) ([]entry, error) {
	z, err := Open(file, size)
	if err != nil {
		return nil, err
	}
	if len(z.File) > PackageEntries {
		return nil, damaged(fault.T("it has %d entries; a document may have %d", len(z.File), PackageEntries))
	}
	if err := checkOverlaps(z.File); err != nil {
		return nil, err
	}
	var entries []entry
	for _, f := range z.File {
		if !strings.HasSuffix(f.Name, "/") {
			const encrypted = 1 // APPNOTE 4.4.4
			entries = append(entries, entry{f.Name, int64(f.CompressedSize64), int64(min(f.UncompressedSize64, 1<<62)), f.Flags&encrypted != 0, f.Open})
		}
	}
	return entries, nil
}

// checkOverlaps refuses entries whose data lies in one another: a few kilobytes could
// unpack to petabytes (https://www.bamsoftware.com/hacks/zipbomb/).
func checkOverlaps(files []*zip.File) error {
	type span struct {
		from, to int64
		name     string
	}
	spans := make([]span, 0, len(files))
	for _, f := range files {
		from, err := f.DataOffset()
		if err != nil {
			continue // reading the entry reports it
		}
		spans = append(spans, span{from, from + int64(f.CompressedSize64), f.Name})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to && spans[i].to > spans[i].from {
			return damaged(fault.T("its entries %s and %s overlap", spans[i-1].name, spans[i].name))
		}
	}
	return nil
}

// fold returns the form in which names of parts are compared: the Open Packaging
// Conventions (ECMA-376 part 2, 6.2.2.3) ignore the case of ASCII letters, some programs
// write backslashes and some a leading slash.
func fold(name string) string {
	return strings.TrimLeft(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/")
}

// Names returns the names of all parts, as they are stored, in alphabetical order.
func (p *Package) Names() []string {
	names := make([]string, len(p.entries))
	for i, e := range p.entries {
		names[i] = e.name
	}
	return names
}

// find returns the entry of a part; nil if there is none.
func (p *Package) find(name string) *entry {
	if i, ok := slices.BinarySearch(p.names, fold(name)); ok {
		return &p.entries[i]
	}
	return nil
}

// Has reports whether there is a part.
func (p *Package) Has(name string) bool { return p.find(name) != nil }

// Size returns what a part claims to have unpacked, in bytes; 0 if there is none.
func (p *Package) Size(name string) int64 {
	if e := p.find(name); e != nil {
		return e.claims
	}
	return 0
}

// Open opens a part to be read once, from its beginning. Names are compared without
// regard to case. The faults are not_found, if there is no such part, encrypted_document
// and bad_document; the last two come from Read, too, the last one when a budget is spent
// or the data is damaged. What was read before is good.
func (p *Package) Open(name string) (io.ReadCloser, error) {
	e := p.find(name)
	if e == nil {
		return nil, fault.New(fault.NotFound, fault.T("the document has no part %s", name)).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	if e.encrypted {
		return nil, fault.New(fault.EncryptedDocument, fault.T("the part %s is encrypted", name)).
			WithHint(fault.T("ask for a copy without a password"))
	}
	r, err := e.open()
	if err != nil {
		return nil, damaged(fault.T("%s: %s", name, err.Error())).Because(err)
	}
	return &part{ReadCloser: r, of: p, name: name, packed: e.packed}, nil
}

// Read reads a part into memory. See [Package.Open]; the content may come with an error.
func (p *Package) Read(name string) ([]byte, error) {
	r, err := p.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	most := min(HeldBytes, p.held)
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if int64(len(data)) > most {
		data = data[:most]
		err = damaged(fault.T("%s takes more than %d bytes", name, most)).Because(ErrLimit)
	}
	p.held -= int64(len(data))
	return data, err
}

// part reads a part within the package's budget.
type part struct {
	io.ReadCloser
	of           *Package
	name         string
	packed, read int64
}

func (r *part) Read(b []byte) (int, error) {
	if r.of.streamed <= 0 {
		return 0, damaged(fault.T("its parts take more than %d bytes", int64(maxStreamed))).Because(ErrLimit)
	}
	if r.read > suspicious && r.read/maxRatio > r.packed {
		return 0, damaged(fault.T("%s unpacks to more than %d times its size", r.name, maxRatio)).Because(ErrLimit)
	}
	n, err := r.ReadCloser.Read(b)
	r.read += int64(n)
	r.of.streamed -= int64(n)
	switch {
	case err == nil || errors.Is(err, io.EOF):
	case errors.Is(err, zip.ErrChecksum):
		// The data is complete; a program that repaired the document may have left the
		// sum as it was.
		err = io.EOF
	default:
		err = damaged(fault.T("%s: %s", r.name, err.Error())).Because(err)
	}
	return n, err
}
