package calls_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// made is a call as a model makes it, and heard the answer as a provider reads it.
type made struct{ id, name, args string }

type heard struct {
	ID     string
	Failed bool // as the provider marks it; where it does not, as the text says
	Text   string
}

// spoken is how a test writes calls in a dialect and reads the answers.
type spoken struct {
	name string
	say  func([]made) string
	hear func(t *testing.T, line []byte) []heard
}

func join(calls []made, format func(made) string) string {
	all := make([]string, len(calls))
	for i, c := range calls {
		all[i] = format(c)
	}
	return "[" + strings.Join(all, ",") + "]"
}

func decoded[T any](t *testing.T, line []byte) (v T) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields() // a provider would
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return v
}

func failed(text string) bool { return strings.HasPrefix(text, "error: ") }

type mcpAnswer struct {
	Content    []struct{ Type, Text string }
	IsError    *bool
	ResultType string
	Structured map[string]any `json:"structuredContent"`
}

func dialects() []spoken {
	return []spoken{
		{"openai", func(calls []made) string {
			return `{"role":"assistant","content":null,"tool_calls":` + join(calls, func(c made) string {
				return fmt.Sprintf(`{"id":%q,"type":"function","function":{"name":%q,"arguments":%s}}`, c.id, c.name, cmdtest.JSON(c.args))
			}) + `}`
		}, func(t *testing.T, line []byte) (all []heard) {
			for _, m := range decoded[[]struct {
				Role, Content string
				ID            string `json:"tool_call_id"`
			}](t, line) {
				if m.Role != "tool" {
					t.Errorf("role %q", m.Role)
				}
				all = append(all, heard{m.ID, failed(m.Content), m.Content})
			}
			return all
		}},
		{"openai-responses", func(calls []made) string {
			return `{"object":"response","output":` + join(calls, func(c made) string {
				return fmt.Sprintf(`{"type":"function_call","id":"fc","call_id":%q,"name":%q,"arguments":%s}`, c.id, c.name, cmdtest.JSON(c.args))
			}) + `}`
		}, func(t *testing.T, line []byte) (all []heard) {
			for _, m := range decoded[[]struct {
				Type, Output string
				ID           string `json:"call_id"`
			}](t, line) {
				if m.Type != "function_call_output" {
					t.Errorf("type %q", m.Type)
				}
				all = append(all, heard{m.ID, failed(m.Output), m.Output})
			}
			return all
		}},
		{"anthropic", func(calls []made) string {
			return `{"type":"message","role":"assistant","content":` + join(calls, func(c made) string {
				return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, c.id, c.name, object(c.args))
			}) + `}`
		}, func(t *testing.T, line []byte) (all []heard) {
			messages := decoded[[]struct {
				Role    string
				Content []struct {
					Type    string
					ID      string `json:"tool_use_id"`
					Content []struct{ Type, Text string }
					IsError bool `json:"is_error"`
				}
			}](t, line)
			if len(messages) != 1 || messages[0].Role != "user" {
				t.Fatalf("not one message of the user: %s", line)
			}
			for _, b := range messages[0].Content {
				all = append(all, heard{b.ID, b.IsError, b.Content[0].Text})
			}
			return all
		}},
		{"gemini", func(calls []made) string {
			return `{"candidates":[{"content":{"role":"model","parts":` + join(calls, func(c made) string {
				return fmt.Sprintf(`{"functionCall":{"id":%q,"name":%q,"args":%s}}`, c.id, c.name, object(c.args))
			}) + `}}]}`
		}, func(t *testing.T, line []byte) (all []heard) {
			contents := decoded[[]struct {
				Role  string
				Parts []struct {
					Response struct {
						ID, Name string
						Response struct{ Output, Error *string }
					} `json:"functionResponse"`
				}
			}](t, line)
			if len(contents) != 1 || contents[0].Role != "user" {
				t.Fatalf("not one content of the user: %s", line)
			}
			for _, p := range contents[0].Parts {
				r := p.Response.Response
				if (r.Output == nil) == (r.Error == nil) {
					t.Fatalf("not either: %s", line)
				}
				if r.Error != nil {
					all = append(all, heard{p.Response.ID, true, *r.Error})
				} else {
					all = append(all, heard{p.Response.ID, false, *r.Output})
				}
			}
			return all
		}},
		{"mcp", func(calls []made) string {
			return join(calls, func(c made) string {
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.id, c.name, object(c.args))
			})
		}, func(t *testing.T, line []byte) (all []heard) {
			for _, r := range decoded[[]struct {
				JSONRPC, ID string
				Result      mcpAnswer
			}](t, line) {
				if r.JSONRPC != "2.0" || r.Result.IsError == nil || *r.Result.IsError == (r.Result.Structured != nil) {
					t.Errorf("%+v", r)
				}
				all = append(all, heard{r.ID, *r.Result.IsError, r.Result.Content[0].Text})
			}
			return all
		}},
		{"canonical", func(calls []made) string {
			return join(calls, func(c made) string {
				return fmt.Sprintf(`{"id":%q,"name":%q,"arguments":%s}`, c.id, c.name, object(c.args))
			})
		}, func(t *testing.T, line []byte) (all []heard) {
			for _, r := range decoded[[]struct {
				ID, Name string
				OK       bool
				Content  string
				Data     map[string]any
				Error    map[string]any
			}](t, line) {
				if r.OK != (r.Data != nil) || r.OK != (r.Error == nil) || !r.OK && !strings.Contains(r.Content, fmt.Sprint("(", r.Error["code"], ")")) {
					t.Errorf("%+v", r)
				}
				all = append(all, heard{r.ID, !r.OK, r.Content})
			}
			return all
		}},
	}
}

// object returns arguments as a member of JSON: themselves, or a string where they are
// damaged.
func object(args string) string {
	if json.Valid([]byte(args)) {
		return args
	}
	return cmdtest.JSON(args)
}

// TestDialects has one process answer calls in every dialect, line by line, whatever
// becomes of them: each is answered once, in its place, and marked.
func TestDialects(t *testing.T) {
	t.Parallel()
	dir := cmdtest.Workspace(t)
	cmdtest.Put(t, dir, "x.txt", "content of x\n")
	cmdtest.Put(t, cmdtest.HomeOf(dir), "config.json", `{"rules":[{"path":"ask.txt","write":"ask"}],"tools":{"disabled":["mkdir"]}}`)
	calls := []struct {
		made
		failed bool
		text   string
	}{
		{made{"a", "read", `{"path":"x.txt"}`}, false, "content of x"},
		{made{"b", "no_such_tool_at_all", `{}`}, true, "unknown_tool"},
		{made{"c", "read", `{"pa`}, true, "invalid_arguments"},
		{made{"d", "read", `[1]`}, true, "invalid_arguments"},
		{made{"e", "write", `{"path":".git/hooks/pre-commit","content":"x"}`}, true, "protected_path"},
		{made{"f", "write", `{"path":"ask.txt","content":"x"}`}, true, "approval_required"},
		{made{"g", "mkdir", `{"path":"d"}`}, true, "not_registered"},
		{made{"a", "read", `{"path":"nope.txt"}`}, true, "not_found"}, // the same id again
		{made{"h", "", `{}`}, true, "unknown_tool"},
		{made{"i", "write", `{"path":"out.txt","content":"new\n"}`}, false, "out.txt"},
		{made{"j", "read", `{"path":"out.txt"}`}, false, "new"}, // after what was written
	}
	var all []made
	for _, c := range calls {
		all = append(all, c.made)
	}
	p := cmdtest.Helve(dir, "call", "--ndjson")
	var in bytes.Buffer
	for range 2 { // each line follows one of another dialect
		for _, d := range dialects() {
			in.WriteString(d.say(all) + "\n")
		}
		in.WriteString(`{"what":"is this"}` + "\n\n")
	}
	p.Stdin = &in
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	next := func() []byte {
		if !lines.Scan() {
			t.Fatal("too few lines")
		}
		return lines.Bytes()
	}
	for range 2 {
		for _, d := range dialects() {
			answers := d.hear(t, next())
			if len(answers) != len(calls) {
				t.Fatalf("%s: %d answers to %d calls", d.name, len(answers), len(calls))
			}
			for i, c := range calls {
				if got := answers[i]; got.ID != c.id || got.Failed != c.failed || !strings.Contains(got.Text, c.text) {
					t.Errorf("%s, call %d: %+v, want %+v", d.name, i, got, c)
				}
			}
		}
		if line := next(); !bytes.Contains(line, []byte(`"code":"invalid_arguments"`)) {
			t.Errorf("%s", line)
		}
	}
	if lines.Scan() {
		t.Errorf("one more line: %s", lines.Bytes())
	}
}

// A context holds for its line: what the session has read, what it may undo, and what
// the programs of custom tools are told, also in another project.
func TestContextOfLine(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	dir, lib := cmdtest.Workspace(t), t.TempDir()
	home := cmdtest.HomeOf(dir)
	cmdtest.Put(t, dir, "x.txt", "one\n")
	cmdtest.Put(t, lib, "x.txt", "one\n")
	cmdtest.Put(t, home, "config.json", `{"files":{"require_read":"on"},"projects":[{"id":"lib","path":"`+filepath.ToSlash(lib)+`","mode":"write"}]}`)
	if err := os.MkdirAll(filepath.Join(home, "tools"), 0o755); err != nil {
		t.Fatal(err)
	}
	tool := cmdtest.Put(t, t.TempDir(), "whoami.json", `{"name":"whoami","description":"Say who asks.","risk":"read","run":{"argv":["sh","-c","echo =$HELVE_SESSION=$HELVE_CHANNEL=$HELVE_CHAT=$HELVE_TURN="],"output":"text"}}`)
	if out, err := cmdtest.Person(t, dir, "tools", "register", tool).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	read := func(path string) string { return `{"id":"1","name":"read","arguments":{"path":"` + path + `"}}` }
	write := func(path string) string {
		return `{"id":"1","name":"write","arguments":{"path":"` + path + `","content":"two\n"}}`
	}
	who := `{"id":"1","name":"whoami","arguments":{}}`
	in := func(context, call string) string { return `{"context":` + context + `,` + call[1:] }
	p := cmdtest.Helve(dir, "--session", "main", "call", "--ndjson")
	p.Env = append(p.Environ(), "HELVE_CHANNEL=terminal", "HELVE_TURN=1")
	var lines []string
	var want []string
	add := func(line, text string) { lines, want = append(lines, line), append(want, text) }
	for _, file := range []string{"x.txt", "[lib]/x.txt"} {
		add(in(`{"session":"a"}`, read(file)), `"ok":true`)
		add(write(file), `"code":"unread"`)
		add(in(`{"session":"b"}`, write(file)), `"code":"unread"`)
		add(in(`{"session":"a"}`, write(file)), `"ok":true`)
	}
	add(who, "=main=terminal==1=")
	add(in(`{"session":"a","channel":"telegram","chat":"42","turn":"2"}`, who), "=a=telegram=42=2=")
	add(who, "=main=terminal==1=")
	add(`{"context":{"session":"b","to":"7"},"calls":[`+who+`]}`, "=b=terminal=7=1=")
	add(in(`{"sesion":"a"}`, who), `"code":"invalid_arguments"`)
	add(in(`{"session":"a"}`, `{"id":"1","name":"undo","arguments":{}}`), `"ok":true`)
	p.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	out, err := p.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines: %s", len(got), out)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("%s\n\t%s\n\twant %s", lines[i], got[i], want[i])
		}
	}
	a, _ := cmdtest.Call(t, cmdtest.Helve(dir, "history"))
	if by := cmdtest.JSON(a.Data); strings.Count(by, `"session":"a"`) != 2 || strings.Contains(by, `"session":"main"`) {
		t.Errorf("the history: %s", by)
	}
	for path, want := range map[string]string{filepath.Join(dir, "x.txt"): "one\n", filepath.Join(lib, "x.txt"): "two\n"} {
		if got := cmdtest.Content(t, path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}
