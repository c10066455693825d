package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/fault"
)

func open(t testing.TB, data []byte) *object.File {
	t.Helper()
	f, err := object.Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// named returns the images of images.pdf by their names, and these in their order.
func named(t testing.TB, f *object.File) (map[string]*object.Stream, []string) {
	t.Helper()
	form := f.Dict(f.Dict(f.Page(1).Resources["XObject"])["F"])
	all := make(map[string]*object.Stream)
	for name, v := range f.Dict(f.Dict(form["Resources"])["XObject"]) {
		all[string(name)] = f.Stream(v)
	}
	content, _, err := f.Data(f.Stream(f.Dict(f.Page(1).Resources["XObject"])["F"]))
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for word := range strings.FieldsSeq(string(content)) {
		if name, ok := strings.CutPrefix(word, "/"); ok {
			order = append(order, name)
		}
	}
	return all, order
}

// Every image has the pixels that poppler sees.
func TestPixels(t *testing.T) {
	var want map[string]struct {
		Width, Height int
		RGB           string
	}
	if err := json.Unmarshal(fixture(t, "pixels.json"), &want); err != nil {
		t.Fatal(err)
	}
	f := open(t, fixture(t, "images.pdf"))
	all, _ := named(t, f)
	if len(all) < 25 || len(all) != len(want) {
		t.Fatalf("%d images", len(all))
	}
	for name, s := range all {
		p, err := Of(f, s, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "jpeg" || name == "jp2" {
			if data, _, _ := f.Data(s); !bytes.Equal(p.Data, data) || p.MIME != "image/"+name { // an error leaves no data
				t.Errorf("%s: not as it is in the file: %s", name, p.MIME)
			}
			continue
		}
		m, err := png.Decode(bytes.NewReader(p.Data))
		if err != nil || p.MIME != "image/png" {
			t.Errorf("%s: %s, %v", name, p.MIME, err)
			continue
		}
		if size := m.Bounds().Size(); size != image.Pt(want[name].Width, want[name].Height) || size != image.Pt(p.Width, p.Height) {
			t.Errorf("%s: %v, want %d x %d", name, size, want[name].Width, want[name].Height)
			continue
		}
		packed, err := hex.DecodeString(want[name].RGB)
		if err != nil {
			t.Fatal(err)
		}
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		pixels, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0
		for y := range p.Height {
			for x := range p.Width {
				r, g, b, _ := m.At(x, y).RGBA()
				for i, v := range []uint32{r, g, b} {
					worst = max(worst, abs(int(v>>8)-int(pixels[3*(y*p.Width+x)+i])))
				}
			}
		}
		if tolerance := 1; worst > tolerance { // CMYK and scaling are rounded
			t.Errorf("%s: differs by %d", name, worst)
		}
	}
}

func abs(n int) int { return max(n, -n) }

// A page draws images through forms, in order, and each once.
func TestOnPage(t *testing.T) {
	f := open(t, fixture(t, "images.pdf"))
	all, order := named(t, f)
	drawn := OnPage(f, f.Page(1), 100)
	if len(drawn) != len(order)+1 {
		t.Fatalf("%d images, want %d and one inline", len(drawn), len(order))
	}
	for i, name := range order {
		if drawn[i].Stream.ID() != all[name].ID() {
			t.Errorf("image %d is not %s", i, name)
		}
	}
	last := drawn[len(order)]
	p, err := Of(f, last.Stream, last.Resources)
	if err != nil || p.Width != 2 || p.Height != 1 || p.MIME != "image/png" {
		t.Errorf("inline: %+v, %v", p, err)
	}
	if n := len(OnPage(f, f.Page(1), 3)); n != 3 {
		t.Errorf("%d images, where 3 are wanted", n)
	}
}

// made opens a file with one image, of a dictionary and its data.
func made(t testing.TB, dict, data string) (Picture, error) {
	t.Helper()
	f := open(t, []byte("%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj\n"+
		"4 0 obj<</Width 4/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 4>>stream\n\x00\x80\xff\x40\nendstream endobj\n"+
		"5 0 obj<</Width 4/Height 1/BitsPerComponent 8/SMask 5 0 R/Length 4>>stream\nabcd\nendstream endobj\n"+
		fmt.Sprintf("3 0 obj<<%s/Length %d>>stream\n%s\nendstream endobj trailer<</Root 1 0 R>>", dict, len(data), data)))
	return Of(f, f.Stream(object.Ref{Num: 3}), object.Dict{"ColorSpace": object.Dict{"Cs1": object.Name("DeviceRGB")}})
}

// What the data does not hold costs nothing, whatever the dictionary claims.
func TestDimensions(t *testing.T) {
	for dict, want := range map[string]string{
		"/Width 4/Height 60000/BitsPerComponent 8/ColorSpace/DeviceGray":                 "4x3",
		"/Width 65536/Height 65536/BitsPerComponent 1":                                   "65536x1",
		"/Width 1/Height 12/BitsPerComponent 8/ColorSpace/Cs1":                           "1x4",
		"/Width 70000/Height 4/BitsPerComponent 8":                                       "bad_document",
		"/Width -4/Height 4/BitsPerComponent 8":                                          "bad_document",
		"/Height 4/BitsPerComponent 8":                                                   "bad_document",
		"/Width 4/Height 2/BitsPerComponent 3":                                           "bad_document",
		"/Width 4/Height 2/Filter/JBIG2Decode":                                           "unsupported_content",
		"/Width 4/Height 2/Filter[/CCITTFaxDecode]/DecodeParms<</K 4>>":                  "unsupported_content",
		"/Width 4/Height 2/Filter/DCTDecode":                                             "bad_document",
		"/Width 4/Height 2/Filter[/DCTDecode/DCTDecode]":                                 "unsupported_content",
		"/Width 4/Height 2/ColorSpace/Pattern/BitsPerComponent 8":                        "unsupported_content",
		"/Width 4/Height 2/ColorSpace[/Indexed[/Indexed]1()]":                            "unsupported_content",
		"/Width 4/Height 60000/Filter/CCITTFaxDecode/DecodeParms<</Columns 65536/K -1>>": "bad_document",
	} {
		p, err := made(t, dict, "twelve bytes")
		got := fmt.Sprintf("%dx%d", p.Width, p.Height)
		if err != nil {
			got = string(fault.As(err).Code)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", dict, got, want)
		}
	}
}

// A bomb is refused, rather than shown in part.
func TestLargeImage(t *testing.T) {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	row := make([]byte, 1<<16)
	for range 1<<10 + 1 {
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dict := range []string{"/Width 65536/Height 65536/BitsPerComponent 8", "/Width 65536/Height 1025/BitsPerComponent 1"} {
		if _, err := made(t, dict+"/Filter/FlateDecode", b.String()); !fault.Is(err, fault.TooLarge) {
			t.Errorf("%s: %v", dict, err)
		}
	}
	if _, err := made(t, "/Width 65536/Height 1025/BitsPerComponent 1", strings.Repeat("\x00", 65536*1025/8)); !fault.Is(err, fault.TooLarge) {
		t.Errorf("too many pixels: %v", err)
	}
}

// A soft mask shows white through the image.
func TestSoftMask(t *testing.T) {
	for dict, want := range map[string][]uint32{
		"/SMask 4 0 R": {255, 254 - 127 + 63, 127, 191 + 32}, // 0, 127, 255, 64 of 255 over white
		"/SMask 5 0 R": {0, 127, 127, 127},                   // whose mask has one itself: not used
	} {
		p, err := made(t, "/Width 4/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"+dict, "\x00\x7f\x7f\x7f")
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(p.Data))
		if err != nil {
			t.Fatal(err)
		}
		var got []uint32
		for x := range 4 {
			r, _, _, _ := m.At(x, 0).RGBA()
			got = append(got, r>>8)
		}
		if !slices.EqualFunc(got, want, func(a, b uint32) bool { return abs(int(a)-int(b)) <= 1 }) {
			t.Errorf("%s: %v, want %v", dict, got, want)
		}
	}
}

// A damaged file gives PNGs that can be read, of no more pixels than is allowed.
func FuzzPictures(f *testing.F) {
	data := fixture(f, "images.pdf")
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(bytes.ReplaceAll(data, []byte("/Width 13"), []byte("/Width 99")))
	f.Add(bytes.ReplaceAll(data, []byte("/BitsPerComponent 8"), []byte("/BitsPerComponent 4")))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := object.Open(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			return
		}
		page := file.Page(1)
		if page == nil {
			return
		}
		for _, d := range OnPage(file, page, 10) {
			p, err := Of(file, d.Stream, d.Resources)
			if err != nil || p.MIME != "image/png" {
				continue
			}
			c, err := png.DecodeConfig(bytes.NewReader(p.Data))
			if err != nil || c.Width*c.Height > maxPixels || c.Width != p.Width || c.Height != p.Height {
				t.Fatalf("%dx%d, %+v, %v", p.Width, p.Height, c, err)
			}
		}
	})
}
