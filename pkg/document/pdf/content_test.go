package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
)

// build returns a PDF of one page with a content stream. The fonts are F (Helvetica) and
// those of more: further objects from 10 0 on, which resources may refer to.
func build(content, resources string, more ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[20 0 R 21 0 R]/D<</OFF[20 0 R]>>>>>>endobj\n"+
		"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"+
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R/G 10 0 R>>%s>>/Annots[30 0 R 31 0 R]>>endobj\n"+
		"4 0 obj<</Length %d>>stream\n%s\nendstream endobj\n"+
		"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"+
		"20 0 obj<</Type/OCG/Name(off)>>endobj\n21 0 obj<</Type/OCG/Name(on)>>endobj\n", resources, len(content), content)
	for i, object := range more {
		fmt.Fprintf(&b, "%d 0 obj%s endobj\n", 10+i, object)
	}
	b.WriteString("trailer<</Root 1 0 R>>\n%%EOF\n")
	return b.Bytes()
}

// stream returns a stream object.
func stream(dict, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(data), data)
}

// Operators and fonts do what the specification says.
func TestContent(t *testing.T) {
	toUnicode := func(cmap string) string {
		return stream("", "1 begincodespacerange <00> <ff> endcodespacerange "+cmap)
	}
	for _, c := range []struct {
		name, content, resources string
		more                     []string
		want                     string
	}{
		{"spaces from gaps", "BT /F 10 Tf 50 700 Td [(Hel)-20(lo)-400(wor)10(ld)]TJ ET", "", nil, "Hello world"},
		{"lines", "BT /F 10 Tf 12 TL 50 700 Td (one) Tj T* (two) Tj (three) ' 1 2 (four) \" ET", "", nil, "one\ntwo\nthree\nfour"},
		{"word spacing", "BT /F 10 Tf 30 Tw 50 700 Td (a b) Tj ET", "", nil, "a b"},
		{"wide letters", "BT /F 10 Tf 50 700 Td [(S)-400(P)-400(A)-400(C)-400(E)-400(D)]TJ ET", "", nil, "SPACED"},
		{"scaled", "BT /F 1 Tf 10 0 0 10 50 700 Tm 50 Tz (half) Tj 3.0 0 Td (next) Tj ET", "", nil, "half next"},
		{"printed twice", "BT /F 10 Tf 50 700 Td (bold) Tj ET BT /F 10 Tf 50.3 700 Td (bold) Tj ET", "", nil, "bold"},
		{"drawn twice", func() string {
			text := ""
			for i, c := range "BOLD TEXT" {
				text += fmt.Sprintf("BT /F 12 Tf 1 0 0 1 %d 700 Tm (%c) Tj ET BT /F 12 Tf 1 0 0 1 %d.4 700.3 Tm (%c) Tj ET ", 50+8*i, c, 50+8*i, c)
			}
			return text
		}(), "", nil, "BOLD TEXT"},
		{"named by shape", "BT /G 10 Tf 50 700 Td (abba) Tj ET", "", []string{"<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<>>/Encoding<</Differences[97/square/triangle]>>/FirstChar 97/LastChar 98/Widths[1000 1000]>>"}, "abba"},
		{"letters twice", "BT /F 10 Tf 50 700 Td (b) Tj -0.2 0 Td (b) Tj ET", "", nil, "b"},
		{"invisible", "BT 3 Tr /F 10 Tf 50 700 Td (layer) Tj ET", "", nil, "layer"},
		{"raised", "BT /F 10 Tf 50 700 Td (mc) Tj 6 Tf /F 6 Tf 4 Ts (2) Tj ET", "", nil, "mc2"},
		{"upwards", "BT /F 10 Tf 0 1 -1 0 300 300 Tm (up) Tj 0 -12 Td (and up) Tj ET", "", nil, "up\nand up"},
		{"many states", strings.Repeat("q ", 300) + "1 0 0 1 -900 0 cm q 1 0 0 1 9 9 cm Q BT /F 10 Tf 950 700 Td (in) Tj ET", "", nil, "in"},
		{"outside", "BT /F 10 Tf 50 700 Td (in) Tj 900 0 Td (out) Tj ET", "", nil, "in"},
		{"hyphen", "BT /F 10 Tf 50 700 Td (exam-) Tj 0 -12 Td (ple here) Tj 0 -12 Td (well-) Tj 0 -12 Td (Known) Tj ET", "", nil, "example\nhere\nwell-\nKnown"},
		{"actual text", "BT /F 10 Tf 50 700 Td /Span<</ActualText(\376\377\000f\000f\000i)>>BDC (X) Tj EMC (ne) Tj ET", "", nil, "ffine"},
		{"content that is off", "/OC /A BDC BT /F 10 Tf 50 700 Td (no) Tj ET EMC /OC /B BDC BT /F 10 Tf 50 600 Td (yes) Tj ET EMC", "/Properties<</A 20 0 R/B 21 0 R>>", nil, "yes"},
		{"form in itself", "/X Do", "/XObject<</X 10 0 R>>", []string{stream("/Subtype/Form/BBox[0 0 9 9]/Matrix[1 0 0 1 50 500]/Resources<</Font<</F 5 0 R>>/XObject<</X 10 0 R>>>>", "BT /F 10 Tf (form) Tj ET /X Do")}, "form"},
		{"differences", "BT /G 10 Tf 50 700 Td <01020304> Tj ET", "", []string{"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/A.alt/uni0042/f_i/eacute]>>>>"}, "ABfié"},
		{"numbers of glyphs", "BT /G 10 Tf 50 700 Td <01> Tj <02> Tj ET", "", []string{"<</Type/Font/Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FirstChar 1/Widths[50 50]/Encoding<</Differences[1/a65/g66]>>>>"}, "AB"},
		{"to Unicode", "BT /G 10 Tf 50 700 Td <41424344> Tj ET", "", []string{"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 11 0 R>>",
			toUnicode("1 beginbfchar <41> <00660069> endbfchar 1 beginbfrange <42> <43> <d83dde00> endbfrange 1 beginbfrange <44> <45> [<0078>] endbfrange")}, "fi😀😁x"},
		{"a lie", "BT /G 10 Tf 50 700 Td (AB) Tj ET", "", []string{"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 11 0 R>>", toUnicode("2 beginbfchar <41> <0000> <42> <fffd> endbfchar")}, "AB"},
		{"symbols", "BT /G 10 Tf 50 700 Td (a) Tj ET", "", []string{"<</Type/Font/Subtype/Type1/BaseFont/Symbol>>"}, "α"},
		{"dingbats", "BT /G 10 Tf 50 700 Td (4) Tj ET", "", []string{"<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>"}, "✔"},
		{"Chinese", "BT /G 10 Tf 50 700 Td <d6d0b9fa41> Tj ET", "", []string{"<</Type/Font/Subtype/Type0/BaseFont/S/Encoding/GBK-EUC-H/DescendantFonts[<</Subtype/CIDFontType0/CIDSystemInfo<</Ordering(GB1)>>>>]>>"}, "中国A"},
		{"Unicode CMap", "BT /G 10 Tf 50 700 Td <65e5672c> Tj ET", "", []string{"<</Type/Font/Subtype/Type0/BaseFont/S/Encoding/UniJIS-UTF16-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>"}, "日本"},
		{"downwards", "BT /G 10 Tf 100 700 Td <65e5672c> Tj ET BT /G 10 Tf 80 700 Td <8a9e> Tj ET", "", []string{"<</Type/Font/Subtype/Type0/BaseFont/S/Encoding/UniJIS-UTF16-V/DescendantFonts[<</Subtype/CIDFontType0>>]>>"}, "日本\n語"},
		{"embedded CMap", "BT /G 10 Tf 50 700 Td <01> Tj <8002> Tj ET", "", []string{"<</Type/Font/Subtype/Type0/BaseFont/S/Encoding 11 0 R/ToUnicode 12 0 R/DescendantFonts[<</Subtype/CIDFontType2/W[1[500 600]]>>]>>",
			stream("", "2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange 1 begincidrange <01> <01> 1 endcidrange 1 begincidchar <8002> 2 endcidchar"),
			stream("", "2 beginbfchar <01> <0061> <8002> <0062> endbfchar")}, "ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := read(t, build(c.content, c.resources, c.more...), document.Request{})
			if got := strings.TrimSpace(strings.TrimPrefix(got, "## Page 1")); got != c.want {
				t.Errorf("%q, not %q", got, c.want)
			}
		})
	}
}

// Words over links lead where these do, and fields that were filled in are text.
func TestAnnotations(t *testing.T) {
	more := make([]string, 22)
	for i := range more {
		more[i] = "null"
	}
	more[20] = "<</Subtype/Link/Rect[50 695 73 712]/A<</S/URI/URI(https://a.example/x)>>>>" // 30 0
	more[21] = "<</Subtype/Widget/Rect[100 500 200 520]/AP<</N 29 0 R>>>>"
	more[19] = stream("/Subtype/Form/BBox[0 0 50 10]/Resources<</Font<</F 5 0 R>>>>", "BT /F 5 Tf 2 2 Td (filled in) Tj ET")
	more[10], more[11] = "<</Type/OCG>>", "<</Type/OCG>>"
	got, _ := read(t, build("BT /F 10 Tf 50 700 Td (Here and there) Tj ET", "", more...), document.Request{})
	if want := "## Page 1\n\n[Here](https://a.example/x) and there\n\nfilled in\n"; got != want {
		t.Errorf("%q", got)
	}
}

// Pages without text show their pictures, and say so.
func TestPictures(t *testing.T) {
	data := build("q 100 0 0 100 0 0 cm /I Do Q", "/XObject<</I 10 0 R>>",
		stream("/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray", "\x00\x40\x80\xff"))
	var images []document.Image
	got, warnings := read(t, data, document.Request{Image: func(i document.Image) string {
		images = append(images, i)
		return "p.png"
	}})
	if got != "## Page 1\n\n![page 1](p.png)\n" || len(images) != 1 || images[0].MIME != "image/png" || images[0].Anchor != "page 1" {
		t.Errorf("%q %+v", got, images)
	}
	if len(warnings) != 2 || !strings.Contains(warnings[1], "no_text_layer: these pages are pictures without text: 1;") {
		t.Errorf("%q", warnings)
	}
	if got, _ := read(t, data, document.Request{}); got != "## Page 1\n" {
		t.Errorf("%q", got)
	}
}

// Pages that no program writes cost little, and say that they are cut.
func TestCrowded(t *testing.T) {
	got, warnings := read(t, build("BT /F 10 Tf 1 0 0 1 50 700 Tm ("+strings.Repeat("abcd ", 40_000)+") Tj ET BT /F 10 Tf 50 600 Td (more) Tj ET", ""), document.Request{})
	if !strings.Contains(got, "abcd abcd abcd") || strings.Contains(got, "more") {
		t.Errorf("%.200q", got)
	}
	if len(warnings) != 2 || !strings.Contains(warnings[0], "damaged; its objects were looked for") || !strings.Contains(warnings[1], "hold more text than pages do") {
		t.Errorf("%q", warnings)
	}
}

// A form that is shown again and again is work, even where it shows nothing.
func TestEmptyForms(t *testing.T) {
	const size = 4 << 20
	got, warnings := read(t, build(strings.Repeat("/X Do ", 40)+"BT /F 10 Tf 50 600 Td (more) Tj ET", "/XObject<</X 10 0 R>>", stream("/Subtype/Form", strings.Repeat("%", size))), document.Request{})
	if strings.Contains(got, "more") || len(warnings) < 2 || !strings.Contains(warnings[1], "hold more text than pages do") {
		t.Errorf("%q %q", got, warnings)
	}
}

// Where reading ends before the file does, it says so, and so does a page of too many streams.
func TestLimitsAreReported(t *testing.T) {
	endless := build("BT /F 10 Tf 50 600 Td (more) Tj ET", "", "[<</Kids 10 0 R>><</Kids 10 0 R>>]")
	endless = bytes.Replace(endless, []byte("/Kids[3 0 R]"), []byte("/Kids[3 0 R<</Kids 10 0 R>>]"), 1)
	if _, warnings := read(t, endless, document.Request{}); !strings.Contains(strings.Join(warnings, "\n"), "takes too much work") {
		t.Errorf("%q", warnings)
	}
	streams := bytes.Replace(build("BT /F 10 Tf 50 600 Td (text) Tj ET", ""), []byte("/Contents 4 0 R"), []byte("/Contents[4 0 R "+strings.Repeat("9 0 R ", 10_000)+"]"), 1)
	got, warnings := read(t, streams, document.Request{})
	if !strings.Contains(got, "text") || !strings.Contains(strings.Join(warnings, "\n"), "left out: 1") {
		t.Errorf("%q %q", got, warnings)
	}
}

// What is read until the context ends is no document.
func TestContextEnds(t *testing.T) {
	data := build("BT /F 10 Tf 50 600 Td (text) Tj ET", "")
	d, err := Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.Render(ctx, &document.Request{}, markdown.NewWriter(markdown.Window{})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The outline is the bookmarks, or else the headings.
func TestOutline(t *testing.T) {
	for name, want := range map[string]string{
		"chromium_columns.pdf": "[{Two Columns 1 1} {After the columns 1 1}]",
		"reportlab_cjk.pdf":    "[]",
	} {
		data := file(t, name)
		d, err := Open(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Outline(context.Background(), &document.Request{})
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}
