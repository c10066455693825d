package cmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestEditAfterFormatter has gofmt change a file through exec after it was read. What the
// file has then can be edited, by the new text and by the old where that is the same,
// again and again: nothing is stale that differs in its layout only.
func TestEditAfterFormatter(t *testing.T) {
	if _, err := exec.LookPath("gofmt"); err != nil {
		t.Skip("no gofmt")
	}
	dir := cmdtest.Commands(t)
	t.Setenv("HELVE_ROOT", dir)
	const untidy = `package a
import "fmt"
// One prints.
func One( x int ) {
  if x>0{
      fmt.Println( "one",x )
  }
}
var table=map[string]int{
  "a":1,
  "longer":2,
}
// Two prints, too.
func Two(x,y int) int {
	for i:=range x {

		fmt.Println("two",i,y)
	}
	return x+y
}
const  last  = 1

// Three is as gofmt leaves it.
func Three(s string) string {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	return s
}
`
	file := cmdtest.Put(t, dir, "a.go", untidy)
	tool := func(name string, args map[string]any) cmdtest.Answer {
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return inProcess(t, name, string(text))
	}
	if a := tool("read", map[string]any{"path": "a.go"}); !a.OK {
		t.Fatalf("%+v", a)
	}
	if a := cmdtest.Exec(t, dir, map[string]any{"argv": []string{"gofmt", "-w", "a.go"}}); !a.OK || a.Data["exit_code"] != 0.0 {
		t.Fatalf("%+v", a)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "a.go"))
	if err != nil || string(raw) == untidy {
		t.Fatalf("gofmt changed nothing: %v", err)
	}
	now := string(raw)
	tried, old := 0, 0
	lines := strings.SplitAfter(strings.TrimSuffix(now, "\n"), "\n")
	for _, size := range []int{1, 3} {
		for at := 0; at+size <= len(lines); at++ {
			block := strings.TrimSuffix(strings.Join(lines[at:at+size], ""), "\n") + "\n"
			if strings.TrimSpace(block) == "" || strings.Count(now, block) != 1 {
				continue
			}
			tried++
			if strings.Contains(untidy, block) {
				old++
			}
			a := tool("edit", map[string]any{"path": "a.go", "old_text": block, "new_text": "x()\n", "dry_run": true})
			if !a.OK {
				t.Errorf("%q: %+v", block, a.Error)
				continue
			}
			where := a.Data["edits"].([]any)[0].(map[string]any)["old"].(map[string]any)
			if where["start"] != float64(at+1) {
				t.Errorf("%q of line %d is edited at %v", block, at+1, where["start"])
			}
		}
	}
	if tried < 40 || old < 8 {
		t.Errorf("%d edits, of %d that are in both: the test says little", tried, old)
	}
	for _, e := range [][2]string{{"\tif x > 0 {\n", "\tif x > 1 {\n"}, {"\tif x > 1 {\n", "\tif x > 2 {\n"}, {"fmt.Println(\"two\", i, y)", "fmt.Println(y)"}} {
		if a := tool("edit", map[string]any{"path": "a.go", "old_text": e[0], "new_text": e[1]}); !a.OK {
			t.Errorf("%q: %+v", e[0], a.Error)
		}
	}
	want := strings.NewReplacer("x > 0", "x > 2", "fmt.Println(\"two\", i, y)", "fmt.Println(y)").Replace(now)
	if raw, err = os.ReadFile(file); err != nil || string(raw) != want {
		t.Errorf("%v:\n%s", err, raw)
	}
}
