package foreign_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
	"github.com/helve-dev/helve/pkg/tools/foreign"
)

func builtin(name string) *tool.Tool {
	for _, t := range tools.Builtin() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// TestTable holds the table against our tools: every name means one that exists, and
// says where its arguments go.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range tools.Builtin() {
		seen[b.Name] = true
		for _, p := range b.PresetNames() {
			seen[p] = true
		}
		check(t, foreign.Name{Name: b.Name, Of: "helve", Tool: b.Name})
	}
	for _, n := range foreign.Names() {
		if seen[n.Name] {
			t.Errorf("%s is there twice", n.Name)
		}
		seen[n.Name] = true
		if n.Of == "" {
			t.Errorf("%s is nobody's", n.Name)
		}
		for _, name := range n.Tools {
			if builtin(name) == nil {
				t.Errorf("%s: there is no tool %s", n.Name, name)
			}
		}
		if n.Tool == "" && len(n.Tools) == 0 && (n.Why.In(fault.English) == "" || n.Why.In(fault.Chinese) == n.Why.In(fault.English)) {
			t.Errorf("%s means no tool and does not say what to do instead in both languages", n.Name)
		}
		if n.Tool != "" {
			check(t, n)
		}
	}
	if len(seen) < 150 {
		t.Errorf("%d names", len(seen))
	}
}

// check holds the arguments of a name against those of its tool.
func check(t *testing.T, n foreign.Name) {
	t.Helper()
	b := builtin(n.Tool)
	if b == nil {
		t.Fatalf("%s: there is no tool %q", n.Name, n.Tool)
	}
	o := b.Arguments()
	for _, a := range n.Arguments() {
		for to := range strings.FieldsSeq(a.To) {
			if f, ok := o.Field(to); !ok || f.Name != to {
				t.Errorf("%s: %s has no argument %s, which %s is", n.Name, n.Tool, to, a.Name)
			}
		}
		if f, ours := o.Field(a.Name); ours && a.How == "" && f.Name != a.To {
			t.Errorf("%s: %s is an argument of %s, and is read as %q", n.Name, a.Name, n.Tool, a.To)
		}
	}
	for _, s := range n.Fixed {
		if _, ok := o.Field(s.Argument); !ok {
			t.Errorf("%s: %s has no argument %s", n.Name, n.Tool, s.Argument)
		}
	}
}

// TestLookup finds names through prefixes, cases and separators, and none that could
// mean two tools.
func TestLookup(t *testing.T) {
	var own []string
	for _, b := range tools.Builtin() {
		own = append(append(own, b.Name), b.PresetNames()...)
	}
	for name, want := range map[string]string{
		"Read": "read", "functions.read": "read", "default_api.read_file": "read", "default_api:Grep": "grep", "mcp__helve__exec": "exec", "tools.write": "write",
		"mcp__filesystem__read_text_file": "read", "READ_FILE": "read", "readFile": "read", "read-file": "read", "ReadFile": "read", "Web-Search": "websearch",
		"web_Search": "websearch", "runTerminalCmd": "exec", "TIME": "time", "file_search": "find", "builtin_ls": "ls",
		"read_fil": "", "": "", "functions.": "", "nothing": "",
		"LIST": "ls", "Undo-Edit": "undo", "container.exec": "", "apply-patch": "patch",
	} {
		got := ""
		if n, ok := foreign.Lookup(name, own); ok {
			got = n.Tool
		}
		if got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	// FileSearch could be the preset file-search as well as Cursor's file_search, which are
	// both find; the preset looks into contents.
	if n, ok := foreign.Lookup("FileSearch", own); ok {
		t.Errorf("FileSearch is %+v", n)
	}
}

// TestOwnCalls: the translation leaves the examples of every tool alone.
func TestOwnCalls(t *testing.T) {
	for _, b := range tools.Builtin() {
		for _, e := range b.Examples {
			plain, read := b.NewArgs(), b.NewArgs()
			if err := b.Arguments().Decode([]byte(e.Args), plain); err != nil {
				t.Fatal(err)
			}
			said, err := foreign.Reading(b, nil).Decode([]byte(e.Args), read)
			if err != nil || len(said) > 0 {
				t.Errorf("%s %s: %v, %v", b.Name, e.Args, said, err)
			}
			if a, b := text(t, plain), text(t, read); a != b {
				t.Errorf("%s is %s", a, b)
			}
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	raw, err := schema.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// FuzzReading: whatever a call of any name says, translating it does not crash, and the
// texts that it would write are texts of the call.
func FuzzReading(f *testing.F) {
	for _, seed := range []string{
		`{"file_path":"a","content":"x"}`, `{"command":["a b"],"timeout":120000}`, `{"edits":[{"TargetContent":"a","filePath":"b"}],"path":"b"}`,
		`{"files":[{"path":"a","line_ranges":[[1,2],"3-4"]}]}`, `{"view_range":[1,-1],"command":"view","path":"x"}`, `{"prompt":"see http://a.b/c."}`,
		`{"command":"create","path":"x","file_text":"t"}`, `{"line":0,"content":"c","path":"p"}`, `{"env":{"A":1,"B":"2"},"command":"ls"}`,
	} {
		for i := range 4 {
			f.Add(uint8(i*40), []byte(seed))
		}
	}
	names := foreign.Names()
	f.Fuzz(func(t *testing.T, which uint8, in []byte) {
		given, err := schema.Read(in)
		if err != nil {
			return
		}
		n := &names[int(which)%len(names)]
		if n, err = n.Choose(given); err != nil {
			return
		}
		b := foreign.Reading(builtin(n.Tool), n)
		args := b.NewArgs()
		if _, err := b.Decode(in, args); err != nil || !slices.Contains([]string{"write", "edit"}, n.Tool) {
			return
		}
		for _, m := range b.Arguments().Values(args) {
			if s, ok := m.Value.(string); ok && (m.Name == "content" || m.Name == "new_text") && s != "" && !slices.Contains(textsIn(in), s) {
				t.Errorf("%s %s: %s=%q is not in the call", n.Name, in, m.Name, s)
			}
		}
	})
}

// textsIn returns the strings and numbers of a JSON document, those of documents in its
// strings included.
func textsIn(in []byte) []string {
	d := json.NewDecoder(bytes.NewReader(in))
	d.UseNumber()
	var all []string
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		switch v := token.(type) {
		case string:
			all = append(all, v)
			if strings.ContainsAny(v, "{[") {
				all = append(all, textsIn([]byte(v))...)
			}
		case json.Number:
			all = append(all, v.String())
		}
	}
}
