package schema

import (
	"encoding/json"
	"iter"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
)

type outcome struct {
	Path string `json:"path" doc:"Where it is."`
	Kind string `json:"kind" enum:"file,dir"`
	*Inner
	Times  [2]time.Time          `json:"times"`
	When   time.Time             `json:"when,omitzero"` // as encoding/json encodes it
	Seq    iter.Seq[int]         `json:"-"`
	Maybe  *int                  `json:"maybe"`
	Left   *int                  `json:"left,omitempty"`
	Counts map[string]uint8      `json:"counts"`
	Below  []outcome             `json:"below,omitempty"`
	Raw    json.RawMessage       `json:"raw"`
	Any    any                   `json:"any"`
	Text   byText                `json:"text"`
	Own    Document              `json:"own"`
	Score  float64               `json:"score"`
	Nested map[string][]*outcome `json:"nested,omitempty"`
	hidden int
}

type Inner struct {
	Path  string `json:"path"` // the outer one hides it
	Inner int    `json:"inner"`
}

func TestResultOf(t *testing.T) {
	d, err := ResultOf(reflect.TypeFor[outcome]())
	if err != nil {
		t.Fatal(err)
	}
	got := string(must(Marshal(d)))
	want := `{"type":"object","properties":{"path":{"type":"string","description":"Where it is."},"kind":{"type":"string","enum":["file","dir"]},` +
		`"inner":{"type":"integer"},"times":{"type":"array","items":{"type":"string","format":"date-time"}},"when":{"type":"string","format":"date-time"},` +
		`"maybe":{"type":["integer","null"]},"left":{"type":"integer"},"counts":{"type":["object","null"],"additionalProperties":{"type":"integer","minimum":0}},` +
		`"below":{"type":"array","items":{"type":"object"}},"raw":{},"any":{},"text":{"type":"string"},"own":{"type":"object"},"score":{"type":"number"},` +
		`"nested":{"type":"object","additionalProperties":{"type":["array","null"],"items":{"type":["object","null"]}}}},` +
		`"required":["path","kind","times","maybe","counts","raw","any","text","own","score"],"additionalProperties":false}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(got), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	one := 1
	for _, o := range []outcome{
		{Kind: "dir", Own: Document{}, hidden: 1},
		{
			Kind: "file", Inner: &Inner{"x", 1}, When: time.Unix(1, 0), Maybe: &one, Left: &one, Counts: map[string]uint8{"a": 1},
			Below: []outcome{{}}, Raw: json.RawMessage(`[1]`), Any: "x", Own: Document{{"a", 1}}, Nested: map[string][]*outcome{"a": {nil}, "b": nil},
		},
	} {
		var v any
		if err := json.Unmarshal(must(Marshal(o)), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

type says struct{}

func (says) JSONSchema() Document { return Document{{"type", Boolean}} }

func TestResultOfOthers(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		want string // the schema, or words of the error
	}{
		{reflect.TypeFor[iter.Seq[string]](), `{"type":"array","items":{"type":"string"}}`},
		{reflect.TypeFor[says](), `{"type":"boolean"}`},
		{reflect.TypeFor[[]*says](), `{"type":"array","items":{"type":["boolean","null"]}}`},
		{reflect.TypeFor[struct{}](), `{"type":"object","properties":{},"required":[],"additionalProperties":false}`},
		{reflect.TypeFor[[]any](), `{"type":"array","items":{}}`},
		{reflect.TypeFor[*outcome](), `{"type":"object",`},
		{reflect.TypeFor[shouts](), `encodes itself and does not say how`},
		{reflect.TypeFor[struct{ A []shouts }](), `A: schema.shouts encodes itself`},
		{reflect.TypeFor[map[string]shouts](), `encodes itself`},
		{reflect.TypeFor[byPtr](), `encodes itself`},
		{reflect.TypeFor[chan int](), `chan int is not JSON`},
		{reflect.TypeFor[[]byte](), `is not JSON`},
	} {
		d, err := ResultOf(c.of)
		got := string(must(Marshal(d)))
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%v: %s, want %s", c.of, got, c.want)
		}
	}
}

type shouts string

func (s shouts) MarshalJSON() ([]byte, error) { return nil, nil }
