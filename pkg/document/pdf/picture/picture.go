// Package picture makes files of the images in a PDF: JPEG and JPEG 2000 as they are in it,
// PNG of all others. It draws no pages.
package picture

import (
	"bytes"
	"image"
	"image/png"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/fault"
)

// Picture is an image as a file.
type Picture struct {
	MIME          string // image/jpeg, image/jp2 or image/png
	Data          []byte
	Width, Height int // as the PDF says; 0 if it does not
}

// Limits of an image that is made.
const (
	maxPixels = 64 << 20
	maxEdge   = 1 << 16
	hasty     = 4 << 20 // pixels from which on speed counts more than size
)

// Of returns an image of a page as a file: ISO 32000-2, 8.9.5. The resources are those that
// it is drawn with; they name the colour spaces of inline images. Of a damaged image, it
// returns the rows that there are. The faults are unsupported_content, bad_document, and
// too_large for an image that decodes to too many bytes.
func Of(f *object.File, s *object.Stream, resources object.Dict) (Picture, error) {
	width, height := edge(f, s, "Width"), edge(f, s, "Height")
	data, rest, err := f.Data(s)
	switch {
	case object.Limited(err):
		return Picture{}, large(err)
	case len(data) == 0:
		return Picture{}, bad(err)
	}
	filter, columns := object.Name(""), 0
	if len(rest) > 0 {
		filter = rest[0]
	}
	switch {
	case len(rest) > 1:
		return Picture{}, unsupported(string(rest[1]))
	case filter == "DCTDecode":
		if !bytes.HasPrefix(data, []byte{0xff, 0xd8}) {
			return Picture{}, bad(err)
		}
		return Picture{"image/jpeg", data, width, height}, nil
	case filter == "JPXDecode":
		return Picture{"image/jp2", data, width, height}, nil
	case filter == "CCITTFaxDecode":
		if data, columns, err = fax(f, f.Parms(s, filter), data, height); err != nil {
			return Picture{}, err
		}
	case filter != "":
		return Picture{}, unsupported(string(filter))
	}
	m, err := newRaster(f, s, resources, data, columns)
	if err != nil {
		return Picture{}, err
	}
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	if m.width*m.height > hasty {
		encoder.CompressionLevel = png.BestSpeed
	}
	var out bytes.Buffer
	if err := encoder.Encode(&out, m.image()); err != nil {
		return Picture{}, bad(err)
	}
	return Picture{"image/png", out.Bytes(), m.width, m.height}, nil
}

// edge returns the width or the height of an image, 0 if there is none.
func edge(f *object.File, s *object.Stream, key object.Name) int {
	n, _ := f.Int(s.Dict[key])
	if n < 0 || n > maxEdge {
		return 0
	}
	return int(n)
}

func bad(cause error) error {
	return fault.New(fault.BadDocument, fault.T("an image of the PDF is damaged")).
		WithHint(fault.T("the rest of the file can be read")).Because(cause)
}

func large(cause error) error {
	return fault.New(fault.TooLarge, fault.T("an image of the PDF takes too many bytes when it is decoded")).
		WithHint(fault.T("convert the page with another program, for example: pdftoppm -png -r 150 FILE PREFIX")).Because(cause)
}

func unsupported(what string) error {
	return fault.New(fault.UnsupportedContent, fault.T("an image of the PDF uses %s, which is not supported", what)).
		WithHint(fault.T("convert the page with another program, for example: pdftoppm -png FILE PREFIX"))
}

// image returns the raster as the kind of image that makes the smaller file.
func (m *raster) image() image.Image {
	if m.palette != nil {
		return paletted{m}
	}
	return trueColor{m}
}
