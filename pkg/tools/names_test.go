package tools_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// TestPublished publishes every tool with another name for every argument, and decodes
// its examples by these names, by its own, and under its own name.
func TestPublished(t *testing.T) {
	var names []tools.Name
	for _, one := range tools.Builtin() {
		arguments := map[string]string{}
		for _, name := range one.Schema().Names() {
			arguments[name] = "X_" + name
		}
		names = append(names, tools.Name{Of: one.Name, As: tool.Publication{Name: "my-" + one.Name, Doc: "Mine.", Arguments: arguments}})
	}
	catalog := tools.New(tools.Options{Names: names})
	if w := catalog.Warnings(); len(w) > 0 {
		t.Fatal(w)
	}
	for i, one := range tools.Builtin() {
		published, err := catalog.Find("my-" + one.Name)
		if err != nil {
			t.Fatal(err)
		}
		own, err := catalog.Find(one.Name)
		if err != nil {
			t.Fatal(err)
		}
		if listed := catalog.Tools()[i]; listed != published || own.Called() != one.Name || published.Name != one.Name || published.DocIn(fault.Chinese) != "Mine." || published.Risk != one.Risk {
			t.Errorf("%s: listed as %s, itself as %s", one.Name, listed.Called(), own.Called())
		}
		for _, argument := range published.Schema().Names() {
			if !strings.HasPrefix(argument, "X_") {
				t.Errorf("%s: the argument %s kept its name", one.Name, argument)
			}
		}
		if published.Deadline() != one.Deadline() {
			t.Errorf("%s: %v, want %v", one.Name, published.Deadline(), one.Deadline())
		}
		for j, e := range one.Examples {
			want := decoded(t, one, e.Args)
			for _, c := range []struct {
				as   *tool.Tool
				args string
			}{{published, published.Examples[j].Args}, {published, e.Args}, {own, e.Args}} {
				if diff := cmp.Diff(want, decoded(t, c.as, c.args)); diff != "" {
					t.Errorf("%s %s:\n%s", c.as.Called(), c.args, diff)
				}
			}
			if e.Args != "{}" && published.Examples[j].Args == e.Args {
				t.Errorf("%s: the example has the old names: %s", one.Name, e.Args)
			}
		}
		_, err = published.Decode([]byte(`{"X_nothing":1}`), published.NewArgs())
		if !fault.Is(err, fault.InvalidArguments) || !strings.Contains(fault.As(err).Hint.String(), ": X_") {
			t.Errorf("%s: %v, hint %s", one.Name, err, fault.As(err).Hint)
		}
		for _, name := range published.Schema().Required() {
			if !strings.Contains(err.Error(), "/"+name) {
				t.Errorf("%s: %v does not name %s", one.Name, err, name)
			}
		}
	}
}

func decoded(t *testing.T, one *tool.Tool, args string) string {
	t.Helper()
	into := one.NewArgs()
	if _, err := one.Decode([]byte(args), into); err != nil {
		t.Errorf("%s %s: %v", one.Called(), args, err)
	}
	text, err := schema.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPublishedPresets publishes a tool of the settings: what it fixes stays fixed.
func TestPublishedPresets(t *testing.T) {
	catalog := tools.New(tools.Options{
		Presets: []tools.Preset{{Name: "notes", Of: "write", Fixed: []byte(`{"path":"notes.md","mode":"append"}`)}},
		Names: []tools.Name{
			{Of: "notes", As: tool.Publication{Name: "remember", Arguments: map[string]string{"content": "text"}}},
			{Of: "read", As: tool.Publication{Name: "remember"}},
			{Of: "notes", As: tool.Publication{Name: "keep", Arguments: map[string]string{"path": "file"}}},
		},
	})
	remember, err := catalog.Find("remember")
	if err != nil {
		t.Fatal(err)
	}
	if got := decoded(t, remember, `{"text":"x"}`); !strings.Contains(got, `"path":"notes.md"`) || !strings.Contains(got, `"mode":"append"`) || !strings.Contains(got, `"content":"x"`) {
		t.Errorf("decoded %s", got)
	}
	if _, err := remember.Decode([]byte(`{"text":"x","path":"other.md"}`), remember.NewArgs()); err == nil {
		t.Error("a fixed argument was taken")
	}
	if w := catalog.Warnings(); len(w) != 2 || !strings.Contains(w[0].String(), "the name of another tool") || !strings.Contains(w[1].String(), `no argument "path"`) {
		t.Errorf("warnings %q", w)
	}
	if _, err := catalog.Find("keep"); !fault.Is(err, fault.UnknownTool) {
		t.Errorf("err = %v", err)
	}
}
