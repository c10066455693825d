//go:build unix

package journal

import (
	"context"
	"syscall"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

func TestPipesAreLeftAlone(t *testing.T) {
	b := populate(t, nil)
	check(t, syscall.Mkfifo(b.path("pipe"), 0o600))
	for _, c := range []Change{
		write("pipe", "x"),
		{Op: Delete, Path: "pipe"},
		{Op: Move, From: "pipe", Path: "x"},
		{Op: Move, From: "a", Path: "pipe", Overwrite: true},
		{Op: Chmod, Path: "pipe", Mode: 0o644},
	} {
		_, err := b.Apply(context.Background(), "test", "s", c)
		wantCode(t, err, fault.NotAFile)
	}
}
