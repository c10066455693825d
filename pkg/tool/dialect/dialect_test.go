package dialect_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool/dialect"
)

func TestParse(t *testing.T) {
	const one = `{"id":"c1","type":"function","function":{"name":"read","arguments":"{\"path\":\"x\"}"}}`
	const two = `{"id":"c2","function":{"name":"ls","arguments":{"path":"."}},"index":1}`
	read := dialect.Call{ID: "c1", Name: "read", Arguments: []byte(`{"path":"x"}`)}
	ls := dialect.Call{ID: "c2", Name: "ls", Arguments: []byte(`{"path":"."}`)}
	for _, c := range []struct {
		name, in string
		want     []dialect.Call
	}{
		{"one", one, []dialect.Call{read}},
		{"array", "[" + one + "," + two + "]\n", []dialect.Call{read, ls}},
		{"empty array", `[]`, []dialect.Call{}},
		{"message", `{"role":"assistant","content":null,"tool_calls":[` + one + `,` + two + `]}`, []dialect.Call{read, ls}},
		{"message without calls", `{"role":"assistant","content":"done"}`, []dialect.Call{}},
		{"completion", `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","tool_calls":[` + two + `]}}]}`, []dialect.Call{ls}},
		{"no arguments", `{"id":"c","function":{"name":"time"}}`, []dialect.Call{{ID: "c", Name: "time"}}},
		{"one is damaged", `[` + one + `,{"id":7,"type":"custom"},5]`, []dialect.Call{read, {ID: "7"}, {}}},
		{"alternatives", `{"choices":[{"message":{"tool_calls":[` + one + `]}},{"message":{"tool_calls":[` + two + `]}}]}`, []dialect.Call{read}},
		{"hopeless arguments", `{"id":"c","function":{"name":"time","arguments":"{\"a"}}`, []dialect.Call{{ID: "c", Name: "time", Arguments: []byte(`{"a`)}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := dialect.Parse([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, in := range []string{``, `3`, `"x"`, `{}`, `{"a":1}`, `[1]`, `[{}]`, `{"function":3}`, `{"role":"assistant","content":[{"type":"tool_use","id":"t"}]}`, `{"role":"assistant","content":null,"function_call":{"name":"x"}}`, `{"choices":[]}`, `{"id":"c"`, "{\"role\":\"\xff\"}"} {
		if calls, err := dialect.Parse([]byte(in)); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%q: %v, %v, want invalid_arguments", in, calls, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"choices":[{"message":{"tool_calls":[{"id":"c","function":{"name":"n","arguments":"{}"}}]}}]}`))
	f.Add([]byte(`[{"function":{"arguments":[]}}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		calls, err := dialect.Parse(in)
		if err == nil && !json.Valid(trimMark(in)) {
			t.Errorf("%q gave %v", in, calls)
		}
	})
}

func trimMark(in []byte) []byte {
	if len(in) > 2 && string(in[:3]) == "\ufeff" {
		return in[3:]
	}
	return in
}

func TestStrict(t *testing.T) {
	canonical := schema.Document{
		{Name: "type", Value: "object"},
		{Name: "properties", Value: schema.Document{
			{Name: "path", Value: schema.Document{{Name: "type", Value: "string"}, {Name: "minLength", Value: 1}}},
			{Name: "mode", Value: schema.Document{{Name: "type", Value: "string"}, {Name: "enum", Value: []string{"a", "b"}}, {Name: "default", Value: "a"}}},
		}},
		{Name: "required", Value: []string{"path"}},
		{Name: "additionalProperties", Value: false},
	}
	before, _ := json.Marshal(canonical)
	got, err := dialect.Definitions(dialect.OpenAI, []dialect.Definition{{Name: "t", Doc: "Does <it>.", Schema: canonical}}, true)
	if err != nil {
		t.Fatal(err)
	}
	text, err := schema.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"type":"function","function":{"name":"t","description":"Does <it>.","parameters":{"type":"object","properties":{` +
		`"path":{"type":"string"},"mode":{"type":["string","null"],"enum":["a","b",null]}},` +
		`"required":["path","mode"],"additionalProperties":false},"strict":true}}]`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if after, _ := json.Marshal(canonical); string(after) != string(before) {
		t.Errorf("the canonical schema was changed: %s", after)
	}
	if _, err := dialect.Definitions("nope", nil, false); !fault.Is(err, fault.Usage) {
		t.Errorf("err = %v, want usage", err)
	}
}
