package calls_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestReferenceServers takes in the tools of the servers that the protocol's authors wrote,
// and calls them in each way there is, under rules of the person's.
func TestReferenceServers(t *testing.T) {
	t.Parallel()
	node, modules := newerNode(t, "@modelcontextprotocol/server-everything", "@modelcontextprotocol/server-filesystem")
	dir, _ := served(t, `{"rules":[{"tool":"everything_get_sum","decision":"allow"},{"tool":"everything_get_tiny_image","decision":"allow"},{"tool":"files_move_file","decision":"deny"}]}`)
	cmdtest.Put(t, dir, "old.txt", "old\n")
	server := func(name string) string {
		return filepath.Join(modules, "@modelcontextprotocol", name, "dist", "index.js")
	}
	for name, command := range map[string][]string{"everything": {node, server("server-everything")}, "files": {node, server("server-filesystem"), dir}} {
		// The packages may be below /tmp, where a sandbox has a directory of its own.
		if a, status := cmdtest.Call(t, cmdtest.Person(t, dir, append([]string{"tools", "import", name, "--unconfined", "--"}, command...)...)); status != 0 {
			t.Fatalf("%s: status %d, %+v", name, status, a)
		}
	}
	asked := regexp.MustCompile(`helve approve (\w+)`)
	for way, carry := range map[string]func(tool, arguments string) string{
		"helve": func(tool, arguments string) string { return printsOf(t, dir, "", tool, arguments) },
		"call": func(tool, arguments string) string {
			return printsOf(t, dir, `{"id":"a","name":"tools_call","arguments":{"name":"`+tool+`","arguments":`+arguments+`}}`, "call")
		},
		"mcp": func(tool, arguments string) string {
			return printsOf(t, dir, cmdtest.Initialize+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+"}}\n", "mcp")
		},
	} {
		if got := carry("everything_get_sum", `{"a":2,"b":40}`); !strings.Contains(got, "The sum of 2 and 40 is 42.") {
			t.Errorf("%s: a tool that is allowed: %s", way, got)
		}
		if got := carry("everything_get_tiny_image", `{}`); !strings.Contains(got, "image") || way == "mcp" && !strings.Contains(got, `"mimeType":"image/png"`) {
			t.Errorf("%s: an image: %s", way, got)
		}
		if got := carry("files_move_file", `{"source":"old.txt","destination":"new.txt"}`); !strings.Contains(got, "denies ") || !strings.Contains(got, "files_move_file") || cmdtest.Content(t, filepath.Join(dir, "old.txt")) != "old\n" {
			t.Errorf("%s: a tool that is denied: %s", way, got)
		}
		written := filepath.Join(dir, way+".txt")
		path, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		got := carry("files_write_file", `{"path":`+string(path)+`,"content":"by `+way+`"}`)
		id := asked.FindStringSubmatch(got)
		if _, err := os.Stat(written); id == nil || err == nil {
			t.Fatalf("%s: a tool that no rule is about: %v, %s", way, err, got)
		}
		if got := printsOf(t, dir, "", "approve", id[1]); !strings.Contains(got, "Successfully wrote") || cmdtest.Content(t, written) != "by "+way {
			t.Errorf("%s: a tool that a person allows: %s", way, got)
		}
	}
}

// printsOf returns what a command prints, whatever becomes of it.
func printsOf(t *testing.T, dir, input string, args ...string) string {
	t.Helper()
	c := cmdtest.Person(t, dir, args...)
	var out bytes.Buffer
	c.Stdin, c.Stdout = strings.NewReader(input), &out
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String()
}
