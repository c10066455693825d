package jsonc

import "testing"

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
