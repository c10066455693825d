package cmd_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd"
)

// executed are the blocks of the guides that are no console sessions, by their beginnings,
// with what executes each.
var executed = map[string]string{
	"sh # tea.sh":                      "TestGuideReminder",
	"text added job-":                  "TestGuideReminder",
	"sh # ask.sh":                      "TestGuideSubAgents",
	"text It prints hello.":            "TestGuideSubAgents",
	"python # bot.py":                  "TestGuideBot",
	"python # ten.py":                  "TestGuideConsole",
	"python # agent.py":                "TestGuideAgents",
	"js // agent.mjs":                  "TestGuideAgents",
	"text user  Make notes.":           "TestGuideAgents",
	"python # package.py":              "TestGuideAgents",
	"js // package.mjs":                "TestGuideAgents",
	"text tool a module":               "TestGuideAgents",
	"text # deploy.rules":              "TestGuideConsole",
	"sh helve fetch URL":               "TestGuideFetch",
	"sh claude mcp add":                "TestGuideClients",
	`json {"mcpServers"`:               "TestGuideClients",
	`json {"context_servers"`:          "TestGuideClients",
	`json {"spawn": {"agents"`:         "TestGuideSettings",
	`json {"exec": {"hosts"`:           "TestGuideSettings",
	"json {\n  \"rules\"":              "TestGuideSettings",
	"sh helve tools import":            "TestReferenceServers and TestLoginOfRegisteredClient import such servers",
	`text {"t":"progress"`:             "TestStreamOfProgress, which wants such lines",
	"sh curl -fsSL https://github.com": "the tests of scripts/install",
	"sh git clone":                     "scripts/test, which is one of its commands",
}

// TestGuideBlocks knows for each block of the guides what executes it.
func TestGuideBlocks(t *testing.T) {
	seen := map[string]bool{}
	for _, guide := range guides(t) {
		for _, b := range blocksOf(t, guide) {
			known := b.language == "console"
			for start := range executed {
				if strings.HasPrefix(b.language+" "+b.text, start) {
					known, seen[start] = true, true
				}
			}
			if !known {
				t.Errorf("%s: nothing executes this block:\n%s", guide, b.text)
			}
		}
	}
	for start := range executed {
		if !seen[start] {
			t.Errorf("no guide has a block %q", start)
		}
	}
}

// TestGuideWords finds the commands and flags that the guides name, as `helve read --path`.
func TestGuideWords(t *testing.T) {
	t.Parallel()
	root := cmd.Tree()
	named := 0
	for _, guide := range pages(t) {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		spans := strings.ReplaceAll(string(text), "\\|", "|")
		for _, b := range blocksOf(t, guide) {
			if b.language == "sh" {
				spans += "\n" + regexp.MustCompile(`(?m)^(helve .*?)(?: +#.*)?$`).ReplaceAllString(b.text, "`$1`")
			}
		}
		for _, m := range regexp.MustCompile("`helve\\s([^`<]+)`").FindAllStringSubmatch(spans, -1) {
			words := strings.Fields(m[1])
			if strings.ToUpper(words[0]) == words[0] || words[0] == "cat" || strings.HasPrefix(words[0], "files_") {
				continue // helve TOOL; a program's name that helve corrects; an imported tool
			}
			named++
			for one := range strings.SplitSeq(words[len(words)-1], "|") { // tools list|enable|disable
				path := words
				if strings.Contains(words[len(words)-1], "|") {
					path = append(words[:len(words)-1:len(words)-1], one)
				}
				c, _, err := root.Find(path)
				if err != nil || c == root && !strings.HasPrefix(words[0], "-") {
					t.Errorf("%s names %q: %v", guide, m[0], err)
					continue
				}
				for _, w := range path {
					if name, ok := strings.CutPrefix(w, "--"); ok && name != "" {
						name, _, _ = strings.Cut(name, "=")
						if c.Flag(name) == nil && c.InheritedFlags().Lookup(name) == nil && root.PersistentFlags().Lookup(name) == nil {
							t.Errorf("%s names %q, which has no flag --%s", guide, m[0], name)
						}
					}
				}
			}
		}
	}
	if named < 60 {
		t.Errorf("the guides name only %d commands", named)
	}
}

// pages returns the guides and the documents for contributors.
func pages(t *testing.T) []string {
	t.Helper()
	decisions, err := filepath.Glob("../docs/decisions/*.md")
	if err != nil || len(decisions) < 5 {
		t.Fatalf("%q, %v", decisions, err)
	}
	return append(append(guides(t), "../SECURITY.md", "../CONTRIBUTING.md", "../docs/ARCHITECTURE.md", "../docs/TESTING.md"), decisions...)
}

// TestGuideLinks wants each link to a file of the repository to lead to one, and to a heading of it.
func TestGuideLinks(t *testing.T) {
	t.Parallel()
	link, heading := regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`), regexp.MustCompile(`(?m)^##* (.*)$`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if m[2] == "" {
				if _, err := os.Stat(to); err != nil {
					t.Errorf("%s: %v", page, err)
				}
				continue
			}
			target, err := os.ReadFile(to)
			if err != nil {
				t.Errorf("%s: %v", page, err)
			}
			var ids []string
			for _, h := range heading.FindAllStringSubmatch(string(target), -1) {
				ids = append(ids, strings.ReplaceAll(strings.ToLower(h[1]), " ", "-"))
			}
			if !slices.Contains(ids, m[2]) {
				t.Errorf("%s: %s has no heading %s", page, to, m[2])
			}
		}
	}
}

// TestGuideSettings validates the settings that the guides show.
func TestGuideSettings(t *testing.T) {
	t.Parallel()
	for _, guide := range guides(t) {
		for _, b := range blocksOf(t, guide) {
			if b.language != "json" || strings.Contains(b.text, `ervers"`) {
				continue
			}
			file := filepath.Join(t.TempDir(), "config.json")
			if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("helve", "config", "validate", file).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", guide, err, out)
			}
		}
	}
}

// TestGuideFetch runs the calls of fetch that the guide shows, against a site of its own.
func TestGuideFetch(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	pdf, err := os.ReadFile(filepath.Join(documents, "contract.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	page := "<html><body><article><h1>Tool</h1><p>" + strings.Repeat("This tool connects two machines. ", 20) + "</p><h2>Installation</h2><p>" +
		strings.Repeat("Copy it to a directory. ", 20) + "</p><h2>Trouble</h2><p>It says connection refused if nobody listens.</p></article></body></html>"
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/report.pdf":
			_, _ = w.Write(pdf)
		case "/data.zip":
			_, _ = w.Write([]byte("PK\x05\x06" + strings.Repeat("\x00", 18))) // an empty archive
		default:
			_, _ = w.Write([]byte(page))
		}
	}))
	defer site.Close()
	dir, env := readmeDir(t)
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(`{"web": {"allow_private": true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(shell, "-ec", strings.ReplaceAll(find(t, "sh", "helve fetch URL"), "URL", site.URL))
	c.Dir, c.Env = dir, append(env, "HELVE_HOME="+home)
	out, err := c.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{"Copy it to a directory.", "connection refused", "Ann Miller"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("there is no %q in\n%s", want, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data/data.zip")); err != nil {
		t.Error(err)
	}
}

// clients play the programs that the guide registers "helve mcp" with: they start it as they
// were told to, and say hello. The last one is given a setting, which it prints.
const clients = `
hello() { echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' | "$@"; }
claude() { shift 4; hello "$@"; }
codex() { shift 4; hello "$@"; }
gemini() { shift 3; hello "$@"; }
code() { echo "$2"; }
`

// TestGuideClients registers the server as the guide does, and reads the settings for other clients.
func TestGuideClients(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	dir, env := readmeDir(t)
	var settings []string
	for _, guide := range guides(t) {
		for _, b := range blocksOf(t, guide) {
			switch {
			case b.language == "json" && strings.Contains(b.text, `ervers"`):
				settings = append(settings, b.text)
			case b.language == "sh" && strings.HasPrefix(b.text, "claude mcp add"):
				c := exec.Command(shell, "-ec", clients+b.text)
				c.Dir, c.Env = dir, env
				out, err := c.Output()
				lines := strings.Split(strings.TrimSpace(string(out)), "\n")
				if err != nil || len(lines) != strings.Count(b.text, "\n") {
					t.Fatalf("%s: %v\n%s", guide, err, out)
				}
				for _, line := range lines {
					if strings.HasPrefix(line, `{"name"`) {
						settings = append(settings, `{"servers": {"helve": `+line+`}}`)
					} else if !strings.Contains(line, `"serverInfo":{"name":"helve"`) {
						t.Errorf("%s: a client got %s", guide, line)
					}
				}
			}
		}
	}
	for _, text := range settings {
		var s map[string]map[string]struct {
			Command string
			Args    []string
		}
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		for _, servers := range s {
			if helve := servers["helve"]; helve.Command != "helve" || len(helve.Args) == 0 || helve.Args[0] != "mcp" {
				t.Errorf("%s starts %+v", text, helve)
			}
		}
	}
	if len(settings) != 3 {
		t.Errorf("the guides have %d settings", len(settings))
	}
}
