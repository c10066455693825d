package exec

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/config"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/sandbox"
	"github.com/helve-dev/helve/pkg/tool"
)

// TestDailyWork puts commands of daily work before the default policy, in both
// sandboxes: a person is asked about at most one in fifty.
func TestDailyWork(t *testing.T) {
	for _, kind := range []sandbox.Kind{sandbox.Namespaces, sandbox.Landlock} {
		call, dir := world(t, config.Exec{Sandbox: string(kind)})
		project(t, dir)
		_, r := judged(t, call, Args{Command: "ls"})
		if r.Kind != kind {
			t.Logf("no %s here", kind)
			continue
		}
		for _, file := range []string{"daily.tsv", "documented.tsv"} {
			all, asked := 0, 0
			for _, c := range corpus(t, file) {
				all++
				j, _ := judged(t, call, Args{Command: c.text})
				d := decided(call, j)
				if c.asked(kind) != (d.Verdict != policy.Allow) {
					t.Errorf("%v: %q: %s %v, expected %q", kind, c.text, d.Verdict, d.Reasons, c.why)
				}
				if d.Verdict != policy.Allow {
					asked++
				}
			}
			if all < 500 || asked*50 > all {
				t.Errorf("%v: %d of %d are asked about", kind, asked, all)
			}
			t.Logf("%v: %d of %d in %s are asked about", kind, asked, all, file)
		}
	}
}

// line is a command of a file of the classifier's tests.
type line struct {
	text string
	why  string // a person is asked; "" for no reason
}

// asked reports whether a person is asked in a sandbox. Only namespaces have processes of
// their own.
func (l line) asked(kind sandbox.Kind) bool {
	return l.why != "" && (kind == sandbox.Landlock || !strings.HasPrefix(l.why, "landlock"))
}

// corpus reads the commands of a file of the classifier's tests.
func corpus(t *testing.T, name string) []line {
	t.Helper()
	text, err := os.ReadFile("../../shell/classify/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []line
	for row := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		if len(columns) < 3 || strings.HasPrefix(row, "#") {
			continue
		}
		command := columns[2]
		if command[0] == '"' {
			if command, err = strconv.Unquote(command); err != nil {
				t.Fatalf("%s: %v", row, err)
			}
		}
		all = append(all, line{text: command})
		if len(columns) > 3 {
			all[len(all)-1].why = columns[3]
		}
	}
	return all
}

// decided returns what the policy of a call says of a judgement.
func decided(call *tool.Call, j *tool.Judgement) policy.Decision {
	return call.Env.Policy.Decide(policy.Request{
		Tool: "exec", Risk: j.Risk, Commands: j.Commands, Rest: j.Rest, Network: j.Network, Granted: j.Granted, Unconfined: j.Unconfined, Forbidden: j.Forbidden, Hosts: j.Hosts,
	})
}

// project fills a directory as if work were going on there.
func project(t *testing.T, dir string) {
	t.Helper()
	for name, content := range map[string]string{
		".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "node_modules\ndist\n.next\ncoverage\n__pycache__\n.pytest_cache\n.venv\nbuild\n*.egg-info\ntarget\n",
		"main.go": "package main\n", "go.mod": "module x\n", "package.json": "{}\n", "dist/a": "", ".next/a": "", "coverage/a": "", "__pycache__/a": "", ".pytest_cache/a": "",
		".venv/pyvenv.cfg": "", "build/a": "", "target/a": "", "src/a": "", "a.txt": "", "tsconfig.json": "{}\n",
		"node_modules/.bin/tsc": "", "node_modules/.bin/eslint": "", "node_modules/.bin/jest": "", "node_modules/.bin/prettier": "", "node_modules/.bin/vitest": "",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
