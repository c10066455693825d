package zstd

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	judge "github.com/klauspost/compress/zstd"
)

// BenchmarkUnpack compares with the library that is not linked, over a page of
// words and over a large file of them.
func BenchmarkUnpack(b *testing.B) {
	for name, size := range map[string]int{"page": 50 << 10, "file": 8 << 20} {
		content := text(rand.New(rand.NewPCG(3, 4)), size)
		packed := pack(b, content)
		run := func(unpacker string, unpack func(io.Reader) (int64, error)) {
			b.Run(name+"/"+unpacker, func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					if n, err := unpack(bytes.NewReader(packed)); n != int64(size) || err != nil {
						b.Fatal(n, err)
					}
				}
			})
		}
		run("helve", func(r io.Reader) (int64, error) { return io.Copy(io.Discard, NewReader(r, window)) })
		run("klauspost", func(r io.Reader) (int64, error) {
			d, err := judge.NewReader(r, judge.WithDecoderConcurrency(1), judge.WithDecoderLowmem(true))
			if err != nil {
				return 0, err
			}
			defer d.Close()
			return io.Copy(io.Discard, d)
		})
	}
}
