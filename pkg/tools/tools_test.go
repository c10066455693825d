package tools_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// A description is an instruction that every request to a model carries.
func TestDescriptions(t *testing.T) {
	for _, one := range tools.Builtin() {
		if words := strings.Fields(one.Doc); len(words) == 0 || len(words) >= 80 || !strings.HasSuffix(one.Doc, ".") {
			t.Errorf("%s: a description has fewer than 80 words and ends with a full stop, this has %d: %s", one.Name, len(words), one.Doc)
		}
		if zh := one.DocIn(fault.Chinese); !chinese(zh) {
			t.Errorf("%s is not described in Chinese: %q", one.Name, zh)
		}
		for _, e := range one.Examples {
			if zh := e.DocIn(fault.Chinese); !strings.ContainsFunc(zh, han) {
				t.Errorf("%s: the example %q is not in Chinese: %q", one.Name, e.Doc, zh)
			}
		}
		arguments(t, one.Name, one.Arguments())
	}
}

// arguments checks the documentation of arguments.
func arguments(t *testing.T, of string, o *schema.Object) {
	t.Helper()
	for _, f := range o.Fields {
		name := of + "." + f.Name
		if len(strings.Fields(f.Doc)) > 32 || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: want at most 32 words and a full stop, got %q", name, f.Doc)
		}
		if zh, _ := fault.Translate(f.Doc, fault.Chinese); !chinese(zh) {
			t.Errorf("%s is not documented in Chinese: %q", name, zh)
		}
		if f.Type.Items != nil && f.Type.Items.Object != nil {
			arguments(t, name, f.Type.Items.Object)
		}
	}
}

func chinese(s string) bool {
	return strings.HasSuffix(s, "。") && strings.ContainsFunc(s, han)
}

func han(r rune) bool { return unicode.Is(unicode.Han, r) }

// No two tools share a name, an alias or a preset.
func TestNames(t *testing.T) {
	owner := map[string]*tool.Tool{}
	for _, one := range tools.Builtin() {
		for _, name := range append(one.PresetNames(), one.Name) {
			if other := owner[name]; other != nil {
				t.Errorf("%s and %s are both called %s", other.Name, one.Name, name)
			}
			owner[name] = one
		}
	}
}
