package gitobject

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"sort"

	"github.com/helve-dev/helve/pkg/files/gitindex"
)

// pack is an open pack with its index.
type pack struct {
	name       string
	data, list File
	size       int64 // of data
	fanout     [256]uint32
}

const (
	listHead  = 8 // of an index of version 2, before its fan-out
	namesAt   = listHead + 1024
	packTrail = 20 // the sum at the end of a pack
)

func openPack(files Files, base string) (_ *pack, err error) {
	p := &pack{name: path.Base(base)}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.list, err = files.Open(base + ".idx"); err != nil {
		return nil, err
	}
	if p.data, err = files.Open(base + ".pack"); err != nil {
		return nil, err
	}
	info, err := p.data.Stat()
	if err != nil {
		return nil, err
	}
	p.size = info.Size()
	var head [namesAt]byte
	if _, err := p.list.ReadAt(head[:], 0); err != nil || string(head[:4]) != "\xfftOc" || binary.BigEndian.Uint32(head[4:]) != 2 {
		return nil, fmt.Errorf("%w: the index of %s", ErrDamaged, p.name)
	}
	for i := range p.fanout {
		p.fanout[i] = binary.BigEndian.Uint32(head[listHead+4*i:])
		if i > 0 && p.fanout[i] < p.fanout[i-1] {
			return nil, fmt.Errorf("%w: the index of %s", ErrDamaged, p.name)
		}
	}
	return p, nil
}

func (p *pack) close() {
	for _, f := range []File{p.list, p.data} {
		if f != nil {
			_ = f.Close() // it was only read
		}
	}
}

// find returns where in the pack an object begins.
func (p *pack) find(id gitindex.OID) (at int64, ok bool, err error) {
	from, to := uint32(0), p.fanout[id[0]]
	if id[0] > 0 {
		from = p.fanout[id[0]-1]
	}
	read := func(buffer []byte, at int64) {
		if _, failed := p.list.ReadAt(buffer, at); failed != nil && err == nil {
			err = fmt.Errorf("%w: the index of %s: %w", ErrDamaged, p.name, failed)
		}
	}
	var name gitindex.OID
	i := int64(from) + int64(sort.Search(int(to-from), func(i int) bool {
		read(name[:], namesAt+20*(int64(from)+int64(i)))
		return bytes.Compare(name[:], id[:]) >= 0
	}))
	if err != nil || i >= int64(to) {
		return 0, false, err
	}
	if read(name[:], namesAt+20*i); err != nil || name != id {
		return 0, false, err
	}
	count := int64(p.fanout[255])
	var word [8]byte
	read(word[:4], namesAt+24*count+4*i)
	at = int64(binary.BigEndian.Uint32(word[:]))
	const far = 1 << 31 // the place is in the table of long ones
	if at&far != 0 {
		read(word[:], namesAt+28*count+8*(at&^far))
		long := binary.BigEndian.Uint64(word[:])
		if long > math.MaxInt64 {
			return 0, false, fmt.Errorf("%w: the index of %s", ErrDamaged, p.name)
		}
		at = int64(long)
	}
	return at, err == nil, err
}

// packed reads the object that begins at a place of a pack. A delta is applied to what
// it was made from, which may be a delta as well.
func (s *Store) packed(p *pack, at, most int64, depth int) (kind, []byte, error) {
	var deltas [][]byte // the last to be applied first
	for {
		if len(deltas)+depth > mostBases {
			return 0, nil, fmt.Errorf("%w: too many deltas in %s", ErrDamaged, p.name)
		}
		k, size, head, err := p.header(at)
		if err != nil {
			return 0, nil, err
		}
		var base []byte // the kinds of delta name theirs
		switch k {
		case offsetDelta, nameDelta:
			if base, err = p.bytes(head, 20); err != nil {
				return 0, nil, err
			}
		}
		used := 0
		back := int64(0)
		switch k {
		case offsetDelta:
			if back, used = distance(base); used == 0 || back <= 0 || back > at {
				return 0, nil, fmt.Errorf("%w: a delta in %s", ErrDamaged, p.name)
			}
		case nameDelta:
			used = 20
		}
		content, err := p.inflate(head+int64(used), size, most)
		if err != nil {
			return 0, nil, err
		}
		var result []byte
		switch k {
		case commit, tree, blob, tag:
			result = content
		case offsetDelta:
			deltas, at = append(deltas, content), at-back
			continue
		case nameDelta:
			deltas = append(deltas, content)
			var id gitindex.OID
			copy(id[:], base)
			if k, result, err = s.object(id, most, depth+len(deltas)); err != nil {
				return 0, nil, err
			}
		default:
			return 0, nil, fmt.Errorf("%w: kind %d in %s", ErrDamaged, k, p.name)
		}
		for _, delta := range slices.Backward(deltas) {
			if result, err = apply(result, delta, most); err != nil {
				return 0, nil, err
			}
		}
		return k, result, nil
	}
}

// bytes reads some bytes of the pack, at most so many.
func (p *pack) bytes(at int64, most int) ([]byte, error) {
	b := make([]byte, most)
	n, err := p.data.ReadAt(b, at)
	if n == 0 {
		return nil, fmt.Errorf("%w: %s ends early: %w", ErrDamaged, p.name, err)
	}
	return b[:n], nil
}

// header reads the kind and size at the beginning of an object and returns where its
// head ends.
func (p *pack) header(at int64) (k kind, size, end int64, err error) {
	if at < 0 || at > p.size-packTrail {
		return 0, 0, 0, fmt.Errorf("%w: outside of %s", ErrDamaged, p.name)
	}
	b, err := p.bytes(at, 10)
	if err != nil {
		return 0, 0, 0, err
	}
	k, size = kind(b[0]>>4&7), int64(b[0]&15)
	shift := 4
	for i, c := range b {
		if i > 0 {
			size |= int64(c&0x7f) << shift
			shift += 7
		}
		if c&0x80 == 0 && size >= 0 {
			return k, size, at + int64(i) + 1, nil
		}
	}
	return 0, 0, 0, fmt.Errorf("%w: a size in %s", ErrDamaged, p.name)
}

// distance reads how far before a delta its base begins, and returns how many bytes say
// so; 0 if it cannot be read.
func distance(b []byte) (back int64, used int) {
	for i, c := range b {
		if i == 8 {
			break
		}
		if i > 0 {
			back++
		}
		back = back<<7 | int64(c&0x7f)
		if c&0x80 == 0 {
			return back, i + 1
		}
	}
	return 0, 0
}

func (p *pack) inflate(at, size, most int64) ([]byte, error) {
	z, err := zlib.NewReader(io.NewSectionReader(p.data, at, p.size-at))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, p.name, err)
	}
	return exactly(z, size, most)
}

// apply makes an object from its base and a delta.
func apply(base, delta []byte, most int64) ([]byte, error) {
	from, delta, ok := deltaSize(delta)
	to, delta, ok2 := deltaSize(delta)
	if !ok || !ok2 || from != int64(len(base)) {
		return nil, fmt.Errorf("%w: a delta of another object", ErrDamaged)
	}
	if to > most {
		return nil, fmt.Errorf("%w: %d bytes", ErrLarge, to)
	}
	var out []byte
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		if op&0x80 == 0 { // so many new bytes
			if op == 0 || int(op) > len(delta) {
				return nil, fmt.Errorf("%w: a delta", ErrDamaged)
			}
			out, delta = append(out, delta[:op]...), delta[op:]
			continue
		}
		var words [7]byte // of the place and the length, the low bytes first
		for i := range words {
			if op&(1<<i) == 0 {
				continue
			}
			if len(delta) == 0 {
				return nil, fmt.Errorf("%w: a delta", ErrDamaged)
			}
			words[i], delta = delta[0], delta[1:]
		}
		at := int(binary.LittleEndian.Uint32(words[:4]))
		n := int(words[4]) | int(words[5])<<8 | int(words[6])<<16
		if n == 0 {
			n = 0x10000
		}
		if at > len(base) || n > len(base)-at || int64(len(out)+n) > to {
			return nil, fmt.Errorf("%w: a delta", ErrDamaged)
		}
		out = append(out, base[at:at+n]...)
	}
	if int64(len(out)) != to {
		return nil, fmt.Errorf("%w: a delta", ErrDamaged)
	}
	return out, nil
}

func deltaSize(b []byte) (size int64, rest []byte, ok bool) {
	for i, c := range b {
		if i == 8 {
			break
		}
		size |= int64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return size, b[i+1:], true
		}
	}
	return 0, nil, false
}
