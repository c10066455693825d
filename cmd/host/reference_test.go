package host

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestVariables wants each variable of helve's that the sources name in the manual, but for
// those that it sets itself.
func TestVariables(t *testing.T) {
	own := []string{"HELVE_RUN_ID", "HELVE_AGENT", "HELVE_JOB", "HELVE_SANDBOX", "HELVE_CALL", "HELVE_MESSAGE_ID"}
	var listed []string
	for _, e := range Variables() {
		listed = append(listed, strings.Split(e.Name, ", ")...)
		if e.What.In(fault.English) == "" || e.What.In(fault.Chinese) == "" {
			t.Errorf("nobody says what %s is", e.Name)
		}
	}
	named := regexp.MustCompile(`"(HELVE_[A-Z_]+[A-Z])=?"`)
	seen := 0
	for _, top := range []string{"..", "../../pkg"} {
		err := filepath.WalkDir(top, func(name string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "cmdtest" {
				return filepath.SkipDir // it serves tests
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			source, err := os.ReadFile(name)
			for _, m := range named.FindAllStringSubmatch(string(source), -1) {
				seen++
				if !slices.Contains(listed, m[1]) && !slices.Contains(own, m[1]) {
					t.Errorf("%s: the manual is without %s", name, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 20 {
		t.Errorf("the sources name only %d", seen)
	}
}

// TestFiles compares the manual with where the files are.
func TestFiles(t *testing.T) {
	t.Setenv("HOME", "/home/ann")
	d := standardDirs(func(string) string { return "" })
	if d.SystemConfig != "/etc/helve/config.json" || !strings.HasPrefix(d.UserConfig, "/home/ann") {
		t.Skip("another system")
	}
	var listed []string
	for _, e := range Files() {
		listed = append(listed, strings.Replace(strings.TrimSuffix(e.Name, "/"), "~", "/home/ann", 1))
	}
	for _, file := range []string{d.UserConfig, d.UserTools(), d.UserServers(), d.OutputRules(), d.SystemConfig, d.State, d.Cache} {
		if !slices.Contains(listed, file) {
			t.Errorf("the manual is without %s", file)
		}
	}
}
