package schema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// foreignSchemas are schemas as servers write them, each with what providers refuse.
func foreignSchemas() map[string]string {
	return map[string]string{
		"nothing":      `{"type":"object"}`,
		"closed":       `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#"}`,
		"root anyOf":   `{"type":"object","anyOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"name":{"type":"string"}},"required":["name"]}]}`,
		"root allOf":   `{"type":"object","allOf":[{"properties":{"id":{"type":"integer"}},"required":["id"]},{"properties":{"name":{"type":"string"}},"required":["name"]}]}`,
		"reference":    `{"type":"object","properties":{"at":{"$ref":"#/$defs/point","description":"Where."}},"required":["at"],"$defs":{"point":{"type":"object","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x","y"]}}}`,
		"recursive":    `{"type":"object","properties":{"tree":{"$ref":"#/$defs/node"}},"$defs":{"node":{"type":"object","properties":{"value":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`,
		"root in root": `{"type":"object","properties":{"self":{"$ref":"#"},"n":{"type":"integer"}}}`,
		"type arrays":  `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["integer","string"]},"c":{"type":["array","null"],"items":{"type":["number","null"]}}}}`,
		"const":        `{"type":"object","properties":{"a":{"const":"fixed"},"b":{"const":3},"c":{"enum":[1,2,3]},"d":{"enum":["x","y",null]}}}`,
		"patterns":     `{"type":"object","properties":{"labels":{"type":"object","patternProperties":{"^[a-z]+$":{"type":"string"}}},"free":{"type":"object","additionalProperties":{"type":"integer"}}},"additionalProperties":true}`,
		"tuple":        `{"type":"object","properties":{"range":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}]},"any":{"type":"array"}}}`,
		"names":        `{"type":"object","properties":{"foo-bar":{"type":"string"},"foo_bar":{"type":"integer"},"1st":{"type":"boolean"},"größe":{"type":"number"},"":{"type":"string"}},"required":["foo-bar"]}`,
		"anyOf null":   `{"type":"object","properties":{"a":{"anyOf":[{"type":"string","enum":["x","y"]},{"type":"null"}],"default":null},"b":{"oneOf":[{"const":"p"},{"const":"q"}]},"c":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}}}`,
		"undefined":    `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]}`,
		"deep":         `{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"string"}}}}}}}}}}}}}}}`,
		"true":         `{"type":"object","properties":{"a":true,"b":{},"c":{"not":{"type":"string"}}}}`,
		"bounds":       `{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":10},"b":{"type":"string","minLength":2,"pattern":"^x"},"c":{"type":"number","exclusiveMinimum":0},"d":{"type":"array","items":{"type":"string"},"maxItems":3},"e":{"type":"integer","default":5}},"required":["a"]}`,
		"arguments":    `{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}}}`,
	}
}

// portable checks that a schema has nothing that a provider refuses.
func portable(t *testing.T, at string, d schema.Document, depth int) {
	t.Helper()
	for _, m := range d {
		if !slices.Contains([]string{"type", "description", "enum", "items", "properties", "required", "additionalProperties", "default",
			"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}, m.Name) {
			t.Errorf("%s: the keyword %s", at, m.Name)
		}
	}
	if depth > 12 {
		t.Fatalf("%s: too deep", at)
	}
	switch d.Get("type") {
	case schema.Map:
		properties := d.Get("properties").(schema.Document)
		for _, name := range d.Get("required").([]string) {
			if properties.Get(name) == nil {
				t.Errorf("%s: %s is required and not defined", at, name)
			}
		}
		for i, p := range properties {
			if strings.Trim(strings.ToLower(p.Name), "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || p.Name == "" || len(p.Name) > 64 || p.Name[0] >= '0' && p.Name[0] <= '9' {
				t.Errorf("%s: the name %q", at, p.Name)
			}
			if slices.ContainsFunc(properties[:i], func(m schema.Member) bool { return m.Name == p.Name }) {
				t.Errorf("%s: %s is there twice", at, p.Name)
			}
			property := p.Value.(schema.Document)
			if doc, _ := property.Get("description").(string); strings.TrimSpace(doc) == "" || !utf8.ValidString(doc) || len(doc) > 20_000 {
				t.Errorf("%s/%s: the description %.100q", at, p.Name, doc)
			}
			portable(t, at+"/"+p.Name, property, depth+1)
		}
	case schema.Array:
		portable(t, at+"/*", d.Get("items").(schema.Document), depth+1)
	case schema.String, schema.Integer, schema.Number, schema.Boolean:
	default:
		t.Errorf("%s: the type %v", at, d.Get("type"))
	}
}

func TestPortable(t *testing.T) {
	want := map[string]string{
		"nothing":     `{"type":"object","properties":{},"required":[],"additionalProperties":true}`,
		"closed":      `{"type":"object","properties":{"a":{"type":"string","description":"a"}},"required":[],"additionalProperties":false}`,
		"root anyOf":  `{"type":"object","properties":{"id":{"type":"integer","description":"id"},"name":{"type":"string","description":"name"}},"required":[],"additionalProperties":false}`,
		"root allOf":  `{"type":"object","properties":{"id":{"type":"integer","description":"id"},"name":{"type":"string","description":"name"}},"required":["id","name"],"additionalProperties":false}`,
		"reference":   `{"type":"object","properties":{"at":{"type":"object","description":"Where.","properties":{"x":{"type":"number","description":"x"},"y":{"type":"number","description":"y"}},"required":["x","y"],"additionalProperties":false}},"required":["at"],"additionalProperties":false}`,
		"type arrays": `{"type":"object","properties":{"a":{"type":"string","description":"a"},"b":{"type":"integer","description":"b JSON Schema: {\"type\":[\"integer\",\"string\"]}"},"c":{"type":"array","description":"c","items":{"type":"number"}}},"required":[],"additionalProperties":false}`,
		"const":       `{"type":"object","properties":{"a":{"type":"string","description":"a","enum":["fixed"]},"b":{"type":"number","description":"b One of: 3."},"c":{"type":"number","description":"c One of: 1, 2, 3."},"d":{"type":"string","description":"d","enum":["x","y"]}},"required":[],"additionalProperties":false}`,
		"undefined":   `{"type":"object","properties":{"a":{"type":"string","description":"a"},"b":{"type":"string","description":"b Any JSON value."}},"required":["a","b"],"additionalProperties":false}`,
		"names": `{"type":"object","properties":{"foo_bar_2":{"type":"string","description":"foo-bar Its own name is \"foo-bar\"."},"foo_bar":{"type":"integer","description":"foo bar"},` +
			`"_1st":{"type":"boolean","description":"1st Its own name is \"1st\"."},"gr__e":{"type":"number","description":"größe Its own name is \"größe\"."},"_":{"type":"string","description":"Its own name is \"\"."}},"required":["foo_bar_2"],"additionalProperties":false}`,
		"anyOf null": `{"type":"object","properties":{"a":{"type":"string","description":"a","enum":["x","y"]},"b":{"type":"string","description":"b","enum":["p","q"]},` +
			`"c":{"type":"string","description":"c JSON Schema: {\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]}"}},"required":[],"additionalProperties":false}`,
	}
	for name, text := range foreignSchemas() {
		o, err := schema.Portable([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		d := o.JSONSchema()
		portable(t, name, d, 0)
		got, err := schema.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if w, ok := want[name]; ok && w != string(got) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, w)
		}
	}
	for _, text := range []string{`[]`, `"x"`, `{"type":"string"}`, `{"type":"obj`, ``, `{"$ref":"#"}x`} {
		if _, err := schema.Portable([]byte(text)); !fault.Is(err, fault.BadDocument) {
			t.Errorf("%s: %v", text, err)
		}
	}
	// What cannot be shown is quoted.
	o, err := schema.Portable([]byte(foreignSchemas()["recursive"]))
	if err != nil {
		t.Fatal(err)
	}
	text, err := schema.Marshal(o.JSONSchema())
	if err != nil || !strings.Contains(string(text), `JSON Schema: {\"type\":\"object\",\"properties\":{\"value\"`) {
		t.Errorf("the schema of a tree: %s, %v", text, err)
	}
}

// TestPortableKeeps passes on what came, and mends what the schema surely refuses.
func TestPortableKeeps(t *testing.T) {
	tests := []struct{ of, in, out string }{
		{"nothing", `{"b":1.50,"a":[1e3,{"z":null,"y":"\u00e9"}],"arguments":{"x":1}}`, `{"b":1.50,"a":[1e3,{"z":null,"y":"é"}],"arguments":{"x":1}}`},
		{"nothing", `{"arguments":{"x":1}}`, `{"arguments":{"x":1}}`},
		{"arguments", `{"arguments":{"x":1}}`, `{"arguments":{"x":1}}`},
		{"reference", `{"arguments":{"at":{"y":2,"x":12345678901234567890,"z":0}}}`, `{"at":{"y":2,"x":12345678901234567890,"z":0}}`},
		{"reference", `{"at":"{\"x\":1,\"y\":2}"}`, `{"at":{"x":1,"y":2}}`},
		{"type arrays", `{"a":null,"b":"7","c":[1,null]}`, `{"a":null,"b":"7","c":[1,null]}`},
		{"bounds", `{"a":"3","b":null,"c":"","e":5}`, `{"a":3,"e":5}`},
		{"bounds", `{"A":3,"more":1}`, `{"a":3,"more":1}`},
		{"names", `{"foo_bar_2":"x","foo_bar":1,"_1st":true,"größe":1.0}`, `{"foo-bar":"x","foo_bar":1,"1st":true,"größe":1.0}`},
		{"names", `{"foo-bar":"x"}`, `{"foo-bar":"x"}`},
		{"anyOf null", `{"a":null,"c":["x"]}`, `{"a":null,"c":["x"]}`},
		{"root anyOf", `{"name":"x"}`, `{"name":"x"}`},
		{"closed", `{"a":"x","b":null}`, `{"a":"x"}`},
		{"tuple", `{"range":[1,"x",{}]}`, `{"range":[1,"x",{}]}`},
		{"bounds", `{"b":"x"}`, ""},
		{"bounds", `{"a":1.5}`, ""},
		{"bounds", `{"a":1,"a":2}`, ""},
		{"names", `{"foo-bar":"x","foo_bar_2":"y"}`, ""},
		{"closed", `{"c":1}`, ""},
		{"const", `{"a":"other"}`, ""},
		{"closed", `[]`, ""},
	}
	for _, tt := range tests {
		o, err := schema.Portable([]byte(foreignSchemas()[tt.of]))
		if err != nil {
			t.Fatal(err)
		}
		args := o.NewArgs()
		_, err = o.DecodeRepaired([]byte(tt.in), args, schema.Repair{Writes: true})
		if tt.out == "" {
			if !fault.Is(err, fault.InvalidArguments) {
				t.Errorf("%s %s: %v", tt.of, tt.in, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", tt.of, tt.in, err)
			continue
		}
		got, err := schema.Marshal(args)
		if err != nil || string(got) != tt.out {
			t.Errorf("%s %s: %s, %v; want %s", tt.of, tt.in, got, err, tt.out)
		}
		values, err := schema.Marshal(o.Values(args))
		if err != nil || string(values) != tt.out {
			t.Errorf("%s %s: values %s, %v", tt.of, tt.in, values, err)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain\nlines\t.":                           "plain\nlines\t.",
		"a\x00b\x1b[31mc\u202ed\u200be\ufeff":       "ab[31mcde",
		"tags\U000e0041\U000e0042 \ue000\xff\u00ad": "tags",
		strings.Repeat("é", 30):                     strings.Repeat("é", 20) + "…",
	} {
		if got := schema.Printable(in, 20); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzPortable holds what is made of any schema against what providers take, and its
// decoder against a validator that is not ours: what that takes comes through unchanged.
func FuzzPortable(f *testing.F) {
	for _, text := range foreignSchemas() {
		f.Add([]byte(text), []byte(`{"a":1,"foo-bar":"x","at":{"x":1,"y":2}}`))
	}
	f.Add([]byte(`{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}`), []byte(`{"a":[]}`))
	f.Fuzz(func(t *testing.T, text, in []byte) {
		o, err := schema.Portable(text)
		if err != nil {
			return
		}
		portable(t, "", o.JSONSchema(), 0)
		args := o.NewArgs()
		_, refused := o.DecodeRepaired(in, args, schema.Repair{Writes: true})
		if schema.Check(in) != nil || repeated(in) || bytes.HasPrefix(in, []byte("\ufeff")) || !bytes.HasPrefix(bytes.TrimSpace(in), []byte("{")) {
			return
		}
		var js jsonschema.Schema
		if bytes.Contains(text, []byte("$ref")) && !slices.Contains(slices.Collect(maps.Values(foreignSchemas())), string(text)) {
			return // the validator does not end for some that refer to themselves
		}
		if repeated(text) || json.Unmarshal(text, &js) != nil {
			return
		}
		oracle, err := js.Resolve(nil)
		if err != nil {
			return
		}
		var v any
		if json.Unmarshal(in, &v) != nil || oracle.Validate(v) != nil {
			return
		}
		if refused != nil {
			t.Fatalf("%s takes %s: %v", text, in, refused)
		}
		got, err := schema.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		var w any
		if err := json.Unmarshal(got, &w); err != nil || !cmp.Equal(v, w) {
			t.Errorf("%s of %s became %s", in, text, got)
		}
	})
}
