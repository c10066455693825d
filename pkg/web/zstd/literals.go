package zstd

import (
	"bytes"
	"encoding/binary"
)

// How literals are kept (section 3.1.1.3.1.1).
const (
	literalsRaw = iota
	literalsRepeated
	literalsCompressed
	literalsTreeless // with the table of the block before
)

// readLiterals reads the literals of a block, and returns what comes behind them.
func (r *Reader) readLiterals(src []byte) (rest []byte, err error) {
	cut := CorruptError("literals that are cut off")
	if len(src) == 0 {
		return nil, cut
	}
	kind, format := src[0]&3, src[0]>>2&3
	if kind == literalsRaw || kind == literalsRepeated {
		length := []int{1, 2, 1, 3}[format]
		shift := []int{3, 4, 3, 4}[format]
		if len(src) < length {
			return nil, cut
		}
		size := int(little(src[:length]) >> shift)
		src = src[length:]
		if size > r.blockMost() {
			return nil, CorruptError("more literals than a block may hold")
		}
		used := size
		if kind == literalsRepeated {
			used = 1
		}
		if len(src) < used {
			return nil, cut
		}
		if kind == literalsRaw {
			r.literals = append(r.literals[:0], src[:size]...)
		} else {
			r.literals = append(r.literals[:0], bytes.Repeat(src[:1], size)...)
		}
		return src[used:], nil
	}
	length := []int{3, 3, 4, 5}[format]
	width := []int{10, 10, 14, 18}[format]
	if len(src) < length {
		return nil, cut
	}
	head := little(src[:length]) >> 4
	size, packed := int(head&(1<<width-1)), int(head>>width)
	src = src[length:]
	if size > r.blockMost() {
		return nil, CorruptError("more literals than a block may hold")
	}
	if len(src) < packed {
		return nil, cut
	}
	src, rest = src[:packed], src[packed:]
	if kind == literalsCompressed {
		if src, err = r.huffman.read(src); err != nil {
			return nil, err
		}
	} else if r.huffman.bits == 0 {
		return nil, CorruptError("literals without a Huffman table")
	}
	r.literals = resize(r.literals, size)
	if format == 0 {
		return rest, r.huffman.unpack(r.literals, src)
	}
	return rest, r.huffman.unpackFour(r.literals, src)
}

// unpackFour reads literals in four streams, each of a quarter of them (section
// 3.1.1.3.1.6).
func (h *huffman) unpackFour(dst, src []byte) error {
	if len(dst) < 6 || len(src) < 6 { // fewer do not make four streams
		return CorruptError("literals that are cut off")
	}
	table, src := src[:6], src[6:]
	quarter := (len(dst) + 3) / 4
	for i := range 3 {
		size := int(binary.LittleEndian.Uint16(table[2*i:]))
		if size > len(src) {
			return CorruptError("literals that are cut off")
		}
		if err := h.unpack(dst[:quarter], src[:size]); err != nil {
			return err
		}
		dst, src = dst[quarter:], src[size:]
	}
	return h.unpack(dst, src)
}

// resize is a slice of so many bytes, the given one where it has room.
func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
