package language

import (
	"slices"
	"strings"
	"testing"
)

// TestTables finds every key, and nothing between two keys or beyond them.
func TestTables(t *testing.T) {
	for name, table := range map[string]string{"filenames": byFilename, "extensions": byExtension, "interpreters": byInterpreter, "aliases": byAlias} {
		var keys []string
		for line := range strings.Lines(table) {
			key, lang, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if got := find(table, key); !ok || lang == "" || got != lang {
				t.Errorf("%s: %q is %q, want %q", name, key, got, lang)
			}
			if got := find(table, key+"\x00"); got != "" {
				t.Errorf("%s: %q is %q", name, key+"\x00", got)
			}
			keys = append(keys, key)
		}
		if !slices.IsSorted(keys) || len(keys) < 100 {
			t.Errorf("%s: %d keys, sorted %v", name, len(keys), slices.IsSorted(keys))
		}
		for _, key := range []string{"", "\x00", "\xff", "no such key"} {
			if got := find(table, key); got != "" {
				t.Errorf("%s: %q is %q", name, key, got)
			}
		}
	}
}
