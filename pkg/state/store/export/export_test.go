package export

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/state"
	"github.com/helve-dev/helve/pkg/state/store"
	"github.com/helve-dev/helve/pkg/state/store/bolt"
)

// Whatever a value is, it is one line, and can be told from the others.
func TestFile(t *testing.T) {
	dir, err := state.Open(filepath.Join(t.TempDir(), "state"), t.TempDir(), state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := bolt.Open(dir)
	err = s.Update(t.Context(), func(tx store.Tx) error {
		for key, value := range map[string]string{"a": "{\n \"b\": [1]\n}", "b": "two\nlines", "c": "\xff\x00", "d": "", "e": "null"} {
			if err := tx.Put(key, []byte(value)); err != nil {
				return err
			}
		}
		for i := range 2*page + 1 { // several reads
			if _, _, err := tx.Append("s", strings.Repeat("x", i+1), []byte("7")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "out")
	n, err := File(t.Context(), s, path)
	if err != nil || n != (Counts{Keys: 5, Streams: 1, Messages: 2*page + 1}) {
		t.Errorf("%+v, %v", n, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != n.Keys+n.Messages {
		t.Fatalf("%d lines for %+v", len(lines), n)
	}
	for i, want := range []string{`"value":{"b":[1]}}`, `"text":"two\nlines"}`, `"bytes":"/wA="}`, `"text":""}`, `"value":null}`} {
		if !strings.HasPrefix(lines[i], `{"kind":"key","key":"`+string(rune('a'+i))+`","revision":`) || !strings.HasSuffix(lines[i], want) {
			t.Errorf("line %d is %s, want %s", i, lines[i], want)
		}
	}
	if !strings.Contains(lines[5], `"stream":"s","id":"x","seq":`) || !strings.HasSuffix(lines[5], `"value":7}`) {
		t.Errorf("the first message is %s", lines[5])
	}
	if _, err := File(t.Context(), s, path); !fault.Is(err, fault.AlreadyExists) {
		t.Errorf("over a file: %v", err)
	}
	if again, err := os.ReadFile(path); err != nil || string(again) != string(data) {
		t.Errorf("the file was changed: %v", err)
	}
}
