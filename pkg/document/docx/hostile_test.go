package docx

import (
	"archive/zip"
	"bytes"
	"context"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
)

// repeated is text that comes without being held.
type repeated struct {
	text string
	n    int
	at   int
}

func (r *repeated) Read(b []byte) (int, error) {
	n := 0
	for n < len(b) && r.n > 0 {
		c := copy(b[n:], r.text[r.at:])
		n += c
		if r.at += c; r.at == len(r.text) {
			r.at = 0
			r.n--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// streamed returns a document whose parts are read from readers.
func streamed(t *testing.T, parts map[string]io.Reader) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	parts["_rels/.rels"] = strings.NewReader(`<Relationships><Relationship Id="1" Type="` + office + `officeDocument" Target="word/document.xml"/></Relationships>`)
	for name, content := range parts {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.Copy(f, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

// Documents that were made to exhaust a reader take little memory and end. What a window
// does not need is not written.
func TestHostile(t *testing.T) {
	within := func(before string, repeat string, n int, after string) io.Reader {
		return io.MultiReader(strings.NewReader(`<w:document`+namespaces+`><w:body>`+before), &repeated{text: repeat, n: n}, strings.NewReader(after+`</w:body></w:document>`))
	}
	list := func(i string) string {
		return `<w:abstractNum w:abstractNumId="` + i + `"><w:lvl w:ilvl="0"/></w:abstractNum><w:num w:numId="` + i + `"><w:abstractNumId w:val="` + i + `"/></w:num>`
	}
	var lists strings.Builder
	for i := range 40_000 {
		lists.WriteString(list(strconv.Itoa(i)))
	}
	rels := func(kinds ...string) io.Reader {
		var b strings.Builder
		for _, kind := range kinds {
			b.WriteString(`<Relationship Id="` + kind + `" Type="` + office + kind + `" Target="` + kind + `.xml"/>`)
		}
		return strings.NewReader(`<Relationships>` + b.String() + `</Relationships>`)
	}
	for name, parts := range map[string]map[string]io.Reader{
		"a long paragraph":         {"word/document.xml": within(`<w:p><w:r><w:t>`, "word ", 4<<20, `</w:t></w:r></w:p>`)},
		"many runs":                {"word/document.xml": within(`<w:p>`, `<w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>`, 100_000, `</w:p>`)},
		"many empty paragraphs":    {"word/document.xml": within("", `<w:p/>`, 500_000, "")},
		"many open fields":         {"word/document.xml": within(`<w:p>`, `<w:r><w:fldChar w:fldCharType="begin"/></w:r>`, 100_000, `</w:p>`)},
		"many open comments":       {"word/document.xml": within(`<w:p>`, `<w:commentRangeStart w:id="1"/><w:r><w:t>a</w:t></w:r>`, 50_000, `</w:p>`)},
		"deep tables":              {"word/document.xml": within("", `<w:tbl><w:tr><w:tc>`, 2000, "")},
		"deep containers":          {"word/document.xml": within("", `<w:sdt><w:sdtContent>`, 2000, "")},
		"wide spans":               {"word/document.xml": within(`<w:tbl>`, `<w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p/></w:tc></w:tr>`, 2000, `</w:tbl>`)},
		"a cell of many":           {"word/document.xml": within(`<w:tbl><w:tr>`, `<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>`, 50_000, `</w:tr></w:tbl>`)},
		"pieces of joined text":    {"word/document.xml": within("", `<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`, 100_000, "")},
		"boxes in boxes":           {"word/document.xml": within("", `<w:p><w:r><w:pict><v:textbox><w:txbxContent>`, 2000, "")},
		"many boxes":               {"word/document.xml": within(`<w:p>`, `<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:txbxContent></w:pict></w:r>`, 20_000, `</w:p>`)},
		"formulas":                 {"word/document.xml": within(`<w:p><m:oMath>`, `<m:r><m:t>abc</m:t></m:r>`, 100_000, `</m:oMath></w:p>`)},
		"deep formulas":            {"word/document.xml": within(`<w:p><m:oMath>`, `<m:f><m:num>`, 2000, `</m:oMath></w:p>`)},
		"entities":                 {"word/document.xml": strings.NewReader(`<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><w:document` + namespaces + `><w:body>` + p("&b;") + `</w:body></w:document>`)},
		"many lists":               {"word/document.xml": within("", numbered("39999", "0", "a"), 10, ""), "word/numbering.xml": strings.NewReader(`<w:numbering` + namespaces + `>` + lists.String() + `</w:numbering>`), "word/_rels/document.xml.rels": rels("numbering")},
		"many notes":               {"word/document.xml": within(`<w:p>`, `<w:r><w:footnoteReference w:id="1"/></w:r>`, 50_000, `</w:p>`), "word/footnotes.xml": io.MultiReader(strings.NewReader(`<w:footnotes`+namespaces+`>`), &repeated{text: `<w:footnote w:id="1"><w:p><w:r><w:t>a</w:t></w:r></w:p></w:footnote>`, n: 100_000}), "word/_rels/document.xml.rels": rels("footnotes")},
		"a note that refers to it": {"word/document.xml": within("", `<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`, 1, ""), "word/footnotes.xml": strings.NewReader(`<w:footnotes` + namespaces + `><w:footnote w:id="1"><w:p><w:r><w:t>a</w:t><w:footnoteReference w:id="1"/><w:footnoteReference w:id="2"/></w:r></w:p></w:footnote></w:footnotes>`), "word/_rels/document.xml.rels": rels("footnotes")},
	} {
		t.Run(name, func(t *testing.T) {
			file := streamed(t, parts)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := Open(file, file.Size())
			if err != nil {
				t.Fatal(err)
			}
			w := markdown.NewWriter(markdown.Window{})
			err = d.Render(context.Background(), &document.Request{}, w)
			runtime.ReadMemStats(&after)
			if strings.HasPrefix(name, "deep") || strings.HasPrefix(name, "boxes in") {
				if err == nil {
					t.Error("nothing is said of the depth")
				}
			} else if err != nil {
				t.Error(err)
			}
			n := (after.TotalAlloc - before.TotalAlloc) >> 20
			if t.Logf("%d MB", n); n > 512 {
				t.Errorf("takes %d MB", n)
			}
			if strings.Contains(string(w.Bytes()), "aaaaaaaaaaaa") && name == "entities" {
				t.Error("entities are expanded")
			}
		})
	}
}

// read reads a document that may be damaged, in every way.
func read(file []byte) error {
	d, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	d.Info()
	w := markdown.NewWriter(markdown.Window{Bytes: 1 << 20})
	return d.Render(context.Background(), &document.Request{Changes: document.All, Image: func(document.Image) string { return "x" }}, w)
}

// damaged returns a package of which one part was changed at random: bytes, a piece that
// is missing, is there twice or was moved.
func damaged(t testing.TB, file []byte, rng *rand.Rand) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	which := rng.IntN(len(z.File))
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if (i == which || f.Name == "word/document.xml") && len(data) > 8 {
			data = mutated(data, rng)
		}
		part, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		if err == nil {
			_, err = part.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mutated(data []byte, rng *rand.Rand) []byte {
	for range 1 + rng.IntN(4) {
		at := rng.IntN(len(data))
		n := min(1+rng.IntN(200), len(data)-at)
		switch rng.IntN(5) {
		case 0:
			data[at] = byte(rng.UintN(256))
		case 1:
			data = append(data[:at:at], data[at+n:]...)
		case 2:
			data = append(data[:at+n:at+n], data[at:]...)
		case 3:
			data = append(data[:at:at], append([]byte(`<w:p><w:r>`), data[at:]...)...)
		default:
			if i := bytes.IndexByte(data[at:], '"'); i >= 0 {
				data = append(data[:at+i+1:at+i+1], append([]byte("999999999"), data[at+i+1:]...)...)
			}
		}
		if len(data) < 2 {
			return data
		}
	}
	return data
}

var mutations = flag.Int("mutations", 25, "how often each document in testdata is damaged")

// Damaged documents are read as far as they go: no panic, no end that does not come.
func TestMutated(t *testing.T) {
	files, err := filepath.Glob("testdata/*.docx")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	failed := 0
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range *mutations {
			if read(damaged(t, file, rng)) != nil {
				failed++
			}
		}
	}
	t.Logf("%d of %d with a fault", failed, *mutations*len(files))
}

func FuzzDocx(f *testing.F) {
	f.Add(`<w:p><w:r><w:t>a</w:t></w:r></w:p>`, `<w:style w:styleId="a"><w:name w:val="heading 1"/><w:basedOn w:val="a"/></w:style>`, lvl("0", "decimal", "%1.", ""))
	f.Add(fieldOf("HYPERLINK x", "<w:r><w:t>b</w:t></w:r>"), `<w:style w:type="paragraph" w:default="1" w:styleId="x">`, "")
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="3"/></w:tcPr><w:p/></w:tc></w:tr>`, "", "")
	f.Add(numbered("1", "0", "a")+numbered("1", "8", "b"), "", lvl("8", "bullet", "x", ""))
	f.Add(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:ins><w:r><w:t>x`, "", "")
	f.Fuzz(func(t *testing.T, body, styles, levels string) {
		got, err := rendered(t, packed(t, body, map[string]string{
			"styles":    styles,
			"numbering": `<w:abstractNum w:abstractNumId="0">` + levels + `</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
		}), document.All)
		if err != nil && got == "" {
			return
		}
		if most := 4096 * (len(body) + 10); len(got) > most {
			t.Errorf("%d bytes of %d", len(got), len(body))
		}
		again, _ := rendered(t, packed(t, body, map[string]string{
			"styles":    styles,
			"numbering": `<w:abstractNum w:abstractNumId="0">` + levels + `</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
		}), document.All)
		if again != got {
			t.Errorf("%q, then %q", got, again)
		}
	})
}
