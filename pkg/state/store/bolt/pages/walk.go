package pages

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// Kind is a kind of damage.
type Kind string

// The kinds of damage.
const (
	Header   Kind = "header"    // one of the two headers; the last change may be missing
	CutShort Kind = "cut_short" // the file ends before its last page
	FreeList Kind = "free_list" // the list of free pages, or a number in it
	BadPage  Kind = "page"      // a page that cannot be read, or that is not what leads to it says
	Twice    Kind = "twice"     // a page that two others lead to, or that is listed as free too
	Unused   Kind = "unused"    // a page that nothing leads to, and that is not free
	Branch   Kind = "branch"    // an entry of a branch
	Element  Kind = "record"    // a record
	Order    Kind = "order"     // a record that is not where its key belongs
)

// Damage is something that is wrong on a page.
type Damage struct {
	Page uint64
	Kind Kind
	Key  []byte // of the record, if it could be read
}

// Span is a range of keys that could not be reached, as the page that led to them is
// damaged. Keys are From and above, and below To; nil is without an end.
type Span struct {
	From, To []byte
}

// Has reports whether a key is in the span.
func (s Span) Has(key []byte) bool {
	return bytes.Compare(key, s.From) >= 0 && (s.To == nil || bytes.Compare(key, s.To) < 0)
}

// Result is the result of Walk.
type Result struct {
	PageSize int64
	Pages    int64 // in use or free
	Free     int64
	Sequence uint64 // of the bucket; 0 if it could not be read
	Missing  bool   // nobody has written to the file yet
	Damage   []Damage
	Lost     []Span
	// Doubtful is set if the free pages are unknown: some records in the lost spans may
	// have been removed or changed since.
	Doubtful bool
}

// Record is a record of a bucket. Nobody changes its bytes later.
type Record struct {
	Key, Value []byte
	Page       uint64
	// Stray is set if no branch leads to the page of the record: it is of a lost span.
	Stray bool
}

// walker is a walk through a file.
type walker struct {
	file
	Result
	seen []bool // the pages that were reached, or that are free, by number
	free []bool
	each func(Record) error
}

// maxDamage limits the damages that are noted.
const maxDamage = 1000

// fresh is the last transaction of a file that nobody has written to.
const fresh = 1

// maxDepth limits the depth of a tree. Each branch of bbolt has at least two children.
const maxDepth = 64

// Walk calls each for the records of a bucket, first those that the tree leads to, in
// the order of their keys if it is right, then those of pages that it does not lead to
// any more. The values can be wrong: they have no checksum in this format. The error is
// that of each, or of reading the file.
func Walk(r io.ReaderAt, size int64, bucket string, each func(Record) error) (*Result, error) {
	w := &walker{file: file{r: r, size: size}, each: each}
	damaged, found := w.readMeta()
	for _, id := range damaged {
		w.note(id, Header)
	}
	w.PageSize = w.pageSize
	if size > w.pageSize<<32 {
		return nil, fmt.Errorf("the file is too long: %d bytes", size)
	}
	w.seen, w.free = make([]bool, w.pages()), make([]bool, w.pages())
	w.use(0, 0)
	w.use(1, 0)
	if !found {
		w.Doubtful = true
		w.Lost = []Span{{}}
		w.Pages = int64(w.pages())
		return &w.Result, w.strays()
	}
	w.Pages = int64(w.end)
	if w.end > w.pages() {
		w.note(w.pages(), CutShort)
	}
	w.readFreelist()
	if err := w.root(bucket); err != nil {
		return nil, err
	}
	if len(w.Lost) == 0 {
		w.unused()
		return &w.Result, nil
	}
	return &w.Result, w.strays()
}

func (w *walker) note(id uint64, kind Kind) { w.noteRecord(id, kind, nil) }

func (w *walker) noteRecord(id uint64, kind Kind, key []byte) {
	if len(w.Damage) < maxDamage {
		w.Damage = append(w.Damage, Damage{id, kind, bytes.Clone(key)})
	}
}

// lose notes damage that makes the keys of a span unreachable.
func (w *walker) lose(id uint64, kind Kind, span Span) {
	w.note(id, kind)
	w.Lost = append(w.Lost, span)
}

// use notes that the tree leads to a page and what overflows from it. It reports
// whether that is the first time.
func (w *walker) use(id, overflow uint64) bool {
	if id < uint64(len(w.seen)) && w.seen[id] {
		w.note(id, Twice)
		return false
	}
	for i := id; i <= id+overflow && i < uint64(len(w.seen)); i++ {
		if w.free[i] {
			w.note(i, Twice)
		}
		w.seen[i] = true
	}
	return true
}

func (w *walker) readFreelist() {
	if w.freelist == noFreelist {
		w.Doubtful = true
		return
	}
	ids, p, err := w.freelistPages()
	if err != nil {
		w.note(w.freelist, FreeList)
		w.Doubtful = true
		return
	}
	w.use(p.id, p.overflow)
	for _, id := range ids {
		if id < 2 || id >= w.end || id < uint64(len(w.seen)) && w.seen[id] {
			w.note(p.id, FreeList)
			continue
		}
		w.Free++
		if id < uint64(len(w.free)) {
			w.free[id] = true
		}
	}
}

// root finds the bucket in the tree of buckets, and walks through it.
func (w *walker) root(bucket string) error {
	var found []byte
	top := &walker{file: w.file, seen: w.seen, free: w.free}
	err := top.tree(w.file.root, Span{}, 0, func(_ page, key, value []byte, isBucket bool) error {
		if isBucket && string(key) == bucket && len(value) >= bucketLen {
			found = value
		}
		return nil
	})
	w.Damage = append(w.Damage, top.Damage...)
	if found == nil {
		switch w.Missing = len(top.Lost) == 0 && w.txid <= fresh; {
		case w.Missing:
		case len(top.Lost) == 0:
			w.lose(w.file.root, Element, Span{})
		default:
			w.Lost = []Span{{}}
		}
		return err
	}
	w.Sequence = binary.NativeEndian.Uint64(found[8:])
	if id := binary.NativeEndian.Uint64(found); id != 0 {
		return w.tree(id, Span{}, 0, w.record)
	}
	p, ok := inlined(found)
	if !ok {
		w.lose(w.file.root, Element, Span{})
		return nil
	}
	p.id = w.file.root
	return w.leaves(p, Span{}, w.record)
}

// visit is called for each element of a leaf.
type visit func(p page, key, value []byte, isBucket bool) error

func (w *walker) record(p page, key, value []byte, isBucket bool) error {
	if isBucket {
		w.noteRecord(p.id, Element, key)
		return nil
	}
	return w.each(Record{Key: key, Value: value, Page: p.id})
}

// tree walks through the tree below a page, whose keys are to be in the span.
func (w *walker) tree(id uint64, span Span, depth int, visit visit) error {
	if id < 2 || id >= w.end || depth > maxDepth {
		w.lose(id, BadPage, span)
		return nil
	}
	p, err := w.readPage(id)
	switch {
	case p.data == nil, p.id != id, p.flags != branchFlag && p.flags != leafFlag:
		w.lose(id, BadPage, span)
		return nil
	case !w.use(id, p.overflow):
		w.Lost = append(w.Lost, span)
		return nil
	case err != nil: // what overflows from the page cannot be read
		w.lose(id, BadPage, span)
	}
	if p.flags == leafFlag {
		return w.leaves(p, span, visit)
	}
	return w.branches(p, span, depth, visit)
}

func (w *walker) branches(p page, span Span, depth int, visit visit) error {
	n, whole := p.elements()
	if !whole || n == 0 {
		w.lose(p.id, Branch, span)
	}
	for i := range n {
		key, child, ok := p.branch(i)
		below := Span{From: key, To: span.To}
		if i == 0 { // its key may be above what was added below it later
			below.From = span.From
		}
		if i+1 < n {
			next, _, inside := p.branch(i + 1)
			ok = ok && inside
			below.To = next
		}
		if !ok || i > 0 && !span.Has(key) || below.To != nil && bytes.Compare(below.From, below.To) >= 0 {
			w.lose(p.id, Branch, span)
			continue
		}
		if err := w.tree(child, below, depth+1, visit); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) leaves(p page, span Span, visit visit) error {
	n, whole := p.elements()
	if !whole {
		w.lose(p.id, Element, span)
	}
	var before []byte
	for i := range n {
		key, value, isBucket, ok := p.leaf(i)
		switch {
		case !ok:
			w.lose(p.id, Element, span)
			continue
		case !span.Has(key) || before != nil && bytes.Compare(key, before) <= 0:
			w.noteRecord(p.id, Order, key)
			w.Lost = append(w.Lost, span)
		}
		before = key
		if err := visit(p, key, value, isBucket); err != nil {
			return err
		}
	}
	return nil
}

// unused notes the pages that are neither used nor free.
func (w *walker) unused() {
	if w.Doubtful {
		return
	}
	for id := range min(w.end, w.pages()) {
		if !w.seen[id] && !w.free[id] {
			w.note(id, Unused)
		}
	}
}

// strays looks for the records of lost spans in the pages that the tree does not lead
// to, even if their headers name other pages.
func (w *walker) strays() error {
	for id := uint64(2); id < w.pages(); id++ {
		if w.seen[id] || w.free[id] {
			continue
		}
		p, _ := w.readPage(id)
		if p.data == nil || p.flags&leafFlag == 0 {
			continue
		}
		p.id = id
		if err := w.stray(p); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) stray(p page) error {
	n, _ := p.elements()
	for i := range n {
		key, value, isBucket, ok := p.leaf(i)
		switch {
		case !ok:
			continue
		case isBucket:
			// A small bucket is inside the page of the tree of buckets.
			if inside, ok := inlined(value); ok {
				inside.id = p.id
				if err := w.stray(inside); err != nil {
					return err
				}
			}
			continue
		}
		if slices.ContainsFunc(w.Result.Lost, func(s Span) bool { return s.Has(key) }) {
			if err := w.each(Record{Key: key, Value: value, Page: p.id, Stray: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// inlined returns the page that the value of a small bucket has in it.
func inlined(value []byte) (page, bool) {
	if len(value) < bucketLen+pageHeader || binary.NativeEndian.Uint64(value) != 0 {
		return page{}, false
	}
	p := parsePage(value[bucketLen:])
	return p, p.flags == leafFlag
}
