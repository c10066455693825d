package cmd_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestGuideAgentSettings validates the settings of agent programs that the guide shows.
func TestGuideAgentSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.json")
	text := find(t, "json", `{"spawn": {"agents"`)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("helve", "config", "validate", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range []string{"claude", "codex", "gemini", "opencode"} {
		if !strings.Contains(text, `"name": "`+name+`"`) {
			t.Errorf("the guide has no settings of %s", name)
		}
	}
}

// TestGuideAgentsAsSubAgents gives tasks to the agents that the guides contain, by the
// command line, and receives their results.
func TestGuideAgentsAsSubAgents(t *testing.T) {
	want := strings.TrimSpace(find(t, "text", "user  Make notes."))
	built, err := cmdtest.Program() // what helve itself started spawns nothing
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	file := filepath.Join(bin, "helve"+filepath.Ext(built))
	if err := os.Link(built, file); err != nil { // a symbolic link would lead out of what the sandbox shows
		t.Fatal(err)
	}
	for _, agent := range []struct{ language, start, program, file string }{
		{"python", "# agent.py", "python3", "agent.py"},
		{"js", "// agent.mjs", "node", "agent.mjs"},
	} {
		t.Run(agent.file, func(t *testing.T) {
			if _, err := exec.LookPath(agent.program); err != nil {
				t.Skip("no " + agent.program)
			}
			dir, env := readmeDir(t)
			home := t.TempDir()
			settings, err := json.Marshal(map[string]any{"spawn": map[string]any{"runtime": "mine", "agents": []any{
				map[string]any{"name": "mine", "argv": []string{agent.program, agent.file, "{task}"}},
			}}})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string][]byte{
				filepath.Join(dir, agent.file): []byte(find(t, agent.language, agent.start)), filepath.Join(home, "config.json"): settings,
			} {
				if err := os.WriteFile(name, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			helve := func(output any, args ...string) {
				t.Helper()
				c := exec.Command(file, args...)
				c.Dir, c.Env = dir, append(env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HELVE_HOME="+home, "HELVE_SESSION=parent", "HELVE_CHANNEL=", "HELVE_CHAT=")
				out, err := c.Output()
				if err != nil {
					t.Fatalf("%v: %v\n%s", args, err, out)
				}
				if err := json.Unmarshal(out, output); err != nil {
					t.Fatalf("%v printed %s: %v", args, out, err)
				}
			}
			var spawned struct {
				Data struct {
					ID     string `json:"job_id"`
					Status string `json:"status"`
					Result string `json:"result"`
				} `json:"data"`
			}
			helve(&spawned, "spawn", "run", "--task", "Make notes.")
			if d := spawned.Data; d.Status != "completed" {
				t.Errorf("%+v", d)
			}
			if diff := cmp.Diff(want, spawned.Data.Result); diff != "" {
				t.Error(diff)
			}
			var received struct {
				Data struct {
					Messages []struct {
						ID, Kind, Content string
					} `json:"messages"`
				} `json:"data"`
			}
			helve(&received, "messages", "recv", "--consumer", "c", "--channel", "system", "--to", "parent", "--wait", "30s", "--ack")
			if m := received.Data.Messages; len(m) != 1 || m[0].ID != "job:"+spawned.Data.ID+":final" || m[0].Kind != "result" || !strings.Contains(m[0].Content, "notes.txt has two lines.") {
				t.Errorf("%+v", m)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "notes.txt")); err != nil || string(text) != "one\ntwo\n" {
				t.Errorf("%q, %v", text, err)
			}
			// What it changed is the sub-agent's, and can be taken back.
			var undone any
			helve(&undone, "undo", "--session", "agent-"+spawned.Data.ID)
			if _, err := os.Stat(filepath.Join(dir, "notes.txt")); !os.IsNotExist(err) {
				t.Errorf("undo left it: %v", err)
			}
		})
	}
}
