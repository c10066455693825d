package cmd_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
)

// BenchmarkCall is a whole call without the start of its process.
func BenchmarkCall(b *testing.B) {
	b.Setenv("HELVE_HOME", b.TempDir())
	b.Setenv("HELVE_ROOT", b.TempDir())
	for _, args := range [][]string{{"version"}, {"time", "{}"}, {"ls", "{}"}} {
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
