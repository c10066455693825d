package cmd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
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

// The sums of all packages but those of the libraries below.
const (
	sumBytes  = 128 << 10 // 35 KiB of it are net/http with TLS
	sumAllocs = 700       // a tool takes some 5
)

// library are the packages that only the libraries of MCP and NATS bring, by name, so that
// no other one hides among them. All are initialised for calls that have nothing to do
// with either, which only their authors can change.
var library = map[string]struct {
	bytes, allocs int
	reason        string
}{
	"encoding/base32": {1 << 10, 5, "two encodings, of keys of NATS"},
	"encoding/gob":    {28 << 10, 375, "the basic types of the format; the library's cursors are in it"},
	"github.com/google/jsonschema-go/jsonschema":                 {80 << 10, 300, "the fields of a schema, found by reflection, and a regular expression"},
	"github.com/klauspost/compress/flate":                        {27 << 10, 20, "the fixed codes of the compression of web sockets"},
	"github.com/modelcontextprotocol/go-sdk/internal/json":       {1 << 10, 10, "an error"},
	"github.com/modelcontextprotocol/go-sdk/internal/jsonrpc2":   {1 << 10, 10, "errors"},
	"github.com/modelcontextprotocol/go-sdk/internal/mcpgodebug": {4 << 10, 10, "the environment, which the first that looks at it copies"},
	"github.com/modelcontextprotocol/go-sdk/internal/util":       {1 << 10, 10, "a range of addresses"},
	"github.com/modelcontextprotocol/go-sdk/mcp":                 {8 << 10, 190, "the tables of methods"},
	"github.com/modelcontextprotocol/go-sdk/oauthex":             {4 << 10, 30, "a copy of the default transport"},
	"github.com/nats-io/nats%2ego":                               {24 << 10, 250, "six regular expressions, of which the store uses one, and errors"},
	"github.com/nats-io/nkeys":                                   {13 << 10, 100, "a regular expression, a table of checksums and an encoding"},
	"github.com/nats-io/nuid":                                    {2 << 10, 25, "the generator of inboxes' names, drawn at random with numbers of several lengths"},
	"github.com/segmentio/asm/base64":                            {3 << 10, 15, "four encodings"},
	"github.com/segmentio/asm/cpu":                               {1 << 10, 10, "what the processor can do"},
	"github.com/segmentio/encoding/json":                         {1 << 10, 10, "the order of bytes"},
	"golang.org/x/sys/cpu":                                       {2 << 10, 10, "what the processor can do"},
}

// The sums of these.
const (
	librarySumBytes  = 190 << 10
	librarySumAllocs = 1270
)

func TestStartup(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary")
	}
	binary := filepath.Join(t.TempDir(), "helve.exe")
	if out, err := cmdtest.Build(binary, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(binary, "version")
	c.Env = []string{"GODEBUG=inittrace=1", "HELVE_HOME=" + t.TempDir()} // a small one, as its copy counts
	var trace strings.Builder
	c.Stderr = &trace
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	packages, bytes, allocs := 0, 0, 0
	libraryBytes, libraryAllocs := 0, 0
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
		most, moreAllocs := initBytes, initAllocs
		if l, ok := library[name]; ok {
			most, moreAllocs = l.bytes, l.allocs
			libraryBytes, libraryAllocs = libraryBytes+b, libraryAllocs+n
		} else {
			packages, bytes, allocs = packages+1, bytes+b, allocs+n
			if h, ok := heavy[name]; ok {
				most, moreAllocs = h.bytes, h.allocs
			}
		}
		if b > most || n > moreAllocs {
			t.Errorf("%s: init takes %d bytes in %d allocations; at most %d in %d, or a reasoned entry in heavy", name, b, n, most, moreAllocs)
		}
	}
	t.Logf("%d packages, %d bytes, %d allocations; the libraries %d bytes, %d allocations", packages, bytes, allocs, libraryBytes, libraryAllocs)
	if packages < 10 || bytes > sumBytes || allocs > sumAllocs {
		t.Errorf("%d packages: in sum %d bytes in %d allocations; at most %d in %d", packages, bytes, allocs, sumBytes, sumAllocs)
	}
	if libraryBytes > librarySumBytes || libraryAllocs > librarySumAllocs {
		t.Errorf("the libraries: in sum %d bytes in %d allocations; at most %d in %d", libraryBytes, libraryAllocs, librarySumBytes, librarySumAllocs)
	}
}

// TestCallAllocations limits what a call that does almost nothing allocates after
// the start, with the command tree, the settings and the records of the call.
func TestCallAllocations(t *testing.T) {
	t.Setenv("HELVE_HOME", t.TempDir())
	root := t.TempDir()
	t.Setenv("HELVE_ROOT", root)
	if err := os.WriteFile(filepath.Join(root, "small.txt"), []byte(strings.Repeat("a line of a small file\n", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		most float64
	}{
		{[]string{"time"}, 500},
		{[]string{"read", "small.txt"}, 900},
	} {
		got := testing.AllocsPerRun(10, func() {
			var out bytes.Buffer
			if status := cmd.Main(c.args, strings.NewReader(""), &out, &out); status != 0 {
				t.Fatal(out.String())
			}
		})
		if t.Logf("%q: %v allocations", c.args, got); got > c.most {
			t.Errorf("%q takes %v allocations; at most %v", c.args, got, c.most)
		}
	}
}
