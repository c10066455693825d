package cmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

func TestGoldenSkill(t *testing.T) {
	here(t, cmdtest.Workspace(t))
	english, chinese := regexp.MustCompile(`Run a command in .*`), regexp.MustCompile(`在 .*中运行命令`) // in this machine's shell
	for name, lang := range map[string]string{"skill.md": "en", "skill.zh.md": "zh"} {
		golden(t, name, chinese.ReplaceAllString(english.ReplaceAllString(run(t, "skill", "--lang", lang), "Run a command in SHELL"), "在 SHELL 中运行命令"))
	}
}

// The file is what the specification of Agent Skills asks for.
func TestSkillIsValid(t *testing.T) {
	here(t, cmdtest.Workspace(t))
	for _, lang := range []string{"en", "zh"} {
		text := run(t, "skill", "--lang", lang)
		rest, ok := strings.CutPrefix(text, "---\n")
		head, body, closed := strings.Cut(rest, "\n---\n")
		if !ok || !closed {
			t.Fatalf("no frontmatter: %.100q", text)
		}
		d := yaml.NewDecoder(strings.NewReader(head))
		d.KnownFields(true)
		var f struct {
			Name, Description, License, Compatibility string
		}
		if err := d.Decode(&f); err != nil {
			t.Fatal(err)
		}
		if len(f.Name) > 64 || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString(f.Name) {
			t.Errorf("the name is %q", f.Name)
		}
		if n := len([]rune(f.Description)); n < 100 || n > 1024 {
			t.Errorf("the description has %d characters", n)
		}
		if n := len([]rune(f.Compatibility)); n == 0 || n > 500 || f.License != "MIT" {
			t.Errorf("compatibility has %d characters, the license is %q", n, f.License)
		}
		if n := tokens.Estimate(body); n > 5000 || strings.Count(body, "\n") > 500 {
			t.Errorf("%s: %d tokens", lang, n)
		}
		for _, tl := range tools.Builtin() {
			if !strings.Contains(body, "**"+tl.Name+"**") {
				t.Errorf("%s: %s is not in it", lang, tl.Name)
			}
		}
	}
}

// Every command of the skill is a call that is right. But for those that reach the web or
// a model, each runs in a workspace of its own, by a shell; only a deletion asks first.
func TestSkillCommands(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	home := here(t, cmdtest.Workspace(t))
	t.Setenv("HELVE_HOME", t.TempDir())
	t.Setenv("HELVE_CHANNEL", "telegram")
	t.Setenv("HELVE_CHAT", "42")
	text := run(t, "skill")
	commands := 0
	for _, block := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		parsed, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(block[1]), "")
		if err != nil {
			t.Fatalf("%v\n%s", err, block[1])
		}
		for _, statement := range parsed.Stmts {
			var b bytes.Buffer
			if err := syntax.NewPrinter().Print(&b, statement); err != nil {
				t.Fatal(err)
			}
			commands++
			words := statement.Cmd.(*syntax.CallExpr).Args
			name := words[1].Lit()
			if toolNamed(name) == nil { // the verb of a group
				name += "_" + words[2].Lit()
			}
			dir := filepath.Join(home, name+string(rune('a'+commands)))
			asSkillAssumes(t, dir)
			p := exec.Command(bash, "-c", b.String())
			p.Dir = dir
			tl := toolNamed(name)
			if tl == nil {
				t.Errorf("%s: there is no such tool", b.String())
				continue
			}
			if tl.Web || tl.Name == "spawn" {
				if err := tl.Schema().Decode([]byte(tl.Examples[0].Args), tl.NewArgs()); err != nil || !strings.Contains(b.String(), tl.Examples[0].Args) {
					t.Errorf("%s: %v", b.String(), err)
				}
				continue
			}
			a, status := cmdtest.Call(t, p)
			if want := ""; a.Error.Code != want && (name != "delete" || a.Error.Code != "approval_required") {
				t.Errorf("%s: exit %d, %s: %s", b.String(), status, a.Error.Code, a.Error.Message)
			}
		}
	}
	if commands < 15 {
		t.Errorf("the skill has %d commands", commands)
	}
}

// asSkillAssumes makes a workspace with the files that the examples of tools name, and a
// change that undo finds.
func asSkillAssumes(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"main.go": "package main\n\nfunc main() {\n\told()\n}\n\nfunc old() {\n\tprintln(\"hello\")\n}\n", "go.mod": "module example.com/hello\n",
		"a.txt": "a\n", "old.txt": "old\n", "build.log": "built\n", "log.txt": "log\n",
	} {
		cmdtest.Put(t, dir, name, text)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "write", "b.txt", "--content", "b")); !a.OK {
		t.Fatal(a.Error)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "cron", "add", "--message", "stand up", "--every-seconds", "3600", "--name", "standup")); !a.OK {
		t.Fatal(a.Error)
	}
}

func toolNamed(name string) *tool.Tool {
	for _, t := range tools.Builtin() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func TestSkillIsWritten(t *testing.T) {
	dir := here(t, cmdtest.Workspace(t))
	want := run(t, "skill")
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "skill", "--dir", "skills"))
	written, err := os.ReadFile(filepath.Join(dir, "skills", "helve", "SKILL.md"))
	if err != nil || string(written) != want || a.Data["path"] != "skills/helve/SKILL.md" || a.Data["undo_id"] == nil {
		t.Fatalf("%v, %v", a, err)
	}
	cmdtest.Put(t, dir, "skills/helve/SKILL.md", "mine\n")
	if a, status := cmdtest.Call(t, cmdtest.Helve(dir, "skill", "--dir", "skills")); a.Error.Code != "already_exists" || !strings.Contains(a.Error.Hint, "--force") || status != 1 {
		t.Errorf("%v", a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "skill", "--dir", "skills", "--force")); a.Data["overwritten"] != true {
		t.Errorf("%v", a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "skill", "--dir", "../elsewhere")); a.Error.Code != "outside_workspace" {
		t.Errorf("%v", a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "skill", "--dir", "elsewhere", "--readonly")); a.Error.Code != "denied" {
		t.Errorf("%v", a)
	}
	if a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "skill", "--force")); a.Error.Code != "usage" {
		t.Errorf("%v", a)
	}
	out, err := cmdtest.Helve(dir, "skill", "-o", "json").Output()
	var printed struct {
		Data struct{ Name, Content string }
	}
	if err != nil || json.Unmarshal(out, &printed) != nil || printed.Data.Name != "helve" || printed.Data.Content != want {
		t.Errorf("%.100s, %v", out, err)
	}
}

// A tool that is turned off is not in the skill.
func TestSkillOfEnabledTools(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"tools": {"disabled": ["exec", "edit", "undo", "write"]}}`)
	out, err := cmdtest.Helve(dir, "skill").Output()
	if err != nil || regexp.MustCompile("helve (exec|edit|undo|write)|\\*\\*exec\\*\\*|`exec`[^?]").Match(out) || !strings.Contains(string(out), "helve read <<'JSON'") {
		t.Errorf("%v\n%s", err, out)
	}
}
