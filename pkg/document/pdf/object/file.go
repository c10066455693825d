package object

import (
	"bytes"
	"io"

	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of a file. Whatever is beyond them is left out.
const (
	// MaxFile is the largest file that is opened, in bytes.
	MaxFile = 128 << 20

	maxObjects = 500_000
	maxChain   = 32       // references to references
	maxWork    = 96 << 20 // bytes that objects are read from, repeatedly or not, and
	maxPasses  = 3        // the size of the file so many times
	maxCached  = 16 << 20 // bytes that kept objects were read from
	headerArea = 1024     // where the header may be: implementation note 13 of PDF 1.7
)

// File is an open file. It is not safe for concurrent use.
type File struct {
	source  source
	base    int64 // the offset of the header, from which others count
	trailer Dict
	entries map[int]entry
	crypt   *crypt // nil: not encrypted
	rebuilt bool   // the objects were looked for

	cache       map[int]Value
	cached      int64
	packs       map[int]*pack
	loading     map[int]bool     // packs that are being read
	words       map[string]Value // names, so that each is allocated once
	packedBytes int              // of packs

	scanned scanned // what looking for objects has found

	leaves  []leaf // the pages, if walked
	walked  bool
	missing bool        // nodes of their tree
	numbers map[int]int // of pages, by that of their objects

	work     int64 // of mostWork
	inflated int64 // of maxInflated
	inflater io.ReadCloser
}

// entry says where an object is: 7.5.4, 7.5.8.
type entry struct {
	kind   entryKind
	offset int64 // in the file, or the number of the object stream
	index  int   // in the object stream
}

type entryKind uint8

const (
	free   entryKind = iota
	plain            // at an offset of the file
	packed           // in an object stream
)

// Open opens a file of so many bytes. The password is tried as the user's and as the
// owner's; a file without one for its readers opens with any. The errors are faults:
// bad_document, encrypted_document, too_large, and io_error.
func Open(file io.ReaderAt, size int64, password string) (*File, error) {
	if size > MaxFile {
		return nil, fault.New(fault.TooLarge, fault.T("the PDF has %d bytes; the limit is %d", size, MaxFile)).
			WithHint(fault.T("split it first, for example: qpdf FILE --pages . 1-50 -- PART"))
	}
	f := &File{source: source{file: file, size: size}, loading: make(map[int]bool), words: make(map[string]Value)}
	f.base = max(0, int64(bytes.Index(f.head(), []byte("%PDF-"))))
	if !f.readTables() {
		f.scan()
	}
	if err := f.decrypt(password); err != nil {
		return nil, err
	}
	if f.rebuilt {
		f.unpack()
	} else if f.Dict(f.Dict(f.trailer["Root"])["Pages"]) == nil {
		f.Repair()
	}
	if f.source.err != nil {
		return nil, fault.New(fault.IOError, fault.T("cannot read the PDF: %v", f.source.err)).Because(f.source.err)
	}
	if len(f.entries) == 0 {
		return nil, fault.New(fault.BadDocument, fault.T("the PDF holds no objects: it is damaged, or it is no PDF")).
			WithHint(fault.T("it may be incomplete: get the file again"))
	}
	return f, nil
}

// mostWork returns how many bytes objects are read from, repeatedly or not.
func (f *File) mostWork() int64 { return maxWork + maxPasses*f.source.size }

// Exhausted reports whether no more objects are read, as too much was read already: what is
// missing then may be in the file.
func (f *File) Exhausted() bool { return f.work > f.mostWork() }

// Spent reports whether no more objects are read, or no more streams decoded.
func (f *File) Spent() bool { return f.Exhausted() || f.inflated >= maxInflated }

// head returns where the header may be.
func (f *File) head() []byte {
	w := f.source.window(0, headerArea)
	return w[:min(len(w), headerArea)]
}

// Trailer returns the trailer: the entries Root, Info, Encrypt and ID. Those of the last
// update count.
func (f *File) Trailer() Dict { return f.trailer }

// Rebuilt reports whether the tables of the file were wrong, so that its objects had to be
// looked for.
func (f *File) Rebuilt() bool { return f.rebuilt }

// Encrypted reports whether the file is encrypted.
func (f *File) Encrypted() bool { return f.crypt != nil }

// Repair looks for all objects of the file, once. A caller does so that misses some which
// must be there. It reports whether that may have found more.
func (f *File) Repair() bool {
	if f.rebuilt {
		return false
	}
	f.scan()
	f.unpack()
	return true
}

// Resolve follows references, and returns nil where there is no object. Other values are
// returned as they are.
func (f *File) Resolve(v Value) Value {
	for range maxChain {
		ref, ok := v.(Ref)
		if !ok {
			return v
		}
		v = f.load(ref.Num)
	}
	return nil
}

// load returns the object of a number.
func (f *File) load(num int) Value {
	if v, ok := f.cache[num]; ok {
		return v
	}
	before := f.work
	v, ok := f.find(num)
	if !ok && f.Repair() {
		v, ok = f.find(num)
	}
	if !ok {
		v = nil
	}
	if f.cached += 64 + f.work - before; f.cached > maxCached || f.cache == nil {
		f.cache, f.cached = make(map[int]Value), 0
	}
	f.cache[num] = v
	return v
}

// find reads an object where the tables say it is. It returns false if it is not there.
func (f *File) find(num int) (Value, bool) {
	e := f.entries[num]
	switch e.kind {
	case plain:
		o := f.objectAt(e.offset, maxObject)
		if !o.ok || o.id.Num != num {
			return nil, f.Exhausted() // not the tables' fault
		}
		if f.crypt != nil {
			o.value = f.crypt.strings(o.id, o.value)
		}
		return o.value, true
	case packed:
		return f.unpacked(int(e.offset), e.index, num)
	}
	return nil, true
}

// Limits of one object without the bytes of its stream.
const (
	firstWindow = 4 << 10
	maxObject   = 32 << 20
)

// found is an object as it stands in the file.
type found struct {
	id    Ref
	value Value
	end   int64 // of what was read
	ok    bool
}

// objectAt reads "N G obj …" at an offset, of at most so many bytes: 7.3.10.
func (f *File) objectAt(at, limit int64) found {
	for n := int64(firstWindow); !f.Exhausted(); n *= 8 {
		w := f.source.window(at, n)
		l := Lexer{data: w, refs: true, words: f.words}
		id, ok := l.header()
		if !ok {
			return found{}
		}
		value, _ := l.next(0)
		switch value.(type) {
		case Operator, closing: // endobj, most likely
			value = nil
		}
		l.skipSpace()
		f.work += int64(l.pos)
		if len(w)-l.pos < 64 && at+int64(len(w)) < f.source.size && n < limit {
			continue // the object may be cut
		}
		if d, ok := value.(Dict); ok && bytes.HasPrefix(w[min(l.pos, len(w)):], []byte("stream")) {
			l.pos += len("stream")
			for l.peek(0) == ' ' {
				l.pos++
			}
			if l.peek(0) == '\r' {
				l.pos++
			}
			if l.peek(0) == '\n' {
				l.pos++
			}
			value = &Stream{Dict: d, id: id, offset: at + int64(l.pos), encoded: true}
		}
		return found{id, value, at + int64(l.pos), true}
	}
	return found{}
}

// header reads "N G obj".
func (l *Lexer) header() (Ref, bool) {
	num, ok := l.natural()
	if !ok {
		return Ref{}, false
	}
	gen, ok := l.natural()
	l.skipSpace()
	if !ok || !bytes.HasPrefix(l.data[l.pos:], []byte("obj")) {
		return Ref{}, false
	}
	l.pos += len("obj")
	return Ref{num, gen}, true
}

// natural reads a number of digits alone.
func (l *Lexer) natural() (int, bool) {
	l.skipSpace()
	n, from := 0, l.pos
	for ; isDigit(l.peek(0)) && l.pos-from < 10; l.pos++ {
		n = n*10 + int(l.peek(0)-'0')
	}
	return n, l.pos > from && n < 1<<31
}
