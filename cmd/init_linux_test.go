package cmd_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// A person at a terminal is asked for what no flag says, and again until the answer is one.
// Nothing is written before the last answer.
func TestInitAsks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		args  []string
		typed []string // one for each question
		want  map[string]string
		code  string
	}{
		{"answers", []string{"init"}, []string{"require\n", "2\n", "\n", "on\n", "auto\n"},
			map[string]string{"exec.sandbox": "require", "exec.network": "none", "policy.undoable": "ask", "files.require_read": "on", "web.browser": "auto"}, ""},
		{"again", []string{"init"}, []string{"sometimes\n", "9\n", "off\n", "\n", "\n", "\n", "\n"},
			map[string]string{"exec.sandbox": "off", "exec.network": "auto", "files.require_read": "warn", "web.browser": ""}, ""},
		{"flags", []string{"init", "--sandbox", "auto", "--network", "none", "--set", "web.browser=auto"}, []string{"allow\n", "off\n"},
			map[string]string{"exec.network": "none", "policy.undoable": "allow", "files.require_read": "off"}, ""},
		{"narrower", []string{"init", "--workspace"}, []string{"require\n", "none\n", "on\n"},
			map[string]string{"exec.sandbox": "require", "exec.network": "none", "files.require_read": "on", "policy.undoable": "ask"}, ""},
		{"end", []string{"init"}, []string{"off\n", "\x04"}, map[string]string{"exec.sandbox": "auto"}, "canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := cmdtest.Workspace(t)
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
				if left, err := filepath.Glob(filepath.Join(cmdtest.HomeOf(dir), "config*")); err != nil || len(left) > 0 {
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
			for key, want := range c.want {
				got, err := cmdtest.Helve(dir, "-o", "text", "config", "get", key).Output()
				if strings.TrimSpace(string(got)) != want || err != nil {
					t.Errorf("%s is %q, %v, want %q", key, got, err, want)
				}
			}
		})
	}
}
