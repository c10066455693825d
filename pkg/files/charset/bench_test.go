package charset_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/helve-dev/helve/pkg/files/charset"
)

// Texts of the largest size that callers pass.
func BenchmarkGuess(b *testing.B) {
	const size = 256 << 10
	for _, name := range []string{"windows-1252", "windows-1251", "gbk", "shift_jis", "euc-kr"} {
		b.Run(name, func(b *testing.B) {
			enc, err := htmlindex.Get(name)
			if err != nil {
				b.Fatal(err)
			}
			for _, s := range samples {
				if strings.Contains(s.encodings, name) && s.language != "english" {
					raw, err := enc.NewEncoder().String(encodable(enc, s.text))
					if err != nil {
						b.Fatal(err)
					}
					benchmark(b, []byte(strings.Repeat(raw, size/len(raw)+1)[:size]))
					return
				}
			}
		})
	}
	b.Run("noise", func(b *testing.B) {
		raw := make([]byte, size)
		random := rand.NewChaCha8([32]byte{})
		if _, err := random.Read(raw); err != nil {
			b.Fatal(err)
		}
		benchmark(b, raw)
	})
}

func benchmark(b *testing.B, raw []byte) {
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		charset.Guess(raw)
	}
}
