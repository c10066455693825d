package object_test

import (
	"bytes"
	"compress/zlib"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/fault"
)

// What stands before the header and after the end changes nothing.
func TestJunkAround(t *testing.T) {
	for name := range judged(t) {
		data := read(t, name)
		f, err := open(data, password(name))
		if err != nil {
			t.Fatal(err)
		}
		want := objects(f)
		for _, junk := range []string{"\xef\xbb\xbf", "\n", "\r\n\r\n", "From: ann@example.org\nContent-Type: application/pdf\n\n", strings.Repeat("x\n", 400)} {
			f, err := open(append([]byte(junk), data...), password(name))
			if err != nil {
				t.Errorf("%s after %.20q: %v", name, junk, err)
				continue
			}
			if got := objects(f); !maps.Equal(got, want) || f.Rebuilt() {
				t.Errorf("%s after %.20q: %d objects, want %d (rebuilt: %v)", name, junk, len(got), len(want), f.Rebuilt())
			}
		}
		for _, junk := range []string{"\x00\x00\x00", strings.Repeat("<html>", 5000)} {
			f, err := open(append(bytes.Clone(data), junk...), password(name))
			if err != nil || f.Rebuilt() || !maps.Equal(objects(f), want) {
				t.Errorf("%s before %.20q: %v", name, junk, err)
			}
		}
	}
}

// A file that ends too early has the pages that stand before that.
func TestTruncated(t *testing.T) {
	for name := range judged(t) {
		data := read(t, name)
		before := -1
		for percent := 100; percent >= 0; percent -= 5 {
			pages := exercise(t, data[:len(data)*percent/100])
			// An update has pages twice, and encrypted pages look like others once their key is
			// lost.
			if before >= 0 && pages > before && !strings.Contains(name, "updated") && password(name) == "" {
				t.Errorf("%s: %d pages of %d %%, %d of more", name, pages, percent, before)
			}
			before = pages
			if percent == 95 && pages == 0 && password(name) == "" {
				t.Errorf("%s: no page without the last 5 %%", name)
			}
		}
	}
}

// One entry of the table that is wrong costs nothing, as do all of them.
func TestWrongOffsets(t *testing.T) {
	data := read(t, "reportlab.pdf")
	f, err := open(data, "")
	if err != nil {
		t.Fatal(err)
	}
	want := objects(f)
	entry := regexp.MustCompile(`(?m)^\d{10} 00000 n`)
	at := entry.FindAllIndex(data, -1)
	if len(at) < 10 {
		t.Fatal("no table")
	}
	damage := func(wrong string, entries ...[]int) {
		t.Helper()
		damaged := bytes.Clone(data)
		for _, e := range entries {
			copy(damaged[e[0]:], wrong)
		}
		f, err := open(damaged, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := objects(f); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", wrong, got, want)
		}
	}
	for _, wrong := range []string{"0000000016", "0000001200", "9999999999", "00x0000000"} {
		for i := range at {
			damage(wrong, at[i])
		}
		damage(wrong, at...)
	}
}

// Tables that claim too much or go in circles end, and what can be read is read.
func TestHostileTables(t *testing.T) {
	body := "%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj\n2 0 obj<</Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/A 4 0 R>>endobj\n"
	offset := func(of string) int { return strings.Index(body, of) }
	row := func(n int) string { return fmt.Sprintf("%010d 00000 n \n", n) }
	table := "0000000000 65535 f \n" + row(offset("1 0 obj")) + row(offset("2 0 obj")) + row(offset("3 0 obj"))
	self := len(body)
	for name, tail := range map[string]string{
		"a cycle of one":         "xref\n0 4\n" + table + fmt.Sprintf("trailer<</Root 1 0 R/Prev %d>>", self),
		"a cycle of two":         "xref\n0 4\n" + table + fmt.Sprintf("trailer<</Root 1 0 R/Prev %d>>xref\n0 0\ntrailer<</Prev %d>>", self+86+50, self),
		"Prev beyond the end":    "xref\n0 4\n" + table + "trailer<</Root 1 0 R/Prev 99999999>>",
		"Prev before the start":  "xref\n0 4\n" + table + "trailer<</Root 1 0 R/Prev -5>>",
		"a hidden cycle":         "xref\n0 4\n" + table + fmt.Sprintf("trailer<</Root 1 0 R/XRefStm %d>>", self),
		"10^9 entries":           "xref\n0 1000000000\n" + table + "trailer<</Root 1 0 R>>",
		"a subsection too many":  "xref\n0 4\n" + table + "4 1000000000\ntrailer<</Root 1 0 R>>",
		"counted from 1":         "xref\n1 4\n" + table + "trailer<</Root 1 0 R>>",
		"short rows":             "xref\n0 4\n" + strings.ReplaceAll(table, " \n", "\n") + "trailer<</Root 1 0 R>>",
		"large numbers":          "xref\n999999999999 4\n" + table + "trailer<</Root 1 0 R>>",
		"no table":               "trailer<</Root 1 0 R>>",
		"a root that is no dict": "xref\n0 4\n" + table + "trailer<</Root 3 0 R>>trailer<</Root 1 0 R>>",
		"no trailer":             "",
		"a stream of 10^9": "9 0 obj<</Type/XRef/W[1 2 1]/Size 1000000000/Index[0 1000000000]/Root 1 0 R/Length 16>>stream\n" +
			"\x00\x00\x00\x00\x01\x00" + string(rune(offset("1 0"))) + "\x00\x01\x00" + string(rune(offset("2 0"))) + "\x00\x01\x00" + string(rune(offset("3 0"))) + "\x00\nendstream endobj",
		"a stream of wide fields": "9 0 obj<</Type/XRef/W[9 9999999999999 1]/Root 1 0 R/Length 4>>stream\nabcd\nendstream endobj",
		"a stream of no fields":   "9 0 obj<</Type/XRef/W[0 0 0]/Root 1 0 R/Length 4>>stream\nabcd\nendstream endobj",
		"negative subsections":    "9 0 obj<</Type/XRef/W[1 1 1]/Index[-9 4 5 -1 9223372036854775807 3]/Root 1 0 R/Length 30>>stream\n" + strings.Repeat("\x01\x01\x01", 10) + "\nendstream endobj",
	} {
		f, err := open([]byte(body+tail+fmt.Sprintf("\nstartxref\n%d\n%%%%EOF", self)), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := f.PageCount(); n != 1 {
			t.Errorf("%s: %d pages", name, n)
		}
	}
}

// A hybrid file shows objects to new readers that old ones call free.
func TestHybrid(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n")
	offsets := make([]int, 7)
	add := func(num int, text string) {
		offsets[num] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj%s endobj\n", num, text)
	}
	add(1, "<</Pages 2 0 R>>")
	add(2, "<</Kids[3 0 R]>>")
	add(3, "<</Type/Page/Hidden 4 0 R>>")
	add(5, "<</Type/ObjStm/N 1/First 4/Length 12>>stream\n4 0 (hidden)\nendstream")
	hidden := b.Len()
	add(6, "<</Type/XRef/W[1 1 1]/Index[4 1]/Size 5/Length 3>>stream\n\x02\x05\x00\nendstream")
	start := b.Len()
	b.WriteString("xref\n0 7\n0000000000 65535 f \n")
	for num := 1; num < 7; num++ {
		kind := "n"
		if num == 4 {
			kind = "f"
		}
		fmt.Fprintf(&b, "%010d 00000 %s \n", offsets[num], kind)
	}
	fmt.Fprintf(&b, "trailer<</Root 1 0 R/XRefStm %d>>\nstartxref\n%d\n%%%%EOF", hidden, start)
	f, err := open(b.Bytes(), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Text(f.Page(1).Dict["Hidden"]); got != "hidden" || f.Rebuilt() {
		t.Errorf("%q (rebuilt: %v)", got, f.Rebuilt())
	}
}

// References and lengths that lead to themselves.
func TestCircles(t *testing.T) {
	f, err := open([]byte("%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj\n"+
		"3 0 obj 3 0 R endobj 4 0 obj 5 0 R endobj 5 0 obj 4 0 R endobj\n"+
		"6 0 obj<</Length 6 0 R>>stream\nsix\nendstream endobj\n"+
		"7 0 obj<</Filter 7 0 R/DecodeParms 7 0 R/Length 4 0 R>>stream\nseven\nendstream endobj\n"+
		"8 0 obj<</Type/ObjStm/N 9 0 R/First 10 0 R/Length 11 0 R/Extends 8 0 R>>stream\n9 0 10 2 11 5 2 8 \nendstream endobj\n"+
		"12 0 obj<</Type/ObjStm/N 2/First 10/Extends 12 0 R>>stream\n13 0 12 5 (thirteen)(in itself)\nendstream endobj\n"+
		"trailer<</Root 1 0 R>>"), "")
	if err != nil {
		t.Fatal(err)
	}
	for num := range 15 {
		data, _, err := f.Data(f.Stream(object.Ref{Num: num}))
		if want := map[int]string{6: "six", 7: "seven"}[num]; want != "" && (string(data) != want || err != nil) {
			t.Errorf("%d: %q, %v", num, data, err)
		}
	}
	if got := f.Text(object.Ref{Num: 13}); got != "thirteen" {
		t.Errorf("13: %q", got)
	}
	if v := f.Resolve(object.Ref{Num: 4}); v != nil {
		t.Errorf("4: %v", v)
	}
}

// deflated returns n zeros, deflated some times over.
func deflated(t *testing.T, n, times int) string {
	t.Helper()
	in := io.LimitReader(zeros{}, int64(n))
	var out bytes.Buffer
	for range times {
		out.Reset()
		z := zlib.NewWriter(&out)
		if _, err := io.Copy(z, in); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		in = strings.NewReader(out.String())
	}
	return out.String()
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// A bomb is cut.
func TestBombs(t *testing.T) {
	bomb := deflated(t, 65<<20, 2)
	f, err := open([]byte("%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj\n"+
		fmt.Sprintf("3 0 obj<</Filter[/FlateDecode/Fl]/Length %d>>stream\n%s\nendstream endobj\n", len(bomb), bomb)+
		"4 0 obj<</Filter["+strings.Repeat("/ASCIIHexDecode", 1000)+"]/Length 3>>stream\n4>\nendstream endobj trailer<</Root 1 0 R>>"), "")
	if err != nil {
		t.Fatal(err)
	}
	if data, _, err := f.Data(f.Stream(object.Ref{Num: 3})); len(data) != 64<<20 || err == nil {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if data, _, err := f.Data(f.Stream(object.Ref{Num: 4})); len(data) > 0 || err == nil {
		t.Errorf("a thousand filters: %q, %v", data, err)
	}
}

// Damage in the data costs what comes after it, no more.
func TestDamagedFlate(t *testing.T) {
	var plain strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&plain, "(line %d) Tj\n", i)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := io.WriteString(z, plain.String()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	half := whole[:len(whole)/2]
	for name, c := range map[string]struct {
		data string
		want int // bytes at least
	}{
		"whole":            {whole, plain.Len()},
		"wrong sum":        {whole[:len(whole)-4] + "abcd", plain.Len()},
		"no sum":           {whole[:len(whole)-4], plain.Len()},
		"half":             {half, plain.Len() / 3},
		"no header":        {whole[2:], plain.Len()},
		"wrong header":     {"\x00\x00" + whole[2:], plain.Len()},
		"a line too early": {"\r\n" + whole, plain.Len()},
	} {
		f, err := open([]byte(fmt.Sprintf("%%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj 3 0 obj<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream endobj", len(c.data), c.data)), "")
		if err != nil {
			t.Fatal(err)
		}
		data, _, err := f.Data(f.Stream(object.Ref{Num: 3}))
		if !strings.HasPrefix(plain.String(), string(data)) || len(data) < c.want || (err == nil) != (len(data) == plain.Len() && name != "no sum" || name == "no sum") {
			t.Errorf("%s: %d bytes of %d, %v", name, len(data), plain.Len(), err)
		}
	}
}

// counter counts the bytes that are read.
type counter struct {
	*bytes.Reader
	read int
}

func (c *counter) ReadAt(b []byte, at int64) (int, error) {
	c.read += len(b)
	return c.Reader.ReadAt(b, at)
}

// A page of a large file costs what it needs.
func TestLargeFile(t *testing.T) {
	image := strings.Repeat("image data ", 200_000)
	objects := []string{"<</Pages 2 0 R>>", "<</Kids[3 0 R 5 0 R]>>", "<</Type/Page/Contents 4 0 R>>", "<</Length 3>>stream\nq Q\nendstream", "<</Type/Page>>"}
	for range 5 {
		objects = append(objects, fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(image), image))
	}
	data := document(objects...)
	c := &counter{Reader: bytes.NewReader(data)}
	f, err := object.Open(c, int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	content, err := f.Contents(f.Page(1))
	if string(content) != "q Q" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
	if c.read > 1<<19 {
		t.Errorf("%d of %d bytes were read", c.read, len(data))
	}
}

// failing is a file that cannot be read from an offset on.
type failing struct {
	*bytes.Reader
	from int64
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at+int64(len(b)) > f.from {
		return 0, io.ErrClosedPipe
	}
	return f.Reader.ReadAt(b, at)
}

func TestFaults(t *testing.T) {
	data := read(t, "reportlab.pdf")
	for _, c := range []struct {
		name string
		file io.ReaderAt
		size int64
		want fault.Code
	}{
		{"empty", bytes.NewReader(nil), 0, fault.BadDocument},
		{"a header alone", strings.NewReader("%PDF-1.7\n"), 9, fault.BadDocument},
		{"text", strings.NewReader(strings.Repeat("obj trailer ", 1000)), 12_000, fault.BadDocument},
		{"too large", bytes.NewReader(nil), object.MaxFile + 1, fault.TooLarge},
		{"a disk that fails", failing{bytes.NewReader(data), 100}, int64(len(data)), fault.IOError},
	} {
		if _, err := object.Open(c.file, c.size, ""); !fault.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// mutations makes ten thousand: go test -run Mutated -args -mutations 550.
var mutations = flag.Int("mutations", 15, "how many damaged files TestMutated makes of each")

// No file is so damaged that reading it panics or does not end, and most still have pages.
func TestMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	opened, tried := 0, 0
	for _, name := range slices.Sorted(maps.Keys(judged(t))) {
		data := read(t, name)
		for range *mutations {
			damaged := bytes.Clone(data)
			for range 1 + r.IntN(20) {
				at := r.IntN(len(damaged))
				switch r.IntN(3) {
				case 0:
					damaged[at] = byte(r.IntN(256))
				case 1:
					damaged = append(damaged[:at], damaged[min(len(damaged), at+1+r.IntN(30)):]...)
				case 2:
					damaged = append(damaged[:at:at], append(bytes.Clone(data[r.IntN(len(data)):][:1]), damaged[at:]...)...)
				}
			}
			if tried++; exercise(t, damaged) > 0 {
				opened++
			}
		}
	}
	if opened < tried/2 {
		t.Errorf("%d of %d have pages", opened, tried)
	}
}

// Streams whose length stands elsewhere are found by their ends, however many there are.
func TestScanOfManyStreams(t *testing.T) {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Kids[3 0 R]>>", "<</Type/Page>>", "3"}
	for range 5000 {
		objects = append(objects, "<</Length 4 0 R>>stream\nq Q\nendstream")
	}
	data := bytes.ReplaceAll(document(objects...), []byte("startxref"), []byte("startxxxx"))
	f, err := open(data, "")
	if err != nil {
		t.Fatal(err)
	}
	for num := 5; num <= len(objects); num++ {
		if data, _, err := f.Data(f.Stream(object.Ref{Num: num})); string(data) != "q Q" || err != nil {
			t.Fatalf("object %d: %q, %v", num, data, err)
		}
	}
}

// What is repeated without end is looked at once: else this took hours.
func TestRepeated(t *testing.T) {
	start := "%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Type/Page>>endobj trailer<</Root 1 0 R>>"
	for _, part := range []string{"5 0 obj (", "5 0 obj<</Length 9>>stream\n", "5 0 obj[[[[", "trailer<<", "trailer", " obj", "5 0 obj<</A<<", "5 0 obj 1 endobj\n", "startxref\n9\n", "<<>>", "% "} {
		f, err := open([]byte(start+strings.Repeat(part, 1<<18/len(part))), "")
		if err != nil || f.PageCount() != 1 {
			t.Errorf("%q: %v", part, err)
		}
	}
}
