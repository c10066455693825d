// Package pkg_test holds the tests of the structure: which package may import
// which, and that every message speaks both languages.
package pkg_test

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "renew the table of floors in docs/ARCHITECTURE.md")

const module = "github.com/helve-dev/helve"

// floors are the rooms by the order of what may import what, lowest first. A room
// is a directory with all below it that is no room of its own. A package imports
// its own room and rooms of lower floors.
var floors = []struct {
	rooms []string
	what  string // for the table in docs/ARCHITECTURE.md
}{
	{[]string{"pkg/fault"}, "error codes, hints, exit statuses, both languages"},
	{[]string{"pkg/schema"}, "from a tagged struct to a JSON Schema and a strict decoder"},
	{[]string{"pkg/workspace"}, "the confined root, and which path is in which"},
	{[]string{"pkg/state", "pkg/files"}, "the state directory, the journal, and the store that processes share; what is in a file: text, encodings, diffs, edits, patches"},
	{[]string{"pkg/policy", "pkg/search", "pkg/html"}, "who may do what: rules, approvals, secrets; searching trees; pages as Markdown, without a network"},
	{[]string{"pkg/config", "pkg/shell", "pkg/document"}, "settings and custom tools' manifests; running commands and classifying them; what office programs write, as Markdown and lists"},
	{[]string{"pkg/web", "pkg/track"}, "what connects: clients, the guard of addresses, the browser; what a command changed in the workspace, for undo"},
	{[]string{"pkg/bus", "pkg/tool"}, "messages and where they are delivered; what a tool is, the chain that every call goes through, how text is shown"},
	{[]string{"pkg/agent", "pkg/schedule", "pkg/check", "pkg/hook", "pkg/trace"}, "sub-agents: their jobs, the conversation with a model, the processes that work; jobs and when they run; formatters and checkers of what changes; the person's programs around calls; calls as spans"},
	{[]string{"pkg/tools"}, "the tools"},
	{[]string{"pkg/turn"}, "the calls of a model's turn in providers' formats, and one answer for each"},
	{[]string{"pkg/mcp"}, "the tools as a server of the Model Context Protocol, and other servers' tools as tools"},
	{[]string{"cmd/process"}, "helve's own process: pipes, terminals, memory"},
	{[]string{"cmd/host"}, "what a call gets: settings, projects, trust, the person who is asked"},
	{[]string{"cmd/overview"}, "what waits for a person and what happened, as commands print it and the desk shows it"},
	{[]string{"cmd/out"}, "what every command prints with: printer, results, wrapping"},
	{[]string{"cmd/line"}, "flags, standard input and words as the JSON of a call; running one tool; progress"},
	{groups, "the commands, one package a group"},
	{[]string{"cmd"}, "the command line: all commands, help, completion, init, upgrade"},
	{[]string{"main.go"}, "one statement"},
}

// groups are the packages of commands, which do not know each other.
var groups = []string{"cmd/agents", "cmd/approvals", "cmd/calls", "cmd/catalog", "cmd/cron", "cmd/desk", "cmd/doctor", "cmd/history", "cmd/messages", "cmd/settings"}

// bans are imports and selectors that only some packages may name.
var bans = []struct {
	what   string // an import path, or "package.Name"
	reason string
	only   []string
}{
	{"github.com/spf13/cobra", "only the command line knows its library", append([]string{"cmd", "cmd/line", "cmd/out"}, groups...)},
	{"github.com/modelcontextprotocol/go-sdk/mcp", "only these speak the protocol", []string{"pkg/mcp"}},
	{"os/exec", "only these start programs", []string{"pkg/shell"}},
	{"http.Client", "only the guarded client reaches the web; who reaches other servers is given what it sends with", append([]string{"pkg/mcp"}, web...)},
	{"http.DefaultClient", "only the guarded client reaches the web", web},
	{"http.DefaultTransport", "only the guarded client reaches the web", web},
	{"http.Transport", "only the guarded client reaches the web", web},
	{"http.Get", "only the guarded client reaches the web", web},
	{"http.Post", "only the guarded client reaches the web", web},
	{"net.Dial", "only the guarded client reaches the web, and the store's its server", append([]string{"pkg/state/store/nats"}, web...)},
	{"net.Dialer", "only the guarded client reaches the web, and the store's its server", append([]string{"pkg/state/store/nats"}, web...)},
	{"os.Exit", "main alone ends the process", []string{"main.go"}},
	{"os.Stdout", "streams are injected", []string{"main.go"}},
	{"os.Getenv", "the environment is read in one place", []string{"cmd/host"}},
	{"os.Open", "files are opened by name in one place", openers},
	{"os.OpenFile", "files are opened by name in one place", append([]string{"pkg/bus/sink"}, openers...)},
	{"os.Create", "files are opened by name in one place", openers},
	{"os.ReadFile", "files are opened by name in one place", append([]string{"pkg/schedule/zone"}, openers...)},
	{"os.WriteFile", "files are opened by name in one place", openers},
	{"os.OpenRoot", "files are opened by name in one place", append([]string{"pkg/shell/gocache"}, kernel...)},
	{"unix.Open", "files are opened by name in one place", kernel},
	{"unix.Openat", "files are opened by name in one place", kernel},
	{"unix.Openat2", "files are opened by name in one place", kernel},
	{"syscall.Open", "files are opened by name in one place", kernel},
	{"regexp.MustCompile", "compiling at start is paid by every call; compile lazily", nil},
}

// openers open files by name. So does sink: the person's settings name a file that
// messages are appended to; and zone reads what the system says its zone is.
var openers = []string{"pkg/workspace", "pkg/state", "pkg/config"}

// kernel are the packages that make system calls to open files: search/walk below the
// handle of a root; sandbox what a sandbox is made of, such as /proc, paths for
// Landlock and the layers of an overlay; cmd/process the terminal and its own code.
var kernel = append([]string{"pkg/search/walk", "pkg/shell/sandbox", "pkg/shell/sandbox/linux", "cmd/process"}, openers...)

var web = []string{"pkg/web"}

// temporary is the name of a directory that a test of another package makes.
var temporary = regexp.MustCompile(`[0-9]{6,}$`)

// sources gives the Go files of the product, without tests, by directory.
func sources(t *testing.T) map[string][]*ast.File {
	t.Helper()
	files := map[string][]*ast.File{}
	set := token.NewFileSet()
	for _, top := range []string{"../main.go", "../cmd", "."} {
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // a test of another package has removed what it had made
				return nil
			}
			if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == "cmdtest" || name == "testing" || temporary.MatchString(d.Name())) {
				return filepath.SkipDir // what only tests and benchmarks import, and what they make
			}
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return err
			}
			dir := path.Join("pkg", filepath.ToSlash(filepath.Dir(name)))
			if dir == "." {
				dir = "main.go"
			}
			files[dir] = append(files[dir], f)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 10 {
		t.Fatalf("found only %d packages", len(files))
	}
	return files
}

// roomOf gives the room that a directory is in and its floor; -1 is none.
func roomOf(dir string) (room string, floor int) {
	floor = -1
	for i, f := range floors {
		for _, r := range f.rooms {
			if (dir == r || strings.HasPrefix(dir, r+"/")) && len(r) > len(room) {
				room, floor = r, i
			}
		}
	}
	return room, floor
}

func TestFloors(t *testing.T) {
	entered := map[string]bool{}
	for dir, files := range sources(t) {
		room, floor := roomOf(dir)
		entered[room] = true
		if floor < 0 {
			t.Errorf("%s is in no room: give it one in floors", dir)
		}
		for _, f := range files {
			for _, spec := range f.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				imported, ours := strings.CutPrefix(imported, module+"/")
				if !ours {
					continue
				}
				if r, below := roomOf(imported); r != room && (below < 0 || below >= floor) {
					t.Errorf("%s imports %s, which is not below it", dir, imported)
				}
				if isTool(dir) && isTool(imported) {
					t.Errorf("%s imports %s: tools do not know each other", dir, imported)
				}
			}
		}
	}
	var below []string
	for _, f := range floors {
		for _, r := range f.rooms {
			if !entered[r] {
				t.Errorf("floors names %s, which is not there", r)
			}
			if strings.HasPrefix(r, "pkg/") {
				below = append(below, path.Base(r))
			}
			if strings.Count(r, "/") > 1 {
				t.Errorf("%s is a room inside a room", r)
			}
		}
	}
	// The table is "ls pkg" with a number.
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "testing" && !slices.Contains(below, e.Name()) {
			t.Errorf("pkg/%s is not in floors", e.Name())
		}
	}
}

// isTool reports whether a directory holds one of the tools.
func isTool(dir string) bool {
	name, ok := strings.CutPrefix(dir, "pkg/tools/")
	return ok && !strings.HasPrefix(name, "internal/") && name != "foreign" && name != "profile" // tables of names
}

// TestGoldenArchitecture keeps the table of the floors in docs/ARCHITECTURE.md as it is here.
func TestGoldenArchitecture(t *testing.T) {
	const file, begin, end = "../docs/ARCHITECTURE.md", "| floor | rooms | |\n| --- | --- | --- |\n", "\n\n"
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(have), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table of floors", file)
	}
	var table strings.Builder
	for i, f := range slices.Backward(floors) {
		fmt.Fprintf(&table, "| %d | `%s` | %s |\n", i, strings.Join(f.rooms, "`, `"), f.what)
	}
	want := before + begin + strings.TrimSuffix(table.String(), "\n") + end + after
	if want == string(have) {
		return
	}
	if !*update {
		t.Fatalf("the table of floors in %s is not that of layers_test.go: renew it with scripts/test -update", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestBans(t *testing.T) {
	for dir, files := range sources(t) {
		for _, f := range files {
			for _, ban := range bans {
				room, _ := roomOf(dir)
				if !slices.Contains(ban.only, room) && !slices.Contains(ban.only, dir) && names(f, ban.what) {
					t.Errorf("%s names %s: %s", dir, ban.what, ban.reason)
				}
			}
			if dir != "pkg/tool/guard" && calls(f, "Through") {
				t.Errorf("%s runs a tool past the guard", dir)
			}
		}
	}
}

// TestToolKnowsNoEngine walks the imports of pkg/tool: what only some tools need is
// provided to them by its type, so that the definition of a tool depends neither on
// an engine nor on net/http.
func TestToolKnowsNoEngine(t *testing.T) {
	files := sources(t)
	engines := []string{"pkg/files", "pkg/search", "pkg/web", "pkg/shell"}
	seen := map[string]bool{}
	var visit func(dir string)
	visit = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		for _, f := range files[dir] {
			for _, spec := range f.Imports {
				imported, _ := strconv.Unquote(spec.Path.Value)
				below, ours := strings.CutPrefix(imported, module+"/")
				room, _ := roomOf(below)
				if imported == "net/http" || ours && slices.Contains(engines, room) {
					t.Errorf("pkg/tool reaches %s by way of %s", imported, dir)
				}
				if ours {
					visit(below)
				}
			}
		}
	}
	visit("pkg/tool")
	if len(seen) < 5 {
		t.Errorf("saw only %d packages", len(seen))
	}
}

// names reports whether f imports the path what or mentions the selector what.
func names(f *ast.File, what string) bool {
	for _, spec := range f.Imports {
		if imported, _ := strconv.Unquote(spec.Path.Value); imported == what {
			return true
		}
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			found = found || ok && x.Name+"."+s.Sel.Name == what
		}
		return !found
	})
	return found
}

func calls(f *ast.File, method string) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			s, ok := c.Fun.(*ast.SelectorExpr)
			found = found || ok && s.Sel.Name == method
		}
		return !found
	})
	return found
}

// riddle is a comment that defines a thing by a clause, or speaks of what somebody is told.
var riddle = regexp.MustCompile(`^//\s*\S+ (is|are) (what|how|that|whose|whether|which|where|so|as)\b|\b(is|are|was|were|be) told\b`)

// TestPlainEnglish refuses comments that define a thing by a clause, such as "max is how
// many are listed". A comment says what a thing is or does: "max limits the number listed".
func TestPlainEnglish(t *testing.T) {
	for dir, files := range sources(t) {
		for _, f := range files {
			for _, group := range f.Comments {
				for _, line := range group.List {
					if riddle.MatchString(line.Text) {
						t.Errorf("%s: say what it is or does: %s", dir, line.Text)
					}
				}
			}
		}
	}
}

// TestArchitecture finds every path that docs/ARCHITECTURE.md names.
func TestArchitecture(t *testing.T) {
	page, err := os.ReadFile("../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, m := range regexp.MustCompile("`((?:cmd|pkg|testdata|scripts)/[a-z0-9_./-]*)`").FindAllStringSubmatch(string(page), -1) {
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Errorf("docs/ARCHITECTURE.md names %s, which is not there", m[1])
		}
		seen++
	}
	if seen < 40 {
		t.Errorf("found only %d paths", seen)
	}
}
