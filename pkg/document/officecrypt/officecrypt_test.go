package officecrypt

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/document/compound"
	"github.com/helve-dev/helve/pkg/fault"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func open(t testing.TB, name string) *compound.File {
	t.Helper()
	data := fixture(t, name)
	f, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPackages(t *testing.T) {
	for _, c := range []struct {
		name, password string
		same           bool // as plain.xlsx, byte by byte
	}{
		{"agile-sha512.xlsx", "Pässwörd", true},
		{"agile-sha384.xlsx", "secret", true},
		{"agile-sha256.xlsx", "secret", true},
		{"agile-sha1.xlsx", "secret", true},
		{"agile-default.xlsx", "", true},
		{"agile-default.xlsx", "whatever", true},
		{"standard-libreoffice.xlsx", "secret", false},
	} {
		f := open(t, c.name)
		r, size, err := Decrypt(f, c.password)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
		if err != nil || int64(len(data)) != size {
			t.Errorf("%s: %d of %d bytes, %v", c.name, len(data), size, err)
		}
		if c.same && !bytes.Equal(data, fixture(t, "plain.xlsx")) {
			t.Errorf("%s is not plain.xlsx", c.name)
		}
		if !zipIsWhole(r, size) {
			t.Errorf("%s: the package is not a whole ZIP file", c.name)
		}
	}
}

// zipIsWhole reports whether every entry of a ZIP file has its check sum.
func zipIsWhole(r io.ReaderAt, size int64) bool {
	z, err := zip.NewReader(r, size)
	if err != nil || len(z.File) == 0 {
		return false
	}
	for _, f := range z.File {
		e, err := f.Open()
		if err != nil {
			return false
		}
		if _, err := io.Copy(io.Discard, e); err != nil {
			return false
		}
	}
	return true
}

func TestReadAt(t *testing.T) {
	want := fixture(t, "plain.xlsx")
	r, size, err := Decrypt(open(t, "agile-sha1.xlsx"), "secret")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ at, n int }{{4090, 12}, {0, 1}, {17, 4000}, {int(size) - 3, 3}, {0, int(size)}} {
		got := make([]byte, c.n)
		if _, err := r.ReadAt(got, int64(c.at)); err != nil || !bytes.Equal(got, want[c.at:c.at+c.n]) {
			t.Errorf("ReadAt(%d, %d): %v", c.at, c.n, err)
		}
	}
	if n, err := r.ReadAt(make([]byte, 9), size-2); n != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %d, %v", n, err)
	}
}

func TestPasswords(t *testing.T) {
	for _, name := range []string{"agile-sha256.xlsx", "standard-libreoffice.xlsx"} {
		_, _, err := Decrypt(open(t, name), "")
		if !fault.Is(err, fault.EncryptedDocument) || !strings.Contains(fault.As(err).Hint.String(), "password") {
			t.Errorf("%s without a password: %v", name, err)
		}
		_, _, err = Decrypt(open(t, name), "Secret")
		if !fault.Is(err, fault.EncryptedDocument) || !strings.Contains(err.Error(), "wrong") {
			t.Errorf("%s with a wrong password: %v", name, err)
		}
	}
	for _, name := range []string{"rc4-libreoffice.xls", "cryptoapi-40.xls", "xor.xls"} {
		for _, password := range []string{"", "wrong"} {
			if _, _, err := records(t, name, password); !fault.Is(err, fault.EncryptedDocument) {
				t.Errorf("%s with %q: %v", name, password, err)
			}
		}
	}
}

func TestNotAPackage(t *testing.T) {
	if _, _, err := Decrypt(open(t, "xor.xls"), "secret"); !fault.Is(err, fault.BadDocument) {
		t.Error(err)
	}
}

// records decrypts the workbook stream of an .xls as a reader of it would.
func records(t testing.TB, name, password string) (stream []byte, encrypted bool, err error) {
	t.Helper()
	r, err := open(t, name).Open("Workbook")
	if err != nil {
		t.Fatal(err)
	}
	if stream, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	var c Records
	for at := 0; at+4 <= len(stream); {
		kind, size := binary.LittleEndian.Uint16(stream[at:]), int(binary.LittleEndian.Uint16(stream[at+2:]))
		at += 4
		data := stream[at:min(at+size, len(stream))]
		switch {
		case kind == 0x2F:
			if c, err = NewRecords(data, true, password); err != nil {
				return nil, true, err
			}
		case c != nil && kind != 0x809:
			c.Decrypt(data, int64(at))
		}
		at += size
	}
	return stream, c != nil, nil
}

func TestWorkbooks(t *testing.T) {
	for _, c := range []struct{ name, password, holds string }{
		{"rc4-libreoffice.xls", "secret", "A\x00r\x00i\x00a\x00l\x00"},
		{"rc4-default.xls", "", "A\x00r\x00i\x00a\x00l\x00"},
		{"cryptoapi-40.xls", "secret", "row 99 of the sheet"},
		{"cryptoapi-128.xls", "secret", strings.Repeat("x", 3000)},
		{"xor.xls", "secret", strings.Repeat("x", 3000)},
		{"xor-odd.xls", "fifteen letters", "row 99 of the sheet"},
	} {
		if bytes.Contains(fixture(t, c.name), []byte(c.holds)) {
			t.Errorf("%s holds %.20q as it is", c.name, c.holds)
		}
		stream, encrypted, err := records(t, c.name, c.password)
		if err != nil || !encrypted {
			t.Errorf("%s: encrypted %v, %v", c.name, encrypted, err)
			continue
		}
		if !bytes.Contains(stream, []byte(c.holds)) {
			t.Errorf("%s does not hold %.20q when it is decrypted", c.name, c.holds)
		}
	}
}

// TestWordDocument decrypts what LibreOffice wrote as a Word document, whose blocks
// have 512 bytes and whose header is in the table stream.
func TestWordDocument(t *testing.T) {
	f := open(t, "rc4-libreoffice.doc")
	var streams [2][]byte
	for i, name := range []string{"1Table", "WordDocument"} {
		r, err := f.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if streams[i], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	c, err := newRC4(streams[0][:52], "secret", 512)
	if err != nil {
		t.Fatal(err)
	}
	c.Decrypt(streams[1], 0)
	if !bytes.Contains(streams[1], []byte("L\x00e\x00t\x00")) && !bytes.Contains(streams[1], []byte("Let ")) {
		t.Error("the text is not in the decrypted document")
	}
}

// TestDamaged cuts and changes the description of the encryption.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"agile-sha256.xlsx", "standard-libreoffice.xlsx"} {
		data := fixture(t, name)
		for at := 0; at < len(data); at += 97 {
			changed := bytes.Clone(data)
			changed[at] ^= 0x15
			decryptAnything(t, changed)
		}
	}
	for n := range 60 {
		if _, err := NewRecords(make([]byte, n), true, "x"); err == nil {
			t.Errorf("%d zeros are a FILEPASS", n)
		}
	}
}

// decryptAnything holds that a failure has a meaning and that content is no longer
// than the file.
func decryptAnything(t *testing.T, data []byte) {
	f, err := compound.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return
	}
	r, size, err := Decrypt(f, "secret")
	if err != nil {
		if fault.As(err).Code == fault.Internal {
			t.Fatal(err)
		}
		return
	}
	if size > int64(len(data)) {
		t.Fatalf("%d bytes out of %d", size, len(data))
	}
	if n, err := io.Copy(io.Discard, io.NewSectionReader(r, 0, size)); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("%d of %d bytes: %v", n, size, err)
	}
}

func FuzzDecrypt(f *testing.F) {
	for _, name := range []string{"agile-sha256.xlsx", "standard-libreoffice.xlsx"} {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bytes.Contains(data, []byte(`spinCount="1000"`)) || !bytes.Contains(data, []byte("spinCount")) {
			decryptAnything(t, data)
		}
	})
}

func FuzzFilepass(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 3, 4}, true)
	for _, name := range []string{"rc4-libreoffice.xls", "cryptoapi-40.xls"} {
		stream := fixture(f, name)
		if at := bytes.Index(stream, []byte{0x2F, 0, 0x36, 0}); at > 0 {
			f.Add(stream[at+4:at+4+0x36], true)
		}
	}
	f.Fuzz(func(t *testing.T, filepass []byte, biff8 bool) {
		c, err := NewRecords(filepass, biff8, "secret")
		if err != nil {
			if code := fault.As(err).Code; code != fault.EncryptedDocument && code != fault.BadDocument {
				t.Fatal(err)
			}
			return
		}
		data := make([]byte, 3000)
		c.Decrypt(data, 1000)
		c.Decrypt(data, 5)
	})
}
