package calls_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// saying is a call under a profile, and what its system says then: a text, or the fields of a
// result. The tests of the packages for Python and Node make the same ones.
type saying struct {
	Profile, Tool string
	Arguments     json.RawMessage
	Text          string
	Data          json.RawMessage
	Fails         bool
}

// TestProfileWords has each profile say what callers of its system compare, in each way in
// which a tool is called.
func TestProfileWords(t *testing.T) {
	t.Parallel()
	server := slowAndMissing(t)
	text := strings.ReplaceAll(cmdtest.Content(t, filepath.Join("..", "..", "testdata", "profiles.json")), "$SERVER", server)
	var table struct {
		Files map[string]string
		Rows  []saying
	}
	if err := json.Unmarshal([]byte(text), &table); err != nil {
		t.Fatal(err)
	}
	of := map[string][]saying{}
	for _, row := range table.Rows {
		of[row.Profile] = append(of[row.Profile], row)
	}
	for name, rows := range of {
		for way, say := range map[string]func(*testing.T, string, []saying) []said{"shell": byShell, "call": byCall, "mcp": byMCP} {
			t.Run(name+"/"+way, func(t *testing.T) {
				dir := withFiles(t, table.Files)
				for i, got := range say(t, dir, rows) {
					rows[i].check(t, got)
				}
			})
		}
	}
}

// said is what was answered; data is nil where a way has texts alone.
type said struct {
	text   string
	data   json.RawMessage
	failed bool
}

func (s saying) check(t *testing.T, got said) {
	t.Helper()
	var a, b any
	switch {
	case got.failed != s.Fails:
		t.Errorf("%s %s: failed %v\n%s", s.Tool, s.Arguments, got.failed, got.text)
	case s.Data == nil && strings.TrimSuffix(got.text, "\n") != strings.TrimSuffix(s.Text, "\n"):
		t.Errorf("%s %s:\n%s\nwant\n%s", s.Tool, s.Arguments, got.text, s.Text)
	case s.Data == nil || got.data == nil:
	case json.Unmarshal(s.Data, &a) != nil || json.Unmarshal(got.data, &b) != nil || !reflect.DeepEqual(a, b):
		t.Errorf("%s %s:\n%s\nwant\n%s", s.Tool, s.Arguments, got.data, s.Data)
	}
}

// withFiles returns a workspace with the files of the table, and what tables cannot hold.
func withFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, _ := served(t, `{}`)
	settings := fmt.Sprintf(`{"projects":[{"id":"p","path":%q,"mode":"write"}],"project":"p","web":{"allow_addresses":["127.0.0.0/8"]}}`, dir)
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", settings)
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		cmdtest.Put(t, dir, name, content)
	}
	cmdtest.Put(t, dir, "latin.txt", "caf\xe9\n")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// slowAndMissing returns the address of a server whose pages are not there, late, or JSON.
func slowAndMissing(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			<-r.Context().Done()
		case "/json":
			w.Header().Set("Content-Type", "application/json")
			if _, err := io.WriteString(w, `{"a":1}`); err != nil {
				t.Error(err)
			}
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func byShell(t *testing.T, dir string, rows []saying) (all []said) {
	t.Helper()
	for _, row := range rows {
		var out bytes.Buffer
		c := cmdtest.Person(t, dir, "--as", row.Profile, row.Tool, string(row.Arguments), "-o", "text")
		c.Stdout = &out
		if row.Data != nil {
			c.Args[len(c.Args)-1] = "json"
		}
		failed := c.Run() != nil
		// A command that fails has its own exit status, and is no failure of the tool.
		got := said{text: out.String(), failed: failed && row.Data == nil}
		if row.Data != nil {
			var answer struct{ Data json.RawMessage }
			if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
				t.Fatalf("%v: %s", err, &out)
			}
			got.data = answer.Data
		}
		all = append(all, got)
	}
	return all
}

func byCall(t *testing.T, dir string, rows []saying) (all []said) {
	t.Helper()
	var calls strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&calls, `{"id":"%d","name":%q,"arguments":%s}`+"\n", i, row.Tool, row.Arguments)
	}
	out := printsOf(t, dir, calls.String(), "call", "--as", rows[0].Profile, "--ndjson", "--dialect", "canonical", "-o", "json")
	for line := range strings.Lines(out) {
		var answer struct {
			Content string
			Data    json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		// Whether it failed, a system that answers failures as results does not say.
		all = append(all, said{answer.Content, answer.Data, rows[len(all)].Fails})
	}
	if len(all) != len(rows) {
		t.Fatalf("%d answers to %d calls: %s", len(all), len(rows), out)
	}
	return all
}

func byMCP(t *testing.T, dir string, rows []saying) (all []said) {
	t.Helper()
	program, err := cmdtest.Program()
	if err != nil {
		t.Fatal(err)
	}
	s := connected(t, dir, []string{program, "mcp", "--as", rows[0].Profile, "--structured"})
	for _, row := range rows {
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: row.Tool, Arguments: row.Arguments})
		if err != nil {
			t.Fatalf("%s %s: %v", row.Tool, row.Arguments, err)
		}
		one := said{failed: row.Fails}
		for _, content := range r.Content {
			if words, ok := content.(*mcp.TextContent); ok {
				one.text += words.Text
			}
		}
		if one.data, err = json.Marshal(r.StructuredContent); err != nil || r.StructuredContent == nil {
			one.data = nil
		}
		all = append(all, one)
	}
	return all
}
