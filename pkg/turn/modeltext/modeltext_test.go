package modeltext_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn/modeltext"
)

// builtin knows the built-in tools.
func builtin() func(string) (modeltext.Tool, bool) {
	catalog := tools.New(tools.Options{})
	return func(name string) (modeltext.Tool, bool) {
		one, err := catalog.Find(name)
		if err != nil {
			return modeltext.Tool{}, false
		}
		return modeltext.Of(one), true
	}
}

// TestOutputs reads the texts of testdata/outputs.txtar.
func TestOutputs(t *testing.T) {
	data, err := os.ReadFile("testdata/outputs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	known := builtin()
	files := txtar.Parse(data).Files
	for i := 0; i+1 < len(files); i += 2 {
		name, ok := strings.CutSuffix(files[i].Name, ".in")
		if !ok || files[i+1].Name != name+".want" {
			t.Fatalf("%s is not followed by %s.want", files[i].Name, name)
		}
		t.Run(name, func(t *testing.T) {
			text := strings.TrimSuffix(string(files[i].Data), "\n")
			got := modeltext.Read(text, modeltext.Options{Format: modeltext.Auto, Tools: known})
			compare(t, string(files[i+1].Data), got)
		})
	}
	if len(files) < 2*120 {
		t.Errorf("only %d texts", len(files)/2)
	}
}

func compare(t *testing.T, want string, got modeltext.Reading) {
	t.Helper()
	var calls []string
	for line := range strings.SplitSeq(strings.TrimSuffix(want, "\n"), "\n") {
		label, rest, _ := strings.Cut(line, ": ")
		switch label {
		case "text":
			if show(got.Text) != rest {
				t.Errorf("text %q, want %q", show(got.Text), rest)
			}
		case "thinking":
			if show(got.Thinking) != rest {
				t.Errorf("thinking %q, want %q", show(got.Thinking), rest)
			}
		case "note":
			if len(got.Notes) != 1 || !strings.Contains(got.Notes[0].In(fault.English), rest) {
				t.Errorf("notes %q, want %q", got.Notes, rest)
			}
		default:
			if len(calls) > 0 && !strings.Contains(line, " {") && !strings.Contains(line, " ! ") {
				calls[len(calls)-1] += "\n" + line
				continue
			}
			calls = append(calls, line)
		}
	}
	if len(calls) != len(got.Calls) {
		t.Fatalf("%d calls, want %d: %+v", len(got.Calls), len(calls), got)
	}
	for i, c := range got.Calls {
		name, arguments, _ := strings.Cut(calls[i], " ")
		if name == "?" {
			name = ""
		}
		if why, damaged := strings.CutPrefix(arguments, "! "); damaged {
			if c.Err == nil || c.Arguments != nil || !strings.Contains(c.Err.Error(), why) {
				t.Errorf("%s: %s, error %v, want %q", c.Name, c.Arguments, c.Err, why)
			}
		} else if c.Err != nil || string(c.Arguments) != compact(t, arguments) {
			t.Errorf("%s: %s, error %v, want %s", c.Name, c.Arguments, c.Err, arguments)
		}
		if c.Name != name {
			t.Errorf("tool %q, want %q", c.Name, name)
		}
		if c.Err == nil && !json.Valid(c.Arguments) {
			t.Errorf("%s: %s is not JSON", c.Name, c.Arguments)
		}
		if c.Source == "" {
			t.Errorf("%s has no source", c.Name)
		}
	}
}

func compact(t *testing.T, text string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b.String()
}

func show(s string) string { return strings.ReplaceAll(s, "\n", `\n`) }

// TestFormats reads only the convention that was asked for.
func TestFormats(t *testing.T) {
	const text = "<read>\n<path>a</path>\n</read>\n" +
		"```json\n{\"name\": \"read\", \"arguments\": {\"path\": \"b\"}}\n```\n" +
		"```tool_call\n{\"name\": \"read\", \"arguments\": {\"path\": \"c\"}}\n```\n" +
		"<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"d\"}}\n</tool_call>\n" +
		"[TOOL_CALLS]read{\"path\": \"e\"}"
	for format, want := range map[modeltext.Format]string{
		modeltext.Auto: "a b c d e", modeltext.XML: "a d", modeltext.JSON: "b d", modeltext.Markdown: "c", modeltext.Hermes: "d",
	} {
		var got []string
		for _, c := range modeltext.Read(text, modeltext.Options{Format: format, Tools: builtin()}).Calls {
			var arguments struct{ Path string }
			if err := json.Unmarshal(c.Arguments, &arguments); err != nil {
				t.Fatal(err)
			}
			got = append(got, arguments.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", format, got, want)
		}
	}
}

// TestLongText reads hostile texts of a megabyte: a slow way of reading one would take
// minutes.
func TestLongText(t *testing.T) {
	known := builtin()
	for _, piece := range []string{
		"<", "[", "{", "`", "{\n", "{\"", "<read>", "<read><path>", "<write><path>a</path><content>", "<tool_call>", "<tool_call>{", "</content>", "<![CDATA[", "<read><path>x</read>\n",
		"```\n", "<think>", "[read(", "Action: read\n", "<|channel|>", "<function=read><parameter=path>", "call:", "<|tool_call>call:read{", "\n{\"name\":", "<a b=\"", "[TOOL_CALLS]", "<write><content></content>",
	} {
		text := strings.Repeat(piece, 1<<20/len(piece))
		if r := modeltext.Read(text, modeltext.Options{Tools: known}); len(r.Calls) > len(text) {
			t.Errorf("%q: %d calls", piece, len(r.Calls))
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/outputs.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range txtar.Parse(data).Files {
		if strings.HasSuffix(file.Name, ".in") {
			f.Add(string(file.Data), uint8(0))
		}
	}
	known := builtin()
	f.Fuzz(func(t *testing.T, text string, format uint8) {
		formats := modeltext.Formats()
		r := modeltext.Read(text, modeltext.Options{Format: modeltext.Format(formats[int(format)%len(formats)]), Tools: known})
		for _, c := range r.Calls {
			if !strings.Contains(text, c.Source) {
				t.Errorf("%q is not in the text", c.Source)
			}
			if c.Err != nil {
				if c.Arguments != nil {
					t.Errorf("a damaged call of %s has arguments", c.Name)
				}
				continue
			}
			if err := schema.Check(c.Arguments); utf8.ValidString(text) && (err != nil || c.Name == "") {
				t.Errorf("%s %s: %v", c.Name, c.Arguments, err)
			}
		}
	})
}
