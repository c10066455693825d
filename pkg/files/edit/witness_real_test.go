package edit

import (
	"errors"
	"go/format"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// sources returns Go files of the standard library as gofmt leaves them.
func sources(t *testing.T) (all []string) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no go")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"strings", "strconv", "text/template", "net/url", "encoding/json"} {
		names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", filepath.FromSlash(dir), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if src, err = format.Source(src); err == nil && len(src) < 40<<10 {
				all = append(all, string(src))
			}
		}
	}
	if len(all) < 20 {
		t.Skip("no Go source tree")
	}
	return all
}

// In real sources, a block that was read and has changed is not looked for in its
// twins, wherever they are.
func TestNoTwinIsWritten(t *testing.T) {
	refused, landed := 0, 0
	for _, src := range sources(t) {
		lines := strings.SplitAfter(src, "\n")
		for size := 1; size <= 4; size++ {
			first := map[string]int{}
			twins := 0
			for i := 0; i+size <= len(lines) && twins < 6; i++ {
				block := strings.Join(lines[i:i+size], "")
				at, twice := first[block]
				if !twice {
					first[block] = i
				}
				if !twice || at+size > i || !Telling(block) || strings.Count(src, block) != 2 {
					continue
				}
				twins++
				changed := strings.Join(lines[:at], "") + "\tchanged()\n" + strings.Join(lines[at+1:], "")
				for _, read := range [][]shown.Lines{nil, {{Start: max(1, at-5), End: at + size + 1}}} {
					_, err := Apply(changed, []Edit{{Old: block, New: "\tnew()\n"}}, Options{Path: "a.go", Shown: []shown.Version{{Text: src, Lines: read}}})
					switch {
					case err == nil:
						t.Errorf("the twin at line %d of line %d was written:\n%s", i+1, at+1, block)
					case fault.Is(err, fault.Stale), fault.Is(err, fault.TextAmbiguous):
						refused++
					default:
						t.Errorf("line %d: %v", at+1, err)
					}
				}
				// The other way round: the twin has changed, and only this one was read.
				changed = strings.Join(lines[:i], "") + "\tchanged()\n" + strings.Join(lines[i+1:], "")
				r, err := Apply(changed, []Edit{{Old: block, New: "\tnew()\n"}}, Options{Path: "a.go", Shown: []shown.Version{{Text: src, Lines: []shown.Lines{{Start: max(1, at-5), End: at + size + 1}}}}})
				switch {
				case fault.Is(err, fault.Stale):
					t.Errorf("line %d: %v", at+1, err)
				case err == nil && r.Edits[0].Old.Start != at+1:
					t.Errorf("line %d is edited at %d", at+1, r.Edits[0].Old.Start)
				case err == nil:
					landed++
				}
			}
		}
	}
	t.Logf("%d refused, %d landed", refused, landed)
	if refused < 200 || landed < 100 {
		t.Errorf("%d were refused and %d landed: the test says little", refused, landed)
	}
}

// After gofmt, what the file has is not stale, though another layout was read.
func TestNotStaleAfterGofmt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	landed := 0
	for _, now := range sources(t) {
		read := strings.NewReplacer("\t", "  ", " := ", ":=", " = ", "=", "{\n", "{\n\n", ", ", ",").Replace(now)
		lines := strings.SplitAfter(now, "\n")
		for range 8 {
			at := r.IntN(len(lines))
			block := strings.Join(lines[at:min(len(lines), at+1+r.IntN(5))], "")
			if strings.TrimSpace(block) == "" || strings.Count(now, block) != 1 {
				continue
			}
			res, err := Apply(now, []Edit{{Old: block, New: "x()\n"}}, Options{Path: "a.go", Shown: []shown.Version{{Text: read}}})
			switch {
			case fault.Is(err, fault.TextAmbiguous): // it overlaps itself
			case err != nil:
				t.Errorf("line %d: %v\n%s", at+1, err, block)
			case res.Edits[0].Old.Start != at+1:
				t.Errorf("line %d is edited at %d", at+1, res.Edits[0].Old.Start)
			default:
				landed++
			}
		}
	}
	t.Logf("%d landed", landed)
	if landed < 100 {
		t.Errorf("only %d landed: the test says little", landed)
	}
}
