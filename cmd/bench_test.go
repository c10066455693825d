package cmd_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
)

// BenchmarkCall measures a call without the start of its process.
func BenchmarkCall(b *testing.B) {
	b.Setenv("HELVE_HOME", b.TempDir())
	root := b.TempDir()
	b.Setenv("HELVE_ROOT", root)
	if err := os.WriteFile(filepath.Join(root, "small.txt"), []byte(strings.Repeat("a line of a small file\n", 20)), 0o644); err != nil {
		b.Fatal(err)
	}
	for _, args := range [][]string{{"version"}, {"time", "{}"}, {"ls", "{}"}, {"read", "small.txt"}} {
		b.Run(args[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var out bytes.Buffer
				if status := cmd.Main(args, strings.NewReader(""), &out, &out); status != 0 {
					b.Fatal(out.String())
				}
			}
		})
	}
}
