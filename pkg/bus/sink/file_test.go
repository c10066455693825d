package sink_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/helve-dev/helve/pkg/bus/sink"
	"github.com/helve-dev/helve/pkg/fault"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestFile delivers to files as a crash or another program left them.
func TestFile(t *testing.T) {
	first, second := line(id1, "one"), line(id2, "two")
	for _, c := range []struct {
		name, before string
		deliveries   int
		want         string
	}{
		{"empty", "", 1, second},
		{"complete", first, 1, first + second},
		{"torn message", first + second[:40], 1, first + second},
		{"torn at its first byte", first + "{", 2, first + second},
		{"torn, alone", second[:len(second)-1], 2, second},
		{"other text", "notes", 1, "notes\n" + second},
		{"other lines", "a\nb", 2, "a\nb\n" + second},
		{"there already", second + first, 2, second + first},
		{"there, but not asked for", second + first, 1, second + first + second},
		{"there with more before it", "x" + second, 2, "x" + second + second},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "out.ndjson")
			if c.before != "" {
				if err := os.WriteFile(path, []byte(c.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			m := message(id2, "two")
			m.Deliveries = c.deliveries
			if err := (&sink.File{Path: path}).Deliver(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			if got := read(t, path); got != c.want {
				t.Errorf("the file has\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestFileShared has several sinks, as several processes have, append to one file.
func TestFileShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.ndjson")
	const writers, each = 4, 25
	var all sync.WaitGroup
	for w := range writers {
		s := &sink.File{Path: path}
		all.Go(func() {
			for i := range each {
				if err := s.Deliver(t.Context(), message(fmt.Sprintf("%s%d-%d", id1, w, i), strings.Repeat("x", 5000))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen, last := map[string]bool{}, map[string]int{}
	for text := range strings.Lines(read(t, path)) {
		var m struct{ ID string }
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		seen[m.ID] = true
		var at int
		writer, rest, _ := strings.Cut(m.ID, "-")
		if _, err := fmt.Sscan(rest, &at); err != nil || at != last[writer] {
			t.Errorf("%s comes after %d: %v", m.ID, last[writer], err)
		}
		last[writer] = at + 1
	}
	if len(seen) != writers*each {
		t.Errorf("%d messages, want %d", len(seen), writers*each)
	}
}

func TestFileFaults(t *testing.T) {
	dir := t.TempDir()
	s := &sink.File{Path: filepath.Join(dir, "gone", "out")}
	failed(t, s.Deliver(t.Context(), message(id1, "x")), sink.Again, fault.NotFound)
	s = &sink.File{Path: dir}
	failed(t, s.Deliver(t.Context(), message(id1, "x")), sink.Again, fault.NotAFile)
	path := filepath.Join(dir, "out")
	s = &sink.File{Path: path}
	if err := s.Deliver(t.Context(), message(id1, "x")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".1"); err != nil { // as logrotate does
		t.Fatal(err)
	}
	if err := s.Deliver(t.Context(), message(id2, "y")); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, path+".1")+read(t, path), line(id1, "x")+line(id2, "y"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
