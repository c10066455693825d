package state

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// noise is bytes that cannot be compressed.
func noise(n int) []byte {
	data := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	if _, err := r.Read(data); err != nil {
		panic(err) // it never fails
	}
	return data
}

func TestBlobs(t *testing.T) {
	tests := map[string][]byte{
		"empty":     {},
		"small":     []byte("hello"),
		"plain":     bytes.Repeat([]byte("a"), 4<<10),
		"text":      bytes.Repeat([]byte("some text\n"), 10_000),
		"noise":     noise(100 << 10),
		"two sizes": append(noise(3<<20), make([]byte, 3<<20)...),
	}
	d := fresh(t, Options{})
	for name, data := range tests {
		sum := sha256.Sum256(data)
		want := hex.EncodeToString(sum[:])
		for _, durable := range []bool{false, true, true, false} {
			if sha := must[string](t)(d.PutBlob(data, durable)); sha != want {
				t.Fatalf("%s: hash %s, want %s", name, sha, want)
			}
			if got := must[[]byte](t)(d.Blob(want)); !bytes.Equal(got, data) {
				t.Fatalf("%s: %d bytes back", name, len(got))
			}
		}
		if n := must[int64](t)(d.BlobBytes(want)); name == "plain" && n != 4<<10 {
			t.Errorf("%d bytes were compressed to %d", len(data), n)
		}
		if n := must[int64](t)(d.BlobBytes(want)); name == "text" && n > int64(len(data))/10 {
			t.Errorf("%d bytes of text take %d", len(data), n)
		}
	}
}

// fileOf returns the name of the file of a blob.
func fileOf(t *testing.T, d *Dir, sha string) string {
	t.Helper()
	for _, name := range forms(sha) {
		if _, err := os.Lstat(at(t, d, name)); err == nil {
			return name
		}
	}
	t.Fatalf("no blob %s", sha)
	return ""
}

func TestBlobIsWrittenOnce(t *testing.T) {
	d := fresh(t, Options{})
	for _, data := range [][]byte{[]byte("x"), noise(10 << 10)} {
		sha := must[string](t)(d.PutBlob(data, true))
		name := fileOf(t, d, sha)
		first := must[fs.FileInfo](t)(os.Lstat(at(t, d, name)))
		must[string](t)(d.PutBlob(data, true))
		second := must[fs.FileInfo](t)(os.Lstat(at(t, d, name)))
		if !os.SameFile(first, second) || !first.ModTime().Equal(second.ModTime()) {
			t.Errorf("%d bytes were written again", len(data))
		}
	}
}

func TestDamagedBlob(t *testing.T) {
	for name, data := range map[string][]byte{"plain": []byte("hello"), "compressed": noise(10 << 10)} {
		t.Run(name, func(t *testing.T) {
			d := fresh(t, Options{})
			sha := must[string](t)(d.PutBlob(data, true))
			file := fileOf(t, d, sha)
			whole := must[[]byte](t)(os.ReadFile(at(t, d, file)))
			flipped := bytes.Clone(whole)
			flipped[len(flipped)/2] ^= 1
			for kind, bad := range map[string][]byte{
				"empty": {}, "cut": whole[:len(whole)-1], "flipped": flipped, "longer": append(bytes.Clone(whole), 'x'),
			} {
				check(t, os.WriteFile(at(t, d, file), bad, 0o600))
				if got, err := d.Blob(sha); !fault.Is(err, fault.IOError) || got != nil {
					t.Errorf("%s: %d bytes, %v", kind, len(got), err)
				}
				// Putting what is to last mends it.
				must[string](t)(d.PutBlob(data, true))
				if got := must[[]byte](t)(d.Blob(sha)); !bytes.Equal(got, data) {
					t.Errorf("%s: not mended", kind)
				}
			}
		})
	}
}

func TestNoBlob(t *testing.T) {
	d := fresh(t, Options{})
	sum := sha256.Sum256([]byte("never put"))
	if _, err := d.Blob(hex.EncodeToString(sum[:])); !fault.Is(err, fault.NotFound) {
		t.Errorf("absent: %v", err)
	}
	for _, sha := range []string{"", "x", "../../../etc/passwd", "ABC", string(make([]byte, 64))} {
		if _, err := d.Blob(sha); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %v", sha, err)
		}
	}
	if _, err := d.PutBlob(make([]byte, 32<<20+1), false); !fault.Is(err, fault.TooLarge) {
		t.Errorf("too large: %v", err)
	}
}

// A blob of any size is compressed and read with a few megabytes beside it.
func TestBlobMemory(t *testing.T) {
	d := fresh(t, Options{})
	data := noise(30 << 20)
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	var sha string
	if n := allocated(func() { sha = must[string](t)(d.PutBlob(data, false)) }); n > 12<<20 {
		t.Errorf("putting 30 MiB allocated %d MiB", n>>20)
	}
	p := must[*opened](t)(d.use())
	name := fileOf(t, d, sha)
	f := must[*os.File](t)(p.dir.Open(name))
	defer f.Close()
	buffer := make([]byte, 1<<20)
	if n := allocated(func() {
		in := flate.NewReader(f)
		total := 0
		for {
			n, err := in.Read(buffer)
			if total += n; err != nil {
				break
			}
		}
		if total != len(data) {
			t.Errorf("read %d bytes", total)
		}
	}); n > 12<<20 {
		t.Errorf("reading 30 MiB allocated %d MiB", n>>20)
	}
}

func FuzzExpand(f *testing.F) {
	var c codec
	var out bytes.Buffer
	if err := c.compress(&out, bytes.Repeat([]byte("seed"), 1000)); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := c.expand(bytes.NewReader(data))
		if err == nil && len(got) > MaxBlob+1 {
			t.Errorf("%d bytes from %d", len(got), len(data))
		}
	})
}
