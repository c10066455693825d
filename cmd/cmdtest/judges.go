package cmdtest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// JudgedByNode runs a script of scripts/judges on Node with input, and decodes what it
// prints into output. It skips the test where there is no Node or one of the
// packages is missing; see .ci/run.
func JudgedByNode(t *testing.T, script string, input, output any, packages ...string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	modules := os.Getenv("HELVE_NODE_MODULES")
	for _, name := range packages {
		if _, err := os.Stat(filepath.Join(modules, filepath.FromSlash(name))); modules == "" || err != nil {
			t.Skip("no " + strings.NewReplacer("@", "", "/", "-").Replace(name)) // see scripts/testreport
		}
	}
	judged(t, exec.Command(node, judge(script)), input, output, "NODE_PATH="+modules)
}

// JudgedByPython is JudgedByNode for Python and its modules.
func JudgedByPython(t *testing.T, script string, input, output any, modules ...string) {
	t.Helper()
	python := os.Getenv("HELVE_PYTHON")
	for _, name := range modules {
		const find = "import importlib.util as u, sys; sys.exit(u.find_spec(sys.argv[1]) is None)"
		if python == "" || exec.Command(python, "-c", find, name).Run() != nil {
			t.Skip("no " + name)
		}
	}
	judged(t, exec.Command(python, "-B", judge(script)), input, output)
}

// judge returns the path of a script of scripts/judges for the tests of cmd or of a package
// in it.
func judge(script string) string {
	file := filepath.Join("..", "scripts", "judges", script)
	if _, err := os.Stat(file); err != nil {
		return filepath.Join("..", file)
	}
	return file
}

// judged runs a judge: JSON on its standard input, JSON on its standard output.
func judged(t *testing.T, c *exec.Cmd, input, output any, env ...string) {
	t.Helper()
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	var out, errw bytes.Buffer
	c.Env = append(os.Environ(), env...)
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in), &out, &errw
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", c.Args, err, errw.String())
	}
	if err := json.Unmarshal(out.Bytes(), output); err != nil {
		t.Fatalf("%v: %v\n%s%s", c.Args, err, out.String(), errw.String())
	}
}
