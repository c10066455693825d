package cmd_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/fault"
)

// An editor finds the schema beside a new configuration file, without a network: it takes the
// comments and commas, completes values, and marks what is wrong.
func TestConfigurationInEditor(t *testing.T) {
	f := config.File{Source: config.User, Path: filepath.Join(t.TempDir(), "config.json")}
	text, err := config.Template(f.Source, fault.English, []config.Choice{{Key: "exec.sandbox", Text: "require"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := config.Create(f, text); err != nil {
		t.Fatal(err)
	}
	beside, err := config.WriteSchema(f)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(f.Path); err != nil {
		t.Fatal(err)
	}
	look := func(text, after string) (said struct{ Problems, Completions, Read []string }) {
		t.Helper()
		cmdtest.JudgedByNode(t, "editor.cjs", map[string]string{"file": f.Path, "text": text, "after": after}, &said, "vscode-json-languageservice", "vscode-languageserver-textdocument")
		return said
	}
	said := look(string(text), `"sandbox": `)
	if len(said.Problems) > 0 || !slices.Contains(said.Completions, `"namespaces"`) || !slices.Equal(said.Read, []string{beside}) {
		t.Errorf("%+v", said)
	}
	said = look(strings.Replace(string(text), `"sandbox": "require"`, `"sandbox": "sometimes", "sandbx": 1`, 1), "")
	if len(said.Problems) != 2 || !strings.Contains(said.Problems[0]+said.Problems[1], "sandbx") {
		t.Errorf("%+v", said)
	}
}
