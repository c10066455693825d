package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// validate returns the problems of the text of a file f.
func validate(text []byte) Problems {
	_, problems := parse(File{Source: User, Path: "f"}, text)
	return problems
}

func TestLongValues(t *testing.T) {
	for _, at := range []struct {
		format string
		most   int
	}{
		{`{"projects":[{"id":"%s","path":"p"}]}`, 64}, {`{"projects":[{"id":"a","path":"%s"}]}`, 4095},
		{`{"tools":{"bound":[{"name":"%s","uses":"edit","bind":{}}]}}`, 64}, {`{"tools":{"bound":[{"name":"a","uses":"%s","bind":{}}]}}`, 64},
	} {
		if problems := validate(fmt.Appendf(nil, at.format, strings.Repeat("a", at.most))); len(problems) > 0 {
			t.Errorf("%s with %d: %v", at.format, at.most, problems)
		}
		if problems := validate(fmt.Appendf(nil, at.format, strings.Repeat("a", at.most+1))); len(problems) == 0 {
			t.Errorf("%s with %d is taken", at.format, at.most+1)
		}
	}
}

func TestJSONSchema(t *testing.T) {
	text, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	again, err := JSONSchema()
	if err != nil || !bytes.Equal(text, again) {
		t.Fatal("the bytes differ", err)
	}
	for doc, valid := range map[string]bool{
		`{"$schema":"x","rules":[{"argv":["git",["fetch","pull"]],"decision":"allow","match":["git pull",["git","fetch"]]}]}`: true,
		`{"tools":{"bound":[{"name":"remember","uses":"edit","bind":{"path":"MEMORY.md"},"requires":["memory"]}]}}`:           true,
		`{"rules":[{"argv":[1]}]}`: false, `{"tools":{"bound":[{"name":"a","uses":"b","bind":"c"}]}}`: false,
		`{"fils":{}}`: false, `{"files":{"require_read":"maybe"}}`: false, `{}`: true,
	} {
		if got := judge(t, text, []byte(doc)) == nil; got != valid {
			t.Errorf("%s: the schema says %v", doc, got)
		}
		if got := len(validate([]byte(doc))) == 0; got != valid {
			t.Errorf("%s: the file is %v", doc, got)
		}
	}
}

// judge validates with an implementation that is not ours.
func judge(t *testing.T, schemaText, doc []byte) error {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schemaText, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatal(err)
	}
	return resolved.Validate(v)
}
