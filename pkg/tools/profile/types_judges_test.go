package profile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// declaredAs names the interfaces of the package's types. Two of the tools went away in later
// versions of it: BashOutput and KillShell, which many prompts still name.
var declaredAs = map[string]string{
	"Read": "FileReadInput", "Write": "FileWriteInput", "Edit": "FileEditInput", "Glob": "GlobInput", "Grep": "GrepInput", "Bash": "BashInput",
	"NotebookEdit": "NotebookEditInput", "WebFetch": "WebFetchInput", "WebSearch": "WebSearchInput", "BashOutput": "", "KillShell": "",
}

// TestTypesOfClaudeCode compares the parameters with those that the package declares, in the
// version that the profile names.
func TestTypesOfClaudeCode(t *testing.T) {
	dir := filepath.Join(os.Getenv("HELVE_NODE_MODULES"), "@anthropic-ai", "claude-code")
	declared, err := os.ReadFile(filepath.Join(dir, "sdk-tools.d.ts"))
	if err != nil || os.Getenv("HELVE_NODE_MODULES") == "" {
		t.Skip("no claude-code")
	}
	data, _ := profile.Load("claude-code")
	p, problems := tools.ReadProfile(data)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var manifest struct{ Version string }
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil || manifest.Version != p.Version {
		t.Errorf("the profile follows %s, and here is %s: %v", p.Version, manifest.Version, err)
	}
	if len(p.Tools) != len(declaredAs) {
		t.Errorf("%d tools, want %d", len(p.Tools), len(declaredAs))
	}
	for _, one := range p.Tools {
		name, ok := declaredAs[one.Name]
		switch {
		case !ok:
			t.Errorf("%s is none of its tools", one.Name)
		case name != "":
			if got, want := parameters(t, one), members(t, string(declared), name); !slices.Equal(got, want) {
				t.Errorf("%s:\n%s\nwant\n%s", one.Name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// parameters returns those of a tool as TypeScript has them.
func parameters(t *testing.T, one *profile.Tool) (all []string) {
	t.Helper()
	for _, p := range one.Parameters {
		var s struct {
			Type  string
			Enum  []string
			Items struct{ Type string }
		}
		if err := json.Unmarshal(p.Schema, &s); err != nil {
			t.Fatal(err)
		}
		kind := s.Type
		switch {
		case len(s.Enum) > 0:
			kind = `"` + strings.Join(s.Enum, `" | "`) + `"`
		case kind == "array":
			kind = s.Items.Type + "[]"
		}
		mark := "?"
		if p.Required {
			mark = ""
		}
		all = append(all, p.Name+mark+": "+kind)
	}
	slices.Sort(all)
	return all
}

var member = regexp.MustCompile(`(?m)^  "?([\w-]+)"?(\??): ([^;{]+);$`)

// members returns those of an interface.
func members(t *testing.T, declared, name string) (all []string) {
	t.Helper()
	_, body, found := strings.Cut(declared, "export interface "+name+" {\n")
	body, _, closed := strings.Cut(body, "\n}\n")
	if !found || !closed {
		t.Fatalf("no interface %s", name)
	}
	for _, m := range member.FindAllStringSubmatch(body, -1) {
		all = append(all, m[1]+m[2]+": "+m[3])
	}
	slices.Sort(all)
	return all
}
