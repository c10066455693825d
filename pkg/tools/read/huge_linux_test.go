package read

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// readBytes returns how many bytes the process has read so far.
func readBytes(t *testing.T) (n int) {
	t.Helper()
	io, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(io), "rchar: %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// sparse makes a file of a size that begins and ends with a text, and takes no more room
// than they.
func sparse(t *testing.T, call *tool.Call, name, head string, size int64, tail string) {
	t.Helper()
	root, err := call.Env.Root()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(root.Dir(), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(head); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(tail), size-int64(len(tail))); err != nil {
		t.Fatal(err)
	}
}

// The last lines of a large file cost no more than those of a small one and a seek.
func TestEndOfHugeFile(t *testing.T) {
	call, _ := world(t, map[string]string{"small": lines(100)})
	sparse(t, call, "huge.log", lines(100_000), 2<<30, lines(100_000)+"the\nlast\nlines\n")
	cost := func(path string) (Result, int) {
		before := readBytes(t)
		r, err := run(t.Context(), call, args(Args{Path: path, Offset: -3, Numbered: true}))
		if err != nil {
			t.Fatal(err)
		}
		return r, readBytes(t) - before
	}
	_, trivial := cost("small")
	r, n := cost("huge.log")
	if most := trivial + 256<<10; n > most {
		t.Errorf("%d bytes were read, of a small file %d", n, trivial)
	}
	text := render(r, screen.View{Lang: fault.English})
	if want := "-3|the\n-2|last\n-1|lines\n[lines -3 to -1]\n"; text != want || r.SHA != "" || r.TotalLines != nil || r.Bytes != 2<<30 || r.Truncated {
		t.Errorf("%q, %+v", text, r.Content)
	}
	if w := call.Warnings(); len(w) != 1 || !strings.Contains(w[0].In(fault.English), "the file has 2147483648 bytes") {
		t.Errorf("%v", w)
	}
}
