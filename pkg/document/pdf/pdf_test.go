package pdf

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/fault"
)

// read returns a document as Markdown, and its warnings.
func read(t testing.TB, data []byte, q document.Request) (string, []string) {
	t.Helper()
	d, err := Open(bytes.NewReader(data), int64(len(data)), q.Password)
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	q.Warn = func(w fault.Text) { warnings = append(warnings, w.String()) }
	w := markdown.NewWriter(markdown.Window{})
	if err := d.Render(context.Background(), &q, w); err != nil {
		t.Fatal(err)
	}
	return string(w.Bytes()), warnings
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tokens returns the words of a text, without what directs its display.
func tokens(text string) []string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == 0x200c, r == 0x200d, r == 0xad, r == '\\':
			return -1
		case r >= 0x200e && r <= 0x200f, r >= 0x202a && r <= 0x202e:
			return ' '
		}
		return r
	}, norm.NFKC.String(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
}

// f1 compares two bags.
func f1(a, b []string) float64 {
	counts := map[string]int{}
	for _, s := range a {
		counts[s]++
	}
	both := 0
	for _, s := range b {
		if counts[s] > 0 {
			counts[s]--
			both++
		}
	}
	return 2 * float64(both) / float64(max(1, len(a)+len(b)))
}

// pairs returns each word with the next one.
func pairs(words []string) []string {
	var all []string
	for i := 1; i < len(words); i++ {
		all = append(all, words[i-1]+" "+words[i])
	}
	return all
}

// compare checks words, and their order by their neighbours.
func compare(t *testing.T, got, want string, words, order float64) {
	t.Helper()
	var kept []string
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(line, "## Page ") {
			kept = append(kept, line)
		}
	}
	a, b := tokens(strings.ReplaceAll(strings.Join(kept, ""), "(https://example.com/note)", "")), tokens(want)
	if w, o := f1(a, b), f1(pairs(a), pairs(b)); w < words || o < order {
		t.Errorf("words %.3f of %.3f, order %.3f of %.3f\n%s", w, words, o, order, got)
	}
}

// Files of several programs are read as others read them.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		name         string
		words, order float64
	}{
		{"chromium_columns", 0.99, 0.99},
		{"chromium_hebrew", 0.99, 0.99},
		{"chromium_arabic", 0.99, 0.99},
		{"chromium_mixed", 0.99, 0.99},
		{"libreoffice_report", 0.99, 0.95},
		{"libreoffice_rtl", 0.99, 0.99},
		{"libreoffice_sheet", 0.99, 0.85},
		{"libreoffice_slides", 0.99, 0.99},
		{"reportlab_columns", 0.99, 0.99},
		{"reportlab_cjk", 0.99, 0.99},
		{"fpdf_table", 0.99, 0.99},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := read(t, file(t, c.name+".pdf"), document.Request{})
			compare(t, got, string(file(t, c.name+".txt")), c.words, c.order)
		})
	}
}

// Where pdftotext is installed, it has the last word on files from left to right.
func TestPdftotext(t *testing.T) {
	pdftotext, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("no pdftotext")
	}
	for _, name := range []string{"chromium_columns", "libreoffice_report", "libreoffice_slides", "reportlab_columns", "fpdf_table"} {
		t.Run(name, func(t *testing.T) {
			want, err := exec.Command(pdftotext, "-enc", "UTF-8", filepath.Join("testdata", name+".pdf"), "-").Output()
			if err != nil {
				t.Fatal(err)
			}
			got, _ := read(t, file(t, name+".pdf"), document.Request{})
			compare(t, got, string(want), 0.95, 0.9)
		})
	}
}

// Columns are read one after the other, what spans them before and after, and headings,
// lists, raised figures and rows of tables are what they look like.
func TestMarkdown(t *testing.T) {
	for name, parts := range map[string][]string{
		"chromium_columns": {
			"## Page 1\n\n### Two Columns\n\nTypography is", "baffling difficulties in the\nworkflow were officially filed.",
			"### After the columns\n\nTypography", "E = mc2, H2O; see ", "1.\n",
		},
		"libreoffice_report": {
			"### Introduction", "- First point of the list\n- Second point, with more words in it than fit on one line of this page so that it\n  goes on below",
			"\n\nCell 0 0  Cell 0 1  Cell 0 2\nCell 1 0", "\nCell 3 0  Cell 3 1  Cell 3 2\n\n", "arranging type to make written\nlanguage legible", "Confidential footer\n",
		},
		"libreoffice_slides": {"## Page 1\n\n### Slide 0 title\n\n- Left one\n", "Left three\n", "Right three\n", "## Page 2"},
		"fpdf_table":         {"Привет мир, Ελληνικά, ąęłż\n", "r0 c0  r0 c1  r0 c2  r0 c3\nr1 c0", "r3 c3\n"},
		"chromium_hebrew":    {"(הוקמה בשנת 1925)", "כ-24,000", "כמו C++ ו-Python 3.11", "[עמ' 12-15],", "3.5% ברבעון הראשון, לעומת 2.1% ברבעון המקביל."},
		"chromium_arabic":    {"10 ملايين", "(شامل\nالضريبة)", "٣٫٥٪ في"},
		"chromium_mixed":     {"Born in תל אביב in 1975, she moved to القاهرة later."},
		"reportlab_cjk":      {"東京は日本の首都であり、", "位于华北平原的北部。", "臺北市是中華民國的首都", "940만 명이다.", "naïve\nαβχ", "Rotated text upwards here", "landscape by rotation\nand has two lines", "## Page 3\n"},
	} {
		got, _ := read(t, file(t, name+".pdf"), document.Request{})
		at := 0
		for _, part := range parts {
			i := strings.Index(got[at:], part)
			if i < 0 {
				t.Errorf("%s: %q is not where it should be in\n%s", name, part, got)
				break
			}
			at += i + len(part)
		}
	}
}

func TestInfo(t *testing.T) {
	data := file(t, "reportlab_columns.pdf")
	d, err := Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := d.Info(), (document.Info{Format: "pdf", Title: "Two Columns", Author: "Ann Author", Pages: 2}); got != want {
		t.Errorf("%+v", got)
	}
}

// The pages of a window are the same as in the whole, and what is not there is said.
func TestPages(t *testing.T) {
	data := file(t, "reportlab_cjk.pdf")
	all, warnings := read(t, data, document.Request{})
	if len(warnings) != 1 || !strings.Contains(warnings[0], "no_text_layer") || !strings.HasSuffix(warnings[0], ": 3") {
		t.Errorf("%q", warnings)
	}
	joined := ""
	for _, page := range []string{"1", "2", "3"} {
		one, _ := read(t, data, document.Request{Pages: page})
		joined = strings.TrimSuffix(joined+"\n"+one, "")
	}
	if strings.TrimPrefix(joined, "\n") != all {
		t.Errorf("%q\n%q", joined, all)
	}
	d, err := Open(bytes.NewReader(data), int64(len(data)), "")
	if err != nil {
		t.Fatal(err)
	}
	err = d.Render(context.Background(), &document.Request{Pages: "2-4,9"}, markdown.NewWriter(markdown.Window{}))
	if !fault.Is(err, fault.OutOfRange) || !strings.Contains(err.Error(), "has 3") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := d.Render(ctx, &document.Request{}, markdown.NewWriter(markdown.Window{})); err == nil {
		t.Error("went on after the end")
	}
}

// A file that was cut off still gives the pages that are there.
func TestTruncated(t *testing.T) {
	data := file(t, "reportlab_columns.pdf")
	whole, _ := read(t, data, document.Request{})
	cut, _ := read(t, data[:len(data)*4/5], document.Request{})
	if got := f1(tokens(cut), tokens(whole)); got < 0.5 {
		t.Errorf("%.3f\n%s", got, cut)
	}
}

// An encrypted file says the same as the one that it was made of, with its password.
func TestEncrypted(t *testing.T) {
	plain, _ := read(t, file(t, "../object/testdata/reportlab.pdf"), document.Request{})
	if len(tokens(plain)) < 5 {
		t.Fatalf("%q", plain)
	}
	for name, password := range map[string]string{"rc4-40": "", "rc4-128": "user", "aes-128": "owner", "aes-256": "user"} {
		data := file(t, "../object/testdata/"+name+".pdf")
		if got, warnings := read(t, data, document.Request{Password: password}); got != plain || len(warnings) != 0 {
			t.Errorf("%s: %q %q", name, got, warnings)
		}
	}
	data := file(t, "../object/testdata/aes-256.pdf")
	if _, err := Open(bytes.NewReader(data), int64(len(data)), "wrong"); !fault.Is(err, fault.EncryptedDocument) {
		t.Errorf("%v", err)
	}
}

func TestList(t *testing.T) {
	if got := list([]int{1, 2, 3, 5, 8, 9}); got != "1-3, 5, 8-9" {
		t.Error(got)
	}
	var many []int
	for i := range 100 {
		many = append(many, 2*i)
	}
	if got := list(many); !strings.HasSuffix(got, ", 38, …") {
		t.Error(got)
	}
}

// Whatever a file holds, reading it ends, and what it gives is text of bounded length.
func FuzzText(f *testing.F) {
	for _, name := range []string{"reportlab_columns.pdf", "reportlab_cjk.pdf", "libreoffice_slides.pdf"} {
		data := file(f, name)
		f.Add(data)
		f.Add(data[:len(data)/2])
		damaged := bytes.Clone(data)
		for i := 100; i < len(damaged); i += 501 {
			damaged[i] ^= 0x15
		}
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Open(bytes.NewReader(data), int64(len(data)), "")
		if err != nil {
			return
		}
		w := markdown.NewWriter(markdown.Window{Lines: 2000})
		err = d.Render(context.Background(), &document.Request{Pages: "1-3"}, w)
		if err != nil && fault.As(err) == nil {
			t.Errorf("%v is no fault", err)
		}
		if !utf8.Valid(w.Bytes()) {
			t.Error("not UTF-8")
		}
	})
}
