package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/archive"
	"github.com/helve-dev/helve/pkg/fault"
)

var mimes = map[archive.Format]string{
	archive.ZIP: "application/zip", archive.Tar: "application/x-tar", archive.TarGzip: "application/gzip", archive.TarBz2: "application/x-bzip2",
	archive.Gzip: "application/gzip", archive.Bzip2: "application/x-bzip2",
}

func open(t *testing.T, data []byte, f archive.Format, name string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(t.Context(), bytes.NewReader(data), int64(len(data)), mimes[f], name)
	if err != nil {
		t.Fatal(err)
	}
	if a.Format != f {
		t.Fatalf("the format is %s, want %s", a.Format, f)
	}
	return a
}

// TestPrograms reads what the programs that people have write.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"src/main.go": "package main\n", "src/a b.txt": "spaced\n", "src/文件.txt": "内容\n", "src/empty": ""} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("main.go", filepath.Join(dir, "src/link")); err != nil {
		t.Skip("no symbolic links")
	}
	for _, c := range []struct {
		format  archive.Format
		program string
		args    []string
	}{
		{archive.Tar, "tar", []string{"-cf", "x", "src"}},
		{archive.Tar, "tar", []string{"-cf", "x", "./src"}},
		{archive.Tar, "tar", []string{"--format=v7", "-cf", "x", "src"}},
		{archive.Tar, "tar", []string{"--format=ustar", "-cf", "x", "src"}},
		{archive.Tar, "tar", []string{"--format=pax", "-cf", "x", "src"}},
		{archive.TarGzip, "tar", []string{"-czf", "x", "src"}},
		{archive.TarBz2, "tar", []string{"-cjf", "x", "src"}},
		{archive.ZIP, "python3", []string{"-c", "import zipfile,os\nwith zipfile.ZipFile('x','w',zipfile.ZIP_DEFLATED) as z:\n for d,_,fs in os.walk('src'):\n  for f in fs:\n   if f!='link': z.write(os.path.join(d,f))"}},
		{archive.ZIP, "zip", []string{"-qry", "x.zip", "src"}},
	} {
		program, err := exec.LookPath(c.program)
		if err != nil {
			t.Logf("no %s", c.program)
			continue
		}
		out := filepath.Join(dir, "x")
		if c.program == "zip" {
			out += ".zip"
		}
		cmd := exec.CommandContext(t.Context(), program, c.args...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Logf("%s %q: %v: %s", c.program, c.args, err, text) // bzip2 may be missing
			continue
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		a := open(t, data, c.format, "x")
		l, err := a.List(t.Context())
		if err != nil || !l.Exact {
			t.Fatalf("%s %q: %v", c.program, c.args, err)
		}
		text := archive.Lines(l.Entries)
		for _, want := range []string{"13  20", "src/main.go\n", "src/a b.txt\n", "src/文件.txt\n", "src/empty\n"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s %q: no %q in\n%s", c.program, c.args, want, text)
			}
		}
		if c.program != "python3" {
			if !strings.Contains(text, "src/link -> main.go\n") {
				t.Errorf("%s %q: no link in\n%s", c.program, c.args, text)
			}
			if _, err := a.Read(t.Context(), "src/link"); !fault.Is(err, fault.NotAFile) {
				t.Errorf("%s %q: a link gave %v", c.program, c.args, err)
			}
		}
		for _, name := range []string{"src/文件.txt", "./src/文件.txt", "/src/文件.txt", `src\文件.txt`} {
			if m, err := a.Read(t.Context(), name); err != nil || string(m.Data) != "内容\n" {
				t.Errorf("%s %q: %s is %q, %v", c.program, c.args, name, m.Data, err)
			}
		}
		m, err := a.Read(t.Context(), "src")
		if err != nil || m.Listing == nil || len(m.Listing.Entries) < 4 {
			t.Errorf("%s %q: the directory is %+v, %v", c.program, c.args, m, err)
		}
		if _, err := a.Read(t.Context(), "src/mian.go"); !fault.Is(err, fault.NotFound) || !strings.Contains(fault.As(err).Hint.In(fault.English), "src/main.go") {
			t.Errorf("%s %q: a slip gave %v", c.program, c.args, err)
		}
	}
}

func zipOf(t testing.TB, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, "content of "+name)
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

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNames shows names that are no names of files, one a line.
func TestNames(t *testing.T) {
	a := open(t, zipOf(t, "../../etc/passwd", "/abs", "a\nb", "c\x1b[31m", "d"), archive.ZIP, "x.zip")
	l, err := a.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := archive.Lines(l.Entries)
	if n := strings.Count(text, "\n"); n != 5 || strings.Contains(text, "\x1b") {
		t.Errorf("%d lines: %q", n, text)
	}
	if m, err := a.Read(t.Context(), "../../etc/passwd"); err != nil || string(m.Data) != "content of ../../etc/passwd" {
		t.Errorf("a name that leads elsewhere gave %q, %v, want what the archive has", m.Data, err)
	}
}

// TestLegacyNames decodes names in the encodings that programs write without saying so.
func TestLegacyNames(t *testing.T) {
	for want, raw := range map[string]string{
		"报告/第一季度销售数据.txt":        "\xb1\xa8\xb8\xe6/\xb5\xda\xd2\xbb\xbc\xbe\xb6\xc8\xcf\xfa\xca\xdb\xca\xfd\xbe\xdd.txt", // GBK
		"Übersicht für März.txt": "\x9abersicht f\x81r M\x84rz.txt",                                                       // code page 437
	} {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		if _, err := w.CreateHeader(&zip.FileHeader{Name: raw, NonUTF8: true}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		l, err := open(t, b.Bytes(), archive.ZIP, "x.zip").List(t.Context())
		if err != nil || len(l.Entries) != 1 || l.Entries[0].Name != want {
			t.Errorf("%+v, %v, want %s", l.Entries, err, want)
		}
	}
}

// TestNested follows a name into an archive that is a member.
func TestNested(t *testing.T) {
	inner := zipOf(t, "dir/a.txt")
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("in.zip")
	if err == nil {
		_, err = f.Write(inner)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := open(t, b.Bytes(), archive.ZIP, "x.zip").Read(t.Context(), "in.zip/dir/a.txt")
	if err != nil || m.Name != "in.zip" || m.Rest != "dir/a.txt" || !bytes.Equal(m.Data, inner) {
		t.Errorf("%s, %s, %v", m.Name, m.Rest, err)
	}
}

// TestAgain reads the last of several members with one name, as tar unpacks them.
func TestAgain(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, content := range []string{"first", "second"} {
		err := w.WriteHeader(&tar.Header{Name: "a", Mode: 0o600, Size: int64(len(content))})
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if m, err := open(t, b.Bytes(), archive.Tar, "x.tar").Read(t.Context(), "a"); string(m.Data) != "second" {
		t.Errorf("%q, %v", m.Data, err)
	}
}

// TestAlone reads files that are compressed alone, also what is there of one that is cut.
func TestAlone(t *testing.T) {
	text := strings.Repeat("a line of a log\n", 1000)
	whole := gzipped(t, []byte(text))
	a := open(t, whole, archive.Gzip, "logs/app.log.gz")
	if m, err := a.Read(t.Context(), ""); a.Name != "app.log" || string(m.Data) != text {
		t.Errorf("%s: %d bytes, %v", a.Name, len(m.Data), err)
	}
	for _, bad := range [][]byte{whole[:len(whole)-4], whole[:len(whole)/2]} {
		m, err := open(t, bad, archive.Gzip, "app.log.gz").Read(t.Context(), "")
		if !fault.Is(err, fault.BadDocument) || len(m.Data) == 0 || !strings.HasPrefix(text, string(m.Data)) {
			t.Errorf("of one that is cut: %d bytes, %v", len(m.Data), err)
		}
	}
	empty := gzipped(t, nil)
	if m, err := open(t, empty, archive.Gzip, "e.gz").Read(t.Context(), ""); err != nil || len(m.Data) != 0 {
		t.Errorf("an empty one: %q, %v", m.Data, err)
	}
}

// TestHostile opens what claims to be more than it is.
func TestHostile(t *testing.T) {
	honest := zipOf(t, "a", "b")
	end := bytes.LastIndex(honest, []byte("PK\x05\x06"))
	claim := func(offset int, v uint32) []byte {
		b := bytes.Clone(honest)
		binary.LittleEndian.PutUint32(b[end+offset:], v)
		return b
	}
	for name, data := range map[string][]byte{
		"empty": nil, "no directory": []byte("PK\x03\x04"), "cut": honest[:end+5], "directory of 2 GB": claim(12, 2<<30),
		"all signatures": bytes.Repeat([]byte("PK\x05\x06"), 20_000),
	} {
		_, err := archive.Open(t.Context(), bytes.NewReader(data), int64(len(data)), "application/zip", "x.zip")
		if !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %v, want bad_document", name, err)
		}
	}
	bomb := gzipped(t, make([]byte, archive.MemberBytes+1))
	if _, err := open(t, bomb, archive.Gzip, "bomb.gz").Read(t.Context(), ""); !fault.Is(err, fault.TooLarge) {
		t.Errorf("a bomb: %v, want too_large", err)
	}
	var huge bytes.Buffer
	if err := tar.NewWriter(&huge).WriteHeader(&tar.Header{Name: "huge", Size: math.MaxInt64}); err != nil {
		t.Fatal(err)
	}
	a := open(t, huge.Bytes(), archive.Tar, "x.tar")
	if l, err := a.List(t.Context()); len(l.Entries) != 1 {
		t.Errorf("a huge member: %+v, %v", l, err)
	}
	if _, err := a.Read(t.Context(), "huge"); !fault.Is(err, fault.TooLarge) {
		t.Errorf("a huge member: %v, want too_large", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.List(ctx); err == nil {
		t.Error("a canceled context was not noticed")
	}
}

// TestTooOften stops where an archive has one name again and again.
func TestTooOften(t *testing.T) {
	const size = 1 << 20
	one := tarOf(t, "a", make([]byte, size))
	one = one[:len(one)-1024] // without its end
	a, err := archive.Open(t.Context(), repeated(one), int64(len(one))*((1<<30)/size+2), "application/x-tar", "x.tar")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Read(t.Context(), "a"); !fault.Is(err, fault.TooLarge) {
		t.Errorf("%v, want too_large", err)
	}
}

// repeated is a file that has the same bytes again and again.
type repeated []byte

func (r repeated) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		n += copy(p[n:], r[(at+int64(n))%int64(len(r)):])
	}
	return n, nil
}

// TestLongNames lists no more than fits of entries with very long names.
func TestLongNames(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range 40 {
		if err := w.WriteHeader(&tar.Header{Name: strings.Repeat(fmt.Sprint(i%10), 900<<10), Format: tar.FormatPAX}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := open(t, b.Bytes(), archive.Tar, "x.tar").List(t.Context())
	if err != nil || l.Exact || len(l.Entries) > 20 {
		t.Errorf("%d entries, exact %v, %v", len(l.Entries), l.Exact, err)
	}
}

func tarOf(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))})
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestDamaged lists what is there of a tar archive that ends early.
func TestDamaged(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range 3 {
		err := w.WriteHeader(&tar.Header{Name: fmt.Sprint(i), Size: 2000})
		if err == nil {
			_, err = w.Write(make([]byte, 2000))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	whole := b.Bytes()
	l, err := open(t, whole[:4000], archive.Tar, "x.tar").List(t.Context())
	if len(l.Entries) != 2 || !fault.Is(err, fault.BadDocument) {
		t.Errorf("%+v, %v", l, err)
	}
}

func FuzzArchive(f *testing.F) {
	f.Add(zipOf(f, "a", "b/c"), "a")
	f.Add(gzipped(f, []byte("text")), "")
	f.Add(gzipped(f, make([]byte, 1024)), "")
	f.Add(append([]byte("a.txt"), make([]byte, 1019)...), "a.txt")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		for _, mime := range []string{"application/zip", "application/x-tar", "application/gzip", "application/x-bzip2"} {
			a, err := archive.Open(t.Context(), bytes.NewReader(data), int64(len(data)), mime, "x.gz")
			if err != nil {
				continue
			}
			l, _ := a.List(t.Context())
			if text := archive.Lines(l.Entries); strings.Count(text, "\n") != len(l.Entries) {
				t.Errorf("%d entries as %q", len(l.Entries), text)
			}
			if m, err := a.Read(t.Context(), name); err == nil && len(m.Data) > archive.MemberBytes {
				t.Errorf("%d bytes", len(m.Data))
			}
		}
	})
}
