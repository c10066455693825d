package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/helve-dev/helve/pkg/fault"
)

const diskUsage = `{"$schema":"x","type":"object","title":"t","properties":{
	"directory":{"type":"string","description":"Where to look.","minLength":1},
	"max_depth":{"type":"integer","minimum":0,"maximum":9,"default":1},
	"unit":{"type":"string","enum":["k","m"]},
	"ratio":{"type":"number"},
	"all":{"type":"boolean","default":false},
	"skip":{"type":"array","items":{"type":"string"},"maxItems":2},
	"filter":{"type":"object","properties":{"newer":{"type":"string"},"sizes":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}},"required":["newer"]}
},"required":["directory"],"additionalProperties":false}`

func dynamic(t testing.TB, text string) *Object {
	t.Helper()
	o, flaws := FromJSON([]byte(text))
	if len(flaws) > 0 {
		t.Fatal(flaws)
	}
	return o
}

func TestFromJSON(t *testing.T) {
	o := dynamic(t, diskUsage)
	for in, want := range map[string]string{
		`{"directory":"."}`: `{"directory":".","max_depth":1,"all":false}`,
		`{"directory":".","max_depth":3.0,"unit":"k","ratio":0.5,"all":true,"skip":[],"filter":{"newer":"x","sizes":[[1,2],[]]}}`: `{"directory":".","max_depth":3,"unit":"k","ratio":0.5,"all":true,"skip":[],"filter":{"newer":"x","sizes":[[1,2],[]]}}`,
		`{"directory":".","unit":null,"skip":null,"filter":null}`:                                                                 `{"directory":".","max_depth":1,"all":false}`,
	} {
		args := o.NewArgs()
		if err := o.Decode([]byte(in), args); err != nil {
			t.Error(err)
			continue
		}
		got, err := Marshal(o.Values(args))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", in, got, err)
		}
	}
	err := o.Decode([]byte(`{"directory":"","max_depth":10,"unit":"x","skip":["a","b","c"],"filter":{},"filtre":1}`), o.NewArgs())
	for _, part := range []string{"/directory: must not be empty", "/max_depth: must be at most 9", `/unit: want one of k, m`, "/skip: must have at most 2", "/filter/newer: required", `did you mean "filter"`} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q is not in %v", part, err)
		}
	}
	again, flaws := FromJSON(must(Marshal(o.JSONSchema())))
	if len(flaws) > 0 || cmp.Diff(must(Marshal(again.JSONSchema().Without("properties"))), must(Marshal(o.JSONSchema().Without("properties")))) != "" {
		t.Error("the projection is not in the subset", flaws)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestFlaws(t *testing.T) {
	property := func(p string) string { return `{"type":"object","properties":{"x":` + p + `}}` }
	for _, c := range []struct {
		name, in string
		want     []string // pointers
	}{
		{"no JSON", `{`, []string{""}},
		{"no object", `[]`, []string{""}},
		{"no type", `{}`, []string{""}},
		{"another type", `{"type":"string"}`, []string{"/type"}},
		{"open", `{"type":"object","additionalProperties":true}`, []string{"/additionalProperties"}},
		{"undefined", `{"type":"object","required":["a",1]}`, []string{"/required/0", "/required/1"}},
		{"required with a default", `{"type":"object","properties":{"x":{"type":"string","default":"a"}},"required":["x"]}`, []string{"/required/0"}},
		{"a bad name", `{"type":"object","properties":{"a-b":{"type":"string"},"1":{"type":"string"},"":{"type":"string"},"é":{"type":"string"}}}`, []string{"/properties/a-b", "/properties/1", "/properties/", "/properties/é"}},
		{"twice", `{"type":"object","properties":{"x":{"type":"string"},"x":{"type":"string"}}}`, []string{"/properties/x"}},
		{"no type of a property", property(`{}`), []string{"/properties/x"}},
		{"several types", property(`{"type":["string","null"]}`), []string{"/properties/x"}},
		{"a reference", property(`{"$ref":"#"}`), []string{"/properties/x"}},
		{"pattern", property(`{"type":"string","pattern":"a"}`), []string{"/properties/x/pattern"}},
		{"one of", `{"type":"object","oneOf":[]}`, []string{"/oneOf"}},
		{"no items", property(`{"type":"array"}`), []string{"/properties/x"}},
		{"bounds", property(`{"type":"string","minLength":-1,"maxLength":1.5}`), []string{"/properties/x/minLength", "/properties/x/maxLength"}},
		{"crossed bounds", property(`{"type":"integer","minimum":2,"maximum":1}`), []string{"/properties/x/maximum"}},
		{"an enum of numbers", property(`{"type":"string","enum":[1,"a","a"]}`), []string{"/properties/x/enum/0", "/properties/x/enum/2"}},
		{"a default of another type", property(`{"type":"integer","default":"1"}`), []string{"/properties/x/default"}},
		{"a default out of bounds", property(`{"type":"integer","maximum":1,"default":2}`), []string{"/properties/x/default"}},
		{"a default of an array", property(`{"type":"array","items":{"type":"string"},"default":[]}`), []string{"/properties/x/default"}},
		{"a path of no known use", property(`{"type":"string","path":"open"}`), []string{"/properties/x/path"}},
		{"a path of no text", property(`{"type":"string","path":1}`), []string{"/properties/x/path"}},
		{"no use of a path", property(`{"type":"string","path":""}`), []string{"/properties/x/path"}},
		{"a number as a path", property(`{"type":"integer","path":"read"}`), []string{"/properties/x/path"}},
		{"numbers as paths", property(`{"type":"array","items":{"type":"integer"},"path":"read"}`), []string{"/properties/x/path"}},
		{"items of a number", property(`{"type":"integer","items":{"type":"string"},"path":"read"}`), []string{"/properties/x/items", "/properties/x/path"}},
		{"items that are paths", property(`{"type":"array","items":{"type":"string","path":"read"}}`), []string{"/properties/x/items/path"}},
		{"a path in an object", property(`{"type":"object","properties":{"y":{"type":"string","path":"read"}}}`), []string{"/properties/x/properties/y/path"}},
		{"an object without properties", property(`{"type":"object","properties":{}}`), []string{"/properties/x"}},
		{"an object as a path", property(`{"type":"object","properties":{"y":{"type":"string"}},"path":"read"}`), []string{"/properties/x/path"}},
		{"too deep", property(strings.Repeat(`{"type":"array","items":`, 8) + `{"type":"string"}` + strings.Repeat("}", 8)), []string{"/properties/x/items/items/items/items/items"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, flaws := FromJSON([]byte(c.in))
			var got []string
			for _, f := range flaws {
				got = append(got, f.Pointer)
				if f.Undefined != (c.name == "undefined" && f.Pointer == "/required/0") {
					t.Errorf("%+v", f)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" || o != nil {
				t.Error(d, o)
			}
		})
	}
}

// TestDescriptions has the words of a property, or its name where there are none.
func TestDescriptions(t *testing.T) {
	o := dynamic(t, `{"type":"object","properties":{
		"a":{"type":"string","description":"A."},"b_c":{"type":"string","description":" "},"d":{"type":"object","properties":{"y":{"type":"string"}},"description":"D."},"e_f":{"type":"object","properties":{"y":{"type":"string"}}}}}`)
	var got []string
	for i := range o.Fields {
		got = append(got, o.Fields[i].Description())
	}
	if d := cmp.Diff([]string{"A.", "b c", "D.", "e f"}, got); d != "" {
		t.Error(d)
	}
	for of, want := range map[string]string{`3`: "a schema must be an object", `{"type":"date"}`: "the type must be one of"} {
		if _, flaws := FromJSON([]byte(`{"type":"object","properties":{"x":` + of + `}}`)); len(flaws) != 1 || !strings.Contains(flaws[0].Message.String(), want) {
			t.Errorf("%s: %v", of, flaws)
		}
	}
}

// Paths are found in a string and in each string of an array, given or not.
func TestPaths(t *testing.T) {
	o := dynamic(t, `{"type":"object","properties":{
		"from":{"type":"string","path":"read"},"to":{"type":"string","path":"create"},"more":{"type":"array","items":{"type":"string"},"path":"edit"},
		"at":{"type":"string","path":"remove","default":"."}},"required":["from"]}`)
	if published := string(must(Marshal(o.JSONSchema()))); strings.Contains(published, `"path"`) {
		t.Errorf("a provider sees what is a path: %s", published)
	}
	for in, want := range map[string]string{
		`{"from":"a"}`:                                   `{"from":"read a","at":"remove ."}`,
		`{"from":"a","to":"","more":[]}`:                 `{"from":"read a","to":"create ","more":[],"at":"remove ."}`,
		`{"from":"a","to":"b","more":["c",""],"at":"d"}`: `{"from":"read a","to":"create b","more":["edit c","edit "],"at":"remove d"}`,
	} {
		args := o.NewArgs()
		if err := o.Decode([]byte(in), args); err != nil {
			t.Fatal(err)
		}
		for i := range o.Fields {
			for _, path := range o.Paths(args, &o.Fields[i]) {
				*path = string(o.Fields[i].Path) + " " + *path
			}
		}
		if got := string(must(Marshal(o.Values(args)))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// FuzzFromJSON takes any schema, and holds what is accepted to a validator that
// is not ours.
func FuzzFromJSON(f *testing.F) {
	f.Add([]byte(diskUsage), []byte(`{"directory":".","skip":["a"],"filter":{"newer":"x"}}`))
	f.Add([]byte(`{"type":"object","properties":{"X":{"type":"array","items":{"type":"object","properties":{}}}}}`), []byte(`{"X":[{},{}]}`))
	f.Fuzz(func(t *testing.T, text, in []byte) {
		o, flaws := FromJSON(text)
		if (o == nil) == (len(flaws) == 0) {
			t.Fatal("neither an object nor a flaw, or both")
		}
		if o == nil {
			return
		}
		published := must(Marshal(o.JSONSchema()))
		args := o.NewArgs()
		if err := o.Decode(in, args); err != nil {
			if !fault.Is(err, fault.InvalidArguments) && !fault.Is(err, fault.TooLarge) {
				t.Fatal(err)
			}
			return
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(published, &s); err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", published, err)
		}
		var v any
		if err := json.Unmarshal(must(Marshal(o.Values(args))), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Fatalf("%s took %s, which %s does not: %v", text, in, published, err)
		}
	})
}
