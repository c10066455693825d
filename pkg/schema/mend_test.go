package schema_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// TestMend repairs slips of JSON, and refuses what could mean something else. What is
// cut off is completed for a call that writes only if nothing of it can be missing.
func TestMend(t *testing.T) {
	o := schema.Of(reflect.TypeFor[sample]())
	x := sample{Path: "x", Limit: 2000, Mode: "a"}
	with := func(change func(*sample)) *sample {
		s := x
		change(&s)
		return &s
	}
	yes := true
	for _, c := range []struct {
		in      string
		reads   *sample // nil is refused
		writes  *sample
		repairs string // the first words of each
	}{
		{"```json\n{\"path\":\"x\"}\n```", &x, &x, "a code fence"},
		{"```\n{\"path\":\"x\"}\n```\n", &x, &x, "a code fence"},
		{`{"path":"x",}`, &x, &x, "a comma"},
		{`{"path":"x","tags":["a","b",],}`, with(func(s *sample) { s.Tags = []string{"a", "b"} }), with(func(s *sample) { s.Tags = []string{"a", "b"} }), "a comma"},
		{`{"path":"x"}}`, &x, &x, "closing brackets after"},
		{"{\"path\":\"a\nb\tc\"}", with(func(s *sample) { s.Path = "a\nb\tc" }), with(func(s *sample) { s.Path = "a\nb\tc" }), "line breaks"},
		{`{"path":"it\'s"}`, with(func(s *sample) { s.Path = "it's" }), with(func(s *sample) { s.Path = "it's" }), `\' was`},
		{`{"path":"\d+\.go"}`, with(func(s *sample) { s.Path = `\d+\.go` }), nil, "a backslash"},
		{`{'path': 'x', 'deep': True, 'mode': None}`, with(func(s *sample) { s.Deep = &yes }), with(func(s *sample) { s.Deep = &yes }), "single quotes|the words True"},
		{`{'path': "it's"}`, with(func(s *sample) { s.Path = "it's" }), with(func(s *sample) { s.Path = "it's" }), "single quotes"},
		{`{'path': 'it's'}`, nil, nil, ""},
		{`{path: "x", limit: 3}`, with(func(s *sample) { s.Limit = 3 }), with(func(s *sample) { s.Limit = 3 }), "names without"},
		{"{\"path\":\"x\" // why\n}", &x, &x, "comments"},
		{`/* a */ {/* b */ "path" /* c */ : "x" /* d */, "limit": /* e */ 2000} // f`, &x, &x, "comments"},
		{`{"path":"x" /* not closed }`, nil, nil, ""},
		{`{"path":"x" / "limit":3}`, nil, nil, ""},
		{`{"path":"//x",}`, with(func(s *sample) { s.Path = "//x" }), with(func(s *sample) { s.Path = "//x" }), "a comma"},
		{`[{"path":"x"}]`, &x, &x, "the arguments were in a list"},
		{`{"arguments":[{"path":"x"}]}`, &x, &x, "the arguments were inside"},
		{`[{"path":"x"},{"path":"y"}]`, nil, nil, ""},
		{`[["path"]]`, nil, nil, ""},
		{`{"path":["x"]}`, &x, &x, "/path: want string; read the one item"},
		{`{"path":["x","y"]}`, nil, nil, ""},
		{`{"path":[7]}`, nil, nil, ""},
		{`{"path":"x","limit":[3],"deep":[true],"window":[{"old":["a"]}]}`, with(func(s *sample) { s.Limit, s.Deep, s.Window = 3, &yes, &edit{Old: "a"} }), with(func(s *sample) { s.Limit, s.Deep, s.Window = 3, &yes, &edit{Old: "a"} }), "/limit: want|/deep: want|/window: want|/window/old: want"},
		{`{"path":"x"`, &x, &x, "missing closing"},
		{`{"path":"x","window":{"old":"a"}`, with(func(s *sample) { s.Window = &edit{Old: "a"} }), with(func(s *sample) { s.Window = &edit{Old: "a"} }), "missing closing"},
		{`{"path":"x`, &x, nil, "the JSON was cut|missing closing"},
		{`{"path":"x","tags":["a"`, with(func(s *sample) { s.Tags = []string{"a"} }), nil, "missing closing"},
		{`{"path":"x","edits":[{"old":"a"}`, with(func(s *sample) { s.Edits = []edit{{Old: "a"}} }), nil, "missing closing"},
		{`{"path":"x","limit":20`, with(func(s *sample) { s.Limit = 20 }), nil, "missing closing"},
		{`{"path":"x","deep":true`, with(func(s *sample) { s.Deep = &yes }), with(func(s *sample) { s.Deep = &yes }), "missing closing"},
		{`{"path":"x",`, nil, nil, ""},
		{`{"path":"x","limit":`, nil, nil, ""},
		{`{"path":"x","lim`, nil, nil, ""},
		{`{"path":"x\`, nil, nil, ""},
		{`{"path":"x"} and more`, nil, nil, ""},
		{`{"path":"x","path":"y",}`, nil, nil, ""},
		{`{"path":"x" "limit":3}`, nil, nil, ""},
		{`{"input":{"path":"x"}}`, &x, &x, "the arguments were inside"},
		{`{"name":"read","parameters":{"path":"x"}}`, &x, nil, "the arguments were inside"},
		{`{"parameters":"{\"path\":\"x\"}"}`, &x, &x, "the arguments were inside"},
		{`"{\"path\":\"x\"`, &x, nil, "the JSON was cut|the arguments were a string|missing closing"},
		{`{"Path":"x","LIMIT":"3"}`, with(func(s *sample) { s.Limit = 3 }), with(func(s *sample) { s.Limit = 3 }), "Path was|LIMIT was|/LIMIT: want"},
		{`{"path":"x","Path":"y"}`, nil, nil, ""},
		{`{"path":"x","limit":"","mode":"","nope":null}`, &x, &x, "/limit: an empty|/mode: an empty|nope is unknown"},
		{`{"path":"x","deep":"True"}`, with(func(s *sample) { s.Deep = &yes }), with(func(s *sample) { s.Deep = &yes }), "/deep: want"},
		{`{"path":"x","tags":"['a', 'b']"}`, with(func(s *sample) { s.Tags = []string{"a", "b"} }), with(func(s *sample) { s.Tags = []string{"a", "b"} }), "/tags: single|/tags: want"},
		{`{"path":"x","tags":"[a]"}`, with(func(s *sample) { s.Tags = []string{"[a]"} }), with(func(s *sample) { s.Tags = []string{"[a]"} }), "/tags: want"},
		{`{"path":7}`, with(func(s *sample) { s.Path = "7" }), nil, "/path: want string"},
		{`null`, nil, nil, ""},
		{` `, nil, nil, ""},
	} {
		for writes, want := range map[bool]*sample{false: c.reads, true: c.writes} {
			var got sample
			repairs, err := o.DecodeRepaired([]byte(c.in), &got, schema.Repair{Writes: writes})
			switch {
			case want == nil && err == nil:
				t.Errorf("%s, writing %v: taken as %+v", c.in, writes, got)
			case want == nil:
			case err != nil:
				t.Errorf("%s, writing %v: %v", c.in, writes, err)
			default:
				if diff := cmp.Diff(*want, got); diff != "" {
					t.Errorf("%s, writing %v: %s", c.in, writes, diff)
				}
				said(t, c.in, repairs, c.repairs)
			}
		}
	}
}

// TestNumbersThatName reads whole numbers in place of paths, names and ids, also where a call
// writes. The digits of any other text must be those that were meant.
func TestNumbersThatName(t *testing.T) {
	type named struct {
		File  string `json:"file" doc:"A path." path:"edit"`
		Job   string `json:"job,omitzero" doc:"A job." alias:"job_id"`
		Label string `json:"label,omitzero" doc:"A title." alias:"name"`
		Text  string `json:"text,omitzero" doc:"A text."`
	}
	o := schema.Of(reflect.TypeFor[named]())
	for in, want := range map[string]*named{
		`{"file":2024}`:                   {File: "2024"},
		`{"file":-1}`:                     {File: "-1"},
		`{"file":"a","job":7,"label":8}`:  {File: "a", Job: "7", Label: "8"},
		`{"file":9223372036854775808123}`: {File: "9223372036854775808123"},
		`{"file":1.5}`:                    nil,
		`{"file":1e3}`:                    nil,
		`{"file":true}`:                   nil,
		`{"file":"a","text":7}`:           nil,
		`{"file":"a","job":{"id":"7"}}`:   nil,
		`{"file":"a","label":["x","y"]}`:  nil,
	} {
		var got named
		_, err := o.DecodeRepaired([]byte(in), &got, schema.Repair{Writes: true})
		if want == nil && err == nil || want != nil && (err != nil || !reflect.DeepEqual(*want, got)) {
			t.Errorf("%s: %+v, %v; want %+v", in, got, err, want)
		}
	}
}

// said checks the beginnings of reports, in any order.
func said(t *testing.T, in string, repairs []fault.Text, want string) {
	t.Helper()
	beginnings := strings.Split(want, "|")
	if len(repairs) != len(beginnings) {
		t.Errorf("%s: %q, want %q", in, repairs, beginnings)
	}
	for _, b := range beginnings {
		found := false
		for _, r := range repairs {
			found = found || strings.HasPrefix(r.String(), b)
		}
		if !found {
			t.Errorf("%s: %q does not say %q", in, repairs, b)
		}
	}
}

// FuzzRepair: what decodes strictly is not changed by the repairs, and what a call that
// writes comes to has no text that is not in it.
func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		`{"path":"x","limit":3}`, `{"path":"x","tags":["a",]}`, `{'path': 'x', 'mode': None}`, "```json\n{\"path\":\"x\"}\n```", `{"path":"x"`, `{path:"x"}}`,
		"{\"path\":\"a\nb\"}", `{"arguments":"{\"path\":\"x\",\"edits\":\"[{'old':'a'}]\"}"}`, `{"path":"it\'s"`, `"{\"path\":\"x\""`,
		"{\"path\":/*//*/\"x\"//\n}", `[{"path":["x"],"edits":[{"old":["a"]}]}]`,
	} {
		f.Add([]byte(seed))
	}
	o := schema.Of(reflect.TypeFor[sample]())
	f.Fuzz(func(t *testing.T, in []byte) {
		var strict, repaired sample
		plain := o.Decode(in, &strict)
		repairs, err := o.DecodeRepaired(in, &repaired, schema.Repair{Writes: true})
		if plain == nil && (err != nil || len(repairs) > 0 || !reflect.DeepEqual(strict, repaired)) {
			t.Errorf("changed: %v %v\n%+v\n%+v", repairs, err, strict, repaired)
		}
		if err != nil || len(repairs) == 0 {
			return
		}
		for _, text := range append(append([]string{repaired.Path}, repaired.Tags...), old(repaired.Edits)...) {
			// Text that needs no escape stands in the call as it is.
			if strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == '/' || r > '~' || r == '\'' }) < 0 &&
				!strings.Contains(string(in), text) && !strings.Contains(string(in), `\u`) {
				t.Errorf("%q is not in %s", text, in)
			}
		}
	})
}

func old(edits []edit) []string {
	texts := make([]string, len(edits))
	for i, e := range edits {
		texts[i] = e.Old
	}
	return texts
}
