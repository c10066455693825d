package cmd_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd"
	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

const readme = "../README.md"

// block is a fenced block of a document: its language, the name of the file that it is, if
// it is one, and its text.
type block struct{ language, name, text string }

func blocksOf(t *testing.T, document string) []block {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, block{m[1], m[2], m[3]})
	}
	return blocks
}

// guides returns the README and the documents that go on from there.
func guides(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../docs/[a-z]*.md")
	if err != nil || len(found) < 10 {
		t.Fatalf("%q, %v", found, err)
	}
	return append([]string{readme}, found...)
}

// find returns the block of the guides that starts with the words.
func find(t *testing.T, language, start string) string {
	t.Helper()
	for _, guide := range guides(t) {
		for _, b := range blocksOf(t, guide) {
			if b.language == language && strings.HasPrefix(b.text, start) {
				return b.text
			}
		}
	}
	t.Fatalf("no guide has a %s block that starts with %q", language, start)
	return ""
}

// readmeDir returns a workspace as the guides assume it, and an environment
// without this machine's configuration.
func readmeDir(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/hello\n\ngo 1.26\n")
	write("main.go", "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n")
	write("words.json", `{
  "name": "count_words", "description": "Count the words of a file.", "risk": "read",
  "parameters": {"type": "object", "properties": {"file": {"type": "string", "path": "read"}}, "required": ["file"]},
  "run": {"argv": ["wc", "-w", "--", "{file}"], "timeout": "10s"}
}
`)
	write("deploy.rules", find(t, "text", "# deploy.rules"))
	write("deploy.sh", `#!/bin/sh
i=0
while [ $i -lt 240 ]; do
  i=$((i+1))
  if [ $i = 17 ]; then echo "web-$i: disk full"; else echo "web-$i: up to date"; fi
done
echo "deployed to 239 of 240 hosts"
`)
	if err := os.Chmod(filepath.Join(dir, "deploy.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, append(os.Environ(), "HELVE_HOME="+t.TempDir(), "HELVE_ROOT=", "HELVE_SESSION=", "HELVE_LANG=", "HELVE_OUTPUT=", "HELVE_READONLY=")
}

// TestGuideConsole runs the console sessions of the guides. "..." stands for any text.
func TestGuideConsole(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	script, err := modeltest.Parse([]byte(recipeModel))
	if err != nil {
		t.Fatal(err)
	}
	model := modeltest.New(script)
	t.Cleanup(model.Close)
	for _, guide := range guides(t) {
		sessions := 0
		for _, b := range blocksOf(t, guide) {
			if b.language != "console" {
				continue
			}
			sessions++
			t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(guide), ".md"), sessions), func(t *testing.T) {
				t.Parallel()
				dir, env := readmeDir(t)
				if strings.Contains(b.text, "ten.py") {
					if _, err := exec.LookPath("python3"); err != nil {
						t.Skip("no python3")
					}
					if err := os.WriteFile(filepath.Join(dir, "ten.py"), []byte(find(t, "python", "# ten.py")), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if strings.Contains(b.text, "budget.xlsx") {
					if err := os.CopyFS(dir, os.DirFS(documents)); err != nil {
						t.Fatal(err)
					}
				}
				console(t, b.text, shell, dir, append(env, "OPENAI_BASE_URL="+model.Base(), "OPENAI_MODEL=scripted", "OPENAI_API_KEY="))
			})
		}
	}
}

// console runs a session, in which "$ " is before what is typed.
func console(t *testing.T, session, shell, dir string, env []string) {
	t.Helper()
	for command := range strings.SplitSeq(strings.TrimPrefix(session, "$ "), "\n$ ") {
		typed, want, _ := strings.Cut(command, "\n")
		c := exec.Command(shell, "-c", typed)
		c.Dir, c.Env = dir, env
		got, err := c.Output()
		if err != nil {
			t.Errorf("%s: %v", typed, err)
		}
		if !shows(want, got) {
			t.Errorf("$ %s\nprinted %s\nthe document has %s", typed, got, want)
		}
	}
}

// shows reports whether a program has printed what the document has. "..." stands for any
// text.
func shows(want string, got []byte) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), `\.\.\.`, `(?s:.*)`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(strings.TrimSpace(string(got)))
}

// TestGuideReminder adds a reminder, runs it and receives it, as the guide does.
func TestGuideReminder(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	file, err := cmdtest.Program() // what helve itself started takes no messages
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	link(t, file, filepath.Join(bin, "helve"))
	dir, env := readmeDir(t)
	// A scheduler that went on would keep the output open.
	c := exec.Command(shell, "-ec", "trap 'kill $scheduler; wait' EXIT\n"+find(t, "sh", "# tea.sh"))
	c.Dir = dir
	c.Env = append(env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HELVE_CHANNEL=", "HELVE_CHAT=")
	got, _ := c.Output()                                                  // the trap fails where the script has ended the scheduler
	if want := "..." + find(t, "text", "added job-"); !shows(want, got) { // there may be a warning that nobody runs jobs yet
		t.Errorf("printed %s\nthe guide has %s", got, want)
	}
}

// TestGuideSubAgents runs the example of sub-agents against a server that plays the model.
func TestGuideSubAgents(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	file, err := cmdtest.Program() // what helve itself started has no sub-agents
	if err != nil {
		t.Fatal(err)
	}
	script, err := modeltest.Parse([]byte(`{"tasks": [
		{"match": "What does", "steps": [{"calls": [{"name": "read", "arguments": {"path": "main.go"}}]}, {"say": "It prints hello."}]},
		{"match": "Describe", "steps": [{"calls": [{"name": "write", "arguments": {"path": "main.md", "content": "It prints hello.\n"}}]}, {"say": "main.md describes it."}]}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	model := modeltest.New(script)
	defer model.Close()
	bin := t.TempDir()
	link(t, file, filepath.Join(bin, "helve"))
	dir, env := readmeDir(t)
	c := exec.Command(shell, "-ec", strings.Replace(find(t, "sh", "# ask.sh"), "http://127.0.0.1:11434/v1", model.Base(), 1))
	c.Dir = dir
	c.Env = append(env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HELVE_CHANNEL=", "HELVE_CHAT=")
	got, err := c.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, got)
	}
	if want := find(t, "text", "It prints hello."); !shows(want, got) {
		t.Errorf("printed %s\nthe guide has %s", got, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.md")); err != nil || string(text) != "It prints hello.\n" {
		t.Errorf("main.md: %q, %v", text, err)
	}
}

// TestGuideAgents runs the agents that the guides contain, and the programs that use
// the packages for Python and Node.
func TestGuideAgents(t *testing.T) {
	packages, err := filepath.Abs("../scripts")
	if err != nil {
		t.Fatal(err)
	}
	for _, agent := range []struct{ language, start, program, file, prints string }{
		{"python", "# agent.py", "python3", "agent.py", "user  Make notes."},
		{"js", "// agent.mjs", "node", "agent.mjs", "user  Make notes."},
		{"python", "# package.py", "python3", "package.py", "tool a module"},
		{"js", "// package.mjs", "node", "package.mjs", "tool a module"},
	} {
		t.Run(agent.file, func(t *testing.T) {
			want := strings.TrimRight(find(t, "text", agent.prints), "\n")
			program, err := exec.LookPath(agent.program)
			if err != nil {
				t.Skip("no " + agent.program)
			}
			dir, env := readmeDir(t)
			file := filepath.Join(t.TempDir(), agent.file)
			if agent.program == "node" {
				link(t, filepath.Join(packages, "node"), filepath.Join(filepath.Dir(file), "node_modules/helve"))
			}
			if err := os.WriteFile(file, []byte(find(t, agent.language, agent.start)), 0o644); err != nil {
				t.Fatal(err)
			}
			c := exec.Command(program, file)
			c.Dir = dir
			c.Env = append(env, "PYTHONPATH="+filepath.Join(packages, "python"), "PYTHONDONTWRITEBYTECODE=1", "HELVE_BINARY=helve")
			got, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			if diff := cmp.Diff(want, strings.TrimRight(strings.ReplaceAll(string(got), "\r\n", "\n"), "\n")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// link makes a symbolic link in a new directory.
func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, name); err != nil {
		t.Skip("no symbolic links")
	}
}

// TestGuideStatuses compares the guide's table of exit statuses with the contract.
func TestGuideStatuses(t *testing.T) {
	text, err := os.ReadFile("../docs/calling.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range fault.Statuses() {
		if row := fmt.Sprintf("\n| %d | %s |\n", s.Exit, s.When); !strings.Contains(string(text), row) {
			t.Errorf("the guide has no row %q", row)
		}
	}
}

// costs are the places where the guide says how many tokens definitions take: what stands
// around the figure, and the arguments of schema.
var costs = []struct{ file, before, after, args string }{
	{"providers-and-frameworks.md", "pays for them: ", " for\nthe toolset `coding`", "--toolset coding"},
	{"providers-and-frameworks.md", "the toolset `coding`, ", " for all", "--toolset all"},
}

// TestGoldenCosts compares these figures, and those of the table of profiles, with what
// schema --cost says.
func TestGoldenCosts(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no bash on Linux, which the definitions name")
	}
	t.Setenv("HELVE_HOME", t.TempDir())
	places := slices.Clone(costs)
	for _, name := range profile.Shipped() {
		places = append(places, struct{ file, before, after, args string }{"settings.md", "\n| `" + name + "` | [^|]* | ", " |\n", "--as " + name})
	}
	for _, c := range places {
		file := filepath.Join("..", "docs", c.file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		around := regexp.MustCompile("(" + strings.ReplaceAll(c.before, "| ", `\| `) + ")([0-9,]+)(" + strings.ReplaceAll(c.after, " |", ` \|`) + ")")
		found := around.FindSubmatch(text)
		if found == nil {
			t.Errorf("%s says nothing about schema %s", c.file, c.args)
			continue
		}
		if want := definitionsCost(t, c.args); string(found[2]) != want {
			if !*update {
				t.Errorf("%s: schema %s takes %s tokens, not %s: renew it with -update", c.file, c.args, want, found[2])
				continue
			}
			if err := os.WriteFile(file, around.ReplaceAll(text, []byte("${1}"+want+"${3}")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// definitionsCost returns what schema says that definitions cost, as 1,234.
func definitionsCost(t *testing.T, args string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := cmd.Main(append([]string{"schema", "--cost", "-o", "json"}, strings.Fields(args)...), strings.NewReader(""), &stdout, &stderr); status != 0 {
		t.Fatalf("schema %s: %s%s", args, &stdout, &stderr)
	}
	var answer struct{ Data struct{ Tokens int } }
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	n := strconv.Itoa(answer.Data.Tokens)
	if len(n) > 3 {
		n = n[:len(n)-3] + "," + n[len(n)-3:]
	}
	return n
}

// TestGoldenGuides compares the tables of tools, in the README and with arguments in the
// guide to calling, with the definitions.
func TestGoldenGuides(t *testing.T) {
	short, long := "\n| tool | risk | |\n| --- | --- | --- |\n", "\n| tool | risk | arguments | |\n| --- | --- | --- | --- |\n"
	for _, tl := range tools.Builtin() {
		var arguments []string
		for _, f := range tl.Schema().Fields {
			argument := "`" + f.Name + "`"
			if f.Default != nil {
				value, _ := json.Marshal(f.Default)
				argument += "=" + strings.Trim(string(value), `"`)
			} else if !f.Required {
				argument += "?"
			}
			arguments = append(arguments, argument)
		}
		head, summary := "| `"+strings.ReplaceAll(tl.Name, "_", " ")+"` | "+string(tl.Risk)+" | ", tl.Summary(fault.English)+". |\n"
		short += head + summary
		long += head + strings.Join(arguments, ", ") + " | " + summary
	}
	for file, want := range map[string]string{readme: short, "../docs/calling.md": long} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, rest, ok1 := strings.Cut(string(text), "<!-- tools")
		opening, rest, ok2 := strings.Cut(rest, "-->\n")
		table, tail, ok3 := strings.Cut(rest, "<!-- /tools -->")
		if !ok1 || !ok2 || !ok3 {
			t.Fatalf("%s has lost the marks of its table", file)
		}
		if *update {
			renewed := head + "<!-- tools" + opening + "-->\n" + want + "<!-- /tools -->" + tail
			if err := os.WriteFile(file, []byte(renewed), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := cmp.Diff(want, table); diff != "" {
			t.Errorf("renew the table of %s with -update:\n%s", file, diff)
		}
	}
}
