// Package pages reads a file of bbolt without bbolt, which gives up at the first damaged
// page. It finds all damage to the tree of a file, and the records that can still be
// read.
//
// The format is described in https://github.com/etcd-io/bbolt, internal/common: pages of
// one size, numbered from 0; two headers, of which the valid one with the higher
// transaction counts; a tree of branches and leaves; a list of free pages. Numbers have
// the byte order of the machine.
package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

const (
	pageHeader = 16 // id 8, flags 2, count 2, overflow 4
	element    = 16 // branch: pos 4, ksize 4, page 8; leaf: flags 4, pos 4, ksize 4, vsize 4
	metaLen    = 64
	bucketLen  = 16 // root 8, sequence 8

	branchFlag   = 0x01
	leafFlag     = 0x02
	freelistFlag = 0x10
	bucketFlag   = 0x01 // of a leaf's element

	magic         = 0xED0CDAED
	format        = 2
	leastPageSize = 1 << 10
	mostPageSize  = 1 << 24
	usualPageSize = 4096
	noFreelist    = ^uint64(0)
)

// maxPage is the longest page, with what overflows from it, that is read into memory. A
// record of ours has less than a megabyte, and a page of bbolt a few of them.
const maxPage = 64 << 20

// meta is the content of a header.
type meta struct {
	pageSize int64
	root     uint64
	freelist uint64
	end      uint64 // the number of pages that are or were in use
	txid     uint64
}

// file is a file of bbolt.
type file struct {
	r    io.ReaderAt
	size int64
	meta
}

var errShort = errors.New("it ends behind the end of the file")

// parseMeta reads a header, which begins after that of its page.
func parseMeta(b []byte) (m meta, ok bool) {
	if len(b) < metaLen {
		return m, false
	}
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaLen-8])
	order := binary.NativeEndian
	m = meta{
		pageSize: int64(order.Uint32(b[8:])),
		root:     order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]),
		end:      order.Uint64(b[40:]),
		txid:     order.Uint64(b[48:]),
	}
	ok = order.Uint32(b) == magic && order.Uint32(b[4:]) == format && order.Uint64(b[56:]) == sum.Sum64() &&
		m.pageSize >= leastPageSize && m.pageSize <= mostPageSize && m.pageSize&(m.pageSize-1) == 0
	return m, ok
}

// metaAt reads the header of the page at an offset.
func (f *file) metaAt(offset int64) (meta, bool) {
	b := make([]byte, metaLen)
	if _, err := f.r.ReadAt(b, offset+pageHeader); err != nil {
		return meta{}, false
	}
	return parseMeta(b)
}

// readMeta finds the header that counts. damaged are those that cannot be read.
func (f *file) readMeta() (damaged []uint64, found bool) {
	first, ok := f.metaAt(0)
	if ok {
		f.meta = first
		second, ok := f.metaAt(first.pageSize)
		switch {
		case !ok || second.pageSize != first.pageSize:
			return []uint64{1}, true
		case second.txid > first.txid:
			f.meta = second
		}
		return nil, true
	}
	for size := int64(leastPageSize); size <= mostPageSize; size *= 2 {
		if second, ok := f.metaAt(size); ok && second.pageSize == size {
			f.meta = second
			return []uint64{0}, true
		}
	}
	f.pageSize = usualPageSize
	return []uint64{0, 1}, false
}

// pages is the number of whole pages in the file.
func (f *file) pages() uint64 { return uint64(f.size / f.pageSize) }

// page is a page with what overflows from it.
type page struct {
	id       uint64
	flags    uint16
	count    int
	overflow uint64
	data     []byte // with the header
}

func parsePage(data []byte) page {
	order := binary.NativeEndian
	return page{
		id: order.Uint64(data), flags: order.Uint16(data[8:]), count: int(order.Uint16(data[10:])),
		overflow: uint64(order.Uint32(data[12:])), data: data,
	}
}

// readPage reads a page by its number. If what overflows from it cannot be read, it
// is returned without that, and with the error.
func (f *file) readPage(id uint64) (p page, err error) {
	if id >= f.pages() {
		return p, errShort
	}
	data := make([]byte, f.pageSize)
	if _, err := f.r.ReadAt(data, int64(id)*f.pageSize); err != nil {
		return p, err
	}
	p = parsePage(data)
	if p.overflow == 0 {
		return p, nil
	}
	length := int64(p.overflow+1) * f.pageSize // at most 2^32 * 2^24
	if length > maxPage || id+p.overflow >= f.pages() {
		p.overflow = 0
		return p, errShort
	}
	data = make([]byte, length)
	if _, err := f.r.ReadAt(data, int64(id)*f.pageSize); err != nil {
		p.overflow = 0
		return p, err
	}
	p.data = data
	return p, nil
}

// part returns a part of a page by its place from an element; nil if it is not inside.
func (p *page) part(i int, pos, length uint32) []byte {
	begin := uint64(pageHeader+i*element) + uint64(pos)
	if begin+uint64(length) > uint64(len(p.data)) {
		return nil
	}
	return p.data[begin : begin+uint64(length) : begin+uint64(length)]
}

// elements returns the number of elements inside the page, and whether these are all.
func (p *page) elements() (n int, whole bool) {
	room := max(0, len(p.data)-pageHeader) / element
	return min(p.count, room), p.count <= room
}

// leaf returns an element of a leaf. It is not ok if the element is not inside the page.
func (p *page) leaf(i int) (key, value []byte, isBucket, ok bool) {
	order := binary.NativeEndian
	at := p.data[pageHeader+i*element:]
	pos, ksize, vsize := order.Uint32(at[4:]), order.Uint32(at[8:]), order.Uint32(at[12:])
	if uint64(pos)+uint64(ksize) > maxPage {
		return nil, nil, false, false
	}
	key, value = p.part(i, pos, ksize), p.part(i, pos+ksize, vsize)
	return key, value, order.Uint32(at)&bucketFlag != 0, len(key) > 0 && value != nil
}

// branch returns an element of a branch. It is not ok if the element is not inside the
// page.
func (p *page) branch(i int) (key []byte, child uint64, ok bool) {
	order := binary.NativeEndian
	at := p.data[pageHeader+i*element:]
	key = p.part(i, order.Uint32(at), order.Uint32(at[4:]))
	return key, order.Uint64(at[8:]), key != nil
}

// freelist returns the free pages.
func (f *file) freelistPages() (ids []uint64, used page, err error) {
	p, err := f.readPage(f.freelist)
	if err != nil {
		return nil, p, err
	}
	if p.id != f.freelist || p.flags != freelistFlag {
		return nil, p, errors.New("it is not a list of free pages")
	}
	order := binary.NativeEndian
	count, rest := uint64(p.count), p.data[pageHeader:]
	if count == 0xFFFF { // then the first number is the count
		if len(rest) < 8 {
			return nil, p, errShort
		}
		count, rest = order.Uint64(rest), rest[8:]
	}
	if count > uint64(len(rest)/8) {
		return nil, p, fmt.Errorf("it says that it has %d numbers", count)
	}
	for i := range count {
		ids = append(ids, order.Uint64(rest[8*i:]))
	}
	return ids, p, nil
}
