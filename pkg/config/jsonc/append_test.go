package jsonc

import (
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	value := &Node{Kind: Object, Members: []Member{{Name: "n", Value: &Node{Kind: Boolean, Truth: true}}}}
	for in, want := range map[string]string{
		"":                                    "{\n  \"a\": [{\"n\":true}]\n}\n",
		`{"a": []}`:                           `{"a": [{"n":true}]}`,
		`{"a": [1]}`:                          `{"a": [1, {"n":true}]}`,
		`{"a": [1, ]}`:                        `{"a": [1, {"n":true}]}`,
		"{\n  \"a\": [\n    1 // one\n  ]\n}": "{\n  \"a\": [\n    1, // one\n    {\"n\":true}\n  ]\n}",
		"{\"a\": [\n  1, // one\n]}":          "{\"a\": [\n  1, // one\n  {\"n\":true}\n]}",
	} {
		got, err := Append([]byte(in), "a", value)
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
		if _, problems := Parse(got); len(problems) > 0 {
			t.Errorf("%q: %v", got, problems)
		}
	}
	if _, err := Append([]byte(`{"a": `), "a", value); err == nil {
		t.Error("a text that is wrong was changed")
	}
}

func TestRemove(t *testing.T) {
	for _, c := range []struct{ in, path, want string }{
		{`{"a":1}`, "a", `{}`},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", "a", "{\n  \"b\": 2\n}\n"},
		{"{\n  \"a\": 1, // one\n  \"b\": 2\n}\n", "b", "{\n  \"a\": 1\n}\n"},
		{"{\n  \"a\": 1,\n  \"b\": 2,\n}\n", "b", "{\n  \"a\": 1,\n}\n"},
		{"{\n  // why\n  \"a\": 1, // one\n}\n", "a", "{\n  // why\n   // one\n}\n"},
		{"{\n  \"x\": {\n    \"a\": [1]\n  }\n}\n", "x.a", "{\n  \"x\": {}\n}\n"},
		{"{ // why\n\"a\": 1, }", "a", "{ // why\n }"},
		{`{"x":{"b":1}}`, "x.a", `{"x":{"b":1}}`},
		{`{"x":1}`, "x.a", `{"x":1}`},
		{`{"x":`, "x", `{"x":`},
	} {
		got := string(Remove([]byte(c.in), strings.Split(c.path, ".")))
		if got != c.want {
			t.Errorf("%q without %s is %q, want %q", c.in, c.path, got, c.want)
		}
		if _, problems := Parse([]byte(got)); len(problems) > 0 && c.want != `{"x":` {
			t.Errorf("%q: %v", got, problems)
		}
	}
}
