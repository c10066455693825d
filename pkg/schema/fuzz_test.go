package schema_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/helve-dev/helve/pkg/schema"
)

// FuzzDecode holds the decoder against encoding/json and a JSON Schema
// validator that is not ours: what they take, it takes, and what they refuse,
// it refuses, but for the ways in which it is meant to differ.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"path":"x"}`, `{"path":"x","limit":3.0,"deep":null,"edits":[{"old":"a","line":-1}]}`,
		`{"path":"x","ratio":0.5,"tags":["a","b"],"window":{"old":""}}`, `{"path":"","mode":"b"}`,
		`{"path":"\ud83d\ude00","limit":1e4}`, `[]`, `{"path":"x","path":"y"}`, `{"path":1,"mode":"c","x":[{}]}`,
	} {
		f.Add([]byte(seed))
	}
	object := schema.Of(reflect.TypeFor[sample]())
	text, err := json.Marshal(object.JSONSchema())
	if err != nil {
		f.Fatal(err)
	}
	var js jsonschema.Schema
	if err := json.Unmarshal(text, &js); err != nil {
		f.Fatal(err)
	}
	oracle, err := js.Resolve(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var got sample
		err := object.Decode(in, &got)
		if err == nil {
			again, merr := json.Marshal(got)
			if merr != nil {
				t.Fatal(merr)
			}
			var second sample
			if err := object.Decode(again, &second); err != nil || !reflect.DeepEqual(got, second) {
				t.Errorf("not stable: %v\n%+v\n%+v", err, got, second)
			}
		}
		var v any
		if !utf8.Valid(in) || bytes.Contains(in, []byte(`\u`)) || bytes.HasPrefix(in, []byte("\ufeff")) || json.Unmarshal(in, &v) != nil {
			return // encoding/json is laxer with surrogates and bytes, stricter with marks
		}
		if repeated(in) || odd(v) {
			return
		}
		normalise(v)
		if want := oracle.Validate(v); (want == nil) != (err == nil) {
			t.Errorf("%s\noracle: %v\nours:   %v", in, want, err)
		}
	})
}

// repeated reports whether any object repeats a name, or uses an alias: the
// oracle knows neither.
func repeated(in []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(in))
	dec.UseNumber()
	var walk func() bool
	walk = func() bool {
		token, err := dec.Token()
		if err != nil {
			return true
		}
		switch token {
		case json.Delim('{'):
			seen := map[string]bool{}
			for dec.More() {
				key, err := dec.Token()
				name, ok := key.(string)
				if err != nil || !ok || seen[name] || strings.EqualFold(name, "file_path") || strings.EqualFold(name, "filepath") {
					return true
				}
				seen[name] = true
				if walk() {
					return true
				}
			}
			_, _ = dec.Token()
		case json.Delim('['):
			for dec.More() {
				if walk() {
					return true
				}
			}
			_, _ = dec.Token()
		}
		return false
	}
	return walk()
}

// odd reports numbers that a float64 cannot tell apart.
func odd(v any) bool {
	switch v := v.(type) {
	case float64:
		return math.Abs(v) > 1<<53 || v != 0 && math.Abs(v) < 1e-9 || v != math.Trunc(v) && math.Abs(v) > 1e6
	case []any:
		if slices.ContainsFunc(v, odd) {
			return true
		}
	case map[string]any:
		for _, item := range v {
			if odd(item) {
				return true
			}
		}
	}
	return false
}

// normalise drops the nulls that stand for absent optional arguments.
func normalise(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			normalise(item)
		}
	case map[string]any:
		for name, item := range v {
			switch name {
			case "path", "old":
			case "limit", "mode", "ratio", "deep", "tags", "edits", "window", "line":
				if item == nil {
					delete(v, name)
				}
			}
			normalise(item)
		}
	}
}
