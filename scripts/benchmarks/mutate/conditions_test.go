package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

const program = `package main

const none = 1 < 2

func f(a, b int) bool {
	if a < b && a != 3 || !(b >= 9) {
		return true
	}
	return false
}

func main() {
	for a := range 4 {
		if f(a*3, 9) {
			print(a)
		}
	}
}
`

// TestRewrite compiles all changes of a program into it and runs it with each.
func TestRewrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", program)
	all, err := conditions(pkg{Dir: dir, GoFiles: []string{"main.go"}})
	if err != nil {
		t.Fatal(err)
	}
	changes := map[int]condition{}
	for i, c := range all {
		changes[i+1] = c
	}
	write("go.mod", "module m\n\ngo 1.26\n")
	write("mutant_switch.go", fmt.Sprintf(switchFile, "main"))
	write("main.go", string(rewrite([]byte(program), changes)))
	binary := filepath.Join(dir, "m")
	c := exec.Command("go", "build", "-o", binary, file, filepath.Join(dir, "mutant_switch.go"))
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(mutant int) string {
		c := exec.Command(binary)
		c.Env = append(os.Environ(), "MUTANT=")
		if mutant > 0 {
			c.Env = append(c.Env, "MUTANT="+strconv.Itoa(mutant))
		}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if got := run(0); got != "02" {
		t.Errorf("without a change it prints %s", got)
	}
	want := map[string]string{
		"a < b && a != 3 || !(b >= 9): && for ||": "",
		"a < b && a != 3: || for &&":              "0123",
		"a < b: the opposite comparison":          "3",
		"a < b: < becomes <=":                     "023",
		"a != 3: == for != or the reverse":        "1",
		"!(b >= 9): without !":                    "0123",
		"b >= 9: the opposite comparison":         "0123",
		"b >= 9: >= becomes >":                    "0123",
		"true: the other value returned":          "",
		"false: the other value returned":         "0123",
		"f(a*3, 9): negated":                      "13",
	}
	if len(all) != len(want) {
		t.Errorf("%d changes and not %d", len(all), len(want))
	}
	for n, c := range changes {
		if got := run(n); got != want[c.text+": "+c.what] {
			t.Errorf("%s: it prints %q", c, got)
		}
	}
}
