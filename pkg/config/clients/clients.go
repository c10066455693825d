// Package clients registers helve with the agents of a person: it finds their files of
// settings and puts helve among the MCP servers there, as an edit of the text that leaves
// every other byte, and takes it back. It starts no agent and reads none of their other files.
package clients

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/helve-dev/helve/pkg/config/jsonc"
)

// Home says where programs keep their settings.
type Home struct {
	Dir     string // the person's home directory
	Config  string // $XDG_CONFIG_HOME, or .config in Dir
	Roaming string // %APPDATA%; empty elsewhere
	System  string // as GOOS has it
	Getenv  func(string) string
}

// Client is an agent that starts MCP servers.
type Client struct {
	Name  string // of the flag, such as claude-code
	Title string
	File  string   // with its MCP servers
	signs []string // files or directories that an installation has
	form  form
	path  []string // of the entry; its last part is the name of the server
	entry func(Server) *jsonc.Node
}

// Server is the command that starts helve as a server.
type Server struct {
	Command string
	Root    string // for a client that has no directory of its own to work in
}

// form is the language of a file.
type form int

const (
	inJSON form = iota // with comments or without
	inTOML
	inYAML
)

// name is the name of the server in every file.
const name = "helve"

// patience is the time that a client gives a call, in seconds: the longest call of exec, and
// what a person takes to decide.
const patience = 660

// All lists the agents that are known.
func All(h Home) []Client {
	at := func(parts ...string) string { return filepath.Join(append([]string{h.Dir}, parts...)...) }
	app := func(parts ...string) string { // where graphical programs keep settings
		switch h.System {
		case "windows":
			return filepath.Join(append([]string{h.Roaming}, parts...)...)
		case "darwin":
			return filepath.Join(append([]string{h.Dir, "Library", "Application Support"}, parts...)...)
		}
		return filepath.Join(append([]string{h.Config}, parts...)...)
	}
	codex := h.Getenv("CODEX_HOME")
	if codex == "" {
		codex = at(".codex")
	}
	claude := at(".claude.json")
	if dir := h.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		claude = filepath.Join(dir, ".claude.json")
	}
	opencode := filepath.Join(h.Config, "opencode", "opencode.json")
	if jsonc := opencode + "c"; there(jsonc) {
		opencode = jsonc
	}
	zed, goose := filepath.Join(h.Config, "zed"), filepath.Join(h.Config, "goose")
	if h.System == "windows" {
		zed, goose = app("Zed"), app("Block", "goose", "config")
	}
	servers := []string{"mcpServers", name}
	all := []Client{
		{Name: "claude-code", Title: "Claude Code", File: claude, signs: []string{at(".claude")}, path: servers, entry: typed("stdio")},
		{Name: "codex", Title: "Codex", File: filepath.Join(codex, "config.toml"), signs: []string{codex}, form: inTOML, path: []string{"mcp_servers", name}},
		{Name: "gemini-cli", Title: "Gemini CLI", File: at(".gemini", "settings.json"), path: servers, entry: with("timeout", patience*1000)},
		{Name: "cursor", Title: "Cursor", File: at(".cursor", "mcp.json"), path: servers, entry: plain},
		{Name: "vscode", Title: "VS Code", File: app("Code", "User", "mcp.json"), path: []string{"servers", name}, entry: inFolder},
		{Name: "opencode", Title: "opencode", File: opencode, path: []string{"mcp", name}, entry: local},
		{Name: "zed", Title: "Zed", File: filepath.Join(zed, "settings.json"), path: []string{"context_servers", name}, entry: plain},
		{Name: "windsurf", Title: "Windsurf", File: at(".codeium", "windsurf", "mcp_config.json"), path: servers, entry: plain},
		{Name: "copilot-cli", Title: "Copilot CLI", File: at(".copilot", "mcp-config.json"), path: servers, entry: allTools},
		{Name: "claude-desktop", Title: "Claude Desktop", File: app("Claude", "claude_desktop_config.json"), path: servers, entry: rooted},
		{Name: "goose", Title: "goose", File: filepath.Join(goose, "config.yaml"), form: inYAML, path: []string{"extensions", name}},
	}
	for i := range all {
		all[i].signs = append(all[i].signs, all[i].File)
		if dir := filepath.Dir(all[i].File); dir != h.Dir {
			all[i].signs = append(all[i].signs, dir)
		}
	}
	return all
}

// Installed reports whether there is a sign of the agent on this machine.
func (c Client) Installed() bool {
	return slices.ContainsFunc(c.signs, there)
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// object returns an object of pairs of a name and a value.
func object(pairs ...any) *jsonc.Node {
	n := &jsonc.Node{Kind: jsonc.Object}
	for i := 0; i < len(pairs); i += 2 {
		n.Members = append(n.Members, jsonc.Member{Name: pairs[i].(string), Value: node(pairs[i+1])}) //nolint:forcetypeassert // written below
	}
	return n
}

func plain(s Server) *jsonc.Node { return object("command", s.Command, "args", []string{"mcp"}) }

func typed(kind string) func(Server) *jsonc.Node {
	return func(s Server) *jsonc.Node {
		return object("type", kind, "command", s.Command, "args", []string{"mcp"})
	}
}

func with(option string, value int) func(Server) *jsonc.Node {
	return func(s Server) *jsonc.Node {
		return object("command", s.Command, "args", []string{"mcp"}, option, value)
	}
}

func inFolder(s Server) *jsonc.Node {
	return object("type", "stdio", "command", s.Command, "args", []string{"mcp", "--root", "${workspaceFolder}"})
}

func local(s Server) *jsonc.Node {
	return object("type", "local", "command", []string{s.Command, "mcp"}, "enabled", true, "timeout", patience*1000)
}

func allTools(s Server) *jsonc.Node {
	return object("type", "local", "command", s.Command, "args", []string{"mcp"}, "tools", []string{"*"})
}

func rooted(s Server) *jsonc.Node {
	return object("command", s.Command, "args", []string{"mcp", "--root", s.Root})
}
