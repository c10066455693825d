package zipped

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// All entries but the replaced ones keep their packed bytes, their order and their times.
func TestRewrite(t *testing.T) {
	file := packed(t, func(w *zip.Writer) {
		if err := w.SetComment("a comment"); err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"first", "Second.xml", "third", "last"} {
			method := zip.Deflate
			if i == 0 {
				method = zip.Store
			}
			f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: time.Date(2020, 1, 1+i, 3, 4, 6, 0, time.UTC)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, strings.Repeat(name, 100)); err != nil {
				t.Fatal(err)
			}
		}
	})
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	var out bytes.Buffer
	err := Rewrite(&out, file, file.Size(), []NewPart{{"second.XML", text("new")}, {"third", nil}, {"absent", nil}, {"added", text("more")}})
	if err != nil {
		t.Fatal(err)
	}
	before, err := zip.NewReader(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	after, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for _, f := range after.File {
		names += f.Name + " "
	}
	if names != "first Second.xml last added " || after.Comment != "a comment" {
		t.Error(names, after.Comment)
	}
	raw := func(f *zip.File) string {
		r, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for i, k := range []int{0, 1, 3} {
		f, g := before.File[k], after.File[i]
		if f.ModifiedTime != g.ModifiedTime || f.ModifiedDate != g.ModifiedDate || !f.Modified.Equal(g.Modified) || k != 1 && raw(f) != raw(g) {
			t.Errorf("%s: %+v is %+v", f.Name, f.FileHeader, g.FileHeader)
		}
	}
	p, err := OpenPackage(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := p.Read("second.xml"); string(b) != "new" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	// A package without a directory is read, but not written, and an error of a part ends it.
	cut := bytes.NewReader(out.Bytes()[:out.Len()-30])
	if err := Rewrite(io.Discard, cut, cut.Size(), nil); !fault.Is(err, fault.BadDocument) {
		t.Error(err)
	}
	failed := errors.New("failed")
	if err := Rewrite(io.Discard, file, file.Size(), []NewPart{{"first", func(io.Writer) error { return failed }}}); !errors.Is(err, failed) {
		t.Error(err)
	}
}

// FuzzRewrite copies packages of any bytes: the copy has the same parts.
func FuzzRewrite(f *testing.F) {
	f.Add([]byte("PK\x05\x06"))
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if e, err := w.Create("x"); err != nil || w.Close() != nil || e == nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, raw []byte) {
		var out bytes.Buffer
		file := bytes.NewReader(raw)
		if Rewrite(&out, file, file.Size(), nil) != nil {
			return
		}
		before, err := OpenPackage(file, file.Size())
		if err != nil {
			return // names that are equal but for their case
		}
		after, err := OpenPackage(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil || strings.Join(before.Names(), "\n") != strings.Join(after.Names(), "\n") {
			t.Fatalf("%q, %v", before.Names(), err)
		}
	})
}
