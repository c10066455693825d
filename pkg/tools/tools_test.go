package tools_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// A description is an instruction that every request to a model carries.
func TestDescriptions(t *testing.T) {
	for _, one := range tools.Builtin() {
		if words := strings.Fields(one.Doc); len(words) == 0 || len(words) >= 80 || !strings.HasSuffix(one.Doc, ".") {
			t.Errorf("%s: a description has fewer than 80 words and ends with a full stop, this has %d: %s", one.Name, len(words), one.Doc)
		}
		if !chinese(one.DocZH) {
			t.Errorf("%s is not described in Chinese: %q", one.Name, one.DocZH)
		}
		arguments(t, one.Name, reflect.TypeOf(one.NewArgs()).Elem())
	}
}

// arguments checks the documentation of a struct of arguments.
func arguments(t *testing.T, of string, args reflect.Type) {
	t.Helper()
	for field := range args.Fields() {
		name := of + "." + field.Name
		if doc := field.Tag.Get("doc"); len(strings.Fields(doc)) > 32 || !strings.HasSuffix(doc, ".") {
			t.Errorf("%s: want at most 32 words and a full stop, got %q", name, doc)
		}
		if zh := field.Tag.Get("zh"); !chinese(zh) {
			t.Errorf("%s is not documented in Chinese: %q", name, zh)
		}
		if field.Type.Kind() == reflect.Slice && field.Type.Elem().Kind() == reflect.Struct {
			arguments(t, name, field.Type.Elem())
		}
	}
}

func chinese(s string) bool {
	return strings.HasSuffix(s, "。") && strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// No two tools share a name, an alias or a preset.
func TestNames(t *testing.T) {
	owner := map[string]*tool.Tool{}
	for _, one := range tools.Builtin() {
		for _, name := range append(one.OtherNames(), one.Name) {
			if other := owner[name]; other != nil {
				t.Errorf("%s and %s are both called %s", other.Name, one.Name, name)
			}
			owner[name] = one
		}
	}
}
