package config

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

// TestDescriptions wants each setting described in both languages.
func TestDescriptions(t *testing.T) {
	seen := 0
	var look func(at string, in reflect.Type)
	look = func(at string, in reflect.Type) {
		for in.Kind() == reflect.Slice || in.Kind() == reflect.Pointer {
			in = in.Elem()
		}
		if in.Kind() != reflect.Struct {
			return
		}
		for f := range in.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			seen++
			path := at + "." + name
			if f.Tag.Get("doc") == "" {
				t.Errorf("%s is not described", path[1:])
			}
			zh, _ := fault.Translate(f.Tag.Get("doc"), fault.Chinese)
			if !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) || strings.ContainsRune("。；：", r) }) {
				t.Errorf("%s is not described in Chinese", path[1:])
			}
			look(path, f.Type)
		}
	}
	look("", reflect.TypeFor[Config]())
	if seen < 80 {
		t.Errorf("only %d settings", seen)
	}
}
