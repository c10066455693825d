package xls

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"sort"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/fault"
)

// Records of drawings (MS-ODRAW 2.1).
const (
	artBlipStore = 0xF001
	artBlipEntry = 0xF007
	artShape     = 0xF004
	artOptions   = 0xF00B
	artAnchor    = 0xF010
	artData      = 0xF011
	artDiagram   = 0xF000

	// Pictures (2.2.23).
	blipEMF      = 0xF01A
	blipWMF      = 0xF01B
	blipJPEG     = 0xF01D
	blipPNG      = 0xF01E
	blipDIB      = 0xF01F
	blipTIFF     = 0xF029
	blipCMYKJPEG = 0xF02A
	artContainer = 0xF // the version of a record that holds others
)

// Limits of drawings.
const (
	maxDrawing  = 16 << 20 // bytes of a sheet's drawings, without the pictures
	maxBlips    = 1 << 14
	maxPicture  = 32 << 20
	maxArtDepth = 32
)

// blip is a picture of the workbook: where it is among the drawings.
type blip struct {
	at   int64
	size int64
	kind int
}

// shape is a shape of a sheet's drawing, with its picture or object.
type shape struct {
	cell   sheet.Address
	blip   int // from 1; 0 is no picture
	name   string
	alt    string
	object int // index of the sheet's object, or -1
}

// segments reads records that together hold one thing.
type segments struct {
	b    *Book
	list []segment
	ends []int64

	last  int // the segment that plain holds, or -1
	plain []byte
}

func (b *Book) segments(list []segment) *segments {
	s := &segments{b: b, list: list, ends: make([]int64, len(list)), last: -1}
	var end int64
	for i, part := range list {
		end += int64(part.size)
		s.ends[i] = end
	}
	return s
}

// size returns how long the whole is.
func (s *segments) size() int64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// ReadAt implements [io.ReaderAt].
func (s *segments) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) && off < s.size() {
		i := sort.Search(len(s.ends), func(i int) bool { return s.ends[i] > off })
		if i != s.last {
			part := s.list[i]
			s.last = -1
			s.plain = append(s.plain[:0], make([]byte, part.size)...)
			if _, err := s.b.stream.ReadAt(s.plain, part.at); err != nil && !errors.Is(err, io.EOF) {
				return done, err
			}
			if s.b.cipher != nil {
				s.b.cipher.Decrypt(s.plain, part.at)
			}
			s.last = i
		}
		n := copy(p[done:], s.plain[int64(len(s.plain))-(s.ends[i]-off):])
		done, off = done+n, off+int64(n)
	}
	if done < len(p) {
		return done, io.EOF
	}
	return done, nil
}

// artHeader is the head of a record of a drawing (MS-ODRAW 2.2.1).
type artHeader struct {
	version, instance, kind int
	size                    int64
}

func parseArt(d []byte) artHeader {
	first := le16(d)
	return artHeader{first & 0xF, first >> 4, le16(d[2:]), int64(le32(d[4:]))}
}

// pictures returns where the workbook's pictures are.
func (b *Book) pictures() ([]blip, error) {
	if b.blips != nil || len(b.drawings) == 0 {
		return b.blips, nil
	}
	b.blips = []blip{}
	all := b.segments(b.drawings)
	var head [8 + 36]byte
	err := walkArt(all, 0, all.size(), 0, func(h artHeader, at int64) (bool, error) {
		if h.kind == artDiagram || h.kind == artBlipStore {
			return true, nil
		}
		if len(b.blips) >= maxBlips || h.kind != artBlipEntry && (h.kind < 0xF018 || h.kind > 0xF117) {
			return false, nil
		}
		entry := blip{at: at - 8, size: h.size + 8}
		if h.kind == artBlipEntry { // 36 bytes and a name stand before the picture
			n, err := all.ReadAt(head[:36], at)
			if err != nil && !errors.Is(err, io.EOF) {
				return false, err
			}
			skip := int64(36)
			if n == 36 {
				skip += int64(head[33])
			}
			entry = blip{at: at + skip, size: h.size - skip}
		}
		if n, err := all.ReadAt(head[:8], entry.at); n == 8 && entry.size > 8 {
			inner := parseArt(head[:8])
			entry.kind, entry.size = inner.kind|inner.instance<<16, min(inner.size, entry.size-8)
			entry.at += 8
		} else if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		b.blips = append(b.blips, entry)
		return false, nil
	})
	return b.blips, err
}

// walkArt calls visit with the records from a position on: it says whether to go into
// one that holds others.
func walkArt(r io.ReaderAt, at, end int64, depth int, visit func(h artHeader, at int64) (bool, error)) error {
	var head [8]byte
	for at+8 <= end {
		if n, err := r.ReadAt(head[:], at); n < 8 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		h := parseArt(head[:])
		at += 8
		h.size = min(h.size, end-at)
		into, err := visit(h, at)
		if err != nil {
			return err
		}
		if into && h.version == artContainer && depth < maxArtDepth {
			if err := walkArt(r, at, at+h.size, depth+1, visit); err != nil {
				return err
			}
		}
		at += h.size
	}
	return nil
}

// shapes reads the drawing of a sheet. Shapes and objects are in the same order.
func (b *Book) shapes(v *survey) ([]shape, error) {
	all := b.segments(v.drawing)
	size := min(all.size(), maxDrawing)
	if size == 0 {
		return nil, nil
	}
	data := make([]byte, size)
	if _, err := all.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var list []shape
	object := 0
	var current shape
	err := walkArt(bytes.NewReader(data), 0, size, 0, func(h artHeader, at int64) (bool, error) {
		d := data[at : at+h.size]
		switch h.kind {
		case artShape:
			if len(list) >= maxPlaces {
				return false, nil
			}
			current = shape{object: -1}
			list = append(list, current)
			return true, nil
		case artOptions:
			options(&current, d, h.instance)
		case artAnchor:
			if len(d) >= 8 { // flags, column, offset in it, row
				current.cell = sheet.Address{Row: le16(d[6:]) + 1, Column: le16(d[2:])}
			}
		case artData:
			current.object = object
			object++
		default:
			return true, nil
		}
		if len(list) > 0 {
			list[len(list)-1] = current
		}
		return false, nil
	})
	return list, err
}

// options reads the properties of a shape (MS-ODRAW 2.3).
func options(s *shape, d []byte, count int) {
	const (
		complexValue = 0x8000 // the value is behind the properties, this is its length
		picture      = 0x0104
		pictureName  = 0x0105
		description  = 0x0381
	)
	if 6*count > len(d) {
		return
	}
	values := d[6*count:]
	for i := range count {
		id, value := le16(d[6*i:]), le32(d[6*i+2:])
		var data []byte
		if id&complexValue != 0 {
			n := min(int64(value), int64(len(values)))
			data, values = values[:n], values[n:]
		}
		switch id & 0x3FFF {
		case picture:
			if id&complexValue == 0 {
				s.blip = int(value & 0xFFFF)
			}
		case pictureName:
			s.name = wideUntilZero(data)
		case description:
			s.alt = wideUntilZero(data)
		}
	}
}

func wideUntilZero(d []byte) string {
	for i := 0; i+1 < len(d); i += 2 {
		if d[i] == 0 && d[i+1] == 0 {
			d = d[:i]
			break
		}
	}
	return string(appendWide(nil, d))
}

// blipFormat returns the media type of a picture and how many bytes stand before its
// data, by its kind and instance (MS-ODRAW 2.2.23).
func blipFormat(kind int) (mime string, skip int64, packed bool) {
	instance := kind >> 16
	two := func(instances ...int) int64 {
		if slices.Contains(instances, instance) {
			return 32 // two check sums
		}
		return 16
	}
	switch kind & 0xFFFF {
	case blipEMF:
		return "image/emf", two(0x3D5), true
	case blipWMF:
		return "image/wmf", two(0x217), true
	case blipJPEG, blipCMYKJPEG:
		return "image/jpeg", two(0x46B, 0x6E3) + 1, false
	case blipPNG:
		return "image/png", two(0x6E1) + 1, false
	case blipDIB:
		return "image/bmp", two(0x7A9) + 1, false
	case blipTIFF:
		return "image/tiff", two(0x6E5) + 1, false
	}
	return "", 0, false
}

// picture returns the bytes of a picture.
func (b *Book) picture(ctx context.Context, p blip) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	mime, skip, packed := blipFormat(p.kind)
	if p.size <= skip || p.size > maxPicture {
		return nil, fault.New(fault.BadDocument, fault.T("a picture of %d bytes cannot be read", p.size))
	}
	data := make([]byte, p.size-skip)
	if n, err := b.segments(b.drawings).ReadAt(data, p.at+skip); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	} else {
		data = data[:n]
	}
	const metafileHead = 34 // sizes, bounds, and whether it is compressed
	switch {
	case packed && len(data) > metafileHead && data[32] == 0:
		z, err := zlib.NewReader(bytes.NewReader(data[metafileHead:]))
		if err != nil {
			return nil, damagedPicture()
		}
		data, err = io.ReadAll(io.LimitReader(z, maxPicture))
		if err != nil {
			return nil, damagedPicture()
		}
	case packed && len(data) > metafileHead:
		data = data[metafileHead:]
	case mime == "image/bmp":
		data = withBitmapHeader(data)
	}
	return data, nil
}

func damagedPicture() error {
	return fault.New(fault.BadDocument, fault.T("a picture is damaged"))
}

// withBitmapHeader puts the file header before a bitmap, which drawings leave out.
func withBitmapHeader(dib []byte) []byte {
	if len(dib) < 40 || bytes.HasPrefix(dib, []byte("BM")) {
		return dib
	}
	colours := uint32(0)
	if bits := le16(dib[14:]); bits <= 8 {
		if colours = le32(dib[32:]); colours == 0 {
			colours = 1 << bits
		}
	}
	head := make([]byte, 14, 14+len(dib))
	copy(head, "BM")
	binary.LittleEndian.PutUint32(head[2:], uint32(14+len(dib)))
	binary.LittleEndian.PutUint32(head[10:], 14+le32(dib)+4*colours)
	return append(head, dib...)
}
