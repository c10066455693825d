package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// allKinds is a manifest whose parameters have all that parameters may have, and names
// that a careless converter takes for keywords.
const allKinds = `{"name":"everything","description":"Take everything.","risk":"write","run":{"argv":["true"]},"parameters":{
	"$schema":"https://json-schema.org/draft/2020-12/schema","title":"T","type":"object","additionalProperties":false,
	"required":["required","properties"],"properties":{
	"required":{"type":"boolean","description":"A property with this name."},
	"properties":{"type":"object","description":"Another.","required":["type"],"properties":{
		"type":{"type":"string","enum":["object","array"]},"items":{"type":"array","items":{"type":"object","properties":{
			"enum":{"type":"array","items":{"type":"number","minimum":0.5}},"default":{"type":"string","default":"default"}}}}}},
	"additionalProperties":{"type":"array","items":{"type":"string","minLength":2},"minItems":2,"maxItems":5},
	"path":{"type":"string","path":"write","minLength":1,"maxLength":200},
	"paths":{"type":"array","items":{"type":"string"},"path":"read","minItems":1},
	"mode":{"type":"string","description":"How.","enum":["","fast","slow"],"default":"fast"},
	"level":{"type":"integer","minimum":-1,"maximum":9,"default":0,"$comment":"none"},
	"ratio":{"type":"number","description":"Ratio.","maximum":1e3,"default":0.5},
	"deep":{"type":"boolean","default":false},
	"Camel_Case9":{"type":"string"}}}}`

// nothing is one without parameters.
const nothing = `{"name":"nothing","description":"Take nothing.","risk":"read","run":{"argv":["true"],"output":"json"},"parameters":{"type":"object","properties":{}}}`

// forms are the forms of definitions by a name, with the flags that print them.
func forms() map[string][]string {
	return map[string][]string{
		"openai": {}, "openai-strict": {"--format", "openai", "--strict"},
		"openai-responses": {"--format", "openai-responses"}, "openai-responses-strict": {"--format", "openai-responses", "--strict"},
		"anthropic": {"--format", "anthropic"}, "anthropic-strict": {"--format", "anthropic", "--strict"},
		"gemini": {"--format", "gemini"}, "mcp": {"--format", "mcp", "--output"}, "json-schema": {"--format", "json-schema", "--output"},
	}
}

// definitions returns all forms of the definitions of all tools, those of two manifests
// included.
func definitions(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HELVE_HOME", home)
	t.Setenv("HELVE_ROOT", t.TempDir())
	t.Setenv("HELVE_LANG", "")
	if err := os.Mkdir(filepath.Join(home, "tools"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmdtest.Put(t, home, "tools/everything.json", allKinds)
	cmdtest.Put(t, home, "tools/nothing.json", nothing)
	all := map[string]json.RawMessage{}
	for name, flags := range forms() {
		all[name] = both(t, flags...)
		if !strings.Contains(string(all[name]), `"everything"`) {
			t.Fatalf("%s: the custom tools are missing: %.300s", name, all[name])
		}
	}
	// Alone, every tool is strict for Anthropic. With all of them listed, cron_add and edit
	// have more arguments that may be left out than it takes: 24.
	var tools []definition
	var alone []json.RawMessage
	if err := json.Unmarshal(all["openai"], &tools); err != nil {
		t.Fatal(err)
	}
	for _, tl := range tools[:len(tools)/2] {
		listed := []string{"--full"}
		if tl.Function.Name == "cron_add" || tl.Function.Name == "edit" {
			listed = nil
		}
		alone = append(alone, printed(t, append([]string{"--format", "anthropic", "--strict", "--tools", tl.Function.Name}, listed...)...)...)
	}
	all["anthropic-strict-alone"] = joined(t, alone)
	return all
}

// both returns the definitions as a model usually gets them, and those with all arguments.
func both(t *testing.T, flags ...string) json.RawMessage {
	t.Helper()
	return joined(t, append(printed(t, flags...), printed(t, append(flags, "--full")...)...))
}

func printed(t *testing.T, flags ...string) (all []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal([]byte(run(t, append([]string{"schema"}, flags...)...)), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func joined(t *testing.T, all []json.RawMessage) json.RawMessage {
	t.Helper()
	text, err := schema.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Nobody but a provider's own code knows what it takes. Each judge is started once, for
// all tools in all formats.
func TestFormatsAreTheProvidersOwn(t *testing.T) {
	given := definitions(t)
	want := map[string]any{"faults": []any{}}
	for name, get := range map[string]func(definition) any{
		"anthropic-strict-alone":  func(t definition) any { return t.InputSchema },
		"openai-strict":           func(t definition) any { return t.Function.Parameters },
		"openai-responses-strict": func(t definition) any { return t.Parameters },
		"anthropic-strict":        func(t definition) any { return t.InputSchema },
	} {
		var tools []definition
		if err := json.Unmarshal(given[name], &tools); err != nil {
			t.Fatal(err)
		}
		schemas := []any{}
		for _, tl := range tools {
			if tl.Strict || tl.Function.Strict {
				schemas = append(schemas, get(tl))
			}
		}
		if len(schemas) != len(tools) && name != "anthropic-strict" || len(schemas) < 5 {
			t.Errorf("%s: only %d of %d tools are strict", name, len(schemas), len(tools))
		}
		want[name] = schemas
	}
	check := func(t *testing.T, got map[string]any) {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	t.Run("node", func(t *testing.T) {
		var got map[string]any
		cmdtest.JudgedByNode(t, "formats.cjs", given, &got, "openai", "@anthropic-ai/sdk", "@google/genai", "@modelcontextprotocol/sdk", "ajv")
		check(t, got)
	})
	t.Run("python", func(t *testing.T) {
		var got map[string]any
		cmdtest.JudgedByPython(t, "formats.py", given, &got, "openai", "anthropic", "google.genai")
		check(t, got)
	})
}

// definition is one in one of the forms, or a function of one.
type definition struct {
	Name        string
	Strict      bool
	Parameters  any
	InputSchema any `json:"input_schema"`
	Function    struct {
		Name       string
		Strict     bool
		Parameters any
	}
}

// What providers are known to refuse, a whole request at a time, is in no schema.
func TestFormatsLint(t *testing.T) {
	for form, text := range definitions(t) {
		var tools []map[string]any
		if err := json.Unmarshal(text, &tools); err != nil {
			t.Fatal(err)
		}
		if form == "gemini" {
			var functions []map[string]any
			for _, tl := range tools {
				for _, f := range tl["functionDeclarations"].([]any) {
					functions = append(functions, f.(map[string]any))
				}
			}
			tools = functions
		}
		l := &lint{t: t, gemini: form == "gemini", bare: strings.HasPrefix(form, "anthropic-strict"), nullable: strings.HasPrefix(form, "openai") && strings.HasSuffix(form, "-strict")}
		for _, tl := range tools {
			if f, ok := tl["function"].(map[string]any); ok {
				tl = f
			}
			name, _ := tl["name"].(string)
			l.at = form + " " + name
			if !isName(name, 40) || tl["description"] == "" || tl["description"] == nil {
				t.Errorf("%s: name or description", l.at)
			}
			for _, key := range []string{"parameters", "input_schema", "inputSchema"} {
				if s, ok := tl[key].(map[string]any); ok {
					if s["type"] != l.kind("object") {
						t.Errorf("%s: the root is %v", l.at, s["type"])
					}
					l.strict = l.nullable
					l.schema(l.at, s)
				} else if key == "parameters" && l.gemini && name != "nothing" {
					t.Errorf("%s: no parameters", l.at)
				}
			}
		}
	}
}

// lint looks for what one provider or another refuses.
type lint struct {
	t                              *testing.T
	at                             string
	gemini, bare, nullable, strict bool
}

func (l *lint) kind(name string) string {
	if l.gemini {
		return strings.ToUpper(name)
	}
	return name
}

func (l *lint) schema(at string, s map[string]any) {
	known := []string{"$schema", "type", "description", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "default", "items", "properties", "required", "additionalProperties"}
	if l.gemini {
		known = []string{"type", "description", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "items", "properties", "required", "propertyOrdering"}
	}
	for key := range s {
		if !slices.Contains(known, key) {
			l.t.Errorf("%s: keyword %s", at, key) // among them $ref, anyOf, oneOf, allOf, not, const
		}
	}
	kind, one := s["type"].(string)
	if kinds, ok := s["type"].([]any); ok && l.nullable && len(kinds) == 2 && kinds[1] == "null" {
		kind, one = kinds[0].(string)
	}
	if !one && !(l.bare && s["enum"] != nil) {
		l.t.Errorf("%s: type %v", at, s["type"])
	}
	if enum, ok := s["enum"].([]any); ok && (len(enum) == 0 || l.gemini && slices.Contains(enum, any(""))) {
		l.t.Errorf("%s: enum %v", at, enum)
	}
	switch kind {
	case l.kind("array"):
		items, ok := s["items"].(map[string]any)
		if !ok {
			l.t.Fatalf("%s: no items", at)
		}
		l.schema(at+"/items", items)
	case l.kind("object"):
		properties, ok := s["properties"].(map[string]any)
		required, listed := s["required"].([]any)
		if !ok || !listed || (s["additionalProperties"] != false) != l.gemini || len(properties) == 0 && (l.gemini || strings.Contains(at, "/")) {
			l.t.Errorf("%s: an object without properties, required or additionalProperties: %v", at, s)
		}
		if ordered, _ := s["propertyOrdering"].([]any); l.gemini && len(ordered) != len(properties) {
			l.t.Errorf("%s: order %v", at, ordered)
		}
		for _, name := range required {
			if properties[name.(string)] == nil {
				l.t.Errorf("%s: required %v is not defined", at, name)
			}
		}
		if l.strict && len(required) != len(properties) {
			l.t.Errorf("%s: required %v", at, required)
		}
		for name, p := range properties {
			property, ok := p.(map[string]any)
			if !ok || !isName(strings.ToLower(name), 64) || property["description"] == nil {
				l.t.Errorf("%s: property %s: %v", at, name, p)
				continue
			}
			l.schema(at+"/"+name, property)
		}
	}
}

func isName(s string, most int) bool {
	return s != "" && len(s) <= most && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" && !strings.ContainsAny(s[:1], "0123456789")
}

// A property keeps its name and its type, and what is no keyword in a form is said.
func TestFormatsOfEverything(t *testing.T) {
	given := definitions(t)
	for form, want := range map[string][]string{
		"gemini": {
			`"required":{"type":"BOOLEAN","description":"A property with this name."}`, `"required":["required","properties"],"propertyOrdering":["required","properties","additionalProperties",`,
			`"mode":{"type":"STRING","description":"How. Default: fast. One of: \"\", \"fast\", \"slow\"."}`,
			`"items":{"type":"ARRAY","description":"items","items":{"type":"OBJECT",`, `{"name":"nothing","description":"Take nothing."}`,
		},
		"anthropic-strict-alone": {
			`"additionalProperties":{"type":"array","description":"additionalProperties. From 2 to 5 items.","items":{"type":"string","description":"At least 2 characters."}}`,
			`"mode":{"description":"How. Default: fast.","enum":["","fast","slow"]}`,
			`"paths":{"type":"array","description":"paths","items":{"type":"string"},"minItems":1}`,
			`"ratio":{"type":"number","description":"Ratio. At most 1000. Default: 0.5."}`,
		},
		"openai-strict": {
			`"path":{"type":["string","null"],"description":"path. From 1 to 200 characters."}`,
			`"level":{"type":["integer","null"],"description":"level. Default: 0.","minimum":-1,"maximum":9}`,
			`"mode":{"type":["string","null"],"description":"How. Default: fast.","enum":["","fast","slow",null]}`,
		},
		"mcp": {
			`"name":"nothing","description":"Take nothing.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"annotations":{"title":"nothing","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true}}`,
		},
		"json-schema": {`"output_schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"not known before the call: it is what the program of the tool prints."}`},
	} {
		for _, part := range want {
			if !strings.Contains(string(given[form]), part) {
				t.Errorf("%s: no %s", form, part)
			}
		}
	}
	for name, flags := range forms() {
		if again := both(t, flags...); string(again) != string(given[name]) {
			t.Errorf("%s is not the same the second time", name)
		}
	}
	if chinese := run(t, "schema", "--format", "json-schema", "--output", "--lang", "zh"); !strings.Contains(chinese, "调用前未知") {
		t.Errorf("not in Chinese: %.300s", chinese)
	}
}

func TestFormatFaults(t *testing.T) {
	t.Setenv("HELVE_HOME", t.TempDir())
	for _, c := range []struct {
		flags []string
		hint  string
	}{
		{[]string{"--format", "claude"}, "did you mean anthropic?"},
		{[]string{"--format", "google"}, "did you mean gemini?"},
		{[]string{"--format", "responses"}, "did you mean openai-responses?"},
		{[]string{"--format", "chat"}, "did you mean openai?"},
		{[]string{"--format", "MCP"}, "did you mean mcp?"},
		{[]string{"--format", "antropic"}, "did you mean anthropic?"},
		{[]string{"--format", "toml"}, "the formats are: openai, openai-responses, anthropic, gemini, mcp, json-schema"},
		{[]string{"--format", "gemini", "--strict"}, "use one of: openai, openai-responses, anthropic"},
		{[]string{"--format", "mcp", "--strict"}, "use one of: openai, openai-responses, anthropic"},
		{[]string{"--output"}, "use one of: mcp, json-schema"},
	} {
		a := inProcess(t, append([]string{"schema"}, c.flags...)...)
		if a.Error.Code != string(fault.Usage) || !strings.Contains(a.Error.Hint, c.hint) {
			t.Errorf("%q: %+v", c.flags, a.Error)
		}
	}
}

// Only what may run is offered.
func TestOfferedTools(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HELVE_HOME", home)
	t.Setenv("HELVE_ROOT", t.TempDir())
	names := func(flags ...string) (names []string, reading bool) {
		var tools []struct {
			Name        string
			Annotations struct{ ReadOnlyHint, DestructiveHint bool }
		}
		if err := json.Unmarshal([]byte(run(t, append([]string{"schema", "--format", "mcp"}, flags...)...)), &tools); err != nil {
			t.Fatal(err)
		}
		reading = true
		for _, tl := range tools {
			names, reading = append(names, tl.Name), reading && tl.Annotations.ReadOnlyHint && !tl.Annotations.DestructiveHint
		}
		return names, reading
	}
	all, _ := names()
	offered, reading := names("--readonly")
	if !slices.Contains(offered, "exec") || slices.Contains(offered, "write") || !reading {
		t.Errorf("with --readonly: %q, all read: %v", offered, reading)
	}
	// Each of the others is refused, however it is called; a call of exec that reads is not.
	for _, name := range all {
		a := inProcess(t, "--readonly", name, `{}`)
		if !slices.Contains(offered, name) && a.OK {
			t.Errorf("%s is not offered, and ran", name)
		}
	}
	if a := inProcess(t, "--readonly", "schema", "--tools", "read,write"); a.Error.Code != string(fault.Denied) {
		t.Errorf("--tools write: %+v", a)
	}
	cmdtest.Put(t, home, "config.json", `{"rules":[{"tool":"web*","decision":"deny"},{"tool":"exec","argv":[["rm"]],"decision":"deny"},{"tool":"time","decision":"ask"}]}`)
	offered, _ = names()
	want := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == "websearch" })
	if diff := cmp.Diff(want, offered); diff != "" {
		t.Error(diff)
	}
}
