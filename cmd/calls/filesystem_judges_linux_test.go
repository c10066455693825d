package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// filesystemCall is a call of both servers, one after the other.
type filesystemCall struct {
	tool, arguments string
	differs         string // why our answer is another; "" if it is the same
}

// filesystemCalls tells $ROOT for the directory of a server.
var filesystemCalls = []filesystemCall{
	{"read_text_file", `{"path":"a.txt"}`, ""},
	{"read_file", `{"path":"$ROOT/a.txt"}`, ""},
	{"read_text_file", `{"path":"a.txt","head":2}`, ""},
	{"read_text_file", `{"path":"a.txt","head":100}`, ""},
	{"read_text_file", `{"path":"open.txt","tail":2}`, ""},
	{"read_text_file", `{"path":"open.txt","tail":1}`, ""},
	{"read_text_file", `{"path":"a.txt","tail":2}`, "theirs counts the nothing behind the last newline as a line"},
	{"read_text_file", `{"path":"empty.txt"}`, ""},
	{"read_text_file", `{"path":"sub/deep/é.md"}`, ""},
	{"read_multiple_files", `{"paths":["a.txt","sub/b.txt"]}`, ""},
	{"write_file", `{"path":"new.txt","content":"new\n"}`, ""},
	{"write_file", `{"path":"new.txt","content":"no newline"}`, ""},
	{"read_text_file", `{"path":"new.txt"}`, ""},
	{"write_file", `{"path":"$ROOT/sub/c.txt","content":"日本語\r\nzwei\n"}`, ""},
	{"read_text_file", `{"path":"sub/c.txt"}`, ""},
	{"create_directory", `{"path":"made/of/three"}`, ""},
	{"create_directory", `{"path":"made"}`, ""},
	{"list_directory", `{"path":"."}`, ""},
	{"list_directory", `{"path":"made"}`, ""},
	{"list_directory", `{"path":"made/of/three"}`, ""},
	{"list_directory_with_sizes", `{"path":"sub"}`, ""},
	{"list_directory_with_sizes", `{"path":".","sortBy":"name"}`, "theirs gives a link the size of a file outside"},
	{"list_directory_with_sizes", `{"path":"big","sortBy":"size"}`, ""},
	{"directory_tree", `{"path":"sub"}`, ""},
	{"directory_tree", `{"path":"."}`, ""},
	{"directory_tree", `{"path":".","excludePatterns":["deep","*.txt"]}`, ""},
	{"move_file", `{"source":"new.txt","destination":"made/old.txt"}`, ""},
	{"move_file", `{"source":"made/of","destination":"sub/of"}`, ""},
	{"move_file", `{"source":"made/old.txt","destination":"$ROOT/sub/old.txt"}`, ""},
	{"search_files", `{"path":".","pattern":"**/*.txt"}`, ""},
	{"search_files", `{"path":"sub","pattern":"*.txt"}`, ""},
	{"search_files", `{"path":"$ROOT","pattern":"**/*.txt","excludePatterns":["sub/**"]}`, ""},
	{"search_files", `{"path":".","pattern":"**/deep"}`, ""},
	{"search_files", `{"path":".","pattern":"*.txt"}`, ""},
	{"search_files", `{"path":".","pattern":"**/*.nothing"}`, ""},
	{"search_files", `{"path":"big","pattern":"k*"}`, ""},
	{"edit_file", `{"path":"a.txt","edits":[{"oldText":"two","newText":"zwei"}]}`, ""},
	{"edit_file", `{"path":"a.txt","edits":[{"oldText":"one","newText":"eins"},{"oldText":"eins\nzwei","newText":"1\n2"}]}`, ""},
	{"edit_file", `{"path":"a.txt","edits":[{"oldText":"three","newText":"3"}],"dryRun":true}`, ""},
	{"edit_file", `{"path":"code.py","edits":[{"oldText":"if x:\n  y()","newText":"if x:\n  z()"}]}`, "theirs breaks the indentation of the second line"},
	{"write_file", `{"path":"code.py","content":"pass\n"}`, ""},
	{"edit_file", `{"path":"fence.md","edits":[{"oldText":"x","newText":"y"}]}`, ""},
	{"read_text_file", `{"path":"a.txt"}`, ""},
	{"get_file_info", `{"path":"a.txt"}`, ""},
	{"get_file_info", `{"path":"sub"}`, ""},
	{"list_allowed_directories", `{}`, ""},
	// Failures are failures of both; see the words in the profile.
	{"read_text_file", `{"path":"../outside.txt"}`, ""},
	{"read_text_file", `{"path":"/etc/passwd"}`, ""},
	{"read_text_file", `{"path":"a.txt","head":1,"tail":1}`, ""},
	{"read_text_file", `{"path":"none.txt"}`, ""},
	{"read_text_file", `{"path":"sub"}`, ""},
	{"read_text_file", `{"path":"link"}`, ""},
	{"write_file", `{"path":"$ROOT/../outside.txt","content":"x"}`, ""},
	{"list_directory", `{"path":"a.txt"}`, ""},
	{"list_directory", `{"path":"none"}`, ""},
	{"move_file", `{"source":"a.txt","destination":"code.py"}`, ""},
	{"move_file", `{"source":"none","destination":"other"}`, ""},
	{"edit_file", `{"path":"a.txt","edits":[{"oldText":"not there","newText":"x"}]}`, ""},
	{"get_file_info", `{"path":"none"}`, ""},
	{"read_multiple_files", `{"paths":[]}`, ""},
	{"read_text_file", `{}`, ""},
	{"edit_file", `{"path":"a.txt","edits":[{"oldText":1,"newText":"x"}]}`, "a number is taken for the text that it is, which is not there: both fail"},
}

// TestFilesystemServer has the server that the profile mcp-filesystem follows make the same
// calls in an equal directory: answers, failures and what is on the disk then are the same.
func TestFilesystemServer(t *testing.T) {
	t.Parallel()
	node, modules := newerNode(t, "@modelcontextprotocol/server-filesystem")
	ours, command := served(t, `{}`)
	theirs := t.TempDir()
	for _, dir := range []string{ours, theirs} {
		filesystem(t, dir)
	}
	a := connected(t, ours, append(command, "--as", "mcp-filesystem"))
	b := connected(t, theirs, []string{node, filepath.Join(modules, "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), theirs})
	sameDefinitions(t, a, b)
	var agree int
	for _, c := range filesystemCalls {
		mine, failed := answered(t, a, c, ours)
		other, fails := answered(t, b, c, theirs)
		switch {
		case failed != fails && c.differs == "":
			t.Errorf("%s %s: failed %v, theirs %v\nours:   %s\ntheirs: %s", c.tool, c.arguments, failed, fails, mine, other)
		case failed && fails || mine == other:
			agree++
		case c.differs == "":
			t.Errorf("%s %s:\nours:\n%s\ntheirs:\n%s", c.tool, c.arguments, mine, other)
		}
	}
	t.Logf("%d of %d answers are theirs", agree, len(filesystemCalls))
	if agree*100 < len(filesystemCalls)*95 {
		t.Errorf("only %d of %d answers are theirs", agree, len(filesystemCalls))
	}
	if mine, other := onDisk(t, ours), onDisk(t, theirs); mine != other {
		t.Errorf("on the disk:\nours:\n%s\ntheirs:\n%s", mine, other)
	}
}

// filesystem fills a directory that both servers are given.
func filesystem(t *testing.T, dir string) {
	t.Helper()
	for _, sub := range []string{"sub/deep", "big"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string]string{
		"a.txt": "one\ntwo\nthree\n", "open.txt": "x\ny\nz", "empty.txt": "", "sub/b.txt": "b\n", "sub/deep/é.md": "# é\n",
		"code.py": "def f(x):\n    if x:\n        y()\n", "fence.md": "```\nx\n```\n", ".hidden": "h\n",
		"big/small": "1", "big/kilo": strings.Repeat("k", 1536), "big/mega": strings.Repeat("m", 3<<20),
	} {
		cmdtest.Put(t, dir, name, content)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
}

func connected(t *testing.T, dir string, command []string) *mcp.ClientSession {
	t.Helper()
	c := cmdtest.In(dir, exec.Command(command[0], command[1:]...))
	s, err := mcp.NewClient(&mcp.Implementation{Name: "judge", Version: "1"}, nil).
		Connect(t.Context(), &mcp.CommandTransport{Command: c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Log(err)
		}
	})
	return s
}

// answered returns the text of an answer, with its directory as $ROOT and without what no two
// calls have in common.
func answered(t *testing.T, s *mcp.ClientSession, c filesystemCall, dir string) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: json.RawMessage(strings.ReplaceAll(c.arguments, "$ROOT", dir))})
	if err != nil {
		return err.Error(), true
	}
	for _, content := range r.Content {
		if words, ok := content.(*mcp.TextContent); ok {
			text += words.Text
		}
	}
	text = strings.ReplaceAll(text, dir, "$ROOT")
	return without(c.tool, text), r.IsError
}

var (
	// The header of a diff differs by the program that made it.
	diffHeader = regexp.MustCompile(`(?m)^(Index: .*\n=+\n)?--- .*\n\+\+\+ .*\n`)
	// JavaScript writes times in its own way, and helve knows two of three.
	times = regexp.MustCompile(`(?m)^(created|modified|accessed): .*\n`)
)

func without(tool, text string) string {
	switch tool {
	case "edit_file":
		return diffHeader.ReplaceAllString(text, "")
	case "get_file_info":
		text = times.ReplaceAllString(text, "")
		// Of a directory a size is whatever the file system says.
		if strings.Contains(text, "isDirectory: true") {
			_, text, _ = strings.Cut(text, "\n")
		}
	case "directory_tree":
		return ordered(text)
	case "search_files", "list_directory":
		lines := strings.Split(text, "\n")
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	return text
}

// ordered returns a tree with its entries by name: the order in which a file system gives them
// says nothing.
func ordered(text string) string {
	type node struct {
		Name, Type string
		Children   json.RawMessage
	}
	var nodes []node
	if json.Unmarshal([]byte(text), &nodes) != nil {
		return text
	}
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&b, "%s %s (%s)\n", n.Type, n.Name, ordered(string(n.Children)))
	}
	return b.String()
}

// sameDefinitions compares names, and the names, types and requirement of parameters.
func sameDefinitions(t *testing.T, a, b *mcp.ClientSession) {
	t.Helper()
	mine, other := definitions(t, a), definitions(t, b)
	if mine != other {
		t.Errorf("definitions:\nours:\n%s\ntheirs:\n%s", mine, other)
	}
}

func definitions(t *testing.T, s *mcp.ClientSession) string {
	t.Helper()
	listed, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, one := range listed.Tools {
		var input struct {
			Required   []string
			Properties map[string]struct {
				Type  string
				Enum  []string
				Items struct {
					Type       string
					Properties map[string]struct{ Type string }
				}
			}
		}
		text, err := json.Marshal(one.InputSchema)
		if err == nil {
			err = json.Unmarshal(text, &input)
		}
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(input.Required)
		// The order of a map in fmt is that of its keys.
		lines = append(lines, fmt.Sprintf("%s %v %v", one.Name, input.Properties, input.Required))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// onDisk lists files with their content.
func onDisk(t *testing.T, dir string) string {
	t.Helper()
	found, err := exec.CommandContext(context.Background(), "sh", "-c", "cd "+dir+" && find . -type f -exec sha256sum {} + | sort -k2 && find . -type d | sort").Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(found)
}
