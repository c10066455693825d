package page

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// whole returns all parts of a document.
func whole(t *testing.T, d *Document, most int) []Part {
	t.Helper()
	var parts []Part
	for start := 0; ; {
		p, err := d.Part(start, most)
		if err != nil {
			t.Fatal(err)
		}
		if n := utf8.RuneCountInString(p.Content); n > most {
			t.Fatalf("the part at %d has %d characters, more than %d", start, n, most)
		}
		parts = append(parts, p)
		if p.Next == 0 {
			return parts
		}
		if p.Next <= start {
			t.Fatalf("the part at %d is followed by one at %d", start, p.Next)
		}
		start = p.Next
	}
}

func joined(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Content)
	}
	return b.String()
}

// made returns a document of random blocks, with their starts.
func made(r *rand.Rand, blocks int) (text string, starts map[int]bool, longest int) {
	var b strings.Builder
	starts = map[int]bool{}
	chars := 0
	add := func(block string) {
		starts[chars] = true
		b.WriteString(block)
		n := utf8.RuneCountInString(block)
		chars += n
		longest = max(longest, n)
	}
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("wörd ", n)) }
	for range blocks {
		switch r.IntN(6) {
		case 0:
			add("## " + words(1+r.IntN(4)) + "\n\n" + words(1+r.IntN(30)) + ".\n\n")
		case 1:
			add("```go\n" + strings.Repeat("x := 1\n\n# no heading\n", 1+r.IntN(8)) + "```\n\n")
		case 2:
			add("| a | b |\n|---|---|\n" + strings.Repeat("| 1 | 2 |\n", 1+r.IntN(12)) + "\n")
		case 3:
			n := 1 + r.IntN(5)
			for i := range n {
				item := "- " + words(1+r.IntN(9)) + "\n"
				if r.IntN(3) == 0 {
					item += "  - " + words(3) + "\n\n    ```\n    code\n\n    - none\n    ```\n"
				}
				if i == n-1 {
					item += "\n"
				}
				add(item)
			}
		case 4:
			add("> " + words(1+r.IntN(20)) + "\n>\n> " + words(3) + "\n\n")
		default:
			add(words(1+r.IntN(40)) + ".\n\n")
		}
	}
	return b.String(), starts, longest
}

func TestPartsEndBetweenBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text, starts, longest := made(r, 1+r.IntN(40))
		d := &Document{Content: text, Format: Markdown}
		parts := whole(t, d, longest+r.IntN(400))
		if joined(parts) != text {
			t.Fatalf("the parts are not the whole of %q", text)
		}
		for _, p := range parts {
			if !starts[p.Start] {
				t.Fatalf("a part begins at %d, inside a block: %q", p.Start, p.Content[:min(len(p.Content), 80)])
			}
			if p.Inside != "" {
				t.Fatalf("the part at %d is said to be inside %s", p.Start, p.Inside)
			}
		}
	}
}

// A block that is longer than a part is cut between lines, and the next part tells
// its kind.
func TestLongBlocks(t *testing.T) {
	code := "before\n\n````go\n" + strings.Repeat("```\nx := 1\n", 30) + "````\n\nafter\n"
	table := "| a | b |\n|---|---|\n" + strings.Repeat("| 1 | 2 |\n", 60)
	item := "- one\n" + strings.Repeat("  - inner item\n", 40) + "- two\n"
	prose := strings.Repeat("This is a sentence. ", 60) + "\n"
	for _, c := range []struct {
		text   string
		inside Inside
		ends   string
	}{{code, InCode, "\n"}, {table, InTable, "|\n"}, {item, InItem, "\n"}, {prose, InText, ". "}} {
		parts := whole(t, &Document{Content: c.text, Format: Markdown}, 150)
		if joined(parts) != c.text || len(parts) < 4 {
			t.Fatalf("%d parts are not the whole", len(parts))
		}
		seen := false
		for _, p := range parts[:len(parts)-1] {
			seen = seen || p.Inside == c.inside
			if !strings.HasSuffix(p.Content, c.ends) {
				t.Errorf("a part of %s ends in %q", c.inside, p.Content[max(0, len(p.Content)-20):])
			}
		}
		if !seen {
			t.Errorf("no part says that it begins inside %s", c.inside)
		}
	}
	// A part that begins after the code is not inside it.
	parts := whole(t, &Document{Content: code, Format: Markdown}, 150)
	if last := parts[len(parts)-1]; last.Inside == InCode && !strings.Contains(last.Content, "````") {
		t.Errorf("the last part is inside %s: %q", last.Inside, last.Content)
	}
}

// A heading does not end a part.
func TestHeadingsStayWithTheirText(t *testing.T) {
	text := strings.Repeat("x", 80) + "\n\n## A heading\n\n" + strings.Repeat("y", 60) + "\n"
	parts := whole(t, &Document{Content: text, Format: Markdown}, 100)
	if len(parts) != 2 || !strings.HasPrefix(parts[1].Content, "## A heading\n\nyyy") {
		t.Errorf("%+v", parts)
	}
}

func TestStartIsChecked(t *testing.T) {
	d := &Document{Content: "äöü", Format: Markdown}
	for _, start := range []int{3, 4, 1 << 40, -1} {
		if _, err := d.Part(start, 10); !fault.Is(err, fault.OutOfRange) {
			t.Errorf("start %d: %v", start, err)
		}
	}
	if p, err := d.Part(2, 10); err != nil || p.Content != "ü" || p.Total != 3 {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := (&Document{}).Part(0, 10); err != nil || p.Total != 0 {
		t.Errorf("an empty document: %+v, %v", p, err)
	}
}
