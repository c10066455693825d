package profile_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/profile"
)

// TestShipped checks every profile that is part of the program against the built-in tools.
func TestShipped(t *testing.T) {
	for _, name := range profile.Shipped() {
		data, ok := profile.Load(name)
		if !ok {
			t.Fatal(name)
		}
		p, problems := tools.ReadProfile(data)
		for _, one := range problems {
			t.Errorf("%s: %s", name, one.Text().In(fault.English))
		}
		if p != nil && (p.Name != name || p.Source == "" || p.Version == "") {
			t.Errorf("%s: it says %q, %q, %q", name, p.Name, p.Source, p.Version)
		}
	}
}

// TestHostile refuses profiles that are wrong, with the line and the place of each fault.
func TestHostile(t *testing.T) {
	tool := func(more string) string {
		return "{\"name\":\"x\",\"tools\":[\n{\"name\":\"a\",\"tool\":\"read\",\"doc\":\"d\"" + more + "}]}"
	}
	parameter := func(p string) string { return tool(`,"parameters":[` + p + `]`) }
	for _, c := range []struct{ what, data, want string }{
		{"no JSON", `{`, "line 1"},
		{"a list", `[]`, "line 1, /: must be an object"},
		{"nothing", `{}`, "line 1, /tools: must be a list of tools"},
		{"an unknown field", tool(`,"exec":"rm"`), "line 2, /tools/0/exec: is unknown"},
		{"no such tool", `{"name":"x","tools":[{"name":"a","tool":"reed","doc":"d"}]}`, `/tools/0: there is no tool "reed"`},
		{"a tool twice", "{\"name\":\"x\",\"tools\":[{\"name\":\"a\",\"tool\":\"read\",\"doc\":\"d\"},\n{\"name\":\"a\",\"tool\":\"ls\",\"doc\":\"d\"}]}", "line 2, /tools/1/name: a is there already"},
		{"no description", `{"name":"x","tools":[{"name":"a","tool":"read"}]}`, "/tools/0/doc: a tool needs a description"},
		{"a name with a space", `{"name":"x y","tools":[{"name":"a","tool":"read","doc":"d"}]}`, "/name: want a name"},
		{"a name that leads elsewhere", `{"name":"../x","tools":[{"name":"a","tool":"read","doc":"d"}]}`, "/name: want a name"},
		{"no argument of ours", parameter(`{"name":"colour"}`), `/tools/0/parameters/0: read has no argument "colour"`},
		{"a parameter twice", parameter(`{"name":"path"},{"name":"path"}`), "/tools/0/parameters/1/name: path is there already"},
		{"a bad type", parameter(`{"name":"path","type":"date"}`), "/tools/0/parameters/0/type: want one of string"},
		{"a list without items", parameter(`{"name":"path","type":"array"}`), `/tools/0/parameters/0: "items" is missing`},
		{"required with a default", parameter(`{"name":"path","required":true,"default":"x"}`), "/tools/0/parameters/0/default: a parameter that is required has no default"},
		{"a default of another type", parameter(`{"name":"path","default":7}`), "/tools/0/parameters/0/default"},
		{"fixed, and no argument", tool(`,"fixed":{"colour":1}`), `/tools/0/fixed/colour: read has no argument "colour"`},
		{"fixed, and no such value", tool(`,"fixed":{"limit":"many"}`), "/tools/0/fixed/limit"},
		{"no such field", tool(`,"result":{"text":"{colour}"}`), `/tools/0/result/text: a result of read has no "colour"`},
		{"no such field within", tool(`,"result":{"text":"{indent.colour}"}`), `a result of read has no "indent.colour"`},
		{"no such argument", tool(`,"result":{"fields":{"a":"args.colour"}}`), `/tools/0/result/fields/a: "colour" is no parameter of the tool`},
		{"no regular expression", parameter(`{"name":"path","deny":{"(":"x"}}`), "/tools/0/parameters/0/deny/(: is no regular expression"},
		{"a reason that is none", parameter(`{"name":"path","deny":{"a":1}}`), "/tools/0/parameters/0/deny/a: must be a text"},
		{"endings of a number", parameter(`{"name":"path","endings":[1]}`), "/tools/0/parameters/0/endings/0: must be a text"},
		{"beside nothing", parameter(`{"name":"path","excludes":["colour"]}`), `/tools/0/parameters/0/excludes: "colour" is no parameter of the tool`},
		{"no such operation", tool(`,"result":{"text":"{content|shout}"}`), `"shout" is nothing that can be done with a value`},
		{"a lone brace", tool(`,"result":{"text":"a } b"}`), "a brace that is no place for a value is written twice"},
		{"an open brace", tool(`,"result":{"text":"{content"}`), "a brace that is no place for a value is written twice"},
		{"no end", tool(`,"result":{"text":"{?content}x"}`), "{/} is missing"},
		{"an end of nothing", tool(`,"result":{"text":"x{/}"}`), "{/} ends nothing"},
		{"one within another", tool(`,"result":{"text":"{?content}{?content}x{/}{/}"}`), "has only values in it"},
		{"an endless text", tool(`,"result":{"text":"` + strings.Repeat("x", 9000) + `"}`), "a text has at most 8192 bytes"},
		{"ten megabytes", tool(`,"result":{"text":"` + strings.Repeat("x", 10<<20) + `"}`), "a profile has at most"},
		{"deep", strings.Repeat(`{"tools":[`, 200), "line 1"},
		{"no such code", tool(`,"messages":{"oops":"x"}`), "/tools/0/messages/oops: there is no such code"},
		{"a failure without that", tool(`,"messages":{"not_found":"{colour}"}`), `"colour" is nothing that a failure says`},
		{"no choice", `{"name":"x","tools":[{"name":"a","tool":{"by":"action","cases":{"x":"read"}},"doc":"d"}]}`, `"action" is no parameter of the tool`},
		{"no cases", `{"name":"x","tools":[{"name":"a","tool":{"by":"path","cases":{}},"doc":"d","parameters":[{"name":"path"}]}]}`, "/tools/0/tool/cases: must be an object"},
	} {
		p, problems := tools.ReadProfile([]byte(c.data))
		var texts []string
		for _, one := range problems {
			texts = append(texts, one.Text().In(fault.English))
		}
		if got := strings.Join(texts, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: want %q, got %q", c.what, c.want, got)
		}
		if c.what != "a tool twice" && !strings.HasPrefix(c.what, "a name") && p != nil && len(p.Tools) > 0 {
			t.Errorf("%s: the tool is taken", c.what)
		}
	}
}

// TestOneFault keeps the tools beside one that is wrong.
func TestOneFault(t *testing.T) {
	p, problems := tools.ReadProfile([]byte(`{"name":"x","tools":[{"name":"a","tool":"reed","doc":"d"},{"name":"b","tool":"read","doc":"d"}]}`))
	if len(problems) != 1 || len(p.Tools) != 1 || p.Tools[0].Name != "b" {
		t.Errorf("%v %v", p.Names(), problems)
	}
}

// said returns what a profile with one tool says of an outcome of read.
func said(t *testing.T, member, input string, told tool.Told) (text, data string) {
	t.Helper()
	p, problems := tools.ReadProfile([]byte(`{"name":"x","envelope":"data","trailer":"drop","tools":[{"name":"a","tool":"read","doc":"d",
		"parameters":[{"name":"file","of":"path","required":true},{"name":"limit","type":"integer","default":7}],` + member + `}]}`))
	for _, one := range problems {
		t.Fatal(one.Text().In(fault.English))
	}
	find := func(name string) (*tool.Tool, error) { return tools.New(tools.Options{}).Find(name) }
	a, err := p.Tools[0].In(find, nil)
	if err != nil {
		t.Fatal(err)
	}
	told.Input = []byte(input)
	told.Text = func(fault.Lang) string { return "ours" }
	s := a.Says(told)
	return s.Text(fault.English), string(s.Data(fault.English))
}

// TestTexts fills texts and fields with values of results, arguments and failures.
func TestTexts(t *testing.T) {
	result := json.RawMessage(`{"path":"a","content":"é\nb\n","start_line":9,"truncated":false,"entries":[{"name":"z","type":"dir"},{"name":"b","type":"file"}],"bytes":12345678901234567890}`)
	for _, c := range []struct{ member, text, data string }{
		{`"result":{"text":"{args.file} {{}} {bytes} {args.limit}"}`, "f {} 12345678901234567890 7", "{}"},
		{`"result":{"text":"{content|len} {content|chars} {content|lines} {entries|len}"}`, "5 4 2 2", "{}"},
		{`"result":{"text":"{path|eq:a} {path|eq:b} {language|default:\"none\"}"}`, "true false none", "{}"},
		{`"result":{"text":"{?truncated}cut{/}{!truncated}whole{/}"}`, "whole", "{}"},
		{`"result":{"text":"{content|numbered}"}`, "9|é\n10|b", "{}"},
		{`"result":{"text":"{content|cat-n}"}`, "     9\té\n    10\tb", "{}"},
		{`"result":{"text":"{entries|listing}"}`, "[D] z\n[F] b", "{}"},
		{`"sort":"name","result":{"text":"{entries|listing:d ,f }"}`, "f b\nd z", "{}"},
		{`"result":{"text":"{entries|each:name}"}`, "z\nb", "{}"},
		{`"result":{"fields":{"size":"bytes","is_directory":"kind|eq:directory","none":"language"}}`, "ours", `{"size":12345678901234567890,"is_directory":false,"none":null}`},
		{`"result":{"keep":["path","truncated"],"fields":{"truncated":"args.limit"}}`, "ours", `{"path":"a","truncated":7}`},
		{`"result":{"drop":["content","entries","bytes"]}`, "ours", `{"path":"a","start_line":9,"truncated":false}`},
	} {
		text, data := said(t, c.member, `{"file":"f"}`, tool.Told{Result: result})
		if text != c.text || data != c.data {
			t.Errorf("%s: got %q, %s", c.member, text, data)
		}
	}
	failed := tool.Told{Err: fault.New(fault.NotFound, fault.T("file not found: %s", "f")).WithHint(fault.T("type: %s", "ls")).WithDetails(map[string]int{"total": 3})}
	for _, c := range []struct{ member, text string }{
		{`"messages":{"not_found":"no {path}, {n}, {details.total}, {args.limit}, {code}: {message}; {hint}"}`, "no f, 3, 3, 7, not_found: file not found: f; type: ls"},
		{`"messages":{"not_found":{"zh":"无 {path}"}}`, "无 f"},
		{`"messages":{"locked":"x"}`, "file not found: f\ntype: ls"},
	} {
		if text, _ := said(t, c.member, `{"file":"f"}`, failed); text != c.text {
			t.Errorf("%s: got %q", c.member, text)
		}
	}
}

// FuzzRead reads profiles that are anything, and fills what texts they have.
func FuzzRead(f *testing.F) {
	for _, name := range profile.Shipped() {
		data, _ := profile.Load(name)
		f.Add(data)
	}
	f.Add([]byte(`{"name":"x","tools":[{"name":"a","tool":{"by":"p","cases":{"v":{"tool":"read","rename":{"q":"path"}}}},"doc":"d","parameters":[{"name":"p"},{"name":"q"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, problems := tools.ReadProfile(data)
		if p == nil {
			if len(problems) == 0 {
				t.Fatal("nothing is said of what is no profile")
			}
			return
		}
		find := func(name string) (*tool.Tool, error) { return tools.New(tools.Options{}).Find(name) }
		for _, one := range p.Tools[:min(len(p.Tools), 2)] {
			a, err := one.In(find, nil)
			if err != nil {
				continue
			}
			s := a.Says(tool.Told{Input: data, Result: data, Text: func(fault.Lang) string { return "" }})
			if s.Text(fault.English); !json.Valid(s.Data(fault.Chinese)) {
				t.Fatalf("%s", s.Data(fault.Chinese))
			}
			s = a.Says(tool.Told{Input: data, Err: fault.New(fault.NotFound, fault.T("gone"))})
			_ = s.Text(fault.English)
		}
	})
}
