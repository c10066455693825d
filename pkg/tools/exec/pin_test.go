package exec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
)

// A decision is bound to 200 files and directories, and to the sums of 64 MiB of
// them; of others, size and time count.
func TestPinLimits(t *testing.T) {
	call, dir := world(t, config.Exec{})
	argv := []string{"cat"}
	for i := range 205 {
		name := fmt.Sprintf("%03d.txt", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		argv = append(argv, name)
	}
	_, r := judged(t, call, Args{Argv: argv})
	if _, files, err := r.pin(t.Context()); err != nil || len(files) != 200 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for i, size := range []int64{64 << 20, 64<<20 + 1} {
		name := fmt.Sprintf("%d.large", i)
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		_, r := judged(t, call, Args{Argv: []string{"cat", name}})
		_, files, err := r.pin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Path == name && strings.Contains(f.SHA, " ") == (size <= 64<<20) {
				t.Errorf("%d bytes are pinned by %s", size, f.SHA)
			}
		}
	}
}
