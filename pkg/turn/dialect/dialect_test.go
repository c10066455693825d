package dialect_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/turn/dialect"
)

func TestStrict(t *testing.T) {
	canonical := schema.Document{
		{Name: "type", Value: "object"},
		{Name: "properties", Value: schema.Document{
			{Name: "path", Value: schema.Document{{Name: "type", Value: "string"}, {Name: "minLength", Value: 1.0}}},
			{Name: "mode", Value: schema.Document{{Name: "type", Value: "string"}, {Name: "enum", Value: []string{"a", "b"}}, {Name: "default", Value: "a"}}},
		}},
		{Name: "required", Value: []string{"path"}},
		{Name: "additionalProperties", Value: false},
	}
	before, _ := json.Marshal(canonical)
	got, err := dialect.Definitions(dialect.OpenAI, []dialect.Definition{{Name: "t", Doc: "Does <it>.", Schema: canonical}}, dialect.Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := schema.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"type":"function","function":{"name":"t","description":"Does <it>.","parameters":{"type":"object","properties":{` +
		`"path":{"type":"string","description":"Not empty."},"mode":{"type":["string","null"],"enum":["a","b",null],"description":"Default: a."}},` +
		`"required":["path","mode"],"additionalProperties":false},"strict":true}}]`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	if after, _ := json.Marshal(canonical); string(after) != string(before) {
		t.Errorf("the canonical schema was changed: %s", after)
	}
}
