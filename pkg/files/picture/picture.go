// Package picture makes images fit for a model to see: of a type and a size that a
// provider takes. It judges an image by its header before it decodes any of it.
package picture

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
)

const (
	// MaxFile is the largest file, in bytes, that is made a picture.
	MaxFile = 32 << 20
	// maxPixels limits the pixels of an image that is decoded: each takes four bytes, in
	// a progressive JPEG twelve.
	maxPixels = 32 << 20
	// quality is the JPEG quality, in percent.
	quality = 85
)

// Fit holds the limits of a picture.
type Fit struct {
	Long, Short int // the most pixels of the longer and of the shorter edge
	Bytes       int // the most bytes of a file
}

// Picture is an image that fits.
type Picture struct {
	MIME          string // image/png, image/jpeg or image/webp
	Data          []byte
	Width, Height int // pixels
}

// Make returns an image that fits. One that fits already stays as it is, byte for
// byte; others are scaled down, and of an animation the first frame is taken. The
// faults are too_large for an image that would take too much memory, bad_document for
// a damaged one and unsupported_content for another type.
func Make(data []byte, mime string, fit Fit) (Picture, error) {
	return made(data, mime, fit, maxPixels)
}

func made(data []byte, mime string, fit Fit, pixels int) (Picture, error) {
	decode := decoder(mime)
	if decode == nil {
		return Picture{}, fault.New(fault.UnsupportedContent, fault.T("images of type %s cannot be shown to a model", mime)).
			WithHint(fault.T("convert it to PNG with another program"))
	}
	width, height, ok := kind.ImageSize(mime, bytes.NewReader(data))
	switch {
	case !ok:
		return Picture{}, damaged(mime)
	case width > pixels/height:
		return Picture{}, fault.New(fault.TooLarge, fault.T("the image has %dx%d pixels, more than %d in all", width, height, pixels)).
			WithHint(fault.T("scale it down with another program"))
	}
	w, h := fit.size(width, height)
	if passes(mime) && w == width && h == height && len(data) <= fit.Bytes {
		return Picture{MIME: mime, Data: data, Width: width, Height: height}, nil
	}
	img, err := decode(bytes.NewReader(data))
	if err != nil {
		return Picture{}, damaged(mime).Because(err)
	}
	if w != img.Bounds().Dx() || h != img.Bounds().Dy() {
		scaled := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.CatmullRom.Scale(scaled, scaled.Bounds(), img, img.Bounds(), draw.Src, nil)
		img = scaled
	}
	return encode(img, mime, fit)
}

// size returns the size of an image that fits, of the same proportions.
func (f Fit) size(width, height int) (w, h int) {
	w, h = width, height
	if long := max(w, h); long > f.Long {
		w, h = max(1, w*f.Long/long), max(1, h*f.Long/long)
	}
	if short := min(w, h); short > f.Short {
		w, h = w*f.Short/short, h*f.Short/short
	}
	return w, h
}

// encode returns an image as JPEG if it was one, else as PNG, unless that is too large.
func encode(img image.Image, mime string, fit Fit) (Picture, error) {
	p := Picture{MIME: "image/png", Width: img.Bounds().Dx(), Height: img.Bounds().Dy()}
	var b bytes.Buffer
	if mime != "image/jpeg" {
		if err := png.Encode(&b, img); err != nil {
			return Picture{}, err
		}
	}
	if mime == "image/jpeg" || b.Len() > fit.Bytes {
		b.Reset()
		p.MIME = "image/jpeg"
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
			return Picture{}, err
		}
	}
	if b.Len() > fit.Bytes {
		return Picture{}, fault.New(fault.TooLarge, fault.T("the image still has %d bytes after scaling", b.Len())).
			WithHint(fault.T("scale it down with another program"))
	}
	p.Data = b.Bytes()
	return p, nil
}

// passes reports whether models accept a type unchanged. Some refuse animated GIFs.
func passes(mime string) bool {
	return mime == "image/png" || mime == "image/jpeg" || mime == "image/webp"
}

// decoder returns the decoder of a type; nil if the type is unknown.
func decoder(mime string) func(io.Reader) (image.Image, error) {
	switch mime {
	case "image/png":
		return png.Decode
	case "image/jpeg":
		return jpeg.Decode
	case "image/gif":
		return gif.Decode
	case "image/webp":
		return webp.Decode
	case "image/bmp":
		return bmp.Decode
	case "image/tiff":
		return tiff.Decode
	}
	return nil
}

func damaged(mime string) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the image is not valid %s", mime)).
		WithHint(fault.T("it is damaged; get it again"))
}
