package schema_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/schema"
)

// TestBoundsInclude has values at the bounds of a schema, which are inside, and those
// beside them.
func TestBoundsInclude(t *testing.T) {
	o, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{
		"n":{"type":"integer","minimum":2,"maximum":4},"s":{"type":"string","minLength":2,"maxLength":3},"l":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2}}}`))
	if len(flaws) > 0 {
		t.Fatal(flaws)
	}
	for in, want := range map[string]bool{
		`{"n":2}`: true, `{"n":4}`: true, `{"n":1}`: false, `{"n":5}`: false,
		`{"s":"ab"}`: true, `{"s":"中文字"}`: true, `{"s":"a"}`: false, `{"s":""}`: false, `{"s":"abcd"}`: false,
		`{"l":["a"]}`: true, `{"l":["a","b"]}`: true, `{"l":[]}`: false, `{"l":["a","b","c"]}`: false,
	} {
		if err := o.Decode([]byte(in), o.NewArgs()); (err == nil) != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// TestBoundsOfSchemas has bounds that a schema may have, and those it may not.
func TestBoundsOfSchemas(t *testing.T) {
	for of, want := range map[string]bool{
		`"type":"integer","minimum":3,"maximum":3`: true, `"type":"integer","minimum":4,"maximum":3`: false, `"type":"integer","minimum":-1`: true, `"type":"integer","minimum":1.5`: false,
		`"type":"number","minimum":1.5`: true, `"type":"number","minimum":"1"`: false, `"type":"number","minimum":null`: false,
		`"type":"string","minLength":0`: true, `"type":"string","minLength":-1`: false, `"type":"string","minLength":1.5`: false,
		`"type":"array","items":{"type":"string"},"minItems":0`: true, `"type":"array","items":{"type":"string"},"minItems":-1`: false,
		`"type":"string","enum":["a"]`: true, `"type":"string","enum":[]`: false, `"type":"string","enum":"a"`: false, `"type":"string","enum":{}`: false,
		`"type":"string","description":""`: true, `"type":"string","description":1`: false, `"type":"boolean","minimum":1`: false,
		`"type":"array","items":{"type":"string","default":"x"}`: false, `"type":"array"`: false, `"type":"strange"`: false,
		`"type":"string","path":"read"`: true, `"type":"array","items":{"type":"string"},"path":"read"`: true, `"type":"integer","path":"read"`: false,
		`"type":"array","items":{"type":"integer"},"path":"read"`: false,
	} {
		if _, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{"a":{` + of + `}}}`)); (len(flaws) == 0) != want {
			t.Errorf("%s: %v", of, flaws)
		}
	}
}

// TestNotRepaired has what would have another meaning, or none.
func TestNotRepaired(t *testing.T) {
	o, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{
		"n":{"type":"integer"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"integer"}},"f":{"type":"array","items":{"type":"number"}},"arguments":{"type":"object","properties":{"x":{"type":"string"}}}}}`))
	if len(flaws) > 0 {
		t.Fatal(flaws)
	}
	for _, c := range []struct {
		in      string
		repairs int
		good    bool
	}{
		{`{"s":"3"}`, 0, true}, {`{"s":"\"x\""}`, 0, true}, {`{"s":"{}"}`, 0, true}, {`{"n":"3"}`, 1, true}, {`{"n":" 3 "}`, 1, true}, {`{"n":"x"}`, 0, false}, {`{"n":"true"}`, 0, false},
		{`{"l":3}`, 1, true}, {`{"l":"3"}`, 0, false}, {`{"l":true}`, 0, false}, {`{"f":3}`, 1, true}, {`{"l":"[3]"}`, 1, true}, {`{"l":[3]}`, 0, true}, {`{"l":["3"]}`, 1, true},
		{`{"arguments":{"x":"y"}}`, 0, true}, // it is an argument here
	} {
		repairs, err := o.DecodeRepaired([]byte(c.in), o.NewArgs(), schema.Repair{})
		if len(repairs) != c.repairs || (err == nil) != c.good {
			t.Errorf("%s: %v, %v", c.in, repairs, err)
		}
	}
	plain, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{"x":{"type":"string"}}}`))
	if len(flaws) > 0 {
		t.Fatal(flaws)
	}
	for in, good := range map[string]bool{
		`{"arguments":{"x":"y"}}`: true, `{"arguments":{"x":"y"},"x":"z"}`: false, `{"arguments":"x"}`: false, `{"other":{"x":"y"}}`: false, `[]`: false, `3`: false, `"{"`: false,
	} {
		if _, err := plain.DecodeRepaired([]byte(in), plain.NewArgs(), schema.Repair{}); (err == nil) != good {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// TestAppendMember appends the first member of an object and those after it.
func TestAppendMember(t *testing.T) {
	for before, want := range map[string]string{"{": `{"a":1`, `{"b":2`: `{"b":2,"a":1`, "": `"a":1`, `{"b":{}`: `{"b":{},"a":1`} {
		if got, err := schema.AppendMember([]byte(before), "a", 1); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v", before, got, err)
		}
	}
}

// TestParts leaves arguments out, and replaces members in place.
func TestParts(t *testing.T) {
	o, flaws := schema.FromJSON([]byte(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`))
	if len(flaws) > 0 {
		t.Fatal(flaws)
	}
	names := func(o *schema.Object) string {
		var all []string
		for _, f := range o.Fields {
			all = append(all, f.Name)
		}
		return strings.Join(all, " ")
	}
	if only, without := names(o.Only([]string{"c", "a"})), names(o.Without([]string{"c", "a"})); only != "a c" || without != "b" {
		t.Errorf("%q, %q", only, without)
	}
	d := schema.Document{}.With("a", 1).With("b", 2).With("a", 3)
	if diff := cmp.Diff(schema.Document{{Name: "a", Value: 3}, {Name: "b", Value: 2}}, d); diff != "" {
		t.Error(diff)
	}
}

// TestTextEdges escapes the characters at the ends of what is kept as it is.
func TestTextEdges(t *testing.T) {
	for in, want := range map[string]string{
		" ~\x7f\u0080é\uffff😀": " ~\x7f\u0080é\uffff😀", "\x1f": `\u001f`, "\x00": `\u0000`, "\u2028\u2029": `\u2028\u2029`, "\u2027\u202a": "\u2027\u202a",
		"\ufffd": "\ufffd", "a\x80b": `a\ufffdb`, "\xff": `\ufffd`, "\"\\\n": `\"\\\n`, "": "",
	} {
		if got := string(schema.AppendText(nil, in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestTags has arguments whose tags are wrong. The panic names the field and what is
// wrong with it.
func TestTags(t *testing.T) {
	type Embedded struct{ A string }
	long := strings.Repeat("a", 64)
	if o := schema.Of(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[string](), Tag: reflect.StructTag(`json:"` + long + `" doc:"d"`)}})); o.Fields[0].Name != long {
		t.Error(o.Fields[0].Name)
	}
	for _, c := range []struct {
		args any
		want string
	}{
		{struct{ hidden string }{"x"}, "only plain exported fields"},
		{struct{ Embedded }{}, "only plain exported fields"},
		{reflect.New(reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[string](), Tag: reflect.StructTag(`json:"a` + long + `" doc:"d"`)}})).Elem().Interface(), "json name"},
		{struct {
			A string `json:"a"`
		}{}, "no doc tag"},
		{struct {
			A string `json:"a" doc:"d" path:"open"`
		}{}, `path:"open"`},
		{struct {
			A int `json:"a" doc:"d" path:"read"`
		}{}, `path:"read"`},
		{struct {
			A string `json:"a" doc:"d" default:"x"`
		}{}, "a required field has no default"},
		{struct {
			A bool `json:"a" doc:"d" min:"1"`
		}{}, "min on boolean"},
		{struct {
			A struct{} `json:"a" doc:"d" max:"1"`
		}{}, "max on object"},
		{struct {
			A []int `json:"a" doc:"d" enum:"x"`
		}{}, "enum on integer"},
		{struct {
			A string `json:"a" doc:"d" alias:"b"`
			B string `json:"b" doc:"d"`
		}{}, `the name "b" is taken twice`},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, c.want) {
					t.Errorf("%q, want %q", got, c.want)
				}
			}()
			schema.Of(reflect.TypeOf(c.args))
		}()
	}
}
