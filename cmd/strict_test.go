package cmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// transform applies the strict transformer of OpenAI's own client to each
// schema of standard input.
const transform = `
const { toStrictJsonSchema } = require("openai/lib/transform");
const tools = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(tools.map((t) => toStrictJsonSchema(t.function.parameters))));
`

// helve schema --strict prints what OpenAI's client makes of the schemas.
func TestStrictSchemasAreOpenAIs(t *testing.T) {
	modules := os.Getenv("HELVE_NODE_MODULES")
	if _, err := os.Stat(filepath.Join(modules, "openai")); modules == "" || err != nil {
		t.Skip("no npm package openai: name its node_modules in HELVE_NODE_MODULES")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	dir := workdir(t)
	schemas, err := helve(dir, "schema", "--strict").Output()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(node, "-e", transform)
	c.Env = append(os.Environ(), "NODE_PATH="+modules)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = in.Write(schemas)
		in.Close()
	}()
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var tools []struct {
		Function struct{ Parameters map[string]any }
	}
	var transformed []map[string]any
	if err := json.Unmarshal(schemas, &tools); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &transformed); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, tl := range tools {
		if diff := cmp.Diff(transformed[i], tl.Function.Parameters); diff != "" {
			t.Error(diff)
		}
	}
}
