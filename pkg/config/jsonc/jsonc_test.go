package jsonc

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", `{"a":[1,-2.5e3,true,false,null,"x"]}`, `{"a":[1,-2.5e3,true,false,null,"x"]}`},
		{"comments everywhere", "// first\n{ /* a */ \"a\" /* b */ : // c\n 1, /* d */ }// end", `{"a":1}`},
		{"trailing commas", `{"a":[1,2,],"b":{"c":1,},}`, `{"a":[1,2],"b":{"c":1}}`},
		{"comment signs in strings", `{"a":"// no /* no"}`, `{"a":"// no /* no"}`},
		{"order", `{"z":1,"a":2}`, `{"z":1,"a":2}`},
		{"escapes", `"\u00e9\n\ud83d\ude00<&>"`, `"é\n😀<&>"`},
		{"a written U+FFFD", `"\ufffd` + "\ufffd" + `"`, "\"\ufffd\ufffd\""},
		{"byte order mark", "\ufeff{}", `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, problems := Parse([]byte(c.in))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if d := cmp.Diff(c.want, string(n.JSON())); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseProblems(t *testing.T) {
	for _, c := range []struct {
		name, in     string
		line, column int
		message      string
	}{
		{"empty", "", 1, 1, "ends too early"},
		{"only a comment", "// x", 1, 5, "ends too early"},
		{"open comment", "{}\n /* x", 2, 2, "comment is not closed"},
		{"open object", "\n{\"a\":1", 2, 1, "not closed"},
		{"open object after a comma", "{\"a\":1,", 1, 1, "not closed"},
		{"open string", "[\n  \"x]", 2, 3, "string is not closed"},
		{"no colon", `{"a" 1}`, 1, 6, `expected ":"`},
		{"no comma", `{"a":1 "b":2}`, 1, 8, `"," or "}"`},
		{"two commas", `[1,,2]`, 1, 4, "expected a value"},
		{"only a comma", `[,]`, 1, 2, "expected a value"},
		{"single quotes", `{'a':1}`, 1, 2, "double quotes"},
		{"leading zero", `[01]`, 1, 2, "not a number"},
		{"lone surrogate", `["\ud83d"]`, 1, 2, "invalid escape"},
		{"invalid UTF-8", "[\"\xff\"]", 1, 2, "not UTF-8"},
		{"control character", "[\"\x01\"]", 1, 3, "must be escaped"},
		{"more behind", "{}\n{}", 2, 1, "something follows"},
		{"columns count characters", `["é" x]`, 1, 6, `","`},
		{"repeated name", "{\"a\":1,\n\"a\":2}", 2, 1, "given twice"},
		{"too deep", strings.Repeat("[", 100), 1, 34, "nested deeper"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, problems := Parse([]byte(c.in))
			if len(problems) != 1 {
				t.Fatalf("%d problems: %v", len(problems), problems)
			}
			line, column := Position([]byte(c.in), problems[0].Offset)
			if line != c.line || column != c.column || !strings.Contains(problems[0].Message.String(), c.message) {
				t.Errorf("%d:%d: %s", line, column, problems[0].Message)
			}
		})
	}
}

func TestBounds(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	sized := func(n int) string { return "[]" + strings.Repeat(" ", n-2) }
	for _, at := range []struct{ most, more string }{{sized(32 << 20), sized(32<<20 + 1)}, {nested(33), nested(34)}} {
		if _, problems := Parse([]byte(at.most)); len(problems) > 0 {
			t.Errorf("%.40q…: %v", at.most, problems)
		}
		if _, problems := Parse([]byte(at.more)); len(problems) != 1 {
			t.Errorf("%.40q…: %v", at.more, problems)
		}
	}
	if _, problems := Parse([]byte("{" + strings.Repeat(`"a":1,`, 200) + "}")); len(problems) != 100 {
		t.Errorf("%d problems", len(problems))
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct{ name, in, path, value, want string }{
		{"empty file", "", "a.b", `"on"`, "{\n  \"a\": {\"b\":\"on\"}\n}\n"},
		{"replace", "{ // why\n  \"a\": 1, // one\n}\n", "a", `2`, "{ // why\n  \"a\": 2, // one\n}\n"},
		{"add after a comma", "{\n\t\"a\": 1, // one\n}\n", "b", `2`, "{\n\t\"a\": 1, // one\n\t\"b\": 2\n}\n"},
		{"add, comma missing", "{\n  \"a\": 1 // one,\n}\n", "b", `2`, "{\n  \"a\": 1, // one,\n  \"b\": 2\n}\n"},
		{"add in one line", `{"a":1}`, "b", `2`, `{"a":1, "b": 2}`},
		{"add in one line after a comma", `{"a":1, }`, "b", `2`, `{"a":1, "b": 2}`},
		{"into an object with a comment only", "{\n  // nothing\n}\n", "b", `2`, "{\n  // nothing\n  \"b\": 2\n}\n"},
		{"nested", "{\n  \"a\": {\n    \"x\": 1\n  }\n}\n", "a.y", `[1]`, "{\n  \"a\": {\n    \"x\": 1,\n    \"y\": [1]\n  }\n}\n"},
		{"windows lines", "{\r\n  \"a\": 1\r\n}\r\n", "b", `2`, "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			value, problems := Parse([]byte(c.value))
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			before := bytes.Clone([]byte(c.in))
			got, err := Set(before, strings.Split(c.path, "."), value)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, string(got)); d != "" {
				t.Error(d)
			}
			if string(before) != c.in {
				t.Errorf("the input was changed to %q", before)
			}
		})
	}
	for _, in := range []string{`{"a":1}`, `{`, `[]`} {
		if _, err := Set([]byte(in), []string{"a", "b"}, &Node{Kind: Null}); err == nil {
			t.Errorf("%s: no error", in)
		}
	}
}

func TestOffset(t *testing.T) {
	const text = `{"a/b": [1, {"c": 2}], "d": 3}`
	n, _ := Parse([]byte(text))
	for pointer, want := range map[string]string{
		"": `{"a`, "/a~1b": `"a/b`, "/a~1b/1": `{"c`, "/a~1b/1/c": `"c"`, "/a~1b/1/x": `{"c`, "/a~1b/7": `"a/b`, "/d/x": `"d"`,
	} {
		if got := text[n.Offset(pointer):]; !strings.HasPrefix(got, want) {
			t.Errorf("%q leads to %q", pointer, got)
		}
	}
}

// FuzzParse holds the parser to encoding/json, which knows no comments.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2,],}`, "// x\n[]", `/**/"\ud83d"`, `{"a":1,"a":2}`, "\ufeff[1e9]", `[1 /* , */]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, problems := Parse(data)
		if n == nil {
			if len(problems) == 0 {
				t.Fatal("neither a value nor a problem")
			}
			if json.Valid(data) && !strings.Contains(problems[0].Message.String(), "nested") &&
				!strings.Contains(problems[0].Message.String(), "escape") && !strings.Contains(problems[0].Message.String(), "UTF-8") {
				t.Fatalf("valid JSON refused: %v", problems)
			}
			return
		}
		plain := n.JSON()
		if !json.Valid(plain) {
			t.Fatalf("wrote %q", plain)
		}
		again, _ := Parse(plain)
		if again == nil || !bytes.Equal(again.JSON(), plain) {
			t.Fatalf("%q read back differs", plain)
		}
		if n.Kind != Object || len(problems) > 0 {
			return
		}
		edited, err := Set(data, []string{"new", "key"}, &Node{Kind: Number, Text: "1"})
		if err != nil {
			return
		}
		back, problems := Parse(edited)
		if len(problems) > 0 || back.Path("new", "key") == nil || back.Path("new", "key").Text != "1" {
			t.Fatalf("%q was edited to %q: %v", data, edited, problems)
		}
	})
}
