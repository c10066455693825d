//go:build !race

package search_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/search/pattern"
	"github.com/helve-dev/helve/pkg/search/walk"
)

// memoryCase names, in the environment of a child of the test, the search to make.
const memoryCase = "HELVE_TEST_SEARCH"

// hostile is a search of one large file, and what it must find.
type hostile struct {
	Name, Pattern string
	Mode          search.Mode
	Multiline     bool
	Limit         int
	Dir           string

	size    int64
	content string // repeated up to the size; the rest is a hole
	repeat  int
	tail    string

	lines []int // in mode content
	count int   // in mode count
}

// searched is what the child reports.
type searched struct {
	Lines     []int
	Count     int
	Truncated bool
	Undecoded int
	Peak      int // resident memory, in KiB
}

func TestMain(m *testing.M) {
	if text := os.Getenv(memoryCase); text != "" {
		var h hostile
		err := json.Unmarshal([]byte(text), &h)
		if err == nil {
			err = searchHostile(h)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func searchHostile(h hostile) error {
	std, err := os.OpenRoot(h.Dir)
	if err != nil {
		return err
	}
	defer std.Close()
	fd, err := os.Open(h.Dir)
	if err != nil {
		return err
	}
	defer fd.Close()
	o := search.GrepOptions{
		Scope: search.Scope{Path: "file"}, Pattern: h.Pattern, Mode: h.Mode, Limit: h.Limit, MaxBytes: 48 << 10,
		Options: pattern.Options{Multiline: h.Multiline},
		Decode:  func([]byte) (search.Part, bool) { return latin, true },
	}
	found, err := search.Grep(context.Background(), walk.FD(int(fd.Fd())), o)
	if err != nil {
		return err
	}
	s := searched{Count: found.TotalMatches, Truncated: found.Truncated, Undecoded: found.Skipped.Undecoded}
	for _, f := range found.Files {
		for _, l := range f.Lines {
			s.Lines = append(s.Lines, l.Line)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(peak, &s.Peak); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(s)
}

// TestMemory searches files that are large in every way that may cost memory. Searching
// them must take less than 100 MB, and find what is there.
func TestMemory(t *testing.T) {
	const mb, mostKiB = 1 << 20, 100_000
	letters := strings.Repeat("the quick brown fox jumps over the lazy dog ", 100)
	alphabet := strings.Repeat("abcdefghijklmnopqrstuvwxyz", 100)
	cases := []hostile{
		{Name: "letters, no line breaks in a match", Pattern: "[a-z]", Multiline: true, Limit: 3, content: alphabet + "\n", repeat: 60 * mb / 2601, lines: []int{1, 2, 3}},
		{Name: "letters in one line", Pattern: "[a-z]", Multiline: true, Limit: 3, content: alphabet, repeat: 60 * mb / 2600, lines: []int{1}},
		{Name: "letters, matches may span lines", Pattern: "[a-z].", Multiline: true, Limit: 3, content: alphabet + "\n", repeat: 60 * mb / 2601, lines: []int{1, 2, 3}},
		{Name: "one match of everything", Pattern: "a.*", Multiline: true, Limit: 3, content: alphabet + "\n", repeat: 60 * mb / 2601, lines: []int{1, 2, 3}},
		{Name: "letters in one line, spanning", Pattern: `[a-z]\s*z`, Limit: 3, Multiline: true, content: alphabet, repeat: 20 * mb / 2600, lines: []int{1}},
		{Name: "one line, a literal at its end", Pattern: "needle", Limit: 3, content: letters, repeat: 300 * mb / 4400, tail: " needle", lines: []int{1}},
		{Name: "one line, counted", Pattern: "n[e]+dle$", Mode: search.Count, content: letters, repeat: 300 * mb / 4400, tail: " needle", count: 1},
		{Name: "one line, then another in the match", Pattern: `needle\nend`, Limit: 3, content: letters, repeat: 300 * mb / 4400, tail: " needle\nend", lines: []int{1, 2}},
		{Name: "a log of 2 GB", Pattern: "needle", Limit: 3, content: "text\n", repeat: 100_000, size: 2 << 30, tail: "\nneedle\n", lines: []int{100_002}},
		{Name: "a log of 512 MB, spanning", Pattern: `\nneedle`, Limit: 3, content: "text\n", repeat: 100_000, size: 512 << 20, tail: "\nneedle\n", lines: []int{100_001, 100_002}},
		{Name: "Latin-1", Pattern: "größe", Limit: 3, content: "Stra\xdfe\n" + strings.Repeat("etwas Text\n", 100), repeat: 81 * mb / 1108, tail: "Gr\xf6\xdfe\ngr\xf6\xdfe\n", lines: []int{81*mb/1108*101 + 2}},
		{Name: "Latin-1 after much ASCII, spanning", Pattern: `Größe\ngröße`, Limit: 3, content: "etwas Text\n", repeat: 81 * mb / 11, tail: "Gr\xf6\xdfe\ngr\xf6\xdfe\n", lines: []int{81*mb/11 + 1, 81*mb/11 + 2}},
		{Name: "UTF-16", Pattern: "größe$", Mode: search.Count, content: "\xff\xfe" + strings.Repeat("g\x00r\x00\xf6\x00\xdf\x00e\x00\n\x00", 1000), repeat: 81 * mb / 12000, count: 81 * mb / 12000 * 1000},
	}
	for _, h := range cases {
		t.Run(h.Name, func(t *testing.T) {
			h.Dir = t.TempDir()
			writeHostile(t, &h)
			text, err := json.Marshal(h)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), memoryCase+"="+string(text))
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v %s", err, stderr.Bytes())
			}
			var got searched
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", got)
			if got.Peak > mostKiB {
				t.Errorf("it took %d KiB", got.Peak)
			}
			if h.Mode == search.Count {
				if got.Count != h.count {
					t.Errorf("%d lines, want %d", got.Count, h.count)
				}
			} else if fmt.Sprint(got.Lines) != fmt.Sprint(h.lines) {
				t.Errorf("lines %v, want %v", got.Lines, h.lines)
			}
		})
	}
}

func writeHostile(t *testing.T, h *hostile) {
	t.Helper()
	f, err := os.Create(filepath.Join(h.Dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	block := strings.Repeat(h.content, cmp.Or(min(h.repeat, 1<<20/len(h.content)), 1))
	for n := h.repeat; n > 0; n -= len(block) / len(h.content) {
		if _, err := f.WriteString(block[:min(len(block), n*len(h.content))]); err != nil {
			t.Fatal(err)
		}
	}
	if h.size > 0 {
		if _, err := f.Seek(h.size, 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.WriteString(h.tail); err != nil {
		t.Fatal(err)
	}
}
