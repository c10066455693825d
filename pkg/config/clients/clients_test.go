package clients

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// forms are files as the agents write them, by the name of the agent; "" is no file.
var forms = map[string][]string{
	"claude-code":    {"", "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"other\": {\n      \"type\": \"stdio\",\n      \"command\": \"x\",\n      \"env\": {}\n    }\n  },\n  \"projects\": {}\n}", `{"mcpServers":{},"userID":"1"}`},
	"codex":          {"", "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\" # c", "model = \"m\"\r\n[projects.\"/a\"]\r\ntrust_level = \"trusted\"\r\n"},
	"gemini-cli":     {"", "{\n  \"security\": {\"auth\": {\"selectedType\": \"oauth-personal\"}},\n  // a comment\n  \"ui\": {\"theme\": \"Default\"}\n}\n"},
	"cursor":         {"", "{\n\t\"mcpServers\": {\n\t\t\"a\": {\"url\": \"http://localhost:1/sse\"}\n\t}\n}\n", "{}"},
	"vscode":         {"", "{\n\t\"servers\": {},\n\t\"inputs\": [],\n}\n"},
	"opencode":       {"", "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"mcp\": { \"a\": { \"type\": \"remote\", \"url\": \"https://a\" } }\n}\n"},
	"zed":            {"", "// Zed settings\n{\n  \"theme\": \"One\", // c\n  /* servers */\n  \"context_servers\": {\n    \"a\": {\"command\": \"b\",},\n  },\n}\n"},
	"windsurf":       {"", "{\r\n  \"mcpServers\": {}\r\n}\r\n"},
	"copilot-cli":    {"", "{\"mcpServers\": {\"a\": {\"type\": \"http\", \"url\": \"https://a\", \"tools\": [\"*\"]}}}"},
	"claude-desktop": {"", "\ufeff{\n  \"globalShortcut\": \"\"\n}\n"},
	"goose":          {"", "GOOSE_PROVIDER: openai # c\nextensions:\n  developer:\n    enabled: true\n    type: builtin\nGOOSE_MODE: auto\n", "GOOSE_MODEL: m\r\n"},
}

func home(t *testing.T) Home {
	t.Helper()
	dir := t.TempDir()
	return Home{Dir: dir, Config: filepath.Join(dir, ".config"), System: "linux", Getenv: func(string) string { return "" }}
}

func put(t *testing.T, file, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), mode), os.Chmod(file, mode)); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRegister puts helve into every form, twice, and takes it out again byte for byte.
func TestRegister(t *testing.T) {
	server := Server{Command: `/opt/a "b"/helve`, Root: "/work"}
	for _, c := range All(home(t)) {
		if len(forms[c.Name]) == 0 {
			t.Errorf("%s has no form", c.Name)
		}
		for _, text := range forms[c.Name] {
			h := home(t)
			for _, one := range All(h) {
				if one.Name == c.Name {
					c = one
				}
			}
			record := Record(filepath.Join(h.Dir, "state", "clients.json"))
			if c.Installed() {
				t.Errorf("%s is installed in an empty home", c.Name)
			}
			if text != "" {
				put(t, c.File, text, 0o640)
			}
			change, err := c.Plan(server)
			if err != nil || change.Nothing() {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if err := record.Do(change); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			after := content(t, c.File)
			for line := range strings.Lines(text) {
				if kept := strings.TrimRight(strings.TrimSpace(line), "{},"); !strings.Contains(line, "}") && !strings.Contains(after, kept) {
					t.Errorf("%s lost %q:\n%s", c.Name, kept, after)
				}
			}
			if again, err := c.Plan(server); err != nil || !again.Nothing() {
				t.Errorf("%s again: %v\n%s", c.Name, err, after)
			}
			if info, err := os.Stat(c.File); text != "" && (err != nil || info.Mode().Perm() != 0o640 && os.PathSeparator == '/') {
				t.Errorf("%s: mode %v, %v", c.Name, info.Mode(), err)
			}
			if files, err := record.Undo(); err != nil || len(files) != 1 {
				t.Errorf("%s: undo %v, %v", c.Name, files, err)
			}
			if text == "" {
				if _, err := os.Stat(c.File); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s stays: %v", c.Name, err)
				}
			} else if got := content(t, c.File); got != text {
				t.Errorf("%s: %q, want %q", c.Name, got, text)
			}
			if files, err := record.Undo(); err != nil || len(files) != 0 {
				t.Errorf("%s: undo again %v, %v", c.Name, files, err)
			}
		}
	}
}

func client(t *testing.T, h Home, name string) Client {
	t.Helper()
	for _, c := range All(h) {
		if c.Name == name {
			return c
		}
	}
	t.Fatal(name)
	return Client{}
}

// TestRefuses leaves files alone that are malformed, changed meanwhile or set to something else.
func TestRefuses(t *testing.T) {
	for name, texts := range map[string][]string{
		"claude-code": {`{"mcpServers":`, `{"mcpServers":[]}`, `[]`},
		"codex":       {"[a", "mcp_servers = {}\n", "[mcp_servers.helve]\ncommand = \"other\"\n"},
		"goose":       {"extensions: {a: {}}\n", "extensions:\nb: 1\n", "extensions:\n  helve:\n    cmd: other\n"},
	} {
		for _, text := range texts {
			c := client(t, home(t), name)
			put(t, c.File, text, 0o600)
			if _, err := c.Plan(Server{Command: "helve"}); !fault.Is(err, fault.BadDocument) || content(t, c.File) != text {
				t.Errorf("%s %q: %v", name, text, err)
			}
		}
	}
	h := home(t)
	c, record := client(t, h, "cursor"), Record(filepath.Join(h.Dir, "clients.json"))
	put(t, c.File, "{}", 0o600)
	change, err := c.Plan(Server{Command: "helve"})
	if err != nil {
		t.Fatal(err)
	}
	put(t, c.File, `{"mcpServers":{"new":{}}}`, 0o600)
	if err := record.Do(change); !fault.Is(err, fault.Conflict) || content(t, c.File) != `{"mcpServers":{"new":{}}}` {
		t.Errorf("%v: %s", err, content(t, c.File))
	}
	if files, err := record.Undo(); err == nil && len(files) > 0 {
		t.Errorf("undone: %v", files)
	}
}

// TestUndoLater takes the entry out of a file that was changed since, and follows links.
func TestUndoLater(t *testing.T) {
	h := home(t)
	c, record := client(t, h, "codex"), Record(filepath.Join(h.Dir, "clients.json"))
	real := filepath.Join(h.Dir, "dotfiles", "codex.toml")
	put(t, real, "model = \"m\"\n", 0o600)
	if err := errors.Join(os.MkdirAll(filepath.Dir(c.File), 0o700), os.Symlink(real, c.File)); err != nil {
		t.Skip(err)
	}
	change, err := c.Plan(Server{Command: "helve"})
	if err == nil {
		err = record.Do(change)
	}
	if err != nil {
		t.Fatal(err)
	}
	put(t, real, content(t, real)+"[later]\na = 1\n", 0o600)
	if _, err := record.Undo(); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(c.File); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v, %v", info, err)
	}
	if got := content(t, real); got != "model = \"m\"\n[later]\na = 1\n" {
		t.Errorf("%q", got)
	}
}

// TestUndoRewritten takes the entry out of files that the agents have written anew, in their
// own form and with more in them.
func TestUndoRewritten(t *testing.T) {
	for _, one := range []struct{ name, before, want string }{
		{"claude-code", "", `{"userID":"1"}`},
		{"claude-code", `{"mcpServers":{}}`, `{"mcpServers":{},"userID":"1"}`},
		{"copilot-cli", `{"mcpServers":{"a":{"url":"b"}}}`, `{"mcpServers":{"a":{"url":"b"}},"userID":"1"}`},
		{"opencode", `{"mcp":null}`, ""},
	} {
		h := home(t)
		c, record := client(t, h, one.name), Record(filepath.Join(h.Dir, "clients.json"))
		if one.before != "" {
			put(t, c.File, one.before, 0o600)
		}
		change, err := c.Plan(Server{Command: "helve"})
		if one.want == "" {
			if !fault.Is(err, fault.BadDocument) {
				t.Errorf("%s %s: %v", one.name, one.before, err)
			}
			continue
		}
		if err == nil {
			err = record.Do(change)
		}
		if err != nil {
			t.Fatal(err)
		}
		var values map[string]any
		if err := json.Unmarshal([]byte(content(t, c.File)), &values); err != nil {
			t.Fatal(err)
		}
		values["userID"] = "1"
		text, err := json.MarshalIndent(values, "", "    ")
		if err != nil {
			t.Fatal(err)
		}
		put(t, c.File, string(text), 0o600)
		if files, err := record.Undo(); err != nil || len(files) != 1 {
			t.Errorf("%s: %v, %v", one.name, files, err)
		}
		if got := content(t, c.File); !same([]byte(got), []byte(one.want)) {
			t.Errorf("%s: %s, want %s", one.name, got, one.want)
		}
	}
}

// TestDangling writes to the target of a link that is not there yet, and refuses a link that
// leads to itself; the links stay.
func TestDangling(t *testing.T) {
	h := home(t)
	c, record := client(t, h, "cursor"), Record(filepath.Join(h.Dir, "clients.json"))
	target := filepath.Join(h.Dir, "dotfiles", "cursor.json")
	if err := errors.Join(os.MkdirAll(filepath.Dir(c.File), 0o700), os.Symlink("../dotfiles/cursor.json", c.File)); err != nil {
		t.Skip(err)
	}
	change, err := c.Plan(Server{Command: "helve"})
	if err == nil {
		err = record.Do(change)
	}
	if err != nil || !strings.Contains(content(t, target), "helve") {
		t.Fatal(err)
	}
	if info, err := os.Lstat(c.File); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if _, err := record.Undo(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the target stays: %v", err)
	}
	if err := errors.Join(os.Remove(c.File), os.Symlink(filepath.Base(c.File), c.File)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Plan(Server{Command: "helve"}); !fault.Is(err, fault.IOError) {
		t.Errorf("a link to itself: %v", err)
	}
}

// TestKeepsNoKeys leaves nothing of the files in the record but what was put in, and keeps it
// to the person; files of several megabytes are edited as well.
func TestKeepsNoKeys(t *testing.T) {
	h := home(t)
	record := Record(filepath.Join(h.Dir, "state", "clients.json"))
	for name, text := range map[string]string{
		"claude-code": `{"primaryApiKey":"sk-secret","history":"` + strings.Repeat("x", 3<<20) + `"}`,
		"codex":       "key = \"sk-secret\"\n",
		"goose":       "KEY: sk-secret\n",
	} {
		c := client(t, h, name)
		put(t, c.File, text, 0o600)
		change, err := c.Plan(Server{Command: "helve"})
		if err == nil {
			err = record.Do(change)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if text := content(t, string(record)); strings.Contains(text, "secret") || len(text) > 4<<10 {
		t.Errorf("%d bytes: %.300s", len(text), text)
	}
	if info, err := os.Stat(string(record)); err != nil || info.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
