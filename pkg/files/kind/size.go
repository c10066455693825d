package kind

import (
	"encoding/binary"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// ImageSize returns the width and height of an image in pixels from its header: as
// stored, before any rotation that its EXIF data ask for. ok is false for a damaged
// header and for unknown types.
func ImageSize(mime string, r io.ReaderAt) (width, height int, ok bool) {
	const most = 16 << 20 // a header may follow a long colour profile
	in := io.NewSectionReader(r, 0, most)
	var c image.Config
	var err error
	switch mime {
	case "image/png":
		c, err = png.DecodeConfig(in)
	case "image/jpeg":
		c, err = jpeg.DecodeConfig(in)
	case "image/gif":
		c, err = gif.DecodeConfig(in)
	case "image/webp":
		c, err = webp.DecodeConfig(in)
	case "image/bmp":
		c, err = bmp.DecodeConfig(in)
	case "image/tiff":
		c, err = tiff.DecodeConfig(in)
	case "image/avif", "image/heic", "image/heif":
		return isoSize(in)
	case "image/x-icon":
		return iconSize(in)
	default:
		return 0, 0, false
	}
	return c.Width, c.Height, err == nil && c.Width > 0 && c.Height > 0
}

// iconSize returns the size of the largest picture in a Windows icon.
func iconSize(in io.Reader) (width, height int, ok bool) {
	var head [6]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return 0, 0, false
	}
	for range binary.LittleEndian.Uint16(head[4:]) {
		var entry [16]byte
		if _, err := io.ReadFull(in, entry[:]); err != nil {
			return 0, 0, false
		}
		w, h := int(entry[0]), int(entry[1])
		if w == 0 {
			w = 256
		}
		if h == 0 {
			h = 256
		}
		width, height = max(width, w), max(height, h)
	}
	return width, height, width > 0
}

// isoSize returns the largest spatial extent ("ispe", ISO/IEC 23008-12) in the boxes
// at the beginning of an AVIF or HEIF file. Those of tiles and thumbnails are
// smaller.
func isoSize(in io.Reader) (width, height int, ok bool) {
	const boxes = 64 << 10
	head, err := io.ReadAll(io.LimitReader(in, boxes))
	if err != nil {
		return 0, 0, false
	}
	for i := 0; i+16 <= len(head); i++ {
		if string(head[i:i+4]) == "ispe" {
			w, h := binary.BigEndian.Uint32(head[i+8:]), binary.BigEndian.Uint32(head[i+12:])
			const sane = 1 << 20
			if w > 0 && h > 0 && w < sane && h < sane && int(w)*int(h) > width*height {
				width, height = int(w), int(h)
			}
		}
	}
	return width, height, width > 0
}
