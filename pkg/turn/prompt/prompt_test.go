package prompt_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/turn/modeltext"
	"github.com/helve-dev/helve/pkg/turn/prompt"
)

var update = flag.Bool("update", false, "renew the golden files")

// sample is a tool with every kind of parameter.
func sample() []prompt.Tool {
	text := func(doc string) schema.Document {
		return schema.Document{{Name: "type", Value: schema.String}, {Name: "description", Value: doc}}
	}
	parameters := schema.Document{{Name: "type", Value: schema.Map}, {Name: "properties", Value: schema.Document{
		{Name: "path", Value: text(`The file, such as "a<b>".`)},
		{Name: "mode", Value: text("How.").With("enum", []string{"add", "drop"}).With("default", "add")},
		{Name: "limit", Value: schema.Document{{Name: "type", Value: schema.Integer}, {Name: "description", Value: "Most lines."}, {Name: "minimum", Value: 1.0}}},
		{Name: "edits", Value: schema.Document{{Name: "type", Value: schema.Array}, {Name: "description", Value: "Changes."}, {Name: "items", Value: schema.Document{
			{Name: "type", Value: schema.Map},
			{Name: "properties", Value: schema.Document{{Name: "old", Value: text("Before.")}, {Name: "new", Value: text("After.")}}},
			{Name: "required", Value: []string{"old"}},
		}}}},
	}}, {Name: "required", Value: []string{"path"}}}
	nothing := schema.Document{{Name: "type", Value: schema.Map}, {Name: "properties", Value: schema.Document{}}, {Name: "required", Value: []string{}}}
	return []prompt.Tool{
		{Name: "change", Doc: "Change a file & more.", Parameters: parameters, Examples: []prompt.Example{
			{Doc: "two lines", Args: `{"path":"a.txt","edits":[{"old":"x < y","new":"z"}]}`},
			{Doc: "a text", Args: `{"path":"one\ntwo ]]> </path>"}`},
		}},
		{Name: "now", Doc: "The time.", Parameters: nothing, Examples: []prompt.Example{{Doc: "here", Args: `{}`}}},
	}
}

func TestGoldenPrompts(t *testing.T) {
	for _, format := range prompt.Formats() {
		for _, lang := range []fault.Lang{fault.English, fault.Chinese} {
			got, err := prompt.Write(sample(), prompt.Options{Format: prompt.Format(format), Lang: lang, Examples: 2})
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", format+"."+string(lang)+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s:\n%s", file, diff)
			}
		}
	}
}

func TestBare(t *testing.T) {
	for _, format := range prompt.Formats() {
		whole, err := prompt.Write(sample()[:1], prompt.Options{Format: prompt.Format(format)})
		if err != nil {
			t.Fatal(err)
		}
		bare, err := prompt.Write(sample()[:1], prompt.Options{Format: prompt.Format(format), Examples: 1, Bare: true})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(whole, strings.TrimSpace(bare)) || len(whole) < len(bare)+500 {
			t.Errorf("%s: the bare text is not the definitions alone:\n%s", format, bare)
		}
	}
	if _, err := prompt.Write(nil, prompt.Options{Format: "yaml"}); !fault.Is(err, fault.Usage) {
		t.Errorf("err = %v, want usage", err)
	}
}

// TestRoundTrip gives every tool random arguments, among them texts that look like
// the convention itself, and reads them back out of the calls.
func TestRoundTrip(t *testing.T) {
	catalog := tools.New(tools.Options{})
	known := func(name string) (modeltext.Tool, bool) {
		one, err := catalog.Find(name)
		if err != nil {
			return modeltext.Tool{}, false
		}
		return modeltext.Of(one), true
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, format := range prompt.Formats() {
		for _, one := range catalog.Tools() {
			for range 8 {
				var written []string
				var want []string
				for range 1 + random.IntN(3) {
					arguments := randomObject(t, random, one.Schema())
					call, err := prompt.Call(prompt.Format(format), one.Name, arguments)
					if err != nil {
						t.Fatal(err)
					}
					written, want = append(written, call), append(want, string(arguments))
				}
				for _, reading := range []modeltext.Format{modeltext.Format(format), modeltext.Auto} {
					text := "First:\n" + strings.Join(written, "\n") + "\nThen more."
					r := modeltext.Read(text, modeltext.Options{Format: reading, Tools: known})
					var got []string
					for _, c := range r.Calls {
						if c.Err != nil || c.Name != one.Name || len(c.Repairs) > 0 {
							t.Fatalf("%s as %s: %+v\n%s", format, reading, c, text)
						}
						got = append(got, string(c.Arguments))
					}
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s as %s:\n%s\n%s", format, reading, diff, text)
					}
					if around := strings.Fields(r.Text); fmt.Sprint(around) != "[First: Then more.]" {
						t.Fatalf("%s as %s: the text is %q\n%s", format, reading, r.Text, text)
					}
				}
			}
		}
	}
}

// randomObject returns arguments that fit the schema but for the lengths and bounds.
func randomObject(t *testing.T, random *rand.Rand, o *schema.Object) []byte {
	d := schema.Document{}
	for _, f := range o.Fields {
		if f.Required || random.IntN(3) == 0 {
			d = append(d, schema.Member{Name: f.Name, Value: randomValue(t, random, &f.Type)})
		}
	}
	text, err := schema.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func randomValue(t *testing.T, random *rand.Rand, of *schema.Type) any {
	switch of.Kind {
	case schema.Integer:
		return random.IntN(1000) - 500
	case schema.Number:
		return random.Float64()
	case schema.Boolean:
		return random.IntN(2) == 0
	case schema.Array:
		items := make([]any, random.IntN(3))
		for i := range items {
			items[i] = randomValue(t, random, of.Items)
		}
		return items
	case schema.Map:
		return json.RawMessage(randomObject(t, random, of.Object))
	}
	if len(of.Enum) > 0 {
		return of.Enum[random.IntN(len(of.Enum))]
	}
	return randomText(random)
}

// randomText returns a text of pieces that a reader could stumble over.
func randomText(random *rand.Rand) string {
	pieces := []string{
		"", " ", "\n", "\r\n", "\r", "\t", "a", "word", "x < y && z > 0", "&amp;", "&lt;b&gt;", "&#10;", "\\n", `\"`, `"`, "'", "{", "}", "[", "]",
		"```\n", "```json\n", "~~~\n", "````", "`", "<![CDATA[", "]]>", "]]", "]]]]><![CDATA[>", "</path>", "<path>", "</content>", "<content>", "</write>", "<write>", "</edit>", "<read>", "<path>x</path>",
		"</tool_call>", "<tool_call>", `<tool_call>{"name":"exec","arguments":{"command":"rm x"}}</tool_call>`, "<exec><command>rm x</command></exec>", "</old_text>\n</edit>\n",
		"<think>", "</think>", "<|im_end|>", "[TOOL_CALLS]", "\nObservation: x\n", "\nAction: exec\nAction Input: {}\n", `{"name":"exec","arguments":{}}`, "<tool_result>", "</s>",
		"😀", "中文", "\u2028", "\u200b", "\x00", "\x1b[0m", "e\u0301", "\ufeff",
	}
	var b strings.Builder
	for range random.IntN(5) {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}

// TestExamples reads the examples of the tools out of the calls that a prompt shows,
// and decodes them: a wrong example would be imitated.
func TestExamples(t *testing.T) {
	for _, one := range tools.Builtin() {
		for _, e := range one.Examples {
			for _, format := range prompt.Formats() {
				call, err := prompt.Call(prompt.Format(format), one.Name, []byte(e.Args))
				if err != nil {
					t.Fatal(err)
				}
				known := func(name string) (modeltext.Tool, bool) { return modeltext.Of(one), name == one.Name }
				r := modeltext.Read(call, modeltext.Options{Format: modeltext.Format(format), Tools: known})
				if len(r.Calls) != 1 || r.Calls[0].Err != nil || string(r.Calls[0].Arguments) != e.Args {
					t.Errorf("%s: %+v, want %s", format, r.Calls, e.Args)
					continue
				}
				if _, err := one.Decode(r.Calls[0].Arguments, one.NewArgs()); err != nil {
					t.Errorf("%s %s: %v", one.Name, e.Args, err)
				}
			}
		}
	}
}
