package zipped

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// packed returns a ZIP archive.
func packed(t testing.TB, write func(*zip.Writer)) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func add(t testing.TB, w *zip.Writer, name string, content io.Reader) {
	t.Helper()
	f, err := w.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(f, content); err != nil {
		t.Fatal(err)
	}
}

func TestPackage(t *testing.T) {
	file := packed(t, func(w *zip.Writer) {
		add(t, w, "word/Document.xml", strings.NewReader("x"))
		add(t, w, `xl\workbook.xml`, strings.NewReader("y"))
		add(t, w, "word/", strings.NewReader(""))
	})
	p, err := OpenPackage(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"/WORD/document.xml": "x", "xl/workbook.xml": "y"} {
		if data, err := p.Read(name); err != nil || string(data) != want || !p.Has(name) || p.Size(name) != 1 {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	if _, err := p.Read("word"); !fault.Is(err, fault.NotFound) || len(p.Names()) != 2 {
		t.Errorf("%v, %q", err, p.Names())
	}
}

// endless is a source of so many bytes.
type endless int64

func (e *endless) Read(b []byte) (int, error) {
	if *e <= 0 {
		return 0, io.EOF
	}
	n := min(int64(len(b)), int64(*e))
	clear(b[:n])
	*e -= endless(n)
	return int(n), nil
}

func TestPackageBudgets(t *testing.T) {
	file := packed(t, func(w *zip.Writer) {
		large := endless(HeldBytes * 2)
		add(t, w, "large", &large)
	})
	p, err := OpenPackage(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	if data, err := p.Read("large"); !fault.Is(err, fault.BadDocument) || len(data) > HeldBytes {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	r, err := p.Open("large")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); !fault.Is(err, fault.BadDocument) || n < suspicious || n > suspicious+1<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
	p.streamed = 10
	if r, err = p.Open("large"); err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); !fault.Is(err, fault.BadDocument) || n > 1<<20 {
		t.Errorf("%d bytes beyond the budget, %v", n, err)
	}
}

func TestPackageRefuses(t *testing.T) {
	twice := packed(t, func(w *zip.Writer) {
		add(t, w, "a.xml", strings.NewReader("x"))
		add(t, w, "A.xml", strings.NewReader("y"))
	})
	if _, err := OpenPackage(twice, twice.Size()); !fault.Is(err, fault.BadDocument) {
		t.Errorf("two entries of one name: %v", err)
	}
	many := packed(t, func(w *zip.Writer) {
		for i := range PackageEntries + 1 {
			add(t, w, strings.Repeat("x", i%100)+string(rune('\u4e00'+i)), strings.NewReader(""))
		}
	})
	if _, err := OpenPackage(many, many.Size()); !fault.Is(err, fault.BadDocument) {
		t.Errorf("many entries: %v", err)
	}
	// Both entries have the data of the first one.
	raw, err := io.ReadAll(packed(t, func(w *zip.Writer) {
		add(t, w, "a", strings.NewReader(strings.Repeat("x", 1000)))
		add(t, w, "b", strings.NewReader(strings.Repeat("x", 1000)))
	}))
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.LastIndex(raw, []byte("PK\x01\x02"))
	copy(raw[second+42:second+46], []byte{0, 0, 0, 0}) // its offset
	if _, err := OpenPackage(bytes.NewReader(raw), int64(len(raw))); !fault.Is(err, fault.BadDocument) || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("overlapping entries: %v", err)
	}
}

// An archive that was cut off gives the parts before that, and the beginning of the last.
func TestSalvage(t *testing.T) {
	noise := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'a' + byte(noise.IntN(26))
		}
		return string(b)
	}
	first, second := text(5000), text(50_000)
	for name, create := range map[string]func(*zip.Writer, string) (io.Writer, error){
		"sizes after the data": func(w *zip.Writer, name string) (io.Writer, error) { return w.Create(name) },
		"stored with sizes": func(w *zip.Writer, name string) (io.Writer, error) {
			content := map[string]string{"first": first, "dir/second": second}[name]
			return w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Store, CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content)), CRC32: crc32.ChecksumIEEE([]byte(content))})
		},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := io.ReadAll(packed(t, func(w *zip.Writer) {
				for _, part := range [][2]string{{"first", first}, {"dir/second", second}} {
					f, err := create(w, part[0])
					if err != nil {
						t.Fatal(err)
					}
					if _, err := io.WriteString(f, part[1]); err != nil {
						t.Fatal(err)
					}
				}
			}))
			if err != nil {
				t.Fatal(err)
			}
			for _, cut := range []int{len(raw) - 10, len(raw) / 2} {
				p, err := OpenPackage(bytes.NewReader(raw[:cut]), int64(cut))
				if err != nil {
					t.Fatalf("cut after %d of %d: %v", cut, len(raw), err)
				}
				if data, err := p.Read("first"); err != nil || string(data) != first {
					t.Errorf("first: %d bytes, %v", len(data), err)
				}
				data, err := p.Read("dir/second")
				if !strings.HasPrefix(second, string(data)) || len(data) < len(second)/4 || err == nil && len(data) < len(second) {
					t.Errorf("second: %d bytes, %v", len(data), err)
				}
				if cut == len(raw)-10 && (err != nil || string(data) != second) {
					t.Errorf("second: %d bytes, %v", len(data), err)
				}
			}
		})
	}
}

// Whatever the bytes are, parts keep to their limits and an error is a fault.
func FuzzPackage(f *testing.F) {
	r := packed(f, func(w *zip.Writer) {
		add(f, w, "[Content_Types].xml", strings.NewReader("<Types/>"))
		add(f, w, "word/document.xml", strings.NewReader(strings.Repeat("<w:p/>", 100)))
	})
	raw, err := io.ReadAll(r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add(raw[:len(raw)-10])
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := OpenPackage(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			if fault.Is(err, fault.Internal) {
				t.Error(err)
			}
			return
		}
		for _, name := range p.Names() {
			if data, err := p.Read(name); len(data) > HeldBytes || err != nil && fault.Is(err, fault.Internal) {
				t.Errorf("%s: %d bytes, %v", name, len(data), err)
			}
		}
	})
}
