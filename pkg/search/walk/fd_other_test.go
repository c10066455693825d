//go:build !linux

package walk_test

import (
	"testing"

	"github.com/helve-dev/helve/pkg/search/walk"
)

func all(t *testing.T, dir string) map[string]walk.Root {
	t.Helper()
	return map[string]walk.Root{"std": root(t, dir)}
}
