package xls

import (
	"bytes"
	"context"

	"github.com/helve-dev/helve/pkg/document/sheet"
)

// Flags of a hyperlink (MS-OSHARED 2.3.7.1).
const (
	linkMoniker      = 0x001
	linkLocation     = 0x008
	linkDisplayName  = 0x010
	linkFrame        = 0x080
	linkMonikerSaved = 0x100 // as a text
)

// links collects the hyperlinks.
func (x *extras) links(ctx context.Context) error {
	s := x.b.scan(0)
	for i, at := range x.v.links {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s.seek(at)
		if !s.next() || len(s.data) < 32 {
			continue
		}
		d := s.data
		r := sheet.Range{Top: le16(d) + 1, Bottom: le16(d[2:]) + 1, Left: le16(d[4:]), Right: le16(d[6:])}
		target := x.b.linkTarget(d[24:]) // after the range and the class
		if target != "" && r.Overlaps(x.w) && x.room(len(x.x.Links)) {
			x.x.Links = append(x.x.Links, sheet.Link{Range: r, Target: target})
		}
	}
	return s.err
}

// linkTarget reads a Hyperlink Object (MS-OSHARED 2.3.7.1): an address, a path, a place
// in the workbook with # before it.
func (b *Book) linkTarget(d []byte) string {
	if len(d) < 8 {
		return ""
	}
	flags := le32(d[4:])
	d = d[8:]
	text := func() string {
		if len(d) < 4 {
			d = nil
			return ""
		}
		n := min(uint64(le32(d))*2, uint64(len(d)-4))
		s := wideUntilZero(d[4 : 4+n])
		d = d[4+n:]
		return s
	}
	if flags&linkDisplayName != 0 {
		text()
	}
	if flags&linkFrame != 0 {
		text()
	}
	target := ""
	switch {
	case flags&linkMonikerSaved != 0:
		target = text()
	case flags&linkMoniker != 0:
		target, d = b.moniker(d)
	}
	if flags&linkLocation != 0 {
		if place := text(); place != "" {
			target += "#" + place
		}
	}
	return target
}

// moniker reads where a link leads to: a URLMoniker or a FileMoniker (MS-OSHARED
// 2.3.7.6, 2.3.7.8).
func (b *Book) moniker(d []byte) (target string, rest []byte) {
	if len(d) < 20 {
		return "", nil
	}
	url := [16]byte{0xE0, 0xC9, 0xEA, 0x79, 0xF9, 0xBA, 0xCE, 0x11, 0x8C, 0x82, 0x00, 0xAA, 0x00, 0x4B, 0xA9, 0x0B}
	file := [16]byte{0x03, 0x03, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0x46}
	class := d[:16]
	d = d[16:]
	switch {
	case bytes.Equal(class, url[:]):
		n := min(uint64(le32(d)), uint64(len(d)-4))
		return wideUntilZero(d[4 : 4+n]), d[4+n:]
	case bytes.Equal(class, file[:]) && len(d) >= 6:
		up := le16(d)
		n := min(uint64(le32(d[2:])), uint64(len(d)-6))
		path := b.narrow(bytes.TrimRight(d[6:6+n], "\x00"))
		d = d[6+n:]
		if len(d) < 28 {
			return path, nil
		}
		size := min(uint64(le32(d[24:])), uint64(len(d)-28))
		d = d[28:]
		if wide := d[:size]; len(wide) > 6 {
			path = string(appendWide(nil, wide[6:min(uint64(len(wide)), 6+uint64(le32(wide)))]))
		}
		for range min(up, 16) {
			path = `..\` + path
		}
		return path, d[size:]
	}
	return "", nil
}
