package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/helve-dev/helve/pkg/schema"
)

const deepPath = "one/two/three/four/file"

func benchRoot(b *testing.B, opener func(string, Options) (asked, error)) asked {
	b.Helper()
	ws, _ := workspaceDir(b)
	if err := os.MkdirAll(filepath.Join(ws, filepath.Dir(deepPath)), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(ws, deepPath), []byte("text"), 0o644); err != nil {
		b.Fatal(err)
	}
	r, err := opener(ws, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r.Close() })
	return r
}

// BenchmarkOpen opens and closes a file five levels down, beside package os.
func BenchmarkOpen(b *testing.B) {
	for mode, opener := range openers {
		b.Run(mode, func(b *testing.B) {
			r := benchRoot(b, opener)
			b.ReportAllocs()
			for b.Loop() {
				f, err := r.Open(deepPath)
				if err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
	b.Run("unconfined", func(b *testing.B) {
		name := filepath.Join(benchRoot(b, opened).Dir(), deepPath)
		b.ReportAllocs()
		for b.Loop() {
			f, err := os.Open(name)
			if err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	for mode, opener := range openers {
		b.Run(mode, func(b *testing.B) {
			r := benchRoot(b, opener)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Resolve(deepPath, schema.WritePath); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenRoot(b *testing.B) {
	dir := benchRoot(b, opened).Dir()
	b.ReportAllocs()
	for b.Loop() {
		r, err := opened(dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}
