package cmd_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/testing/modeltest"
)

// recipeModel is what the model says in the recipes.
const recipeModel = `{"tasks": [
	{"match": "say goodbye", "steps": [
		{"calls": [{"name": "read", "arguments": {"path": "main.go"}}]},
		{"calls": [
			{"name": "edit", "arguments": {"path": "main.go", "old_text": "hello", "new_text": "goodbye"}},
			{"name": "write", "arguments": {"path": "go.mod", "content": "module example.com/goodbye\n"}}]},
		{"calls": [{"name": "exec", "arguments": {"command": "grep -n goodbye main.go"}}]},
		{"say": "main.go says goodbye. I may not change go.mod."}]},
	{"match": "What does", "steps": [
		{"calls": [{"name": "grep", "arguments": {"pattern": "print", "path": "main.go"}}, {"name": "read", "arguments": {"path": "main.go"}}]},
		{"calls": [{"name": "write", "arguments": {"path": "main.md", "content": "It prints hello.\n"}}]},
		{"say": "It prints hello."}]},
	{"match": "French", "steps": [
		{"calls": [{"name": "read", "arguments": {"path": "main.go"}}]},
		{"calls": [
			{"name": "edit", "arguments": {"path": "main.go", "old_text": "hello", "new_text": "bonjour"}},
			{"name": "exec", "arguments": {"command": "rm go.mod"}}]},
		{"say": "main.go says bonjour."}]}
]}`

// TestRecipes runs the recipes with the real binary: what a block is named after is a
// file, config.json is the person's configuration, and a block of the language console or
// chat is a session.
func TestRecipes(t *testing.T) {
	for _, program := range []string{"sh", "python3", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	file, err := cmdtest.Program() // what helve itself started can approve nothing
	if err != nil {
		t.Fatal(err)
	}
	script, err := modeltest.Parse([]byte(recipeModel))
	if err != nil {
		t.Fatal(err)
	}
	model := modeltest.New(script)
	defer model.Close()
	recipes, err := filepath.Glob("../scripts/docs/recipes/*.md")
	if err != nil || len(recipes) < 5 {
		t.Fatalf("%q, %v", recipes, err)
	}
	for _, recipe := range recipes {
		t.Run(strings.TrimSuffix(filepath.Base(recipe), ".md"), func(t *testing.T) {
			dir, env := recipeDir(t, recipe, recipes)
			bin := t.TempDir()
			link(t, file, filepath.Join(bin, "helve"))
			env = append(env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HELVE_CHANNEL=", "HELVE_CHAT=", "HELVE_PROJECT=",
				"OPENAI_BASE_URL="+model.Base(), "OPENAI_MODEL=scripted", "OPENAI_API_KEY=", "PYTHONDONTWRITEBYTECODE=1", "TOOLSET=coding")
			sessions := 0
			for _, b := range blocksOf(t, recipe) {
				switch b.language {
				case "console":
					console(t, b.text, "sh", dir, env)
				case "chat":
					chat(t, b.text, dir, env)
				default:
					continue
				}
				sessions++
			}
			if sessions == 0 {
				t.Error("nothing of it was run")
			}
		})
	}
}

// recipeDir returns a workspace as a recipe assumes it, with the files of all recipes, and
// an environment with the recipe's own configuration.
func recipeDir(t *testing.T, recipe string, all []string) (dir string, env []string) {
	t.Helper()
	dir, env = readmeDir(t)
	home := filepath.Join(t.TempDir(), "home")
	write := func(file, text string) {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "old.log"), "nothing\n")
	for _, from := range all {
		for _, b := range blocksOf(t, from) {
			switch {
			case b.name == "config.json" && from == recipe:
				write(filepath.Join(home, b.name), b.text)
			case b.name != "" && b.name != "config.json":
				write(filepath.Join(dir, b.name), b.text)
			}
		}
	}
	// The projects of a recipe lie beside the configuration's directory.
	write(filepath.Join(home, "../app/go.mod"), "module example.com/app\n\ngo 1.26\n")
	write(filepath.Join(home, "../app/main.go"), "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n")
	write(filepath.Join(home, "../lib/lib.go"), "package lib\n\nfunc Hello() string { return \"hello\" }\n")
	return dir, append(env, "HELVE_HOME="+home)
}

// chat runs chat.py and, beside it, the commands of a session: "bot: " is before what
// chat.py says, and "you: " before what the person answers.
func chat(t *testing.T, session, dir string, env []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	bridge := exec.CommandContext(ctx, "python3", "chat.py")
	bridge.Dir, bridge.Env, bridge.Stderr = dir, env, os.Stderr
	person, err := bridge.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := bridge.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := bridge.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(out)
	calls := &chatCalls{dir: dir, env: env}
	for line := range strings.Lines(session) {
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "$":
			calls.end(t)
			calls.start(ctx, t, strings.TrimSpace(rest))
		case "bot:":
			if got, err := said.ReadString('\n'); !shows(line, []byte(got)) {
				t.Errorf("the chat has %q, %v; the recipe has %q", got, err, line)
			}
		case "you:":
			if _, err := io.WriteString(person, rest); err != nil {
				t.Errorf("%q: %v", line, err)
			}
		default:
			calls.want += line
		}
	}
	calls.end(t)
	if err := person.Close(); err != nil { // which ends it
		t.Error(err)
	}
	if rest, err := io.ReadAll(said); len(rest) > 0 || err != nil {
		t.Errorf("the chat also has %q, %v", rest, err)
	}
	if err := bridge.Wait(); err != nil {
		t.Error(err)
	}
}

// chatCalls runs the commands of a session, one after the other.
type chatCalls struct {
	dir     string
	env     []string
	running *exec.Cmd
	got     bytes.Buffer
	want    string
}

func (c *chatCalls) start(ctx context.Context, t *testing.T, typed string) {
	t.Helper()
	c.running = exec.CommandContext(ctx, "sh", "-c", typed)
	c.running.Dir, c.running.Env, c.running.Stdout = c.dir, c.env, &c.got
	if err := c.running.Start(); err != nil {
		t.Fatal(err)
	}
}

// end waits for the command that runs, if one does, and compares what it printed.
func (c *chatCalls) end(t *testing.T) {
	t.Helper()
	if c.running == nil {
		return
	}
	_ = c.running.Wait() // what failed is in what it printed
	if !shows(c.want, c.got.Bytes()) {
		t.Errorf("%q\nprinted %s\nthe recipe has %s", c.running.Args, c.got.String(), c.want)
	}
	c.running, c.want = nil, ""
	c.got.Reset()
}
