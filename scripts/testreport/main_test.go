package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What `go test -json` itself says of these packages is the input.
var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26.0\n",
	"good/good_test.go": `package good
import "testing"
func TestPass(t *testing.T) { t.Log("nobody reads this") }
func TestJudged(t *testing.T) { for _, s := range []string{"a", "b"} { t.Run(s, func(t *testing.T) { t.Skip("no pandoc") }) } }
func TestElsewhere(t *testing.T) { t.Skip("no answer on a Sunday") }
`,
	"bad/bad_test.go": `package bad
import "testing"
func TestFail(t *testing.T) { t.Error("read this") }
`,
	"dead/dead_test.go": `package dead
import "os"
import "testing"
func TestMain(*testing.M) { println("gone before the first test"); os.Exit(3) }
`,
	"late/late_test.go": `package late
import "os"
import "testing"
func TestPass(t *testing.T) {}
func TestExit(t *testing.T) { t.Parallel(); println("gone in the last test"); os.Exit(3) }
`,
	"broken/broken_test.go": "package broken\n\nvar x int = \"not a number\"\n",
	"empty/empty.go":        "package empty\n",
}

func TestReport(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		pkg             string
		passed, failed  int
		missing         string
		contains, lacks string
		ended           string // how the line of the package ends
	}{
		{"./good", 2, 0, "pandoc 2\n", "TestElsewhere skipped: no answer on a Sunday", "nobody reads this", "2 tests passed, 0 failed, 3 skipped"},
		{"./bad", 0, 1, "", "read this", "", "0 tests passed, 1 failed, 0 skipped"},
		{"./dead", 0, 1, "", "gone before the first test", "", "0 tests passed, 0 failed, 0 skipped"},
		{"./late", 1, 1, "", "TestExit\n", "", "1 tests passed, 0 failed, 0 skipped"},
		{"./broken", 0, 1, "", "not a number", "", "0 tests passed, 0 failed, 0 skipped"},
		{"./empty", 0, 0, "", "0 tests passed, 0 failed, 0 skipped", "TestMain", ""},
	}
	for _, tt := range tests {
		t.Run(filepath.Base(tt.pkg), func(t *testing.T) {
			c := exec.CommandContext(t.Context(), "go", "test", "-json", tt.pkg)
			c.Dir = dir
			c.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
			events, err := c.Output()
			if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
				t.Fatal(err)
			}
			var ended strings.Builder
			r := newReport(&ended)
			if err := r.read(strings.NewReader(string(events))); err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(r.passed, r.failed, r.missing())
			if diff := cmp.Diff(fmt.Sprint(tt.passed, tt.failed, tt.missing), got); diff != "" {
				t.Errorf("passed, failed, missing (-want +got):\n%s", diff)
			}
			if line := strings.TrimSpace(ended.String()); !strings.HasSuffix(line, tt.ended) || (line == "") != (tt.ended == "") || strings.Contains(line, "\n") {
				t.Errorf("the package ended with %q, want %q", line, tt.ended)
			}
			text := r.String()
			if !strings.Contains(text, tt.contains) || tt.lacks != "" && strings.Contains(text, tt.lacks) {
				t.Errorf("want %q and not %q in:\n%s", tt.contains, tt.lacks, text)
			}
		})
	}
}
