package cmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// A person at a terminal is asked for what no flag says, and again until the answer is one.
// Nothing is written before the last answer.
func TestInitAsks(t *testing.T) {
	t.Parallel()
	defaults := map[string]string{"exec.sandbox": "auto", "exec.network": "auto", "policy.undoable": "ask", "switches.memory": "true"}
	for _, c := range []struct {
		name  string
		args  []string
		typed []string // one for each question
		want  map[string]string
		code  string
		codex bool // it has helve afterwards
	}{
		{"answers", []string{"init"}, []string{"allow\n", "2\n", "off\n", "\n"},
			map[string]string{"exec.network": "none", "policy.undoable": "allow", "switches.memory": "false"}, "", true},
		{"again", []string{"init"}, []string{"sometimes\n", "9\n", "ask\n", "\n", "\n", "7\n", "none\n"}, defaults, "", false},
		{"flags", []string{"init", "--undoable", "allow", "--network", "none", "--browser", "none", "--sandbox", "require", "--memory", "off", "--set", "files.require_read=on"},
			[]string{"1\n"}, map[string]string{"exec.network": "none", "policy.undoable": "allow", "files.require_read": "on", "web.browser": "", "exec.sandbox": "require", "switches.memory": "false"}, "", true},
		{"narrower", []string{"init", "--workspace"}, []string{"none\n", "off\n"},
			map[string]string{"exec.network": "none", "policy.undoable": "ask", "switches.memory": "false"}, "", false},
		{"end", []string{"init"}, []string{"allow\n", "\x04"}, defaults, "canceled", false},
		{"end at the agents", []string{"init"}, []string{"allow\n", "\n", "off\n", "\x04"}, defaults, "canceled", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, home := cmdtest.Workspace(t), t.TempDir()
			cmdtest.Setenv(dir, "HOME="+home, "XDG_CONFIG_HOME=", "CODEX_HOME=", "CLAUDE_CONFIG_DIR=")
			codex := filepath.Join(home, ".codex", "config.toml")
			if err := os.MkdirAll(filepath.Dir(codex), 0o700); err != nil {
				t.Fatal(err)
			}
			typist, terminal := cmdtest.Terminal(t)
			p := cmdtest.Person(t, dir, c.args...)
			var out bytes.Buffer
			p.Stdout = &out
			cmdtest.AtTerminal(p, terminal)
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			for _, answer := range c.typed {
				cmdtest.ReadUntil(t, typist, "]: ")
				left, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "config*"))
				if _, there := os.Stat(codex); err != nil || len(left) > 0 || there == nil {
					t.Errorf("written before the last answer: %q", left)
				}
				if _, err := typist.WriteString(answer); err != nil {
					t.Fatal(err)
				}
			}
			_ = p.Wait() // its status is in the document
			var a cmdtest.Answer
			if err := json.Unmarshal(out.Bytes(), &a); err != nil || a.Error.Code != c.code {
				t.Fatalf("%v: %s", err, out.String())
			}
			if _, err := os.Stat(codex); (err == nil) != c.codex {
				t.Errorf("the agent's file: %v", err)
			}
			for key, want := range c.want {
				got, err := cmdtest.Helve(dir, "-o", "text", "config", "get", key).Output()
				if strings.TrimSpace(string(got)) != want || err != nil {
					t.Errorf("%s is %q, %v, want %q", key, got, err, want)
				}
			}
		})
	}
}

// Who has settings is asked about agents that lack helve, and else told that there is a file.
func TestInitAsksAboutAgents(t *testing.T) {
	t.Parallel()
	dir, home := cmdtest.Workspace(t), t.TempDir()
	cmdtest.Setenv(dir, "HOME="+home, "XDG_CONFIG_HOME=", "CODEX_HOME=", "CLAUDE_CONFIG_DIR=")
	if out, err := cmdtest.Person(t, dir, "init", "--no-input").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := errors.Join(os.Mkdir(filepath.Join(home, ".codex"), 0o700), os.Mkdir(filepath.Join(home, ".gemini"), 0o700),
		os.WriteFile(filepath.Join(home, ".gemini", "settings.json"), []byte("{"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ typed, shown, out string }{
		{"\n", "command = ", `"agents":[{"agent":"codex"`},
		{"", "", `"code":"already_exists"`},
	} {
		typist, terminal := cmdtest.Terminal(t)
		p := cmdtest.Person(t, dir, "init")
		var out bytes.Buffer
		p.Stdout = &out
		cmdtest.AtTerminal(p, terminal)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		if c.typed != "" {
			if shown := cmdtest.ReadUntil(t, typist, "]: "); !strings.Contains(shown, c.shown) || !strings.Contains(shown, "settings.json cannot be read") {
				t.Errorf("%s", shown)
			}
			if _, err := typist.WriteString(c.typed); err != nil {
				t.Fatal(err)
			}
		}
		_ = p.Wait() // its status is in the document
		if !strings.Contains(out.String(), c.out) {
			t.Errorf("%s", out.String())
		}
	}
}
