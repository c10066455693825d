package parse

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func BenchmarkDocument(b *testing.B) {
	texts := pages(b)
	bytes := 0
	for _, text := range texts {
		bytes += len(text)
	}
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range texts {
				Document(text, Limits{})
			}
		}
	})
	b.Run("xnet", func(b *testing.B) {
		b.SetBytes(int64(bytes))
		b.ReportAllocs()
		for b.Loop() {
			for _, text := range texts {
				if _, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false)); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
