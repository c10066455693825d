package output_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/output"
)

// reduce applies rules to an output that is long enough to be reduced.
func reduce(t *testing.T, rules, text string, end output.End) string {
	t.Helper()
	file := output.File{Name: "x", Text: "program x\n" + rules}
	if err := file.Check(); err != nil {
		t.Fatal(err)
	}
	pad := strings.Repeat("drop this line\n", 100)
	f := output.Fit(pad+text, 1<<20, output.Source{Commands: [][]string{{"x"}}, End: end, Own: own(file)})
	if f.Reduced == nil {
		return strings.TrimPrefix(f.Text, pad)
	}
	return f.Text
}

func TestRules(t *testing.T) {
	const pad = "drop ^drop this\n"
	for _, c := range []struct {
		name, rules, text, want string
		end                     output.End
	}{
		{name: "nothing is known", text: "a\nb\n", want: "a\nb\n"},
		{name: "drop", rules: "drop ^a", text: "a\nba\n", want: "ba\n"},
		{name: "failures stay", rules: "drop ^a", text: "a\na failed\naTypeError\na ✗\n", want: "a failed\naTypeError\na ✗\n"},
		{name: "but for !", rules: "drop! ^a failed", text: "a failed\nb\n", want: "b\n"},
		{name: "beside what matches", rules: "drop! ^a", text: "a failed\nab\n", want: "a failed\n"},
		{name: "within", rules: "within from ^> while ^\\s|^$\ndrop ^ \\d\nalways\ndrop ^x", text: " 1\n>\n 2\n\n 3\nx\n", want: " 1\n>\n"},
		{name: "a log", rules: "log ^run (?P<name>.) passed ^(?:(?P<passed>ok)|no) (?P<name>.)\nkeep ^no\ndrop ^ok", text: "run 1\na\nrun 2\nb\nan error\nok 1\nno 2\nrun 2\nd\nok 2\ne\n", want: "run 1\nrun 2\nb\nan error\nno 2\nrun 2\ne\n"},
		{name: "begun", rules: "begun ^run (?P<name>.) ended ^ok (?P<name>.)\ndrop ^run", text: "run 1\nrun 2\nok 1\n", want: "run 2\nok 1\n"},
		{name: "the first rule decides", rules: "keep ^ab\ndrop ^a", text: "ab\nac\n", want: "ab\n"},
		{name: "fold", rules: "fold ^ok => [{n} ok]", text: "ok 1\nx\nok 2\nok 3\n", want: "[3 ok]\nx\n"},
		{name: "one is not folded", rules: "fold ^ok => [{n} ok]", text: "ok 1\nx\n", want: "ok 1\nx\n"},
		{name: "sum", rules: `fold ^(\d+) passed => {sum} passed in {n} files`, text: "3 passed\n40 passed\n", want: "43 passed in 2 files\n"},
		{name: "to", rules: "drop from ^< to ^>", text: "a\n<\nb\n>\nc\n", want: "a\nc\n"},
		{name: "until", rules: "drop from ^< until ^>", text: "a\n<\nb\n>\nc\n", want: "a\n>\nc\n"},
		{name: "while", rules: "drop from ^< while ^b", text: "<\nb\nb\nc\n<\nc\n", want: "c\n<\nc\n"},
		{name: "while to the end", rules: "drop from ^< while ^b", text: "a\n<\nb\nb\n", want: "a\n"},
		{name: "a span that does not end", rules: "drop from ^< to ^>", text: "a\n<\nb\n", want: "a\n<\nb\n"},
		{name: "a failure in a span", rules: "drop from ^< to ^>", text: "<\nb\nb: error\n>\nc\n", want: "b: error\nc\n"},
		{name: "spans count once", rules: "fold from ^< to ^> => {n} parts", text: "<\nb\n>\n<\n>\n", want: "2 parts\n"},
		{name: "once", rules: "once from ^go until ^$ => {n} more", text: "go 1 0xab\nf:3\n\ngo 2 0xcd\nf:3\n\ngo 3 0x1\nf:4\n\n", want: "go 1 0xab\nf:3\n\n1 more\n\ngo 3 0x1\nf:4\n"},
		{name: "lead", rules: "lead ^#\ndrop ^a\nkeep ^k", text: "# 1\n# 2\nb\n# 3\na\n# 4\nk\n# 5\n\nc\nd\n# 6\n\na\n# 7\n", want: "# 2\nb\nk\n# 5\n\nc\nd\n\n# 7\n"},
		{name: "a span leads", rules: "lead from ^< to ^>\ndrop ^a", text: "<\n1\n>\na\n<\n2\n>\nb\n", want: "<\n2\n>\nb\n"},
		{name: "lead and failures", rules: "lead ^#\ndrop ^a\nfold ^f => {n}", text: "# 1\na failed\n# 2 failed\na\nf\n# 3\nf\n", want: "# 1\na failed\n# 2 failed\n2\n"},
		{name: "success", rules: "on success\ndrop ^a\nalways\ndrop ^b", text: "a\nb\nc\n", want: "c\n", end: output.Succeeded},
		{name: "no success", rules: "on success\ndrop ^a\nalways\ndrop ^b", text: "a\nb\nc\n", want: "a\nc\n", end: output.Failed},
		{name: "perhaps success", rules: "on success\ndrop ^a\non failure\ndrop ^b", text: "a\nb\nc\n", want: "a\nc\n"},
		{name: "repeats", text: strings.Repeat("again and again\n", 5) + "\n\n\nb\n", want: "again and again\n[… the same 4 more times …]\n\nb\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, reduce(t, c.rules+"\n"+pad, c.text, c.end)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUnwrap(t *testing.T) {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, `{"Action":"output","Output":"line %d of the output\n"}`+"\n", i)
	}
	b.WriteString(`{"Action":"start"}` + "\n" + `{"Action":"output","Output":"end\n"}` + "\n" + `{"Error":"disk full"}` + "\n")
	if got := reduce(t, "unwrap Output\ndrop ^drop", b.String(), output.Unknown); got != b.String() {
		t.Errorf("most lines are no objects, and it became %q", got)
	}
	file := output.File{Name: "x", Text: "program x\nunwrap Output\ndrop ^line"}
	f := output.Fit(b.String(), 1<<20, output.Source{Commands: [][]string{{"x"}}, Own: own(file)})
	if want := "end\n{\"Error\":\"disk full\"}\n"; f.Text != want {
		t.Errorf("%q, want %q", f.Text, want)
	}
}

func own(files ...output.File) func() []output.File {
	return func() []output.File { return files }
}

// TestBadRules says in which line of a file what is wrong.
func TestBadRules(t *testing.T) {
	for text, want := range map[string]string{
		"program":             "line 1: it names no program",
		"program x\nsign":     "line 2: it names no text",
		"drop":                "line 1: it has no pattern",
		"\n\ndrop (":          "line 3: error parsing regexp",
		"fold a":              "line 1: fold needs =>",
		"drop from a":         "line 1: from needs to, until or while",
		"drop from a to (":    "line 1: error parsing regexp",
		"hide a":              "line 1: unknown word hide",
		"within a":            "line 1: within needs from",
		"log a":               "line 1: it needs passed and a second pattern",
		"begun a ended (":     "line 1: error parsing regexp",
		"part (":              "line 1: error parsing regexp",
		"on fire":             "line 1: on success or on failure",
		"# fine\nprogram x\n": "",
	} {
		err := output.File{Name: "n", Text: text}.Check()
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(got, "n.rules, "+want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestPrograms finds the rules of a program by the words of a command.
func TestPrograms(t *testing.T) {
	text := strings.Repeat("tests/test_a.py::test_b PASSED\n", 100)
	passing := strings.Repeat("--- PASS: TestX\n", 100)
	for line, want := range map[string]string{
		"pytest -q": "pytest", "python -m pytest": "pytest", "python3.11 -m pytest tests": "pytest", "/usr/bin/py.test": "pytest", "uv run --frozen pytest": "pytest",
		"python tests.py": "", "cat pytest": "", "echo pytest": "", "C:\\py\\pytest.exe x": "pytest", "npx pytest": "pytest", "sh ./pytest": "pytest", "": "",
	} {
		f := output.Fit(text, 1<<20, output.Source{Commands: [][]string{strings.Fields(line)}})
		if got := by(f); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"go test ./...": "go-test", "go -C dir test": "go-test", "go test": "go-test", "go run x test": "", "go": "", "go fmt": "", "timeout 9 go test": "",
	} {
		f := output.Fit(passing, 1<<20, output.Source{Commands: [][]string{strings.Fields(line)}})
		if got := by(f); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func by(f output.Fitted) string {
	if f.Reduced == nil {
		return ""
	}
	return f.Reduced.By
}

// TestSource knows the status of a program only if the line has the same one, and looks
// for signs of other programs only if the line may start them.
func TestSource(t *testing.T) {
	for line, want := range map[string]output.End{
		"go test ./...": output.Failed, "cd x && go test 2>&1": output.Failed, "go test | tail": output.Unknown, "go test; echo": output.Unknown,
		"go test\necho": output.Unknown, "go test & wait": output.Unknown, "echo $(go test)": output.Unknown, "echo `go test`": output.Unknown, "a || b": output.Unknown,
	} {
		if s := output.Of(line, nil, 1); s.End != want {
			t.Errorf("%s: %d, want %d", line, s.End, want)
		}
	}
	if s := output.Of("x", nil, 0); s.End != output.Succeeded {
		t.Errorf("%+v", s)
	}
	log := strings.Repeat("--- PASS: TestX\n", 100) + "--- FAIL: TestY\n"
	for risk, want := range map[policy.Risk]string{policy.Read: "", policy.Write: "go-test"} {
		s := output.Of("x go.log", []policy.Command{{Argv: []string{"x", "go.log"}, Risk: risk}}, 0)
		if got := by(output.Fit(log, 1<<20, s)); got != want {
			t.Errorf("%s: %q, want %q", risk, got, want)
		}
	}
}

// TestCut keeps of what is too long the beginning, the end, and what looks like a
// failure.
func TestCut(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		switch i {
		case 2000:
			b.WriteString("worker 7: connection refused by db:5432\nand what follows\n")
		case 3000:
			b.WriteString("  at store.go:112\n")
		default:
			fmt.Fprintf(&b, "record %d\n", i)
		}
	}
	for _, most := range []int{400, 1000, 10_000} {
		f := output.Fit(b.String(), most, output.Source{Raw: true})
		if !f.Truncated || f.Reduced != nil || len(f.Text) > most+200 {
			t.Errorf("%d: %d bytes, truncated %v", most, len(f.Text), f.Truncated)
		}
		for _, want := range []string{"record 0\n", "record 4999\n", "worker 7: connection refused", "store.go:112"} {
			if !strings.Contains(f.Text, want) {
				t.Errorf("%d: without %q:\n%s", most, want, f.Text)
			}
		}
		if most > 1000 && !strings.Contains(f.Text, "and what follows") {
			t.Error("what follows a failure is lost though there is room")
		}
	}
	many := strings.Repeat("error: one of many that differ\nand its reason\n", 1000)
	if f := output.Fit(many, 1000, output.Source{Raw: true}); !strings.Contains(f.Text, "[998 like: error: one of many that differ]") {
		t.Errorf("it does not say how many failures are alike:\n%s", f.Text)
	}
	var differ strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&differ, "error: %s is wrong\n", strings.Repeat(string(rune('g'+i%20)), 1+i/20))
	}
	if f := output.Fit(differ.String(), 1000, output.Source{Raw: true}); !strings.Contains(f.Text, "of the lines left out look like failures") {
		t.Errorf("it does not say that failures are left out:\n%s", f.Text)
	}
	long := strings.Repeat("é", 50_000)
	if f := output.Fit(long, 1001, output.Source{Raw: true}); !utf8.ValidString(f.Text) || len(f.Text) > 1100 || !strings.HasPrefix(f.Text, "éé") || !strings.HasSuffix(f.Text, "éé\n") {
		t.Errorf("one long line becomes %q", f.Text)
	}
}

// TestShort leaves alone what is short.
func TestShort(t *testing.T) {
	text := strings.Repeat("--- PASS: TestX\n", 60)
	if f := output.Fit(text, 10_000, output.Source{Commands: [][]string{{"go", "test"}}}); f.Text != text || f.Reduced != nil || f.Truncated {
		t.Errorf("%+v", f)
	}
}

// TestManySpans looks once for the end of spans that do not end.
func TestManySpans(t *testing.T) {
	text := strings.Repeat("    def f(x):\n", 40_000) + "> here\n"
	f := output.Fit(text, 1<<30, output.Source{Commands: [][]string{{"pytest"}}})
	if !strings.HasPrefix(f.Text, "    def f(x):\n") || !strings.HasSuffix(f.Text, "> here\n") || strings.Count(f.Text, "\n") > 4 {
		t.Errorf("%d lines: %.200q", strings.Count(f.Text, "\n"), f.Text)
	}
}

// FuzzFit never makes an output longer, but for notes, nor invalid UTF-8.
func FuzzFit(f *testing.F) {
	f.Add("--- FAIL: TestX\n\ta_test.go:3: got\n", "drop ^a", 3, uint16(200))
	f.Add("a\nb\n\n\nc", "fold from ^a until ^c => {n} {sum}", 7, uint16(1))
	f.Add("{\"Output\":\"x\"}\n", "unwrap Output", 1, uint16(100))
	f.Add("# a\n\na\n# b\n\nx\n\n# c\n", "lead! ^#\ndrop ^a\nonce ^x => {n}\nfold ^$ => {n}", 9, uint16(99))
	f.Add("goroutine 1 [x]\n\ngoroutine 2 [x]\n\n", "once from ^g until ^$ => {n}\ndrop from g while x", 100, uint16(500))
	f.Fuzz(func(t *testing.T, text, rules string, times int, most uint16) {
		text = strings.ToValidUTF8(text, "?")
		text = strings.Repeat(text, min(max(times, 1), max(1, 1<<16/(len(text)+1))))
		s := output.Source{Commands: [][]string{{"x"}, {"go", "test"}, {"make"}}, Runs: times%2 == 0, Own: own(output.File{Name: "x", Text: "program x\n" + rules})}
		got := output.Fit(text, int(most), s)
		if !utf8.ValidString(got.Text) {
			t.Fatalf("%q", got.Text)
		}
		if len(got.Text) > len(text)+200 {
			t.Fatalf("%d bytes become %d: %q", len(text), len(got.Text), got.Text)
		}
		if got.Reduced == nil && !got.Truncated && got.Text != text {
			t.Fatalf("%q became %q", text, got.Text)
		}
	})
}
