package object_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
	"github.com/helve-dev/helve/pkg/fault"
)

// Whatever is opened, every number may be asked for, and every stream be read.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"packed-linearized.pdf", "reportlab-updated.pdf", "aes-256.pdf", "rc4-128.pdf"} {
		data := read(f, name)
		f.Add(data)
		f.Add(data[:len(data)*2/3])
		damaged := append([]byte("From: junk\r\n"), data...)
		damaged[len(damaged)/2] ^= 0x55
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, data []byte) { exercise(t, data) })
}

// exercise reads all that a file holds, and returns how many of its pages have content.
func exercise(t testing.TB, data []byte) int {
	t.Helper()
	file, err := open(data, "user")
	if err != nil {
		if !fault.Is(err, fault.BadDocument) && !fault.Is(err, fault.EncryptedDocument) {
			t.Errorf("no fault of a document: %v", err)
		}
		return 0
	}
	pages := 0
	for num := range 300 {
		v := file.Resolve(object.Ref{Num: num})
		if _, ref := v.(object.Ref); ref {
			t.Errorf("object %d resolves to %v", num, v)
		}
		if s, ok := v.(*object.Stream); ok {
			if data, _, _ := file.Data(s); len(data) > 64<<20 { // what a damaged one still has
				t.Errorf("object %d: %d bytes", num, len(data))
			}
		}
		if d := file.Dict(v); file.Name(d["Type"]) == "Page" {
			if content, _, _ := file.Data(file.Stream(d["Contents"])); len(content) > 0 { // as above
				pages++
			}
		}
		file.Text(v)
	}
	return pages
}
