package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
)

// flag returns an image that is red on the left and blue on the right.
func flag(width, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{R: 255, A: 255}
			if x >= width/2 {
				c = color.NRGBA{B: 255, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func encoded(t testing.TB, mime string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch mime {
	case "image/png":
		err = png.Encode(&b, m)
	case "image/jpeg":
		err = jpeg.Encode(&b, m, nil)
	case "image/gif":
		err = gif.Encode(&b, m, nil)
	case "image/bmp":
		err = bmp.Encode(&b, m)
	case "image/tiff":
		err = tiff.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestMake(t *testing.T) {
	fit := Fit{Long: 2048, Short: 768, Bytes: 5 << 20}
	for _, c := range []struct {
		mime          string
		width, height int
		want          string
		w, h          int
		same          bool
	}{
		{"image/png", 40, 30, "image/png", 40, 30, true},
		{"image/jpeg", 768, 2000, "image/jpeg", 768, 2000, true},
		{"image/png", 3000, 1000, "image/png", 2048, 682, false},
		{"image/jpeg", 2000, 1000, "image/jpeg", 1536, 768, false},
		{"image/png", 10000, 2, "image/png", 2048, 1, false},
		{"image/gif", 40, 30, "image/png", 40, 30, false},
		{"image/bmp", 40, 30, "image/png", 40, 30, false},
		{"image/tiff", 1600, 1600, "image/png", 768, 768, false},
	} {
		data := encoded(t, c.mime, flag(c.width, c.height))
		p, err := Make(data, c.mime, fit)
		if err != nil {
			t.Errorf("%s %dx%d: %v", c.mime, c.width, c.height, err)
			continue
		}
		if p.MIME != c.want || p.Width != c.w || p.Height != c.h || bytes.Equal(p.Data, data) != c.same {
			t.Errorf("%s %dx%d: %s %dx%d, the same is %v", c.mime, c.width, c.height, p.MIME, p.Width, p.Height, bytes.Equal(p.Data, data))
		}
		m, _, err := image.Decode(bytes.NewReader(p.Data))
		if err != nil || m.Bounds().Dx() != c.w || m.Bounds().Dy() != c.h {
			t.Fatalf("%v, %v", err, m)
		}
		left, _, _, _ := m.At(c.w/8, 0).RGBA()
		_, _, right, _ := m.At(c.w-1-c.w/8, c.h-1).RGBA()
		if left < 0xe000 || right < 0xe000 {
			t.Errorf("%s %dx%d: the colours are gone: %x, %x", c.mime, c.width, c.height, left, right)
		}
	}
}

// What does not compress becomes a JPEG, and is refused if that is too large.
func TestMakeIsSmall(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 300, 300))
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(rnd.Uint32()) | 0x80*byte(i%4/3) // noise, hardly transparent
	}
	data := encoded(t, "image/png", m)
	p, err := Make(data, "image/png", Fit{Long: 2048, Short: 768, Bytes: len(data) / 2})
	if err != nil || p.MIME != "image/jpeg" || len(p.Data) > len(data)/2 {
		t.Errorf("%s, %d bytes of %d, %v", p.MIME, len(p.Data), len(data), err)
	}
	if _, err := Make(data, "image/png", Fit{Long: 2048, Short: 768, Bytes: 100}); !fault.Is(err, fault.TooLarge) {
		t.Errorf("%v", err)
	}
}

// pngOf returns the beginning of a PNG of a size.
func pngOf(width, height uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), width), height)
	head = append(head, 8, 6, 0, 0, 0)
	b = append(binary.BigEndian.AppendUint32(b, 13), head...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(head))
}

// A file of a few bytes that claims to be huge is refused before anything is allocated
// for its pixels.
func TestBombs(t *testing.T) {
	fit := Fit{Long: 2048, Short: 768, Bytes: 5 << 20}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, size := range [][2]uint32{{50_000, 50_000}, {1<<31 - 1, 1}, {1, 1<<31 - 1}, {1<<31 - 1, 1<<31 - 1}, {6000, 6000}} {
		if _, err := Make(pngOf(size[0], size[1]), "image/png", fit); !fault.Is(err, fault.TooLarge) && !fault.Is(err, fault.BadDocument) {
			t.Errorf("%v: %v", size, err)
		}
	}
	if _, err := Make(pngOf(50_000, 50_000), "image/png", fit); !fault.Is(err, fault.TooLarge) {
		t.Errorf("%v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
	for mime, data := range map[string][]byte{"image/png": []byte("not one"), "image/jpeg": nil, "image/gif": []byte("GIF89a")} {
		if _, err := Make(data, mime, fit); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %v", mime, err)
		}
	}
	if _, err := Make(pngOf(10, 10), "image/png", Fit{Long: 5, Short: 5, Bytes: 100}); !fault.Is(err, fault.BadDocument) {
		t.Errorf("cut short: %v", err)
	}
	if _, err := Make([]byte("<svg/>"), "image/svg+xml", fit); !fault.Is(err, fault.UnsupportedContent) {
		t.Errorf("%v", err)
	}
}

func FuzzMake(f *testing.F) {
	types := []string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff"}
	for i, mime := range types {
		if mime != "image/webp" {
			f.Add(i, encoded(f, mime, flag(5, 3)))
		}
	}
	f.Add(3, []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"))
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		mime := types[uint(i)%uint(len(types))]
		p, err := made(data, mime, Fit{Long: 20, Short: 10, Bytes: 4096}, 1<<16)
		if err != nil {
			return
		}
		w, h, ok := kind.ImageSize(p.MIME, io.NewSectionReader(bytes.NewReader(p.Data), 0, int64(len(p.Data))))
		if !ok || w != p.Width || h != p.Height || max(w, h) > 20 || min(w, h) > 10 || len(p.Data) > 4096 {
			t.Errorf("%s: %+v, %dx%d", mime, p, w, h)
		}
	})
}
