package manifest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

var options = Options{Builtin: []string{"read", "read_file", "file-read"}, Taken: []string{"taken"}, Switches: []string{"memory"}}

const diskUsage = `{
  // how full it is
  "name": "disk_usage",
  "description": "Sizes of directories.",
  "parameters": {"type": "object", "properties": {
    "directory": {"type": "string", "description": "Where."},
    "max_depth": {"type": "integer", "minimum": 0},
    "skip": {"type": "array", "items": {"type": "string"}},
  }, "required": ["directory"]},
  "risk": "read", "requires": ["memory"],
  "run": {"argv": ["du", "-h", "--max-depth={max_depth}", "{skip}", "--", "{directory}"], "stdin": "{directory}",
    "env": {"B": "2", "A": "1"}, "pass_env": ["LANG"], "timeout": "30s", "max_output": "64 KB", "output": "json",
    "exit": {"ok": [0, 1], "not_found": [4]}},
  "examples": [{"doc": "Here.", "args": {"directory": "."}}],
}`

func parse(t *testing.T, text string) *Tool {
	t.Helper()
	tool, problems := Parse("m.json", []byte(text), options)
	if len(problems) > 0 {
		t.Fatal(problems.Err())
	}
	return tool
}

// command decodes arguments and gives the words they lead to.
func command(tool *Tool, args string) ([]string, error) {
	into := tool.Parameters.NewArgs()
	if err := tool.Parameters.Decode([]byte(args), into); err != nil {
		return nil, err
	}
	return tool.Command(tool.Parameters.Values(into))
}

func TestParse(t *testing.T) {
	got := parse(t, diskUsage)
	if len(got.SHA) != 64 || strings.Join(got.Parameters.Names(), " ") != "directory max_depth skip" {
		t.Errorf("%+v", got)
	}
	want := Tool{Name: "disk_usage", Description: "Sizes of directories.", Risk: policy.Read, Requires: []string{"memory"}, Stdin: "{directory}",
		Env: []Variable{{"B", "2"}, {"A", "1"}}, PassEnv: []string{"LANG"}, Timeout: 30 * time.Second, MaxOutput: 64 << 10, Output: JSONOutput,
		Template: []string{"du", "-h", "--max-depth={max_depth}", "{skip}", "--", "{directory}"},
		Exits:    []Exit{{"", []int{0, 1}}, {fault.NotFound, []int{4}}}, Examples: []Example{{"Here.", `{"directory":"."}`}}}
	plain := *got
	plain.Parameters, plain.SHA, plain.argv = nil, "", nil
	if d := cmp.Diff(want, plain, cmp.AllowUnexported(Tool{})); d != "" {
		t.Error(d)
	}
	for _, at := range []struct {
		run string
		bad bool
	}{
		{`"timeout":"1h"`, false}, {`"timeout":"1h1ns"`, true}, {`"max_output":"16MB"`, false}, {`"max_output":16777216`, false}, {`"max_output":16777217`, true},
		{`"argv":["x"` + strings.Repeat(`,"y"`, 999) + "]", false}, {`"argv":["x"` + strings.Repeat(`,"y"`, 1000) + "]", true},
	} {
		if !strings.Contains(at.run, "argv") {
			at.run += `,"argv":["x"]`
		}
		_, problems := Parse("m.json", []byte(`{"name":"x","description":"d","run":{`+at.run+`}}`), options)
		if at.bad != (len(problems) > 0) {
			t.Errorf("%.40s: %v", at.run, problems)
		}
	}
	for status, code := range map[int]fault.Code{0: "", 1: "", 4: fault.NotFound, 2: fault.IOError} {
		if got.Code(status) != code {
			t.Errorf("%d means %q", status, got.Code(status))
		}
	}
	least := parse(t, `{"name":"x","description":"d","run":{"argv":["true"]}}`)
	if least.Risk != policy.Destructive || least.Stdin != NoStdin || least.Output != TextOutput || least.Timeout != time.Minute || least.MaxOutput != 256<<10 {
		t.Errorf("%+v", least)
	}
	if argv, err := command(least, `{}`); err != nil || len(argv) != 1 {
		t.Error(argv, err)
	}
}

func TestCommand(t *testing.T) {
	tool := parse(t, diskUsage)
	for args, want := range map[string][]string{
		`{"directory":"."}`: {"du", "-h", "--", "."},
		`{"directory":"-x","max_depth":2,"skip":["a b","c"]}`: {"du", "-h", "--max-depth=2", "a b", "c", "--", "-x"},
		`{"directory":"","skip":[]}`:                          {"du", "-h", "--", ""},
	} {
		if got, err := command(tool, args); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%s: %q, %v", args, got, err)
		}
	}
	for _, args := range []string{`{"directory":".","skip":["-x"]}`, `{"directory":"a\u0000b"}`, `{"directory":".","skip":["a","-"]}`, `{}`} {
		if got, err := command(tool, args); !fault.Is(err, fault.InvalidArguments) {
			t.Errorf("%s: %q, %v", args, got, err)
		}
	}
	odd := parse(t, `{"name":"x","description":"d","parameters":{"type":"object","properties":{"n":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"}}},
		"run":{"argv":["x","{{n}}","a{n}b{b}c{s}d","{n}"],"stdin":"json"}}`)
	for args, want := range map[string][]string{
		`{"n":1.50,"b":true,"s":"{n}"}`: {"x", "{n}", "a1.5btruec{n}d", "1.5"},
		`{"n":1e3}`:                     {"x", "{n}", "1000"},
	} {
		if got, err := command(odd, args); err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%s: %q, %v", args, got, err)
		}
	}
	into := odd.Parameters.NewArgs()
	if err := odd.Parameters.Decode([]byte(`{"s":"<","n":2}`), into); err != nil {
		t.Fatal(err)
	}
	if in, ok, err := odd.Input(odd.Parameters.Values(into)); string(in) != `{"n":2,"s":"<"}` || !ok || err != nil {
		t.Errorf("%s, %v, %v", in, ok, err)
	}
}

// With this variable set, the test binary prints its arguments, quoted.
const echoEnv = "MANIFEST_TEST_ECHO"

func TestMain(m *testing.M) {
	if os.Getenv(echoEnv) != "" {
		fmt.Printf("%q", os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestHostileArgumentsArePlainWords(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := schema.Marshal(exe)
	if err != nil {
		t.Fatal(err)
	}
	tool := parse(t, `{"name":"echo","description":"d","parameters":{"type":"object","properties":{"x":{"type":"array","items":{"type":"string"}}}},"run":{"argv":[`+string(program)+`,"--","{x}"]}}`)
	hostile := []string{"; rm -rf .", "$(touch x)", "`id`", "-rf", "--help", "a\nb", "'\"\\", "*", "{x}", "|&><", "", " ", "~", "é\u202e"}
	args, err := schema.Marshal(struct {
		X []string `json:"x"`
	}{hostile})
	if err != nil {
		t.Fatal(err)
	}
	argv, err := command(tool, string(args))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), echoEnv+"=1")
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if want := fmt.Sprintf("%q", append([]string{"--"}, hostile...)); err != nil || string(out) != want {
		t.Errorf("%s, %v", out, err)
	}
}

func TestProblems(t *testing.T) {
	with := func(change string) string {
		base := `{"name":"x","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"p":{"type":"string"}}}}},"run":{"argv":["x"]},` + change + `}`
		return base
	}
	run := func(run string) string {
		return strings.Replace(with(`"risk":"read"`), `"run":{"argv":["x"]}`, `"run":`+run, 1)
	}
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"not JSON", `{"name":`, []string{"syntax "}},
		{"no object", `[]`, []string{"bad_field "}},
		{"nothing", `{}`, []string{"bad_field /run"}},
		{"nothing but a command", `{"run":{"argv":["x"]}}`, []string{"empty_name /name", "empty_description /description"}},
		{"blank", `{"name":" ","description":"\t","run":{"argv":["x"]}}`, []string{"empty_name /name", "empty_description /description"}},
		{"bad name", `{"name":"Rm-rf","description":"d","run":{"argv":["x"]}}`, []string{"bad_name /name"}},
		{"built-in", `{"name":"read","description":"d","run":{"argv":["x"]}}`, []string{"shadows_builtin /name"}},
		{"built-in alias, joined another way", `{"name":"file_read","description":"d","run":{"argv":["x"]}}`, []string{"shadows_builtin /name"}},
		{"duplicate", `{"name":"taken","description":"d","run":{"argv":["x"]}}`, []string{"duplicate_name /name"}},
		{"unknown member", with(`"shell":true`), []string{"bad_field /shell"}},
		{"given twice", with(`"name":"y"`), []string{"syntax ", "bad_field /name"}},
		{"bad risk", with(`"risk":"none"`), []string{"bad_field /risk"}},
		{"switch", with(`"requires":["luck"]`), []string{"unknown_switch /requires/0"}},
		{"schema", with(`"examples":[],"risk":"read"`) + " ", nil},
		{"undefined", `{"name":"x","description":"d","parameters":{"type":"object","properties":{},"required":["y"]},"run":{"argv":["x"]}}`, []string{"required_property_not_defined /parameters/required/0"}},
		{"unportable", `{"name":"x","description":"d","parameters":{"type":"object","anyOf":[]},"run":{"argv":["x"]}}`, []string{"unportable_schema /parameters/anyOf"}},
		{"a path", strings.Replace(with(`"risk":"write"`), `"string"`, `"string","path":"create"`, 1), nil},
		{"a path of a tool that reads", strings.Replace(with(`"risk":"read"`), `"string"`, `"string","path":"edit"`, 1), []string{"bad_field /parameters/properties/a/path"}},
		{"a path of no known use", strings.Replace(with(`"risk":"write"`), `"string"`, `"string","path":"open"`, 1), []string{"unportable_schema /parameters/properties/a/path"}},
		{"no program", run(`{"argv":[]}`), []string{"bad_template /run/argv"}},
		{"empty program", run(`{"argv":[" "]}`), []string{"bad_template /run/argv/0"}},
		{"program from an argument", run(`{"argv":["{a}"]}`), []string{"bad_template /run/argv/0"}},
		{"braces", run(`{"argv":["x","{","}","{}","{a{b}","a}","{{a}}"]}`), []string{"bad_template /run/argv/1", "bad_template /run/argv/2", "bad_template /run/argv/3", "bad_template /run/argv/4", "bad_template /run/argv/5"}},
		{"parameters", run(`{"argv":["x","{b}","-{l}","{l}","{o}"]}`), []string{"bad_template /run/argv/1", "bad_template /run/argv/2", "bad_template /run/argv/4"}},
		{"stdin", run(`{"argv":["x"],"stdin":"a"}`), []string{"bad_template /run/stdin"}},
		{"stdin of a list", run(`{"argv":["x"],"stdin":"{l}"}`), []string{"bad_template /run/stdin"}},
		{"values", run(`{"argv":["x"],"timeout":"1","max_output":"9GB","output":"xml","pass_env":["A=B"]}`), []string{"bad_field /run/output"}},
		{"more values", run(`{"argv":["x"],"timeout":"-1s","max_output":0,"pass_env":["A=B"],"env":{"":"x","A":1},"exit":{"ok":[0,256,"1"],"denied":[1],"not_found":[0]}}`),
			[]string{"bad_field /run/timeout", "bad_field /run/max_output", "bad_field /run/pass_env/0", "bad_field /run/env/", "bad_field /run/env/A",
				"bad_field /run/exit/ok/1", "bad_field /run/exit/ok/2", "bad_field /run/exit/denied", "bad_field /run/exit/not_found/0"}},
		{"maps that are none", run(`{"argv":["x"],"env":[],"exit":7}`), []string{"bad_field /run/env", "bad_field /run/exit"}},
		{"example", with(`"examples":[{"args":{"a":1}},{"args":{"z":1}},{}]`), []string{"bad_example /examples/0/args", "bad_example /examples/1/args"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, problems := Parse("m.json", []byte(c.in), options)
			var got []string
			for _, p := range problems {
				got = append(got, string(p.Name)+" "+p.Pointer)
				if p.Line < 1 || p.Column < 1 || p.File != "m.json" || p.Message.In(fault.Chinese) == "" {
					t.Errorf("%+v", p)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" || (tool == nil) != (len(c.want) > 0) {
				t.Error(d, problems.Err())
			}
		})
	}
}

// FuzzParse takes any manifest: it never panics, never shadows a built-in, and
// puts arguments nowhere but where they belong.
func FuzzParse(f *testing.F) {
	f.Add([]byte(diskUsage), []byte(`{"directory":"-x","skip":["--"]}`))
	f.Add([]byte(`{"name":"read","description":"d","run":{"argv":["{"]}}`), []byte(`{}`))
	f.Add([]byte(`{"name":"x","description":"d","run":{"argv":["x"],"exit":{"ok":[1]}},"examples":[{"args":[]}]}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, text, args []byte) {
		tool, problems := Parse("f", text, options)
		if (tool == nil) == (len(problems) == 0) {
			t.Fatal("neither a tool nor a problem, or both")
		}
		if tool == nil {
			return
		}
		if tool.Name == "" || tool.Description == "" || tool.Name == "read" || tool.Timeout <= 0 || tool.MaxOutput <= 0 {
			t.Fatalf("%+v", tool)
		}
		into := tool.Parameters.NewArgs()
		if tool.Parameters.Decode(args, into) != nil {
			return
		}
		if _, _, err := tool.Input(tool.Parameters.Values(into)); err != nil {
			t.Fatal(err)
		}
		argv, err := tool.Command(tool.Parameters.Values(into))
		if err != nil {
			if !fault.Is(err, fault.InvalidArguments) {
				t.Fatal(err)
			}
			return
		}
		if len(argv) == 0 || len(tool.argv[0].parts) != 1 || argv[0] != tool.argv[0].parts[0].text {
			t.Fatalf("%q", argv)
		}
		for _, word := range argv {
			if strings.ContainsRune(word, 0) {
				t.Fatalf("%q", argv)
			}
		}
	})
}
