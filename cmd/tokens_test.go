package cmd_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/tools"
)

// Every tool with a budget in bytes, characters or entries also takes one in tokens.
func TestTokenBudgets(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	for i := range 60 {
		cmdtest.Put(t, dir, fmt.Sprintf("file%02d.txt", i), strings.Repeat("some words of a needle 世界 12345\n", 30))
	}
	cmdtest.Put(t, dir, "big.txt", strings.Repeat("some words of a needle 世界 12345 dGhlIHF1aWNrIGJyb3duIGZveA\n", 1000))
	const most = 300
	const notes = 60 // what the text says beside the content
	for _, c := range []struct{ tool, args, want string }{
		{"read", `"path":"big.txt"`, "continue with offset="},
		{"read", `"path":"big.txt","numbered":true`, "continue with offset="},
		{"read", `"paths":["big.txt","file00.txt"]`, "continue with path=big.txt offset="},
		{"grep", `"pattern":"needle"`, "continue with offset="},
		{"grep", `"pattern":"needle","mode":"files"`, "file00.txt"},
		{"ls", ``, "more; raise limit"},
		{"find", `"query":"file"`, "file00.txt"},
		{"exec", `"command":"cat big.txt"`, "the complete output"},
		{"exec", `"command":"cat big.txt","raw":true`, "the complete output"},
	} {
		t.Run(c.tool+c.args, func(t *testing.T) {
			with := func(tokens int) string {
				args := fmt.Sprintf(`{%s,"max_tokens":%d}`, c.args, tokens)
				p := cmdtest.Helve(dir, "-o", "text", c.tool, strings.Replace(args, "{,", "{", 1))
				p.Env = append(p.Environ(), "NO_COLOR=1")
				out, err := p.Output()
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				return string(out)
			}
			got := with(most)
			if n := tokens.Estimate(got); n > most+notes || n < most/2 {
				t.Errorf("%d tokens: %s", n, got)
			}
			if !strings.Contains(got, c.want) {
				t.Errorf("%q is not in %s", c.want, got)
			}
			if n := tokens.Estimate(with(5)); n > 3*notes {
				t.Errorf("%d tokens for 5", n)
			}
		})
	}
	for _, tool := range tools.Builtin() {
		names := tool.Arguments().Names()
		budget := slices.ContainsFunc(names, func(n string) bool {
			return slices.Contains([]string{"max_bytes", "max_chars", "max_output"}, n)
		})
		if f, ok := tool.Arguments().Field("max_tokens"); budget && !ok {
			t.Errorf("%s has no max_tokens", tool.Name)
		} else if ok && !f.Unlisted {
			t.Errorf("%s: max_tokens is listed", tool.Name)
		}
	}
	if left, err := filepath.Glob(dir + "/.helve/artifacts/*/*"); err != nil || len(left) == 0 {
		t.Errorf("the complete outputs were not kept: %v", err)
	}
}
