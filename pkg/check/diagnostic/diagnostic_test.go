package diagnostic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/tool"
)

// TestParse reads what programs print, as they print it.
func TestParse(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		output string
		want   []string
	}{
		"go vet":  {"# example.com/x/p\nvet: p/a.go:5:24: undefined: y\n", []string{"p/a.go:5: undefined: y"}},
		"go list": {"p/a.go:3:8: package nope is not in std (/usr/lib/go/src/nope)\n", []string{"p/a.go:3: package nope is not in std (/usr/lib/go/src/nope)"}},
		"gofmt":   {"/w/p/a.go:5:1: expected declaration, found x\n", []string{"/w/p/a.go:5: expected declaration, found x"}},
		"gcc": {
			"a.c: In function ‘main’:\na.c:1:25: error: ‘foo’ undeclared (first use in this function)\n    1 | int main(void) { return foo; }\n      |                         ^~~\n" +
				"a.c:1:25: note: each undeclared identifier is reported only once for each function it appears in\n",
			[]string{"a.c:1: error: ‘foo’ undeclared (first use in this function)"},
		},
		"tsc":        {"src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.\n", []string{"src/a.ts:3: error TS2322: Type 'string' is not assignable to type 'number'."}},
		"tsc pretty": {"src/a.ts:3:5 - error TS2322: no.\n", []string{"src/a.ts:3: error TS2322: no."}},
		"mypy": {
			"a.py:3: error: Name \"y\" is not defined  [name-defined]\na.py:4: note: Revealed type is \"int\"\nFound 1 error in 1 file (checked 1 source file)\n",
			[]string{"a.py:3: error: Name \"y\" is not defined  [name-defined]"},
		},
		"py_compile": {
			"  File \"p/b.py\", line 2\n    def f(:\n          ^\nSyntaxError: invalid syntax\n\n", []string{"p/b.py:2: SyntaxError: invalid syntax"},
		},
		"node": {
			"/w/a.js:1\nfunction f( {\n           ^\n\nSyntaxError: Unexpected token '{'\n    at wrapSafe (node:internal/modules/cjs/loader:1378:20)\n\nNode.js v22.0.0\n",
			[]string{"/w/a.js:1: SyntaxError: Unexpected token '{'"},
		},
		"bash":       {"a.sh: line 3: syntax error: unexpected end of file\n", []string{"a.sh:3: syntax error: unexpected end of file"}},
		"perl":       {"syntax error at a.pl line 4, near \"print\"\na.pl had compilation errors.\n", []string{"a.pl:4: syntax error"}},
		"php":        {"PHP Parse error:  syntax error, unexpected token \"}\" in a.php on line 3\nErrors parsing a.php\n", []string{"a.php:3: PHP Parse error:  syntax error, unexpected token \"}\""}},
		"javac":      {"A.java:1: error: ';' expected\nclass A { int f() { return 1 } }\n                            ^\n1 error\n", []string{"A.java:1: error: ';' expected"}},
		"rustc":      {"error[E0425]: cannot find value `y` in this scope\n --> src/main.rs:3:5\n  |\n3 |     y\n  |     ^ not found in this scope\n", []string{"src/main.rs:3: error[E0425]: cannot find value `y` in this scope"}},
		"terraform":  {"╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3, in resource \"a\" \"b\":\n│    3:   x = 1\n╵\n", []string{"main.tf:3: Error: Unsupported argument"}},
		"shellcheck": {"a.sh:2:6: warning: x is referenced but not assigned. [SC2154]\n", []string{"a.sh:2: warning: x is referenced but not assigned. [SC2154] -"}},
		"rubocop":    {"a.rb:2:1: C: Layout/IndentationWidth: Use 2 spaces.\n", []string{"a.rb:2: C: Layout/IndentationWidth: Use 2 spaces. -"}},
		"dart":       {"  error - lib/a.dart:3:5 - Undefined name 'x'. - undefined_identifier\n", []string{"lib/a.dart:3: Undefined name 'x'. - undefined_identifier"}},
		"flutter":    {"  error • Undefined name 'x' • lib/a.dart:3:5 • undefined_identifier\n", []string{"lib/a.dart:3: Undefined name 'x'"}},
		"biome":      {"::error title=lint/x,file=src/a.js,line=3,endLine=3,col=1,endColumn=4::This is wrong.\n", []string{"src/a.js:3: This is wrong."}},
		"eslint":     {"\n/w/a.js\n  1:5  error  'x' is defined but never used  no-unused-vars\n  2:1  warning  Unexpected console statement  no-console\n\n✖ 2 problems\n", []string{"/w/a.js:1: 'x' is defined but never used no-unused-vars", "/w/a.js:2: Unexpected console statement no-console -"}},
		"windows":    {"C:\\w\\a.c:3:5: error: no\n", []string{`C:\w\a.c:3: error: no`}},
		"eslint json": {
			`[{"filePath":"/w/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is not defined.","line":3,"column":1,"suggestions":[{"message":"no","line":9}]},{"ruleId":"eqeqeq","severity":1,"message":"m","line":4}],"errorCount":1}]`,
			[]string{"/w/a.js:3: 'x' is not defined. [no-undef]", "/w/a.js:4: m [eqeqeq] -"},
		},
		"ruff json": {
			`[{"cell":null,"code":"F401","end_location":{"column":10,"row":1},"filename":"/w/a.py","fix":{"edits":[],"message":"Remove"},"location":{"column":8,"row":1},"message":"os imported but unused","url":"https://x"}]`,
			[]string{"/w/a.py:1: os imported but unused [F401]"},
		},
		"pyright": {
			`{"version":"1","generalDiagnostics":[{"file":"/w/a.py","severity":"error","message":"\"y\" is not defined","range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"rule":"reportUndefinedVariable"}],"summary":{"errorCount":1}}`,
			[]string{`/w/a.py:1: "y" is not defined [reportUndefinedVariable]`},
		},
		"rubocop json":    {`{"files":[{"path":"a.rb","offenses":[{"severity":"convention","message":"Use 2","cop_name":"Layout/X","location":{"start_line":2,"line":2}}]}],"summary":{}}`, []string{"a.rb:2: Use 2 [Layout/X] -"}},
		"shellcheck json": {`[{"file":"a.sh","line":2,"endLine":2,"column":6,"level":"error","code":2154,"message":"x","fix":null}]`, []string{"a.sh:2: x [2154]"}},
		"golangci":        {`{"Issues":[{"FromLinter":"errcheck","Text":"not checked","Pos":{"Filename":"a.go","Line":7}}],"Report":{"Linters":[{"Name":"x"}]}}`, []string{"a.go:7: not checked"}},
		"go vet json":     {`{"example.com/x":{"printf":[{"posn":"a.go:1:1","message":"m"}]}}`, nil},
		"phpstan":         {`{"totals":{"errors":0,"file_errors":1},"files":{"/w/a.php":{"errors":1,"messages":[{"message":"Undefined variable","line":3,"ignorable":true}]}},"errors":[]}`, []string{"/w/a.php:3: Undefined variable"}},
		"terraform json":  {`{"format_version":"1.0","valid":false,"diagnostics":[{"severity":"error","summary":"Unsupported","detail":"No x.","range":{"filename":"main.tf","start":{"line":3,"column":1},"end":{"line":3}}}]}`, []string{"main.tf:3: Unsupported: No x."}},
		"cargo json": {
			`{"reason":"compiler-artifact","target":{"name":"x"}}` + "\n" +
				`{"reason":"compiler-message","message":{"rendered":"r","level":"error","message":"cannot find y","code":{"code":"E0425"},"children":[{"message":"help","spans":[]}],"spans":[{"file_name":"src/a.rs","line_start":9,"is_primary":false},{"file_name":"src/main.rs","line_start":3,"is_primary":true}]}}` + "\n",
			[]string{"src/main.rs:3: cannot find y [E0425]"},
		},
		"mypy json": {`{"file":"a.py","line":3,"column":4,"message":"no y","hint":null,"code":"name-defined","severity":"error"}` + "\n", []string{"a.py:3: no y [name-defined]"}},
		"dart json": {`{"version":1,"diagnostics":[{"code":"undefined","severity":"ERROR","location":{"file":"lib/a.dart","range":{"start":{"line":3}}},"problemMessage":"no x"}]}`, []string{"lib/a.dart:3: no x [undefined]"}},
		"sarif": {
			`{"$schema":"s","version":"2.1.0","runs":[{"tool":{"driver":{"name":"CodeX","rules":[{"id":"r1","shortDescription":{"text":"t"}}]}},"results":[{"ruleId":"r1","level":"warning","message":{"text":"bad"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/a.c"},"region":{"startLine":4}}}]}]}]}`,
			[]string{"src/a.c:4: bad [r1] -"},
		},
		"a log":    {"12:34:56 INFO started\nhttp://x.org:80 is up\nok\n", nil},
		"clean":    {"", nil},
		"no files": {"[]", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range Parse([]byte(tt.output), "x") {
				line := fmt.Sprintf("%s:%d: %s", d.File, d.Line, d.Message)
				if d.Warning {
					line += " -"
				}
				got = append(got, line)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	if len(shapes()) != 11 || belowShape() == nil {
		t.Error("a pattern does not compile")
	}
}

func at(file string, line int, message string) Diagnostic {
	return Diagnostic{Diagnostic: tool.Diagnostic{File: file, Line: line, Message: message, Source: "x"}}
}

// TestCompare tells old diagnostics from new ones.
func TestCompare(t *testing.T) {
	t.Parallel()
	before := "a\nb\nc\nd\n"
	for name, tt := range map[string]struct {
		now     string
		was, is []Diagnostic
		new     int
		fixed   int
		from    string
	}{
		"moved by lines":             {now: "1\n2\na\nb\nc\nd\n", was: []Diagnostic{at("f", 3, "m")}, is: []Diagnostic{at("f", 5, "m")}},
		"a line in its message":      {now: "1\na\nb\nc\nd\n", was: []Diagnostic{at("f", 3, "defined at f:1")}, is: []Diagnostic{at("f", 4, "defined at f:2")}},
		"a count in its message":     {now: "a\nB\nc\nd\n", was: []Diagnostic{at("f", 2, "want 2, got 3")}, is: []Diagnostic{at("f", 2, "want 2, got 4")}, new: 1, fixed: 1},
		"on a changed line":          {now: "a\nB\nc\nd\n", was: []Diagnostic{at("f", 2, "m")}, is: []Diagnostic{at("f", 2, "m")}},
		"the same fault once more":   {now: "a\nb\nc\nd\nnew\n", was: []Diagnostic{at("f", 2, "m")}, is: []Diagnostic{at("f", 2, "m"), at("f", 5, "m")}, new: 1},
		"mended here, made there":    {now: "A\nb\nc\nD\n", was: []Diagnostic{at("f", 1, "m")}, is: []Diagnostic{at("f", 4, "m")}, new: 1, fixed: 1},
		"new on a line that stays":   {now: "b\nc\nd\n", is: []Diagnostic{at("f", 2, "undefined: a")}, new: 1},
		"in another file":            {now: "a\n", is: []Diagnostic{at("g", 9, "m")}, was: []Diagnostic{at("g", 9, "m")}},
		"new in another file":        {now: "a\n", is: []Diagnostic{at("g", 9, "m")}, new: 1},
		"a renamed file":             {now: before, from: "e", was: []Diagnostic{at("e", 2, "m")}, is: []Diagnostic{at("f", 2, "m")}},
		"of the file as a whole":     {now: "1\na\n", was: []Diagnostic{at("f", 0, "m")}, is: []Diagnostic{at("f", 0, "m")}},
		"the last of them was fixed": {now: before, was: []Diagnostic{at("f", 1, "m"), at("f", 2, "n")}, fixed: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Compare(tt.was, tt.is, []Change{ChangeOf("f", tt.from, before, tt.now)})
			if len(got.New) != tt.new || got.Fixed != tt.fixed {
				t.Errorf("new %v, fixed %d; want %d and %d", got.New, got.Fixed, tt.new, tt.fixed)
			}
		})
	}
}

// TestCompareRandomly has old diagnostics on random lines moved by random edits, with new ones
// on some of the lines that they wrote.
func TestCompareRandomly(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 20 + r.IntN(200)
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprint("line ", r.IntN(50), "\n")
		}
		faulty := map[int]string{}
		for range 1 + r.IntN(n) {
			faulty[r.IntN(n)] = fmt.Sprint("fault ", r.IntN(4))
		}
		var was, is, added []Diagnostic
		var now []string
		at0 := r.IntN(n)
		for i, line := range lines {
			if m, ok := faulty[i]; ok {
				was = append(was, at("f", i+1, m))
			}
			if i == at0 {
				for range r.IntN(10) {
					now = append(now, fmt.Sprint("new ", r.IntN(1000000), "\n"))
					if r.IntN(3) == 0 {
						added = append(added, at("f", len(now), fmt.Sprint("new fault ", r.IntN(4))))
					}
				}
			}
			now = append(now, line)
			if m, ok := faulty[i]; ok {
				is = append(is, at("f", len(now), m))
			}
		}
		got := Compare(was, append(is, added...), []Change{ChangeOf("f", "", strings.Join(lines, ""), strings.Join(now, ""))})
		if d := cmp.Diff(added, got.New); d != "" || got.Fixed != 0 {
			t.Fatalf("fixed %d: %s", got.Fixed, d)
		}
	}
}

// TestMask names the diagnostics that a new error hides, and not those of lines that went.
func TestMask(t *testing.T) {
	t.Parallel()
	got := Compare([]Diagnostic{at("f", 1, "m"), at("f", 3, "n")}, []Diagnostic{at("f", 1, "syntax")}, []Change{ChangeOf("f", "", "a\nb\nc\n", "A\nx\nb\nc\n")})
	if d := cmp.Diff([]Diagnostic{at("f", 4, "n")}, got.Gone); d != "" {
		t.Error(d)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.go:1:2: x\n", `[{"file":"a","line":1,"message":"m"}]`, "  File \"a\", line 3\nE: x\n", " --> a.rs:1:2", "{\"files\":{\"a\":{\"messages\":[{}]}}}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		all := Parse(output, "x")
		if len(all) > most+1 {
			t.Fatal(len(all))
		}
		for _, d := range all {
			if d.Line < 0 || d.Source == "" || len(d.Message) > messageBytes+8 || strings.Count(d.Message, "\n") >= messageLines {
				t.Fatalf("%+v", d)
			}
		}
		c := Compare(all, slices.Clone(all), []Change{ChangeOf("a", "", string(output), string(output))})
		if len(c.New) > 0 || c.Fixed > 0 {
			t.Fatalf("%+v", c)
		}
	})
}
