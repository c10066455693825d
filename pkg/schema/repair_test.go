package schema_test

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/schema"
)

func TestDecodeRepaired(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     sample
		repairs  []string
	}{
		{"nothing to repair", `{"path":"3","limit":3}`, sample{Path: "3", Limit: 3, Mode: "a"}, nil},
		{"string of JSON", `"{\"path\":\"x\"}"`, sample{Path: "x", Limit: 2000, Mode: "a"}, []string{"the arguments were a string of JSON; pass the object itself"}},
		{"wrapped", `{"arguments":{"path":"x"}}`, sample{Path: "x", Limit: 2000, Mode: "a"}, []string{`the arguments were inside "arguments"; pass them directly`}},
		{"number as string", `{"path":"x","limit":"7"}`, sample{Path: "x", Limit: 7, Mode: "a"}, []string{"/limit: want integer; read the string as one"}},
		{"array as string", `{"path":"x","edits":"[{\"old\":\"a\",\"line\":\"2\"}]"}`, sample{Path: "x", Limit: 2000, Mode: "a", Edits: []edit{{"a", 2}}},
			[]string{"/edits: want array; read the string as one", "/edits/*/line: want integer; read the string as one"}},
		{"one item", `{"path":"x","edits":{"old":"a"},"tags":"t"}`, sample{Path: "x", Limit: 2000, Mode: "a", Edits: []edit{{"a", 0}}, Tags: []string{"t"}},
			[]string{"/edits: want array; read the value as its one item", "/tags: want array; read the value as its one item"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got sample
			repairs, err := schema.Of(reflect.TypeFor[sample]()).DecodeRepaired([]byte(c.in), &got, schema.Repair{})
			if err != nil {
				t.Fatal(err)
			}
			var reported []string
			for _, m := range repairs {
				reported = append(reported, m.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.repairs, reported); diff != "" {
				t.Error(diff)
			}
		})
	}
	var got sample
	if _, err := schema.Of(reflect.TypeFor[sample]()).DecodeRepaired([]byte(`{"path":"x","limit":"many","nope":1}`), &got, schema.Repair{}); err == nil {
		t.Error("what has several meanings was repaired")
	}
}

// A list of rows is left as it is, and one row stands for a list of it.
func TestRepairRows(t *testing.T) {
	type rows struct {
		Rows [][]string `json:"rows,omitzero" doc:"Rows."`
	}
	o := schema.Of(reflect.TypeFor[rows]())
	for given, want := range map[string][][]string{
		`[["a","b"],["c"]]`: {{"a", "b"}, {"c"}},
		`["a","b"]`:         {{"a", "b"}},
		`[[]]`:              {{}},
		`[]`:                {},
	} {
		var got rows
		if _, err := o.DecodeRepaired([]byte(`{"rows":`+given+`}`), &got, schema.Repair{}); err != nil {
			t.Errorf("%s: %v", given, err)
		}
		if diff := cmp.Diff(want, got.Rows); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", given, diff)
		}
	}
}
