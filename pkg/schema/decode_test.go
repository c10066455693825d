package schema_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// sample has every type that arguments may have.
type sample struct {
	Path   string   `json:"path" doc:"A path." alias:"file_path,filePath" min:"1"`
	Limit  int      `json:"limit,omitzero" doc:"Most lines." default:"2000" min:"1" max:"10000"`
	Mode   string   `json:"mode,omitzero" doc:"How." default:"a" enum:"a,b"`
	Ratio  float64  `json:"ratio,omitzero" doc:"A share." min:"0" max:"1"`
	Deep   *bool    `json:"deep,omitzero" doc:"Yes, no or unsaid."`
	Tags   []string `json:"tags,omitzero" doc:"Words." max:"3"`
	Edits  []edit   `json:"edits,omitzero" doc:"Changes."`
	Window *edit    `json:"window,omitzero" doc:"One change."`
}

type edit struct {
	Old  string `json:"old" doc:"Before."`
	Line int64  `json:"line,omitzero" doc:"Where."`
}

func TestDecode(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name, in string
		want     sample
	}{
		{"defaults", `{"path":"x"}`, sample{Path: "x", Limit: 2000, Mode: "a"}},
		{"alias", `{"filePath":"x"}`, sample{Path: "x", Limit: 2000, Mode: "a"}},
		{"null is absent", `{"path":"x","limit":null,"deep":null,"tags":null}`, sample{Path: "x", Limit: 2000, Mode: "a"}},
		{"whole floats", `{"path":"x","limit":3.0,"ratio":1}`, sample{Path: "x", Limit: 3, Mode: "a", Ratio: 1}},
		{"exponent", `{"path":"x","limit":2e3}`, sample{Path: "x", Limit: 2000, Mode: "a"}},
		{"pointer", `{"path":"x","deep":true,"window":{"old":"o"}}`, sample{Path: "x", Limit: 2000, Mode: "a", Deep: &yes, Window: &edit{Old: "o"}}},
		{"nested", `{"path":"x","edits":[{"old":"a","line":7},{"old":"b"}],"tags":[]}`, sample{Path: "x", Limit: 2000, Mode: "a", Tags: []string{}, Edits: []edit{{"a", 7}, {"b", 0}}}},
		{"escapes", `{"path":"\u0041\n\ud83d\ude00\/"}`, sample{Path: "A\n😀/", Limit: 2000, Mode: "a"}},
		{"escape at the end", `{"path":"a\u00e9"}`, sample{Path: "aé", Limit: 2000, Mode: "a"}},
		{"byte order mark", "\ufeff {\"path\":\"x\"}\r\n", sample{Path: "x", Limit: 2000, Mode: "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got sample
			if err := schema.Of(reflect.TypeFor[sample]()).Decode([]byte(c.in), &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string // pointer: message, in order; a syntax fault has none
		message  string   // part of a syntax fault's message
	}{
		{"missing", `{}`, []string{"/path: required, and missing"}, ""},
		{"required null", `{"path":null}`, []string{"/path: want string, got null"}, ""},
		{"all at once", `{"limit":"3","mode":"c","nope":1,"ratio":2}`, []string{
			"/limit: want integer, got string", `/mode: want one of a, b, got "c"`, "/nope: unknown",
			"/ratio: must be at most 1, got 2", "/path: required, and missing",
		}, ""},
		{"case counts", `{"Path":"x"}`, []string{`/Path: unknown; did you mean "path"?`, "/path: required, and missing"}, ""},
		{"twice", `{"path":"x","path":"y"}`, []string{"/path: given twice"}, ""},
		{"twice by alias", `{"path":"x","file_path":"y"}`, []string{`/file_path: given twice: it is an alias of "path"`}, ""},
		{"twice unknown", `{"path":"x","q~/":1}`, []string{"/q~0~1: unknown"}, ""},
		{"nested", `{"path":"x","edits":[{"old":"a"},{"line":1.5,"x":0}]}`, []string{
			"/edits/1/line: want an integer, got 1.5", "/edits/1/x: unknown", "/edits/1/old: required, and missing",
		}, ""},
		{"empty", `{"path":""}`, []string{"/path: must not be empty"}, ""},
		{"too many", `{"path":"x","tags":["a","b","c","d"]}`, []string{"/tags: must have at most 3 items, has 4"}, ""},
		{"null item", `{"path":"x","tags":[null]}`, []string{"/tags/0: want string, got null"}, ""},
		{"beyond int64", `{"path":"x","limit":1e30}`, []string{"/limit: want an integer, got 1e30"}, ""},
		{"costly exponent", `{"path":"x","limit":1e999999999}`, []string{"/limit: want an integer, got 1e999999999"}, ""},
		{"costly zero", `{"path":"x","limit":1e-999999999}`, []string{"/limit: want an integer, got 1e-999999999"}, ""},
		{"array", `["x"]`, []string{": want object, got array"}, ""},
		{"nothing", ``, nil, "it ends too early"},
		{"cut short", `{"tags":["x"`, nil, `it ends too early: "]" is missing`},
		{"two", `{"path":"x"}{}`, nil, "something follows"},
		{"lone surrogate", `{"path":"\ud83d"}`, nil, "invalid escape"},
		{"swapped surrogates", `{"path":"\ude00\ud83d"}`, nil, "invalid escape"},
		{"cut escape", `{"path":"\u12"}`, nil, "invalid escape"},
		{"not UTF-8", "{\"path\":\"a\xff\"}", nil, "line 1, column 11: the string has bytes that are not UTF-8"},
		{"control", "{\"path\":\"a\n\"}", nil, "must be escaped"},
		{"no end", `{"path":"x`, nil, "is not closed"},
		{"trailing comma", `{"path":"x",}`, nil, "expected a name in double quotes"},
		{"python", `{'path':'x'}`, nil, "expected a name in double quotes"},
		{"leading zero", `{"limit":01}`, nil, `expected "," or "}"`},
		{"bare minus", `{"limit":-}`, nil, "expected a digit"},
		{"NaN", `{"ratio":NaN}`, nil, "expected a value, found 'N'"},
		{"deep", strings.Repeat("[", 100_000), nil, "nested deeper than 64 levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got sample
			err := schema.Of(reflect.TypeFor[sample]()).Decode([]byte(c.in), &got)
			var e *fault.Error
			if !errors.As(err, &e) || e.Code != fault.InvalidArguments || e.Hint.IsZero() {
				t.Fatalf("err = %v, want invalid_arguments with a hint", err)
			}
			var problems []string
			if list, ok := e.Details.(schema.Problems); ok {
				for _, p := range list {
					problems = append(problems, p.Pointer+": "+p.Message.String())
				}
			}
			if diff := cmp.Diff(c.want, problems); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(e.Message.String(), c.message) {
				t.Errorf("message %q lacks %q", e.Message, c.message)
			}
		})
	}
}

func TestDecodeTooLarge(t *testing.T) {
	var got sample
	o := schema.Of(reflect.TypeFor[sample]())
	largest := []byte(`{"path":"x"}` + strings.Repeat(" ", 32<<20-12))
	if err := o.Decode(largest, &got); err != nil {
		t.Error(err)
	}
	if err := o.Decode(append(largest, ' '), &got); !fault.Is(err, fault.TooLarge) {
		t.Errorf("err = %v, want too_large", err)
	}
}

func TestDepth(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if err := schema.Check(nested(65)); err != nil {
		t.Error(err)
	}
	if err := schema.Check(nested(66)); !fault.Is(err, fault.InvalidArguments) {
		t.Error(err)
	}
}

func TestProblemsAreBounded(t *testing.T) {
	var got sample
	in := `{"path":"x"` + strings.Repeat(`,"other":1`, 60) + "}"
	err := schema.Of(reflect.TypeFor[sample]()).Decode([]byte(in), &got)
	problems, ok := fault.As(err).Details.(schema.Problems)
	if !ok || len(problems) != 51 || problems[50].Message.String() != "and 10 more" {
		t.Errorf("%d problems, the last: %v", len(problems), problems[len(problems)-1])
	}
}

// Canonical arguments are what an approval is bound to: two spellings of one
// call must encode alike.
func TestDecodeCanonical(t *testing.T) {
	o := schema.Of(reflect.TypeFor[sample]())
	var a, b sample
	if err := o.Decode([]byte(`{"file_path":"x","tags":null}`), &a); err != nil {
		t.Fatal(err)
	}
	if err := o.Decode([]byte(`{"mode":"a","limit":2e3,"path":"x"}`), &b); err != nil {
		t.Fatal(err)
	}
	ja, _ := json.Marshal(a)
	jb, _ := json.Marshal(b)
	if string(ja) != string(jb) {
		t.Errorf("%s\n%s", ja, jb)
	}
}

func TestProblemsInChinese(t *testing.T) {
	var got sample
	err := schema.Of(reflect.TypeFor[sample]()).Decode([]byte(`{"limit":"3"}`), &got)
	want := "参数无效：/limit：应为 integer，实际为 string；/path：缺少必填参数"
	if got := fault.As(err).Message.In(fault.Chinese); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
