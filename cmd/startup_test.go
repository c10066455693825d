package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every call pays for the initialisation of every package. Bytes and allocations
// repeat to 0.1 %, unlike times, so they are what is limited.
const (
	initBytes  = 8 << 10 // of one package that has no entry below
	initAllocs = 60
)

// heavy are the packages that may take more, each with its reason.
var heavy = map[string]struct {
	bytes, allocs int
	reason        string
}{
	"encoding/xml":            {20 << 10, 10, "the entities of HTML, which the library keeps as a map; edits of XML files are checked"},
	"mvdan.cc/sh/v3/fileutil": {16 << 10, 120, "two regular expressions that come with the shell's grammar"},
	"unicode":                 {16 << 10, 30, "the standard library's tables of categories and scripts, made by Go itself"},
}

const (
	sumBytes  = 128 << 10 // 35 KiB of it are net/http with TLS
	sumAllocs = 900       // a tool takes some 17
)

func TestStartup(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	binary := filepath.Join(t.TempDir(), "helve.exe")
	if out, err := exec.Command("go", "build", "-trimpath", "-o", binary, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(binary, "version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	c.Stderr = &trace
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	packages, bytes, allocs := 0, 0, 0
	for line := range strings.Lines(trace.String()) {
		// init NAME @0.5 ms, 0.01 ms clock, 1024 bytes, 3 allocs
		name, rest, ok := strings.Cut(strings.TrimPrefix(line, "init "), " @")
		if !ok {
			continue
		}
		var at, clock float64
		var b, n int
		if _, err := fmt.Sscanf(rest, "%f ms, %f ms clock, %d bytes, %d allocs", &at, &clock, &b, &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		packages, bytes, allocs = packages+1, bytes+b, allocs+n
		most, moreAllocs := initBytes, initAllocs
		if h, ok := heavy[name]; ok {
			most, moreAllocs = h.bytes, h.allocs
		}
		if b > most || n > moreAllocs {
			t.Errorf("%s: init takes %d bytes in %d allocations; at most %d in %d, or a reasoned entry in heavy", name, b, n, most, moreAllocs)
		}
	}
	t.Logf("%d packages, %d bytes, %d allocations", packages, bytes, allocs)
	if packages < 10 || bytes > sumBytes || allocs > sumAllocs {
		t.Errorf("%d packages: in sum %d bytes in %d allocations; at most %d in %d", packages, bytes, allocs, sumBytes, sumAllocs)
	}
}
