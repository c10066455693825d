package text

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/helve-dev/helve/pkg/fault"
)

// seenPage is a page as a caller sees it.
type seenPage struct {
	Contents    []string
	Numbered    []string
	TruncatedBy string
	NextOffset  int
	Rest        string
	LinesCut    []CutLine
}

func see(p *Page) seenPage {
	out := seenPage{TruncatedBy: p.TruncatedBy, NextOffset: p.NextOffset, Rest: p.Rest, LinesCut: p.LinesCut}
	for _, w := range p.Windows {
		out.Contents = append(out.Contents, w.Content())
		out.Numbered = append(out.Numbered, w.Numbered())
	}
	return out
}

func TestPage(t *testing.T) {
	long := strings.Repeat("x", 3000)
	abc := "a\nb\r\nc\nd\ne"
	for _, tt := range []struct {
		name string
		text string
		q    Request
		want seenPage
	}{
		{"all", abc, Request{}, seenPage{Contents: []string{abc}, Numbered: []string{"1|a\n2|b\n3|c\n4|d\n5|e"}}},
		{"empty", "", Request{}, seenPage{Contents: []string{""}, Numbered: []string{""}}},
		{"empty, from the end", "", Request{Offset: -5}, seenPage{Contents: []string{""}, Numbered: []string{""}}},
		{"offset", abc, Request{Offset: 4}, seenPage{Contents: []string{"d\ne"}, Numbered: []string{"4|d\n5|e"}}},
		{"limit", abc, Request{Offset: 2, Limit: 2}, seenPage{[]string{"b\r\nc\n"}, []string{"2|b\n3|c\n"}, "lines", 4, "4-5", nil}},
		{"last lines", abc, Request{Offset: -2}, seenPage{Contents: []string{"d\ne"}, Numbered: []string{"4|d\n5|e"}}},
		{"more last lines than there are", abc, Request{Offset: -20}, seenPage{Contents: []string{abc}, Numbered: []string{"1|a\n2|b\n3|c\n4|d\n5|e"}}},
		{"bytes", abc, Request{MaxBytes: 6}, seenPage{[]string{"a\nb\r\n"}, []string{"1|a\n2|b\n"}, "bytes", 3, "3-5", nil}},
		{"one line too many bytes", "abcdef\ng\n", Request{MaxBytes: 4}, seenPage{
			[]string{"a…[5 more characters]\n"}, []string{"1|a…[5 more characters]\n"}, "bytes", 2, "2",
			[]CutLine{{1, 6, 1, "1:2-6"}}}},
		{"ranges", abc, Request{Ranges: "2-3, -1,1"}, seenPage{Contents: []string{"b\r\nc\n", "e", "a\n"}, Numbered: []string{"2|b\n3|c\n", "5|e", "1|a\n"}}},
		{"range beyond the end", abc, Request{Ranges: "4-90"}, seenPage{Contents: []string{"d\ne"}, Numbered: []string{"4|d\n5|e"}}},
		{"ranges and bytes", abc, Request{Ranges: "1-2,3-4,5", MaxBytes: 7}, seenPage{[]string{"a\nb\r\n", "c\n"}, []string{"1|a\n2|b\n", "3|c\n"}, "bytes", 0, "4,5", nil}},
		{"ranges and limit", abc, Request{Ranges: "1-2,4-", Limit: 2}, seenPage{[]string{"a\nb\r\n"}, []string{"1|a\n2|b\n"}, "lines", 4, "4-5", nil}},
		{"characters", "añb𝔘c\nx", Request{Ranges: "1:2-4"}, seenPage{Contents: []string{"ñb𝔘"}, Numbered: []string{"1:2-4|ñb𝔘"}}},
		{"one character", "añb𝔘c\nx", Request{Ranges: "1:4"}, seenPage{Contents: []string{"𝔘"}, Numbered: []string{"1:4|𝔘"}}},
		{"characters to the end", "añb𝔘c\nx", Request{Ranges: "1:4-"}, seenPage{Contents: []string{"𝔘c"}, Numbered: []string{"1:4-5|𝔘c"}}},
		{"characters beyond the end", "abc\nx", Request{Ranges: "1:2-90"}, seenPage{Contents: []string{"bc"}, Numbered: []string{"1:2-3|bc"}}},
		{"characters of an empty line", "\nx", Request{Ranges: "1:1-90"}, seenPage{Contents: []string{""}, Numbered: []string{"1|"}}},
		{"characters and bytes", "añb𝔘c\nx", Request{Ranges: "1:1-9,2", MaxBytes: 4}, seenPage{[]string{"añb"}, []string{"1:1-3|añb"}, "bytes", 0, "1:4-9,2", nil}},
		{"long line that fits", long + "\n", Request{}, seenPage{Contents: []string{long + "\n"}, Numbered: []string{"1|" + long + "\n"}}},
		{"long line that does not fit", "a\n" + long + "\nb\n", Request{MaxBytes: 2900}, seenPage{
			[]string{"a\n" + long[:2000] + "…[1000 more characters]\nb\n"}, []string{"1|a\n2|" + long[:2000] + "…[1000 more characters]\n3|b\n"}, "line", 0, "",
			[]CutLine{{2, 3000, 2000, "2:2001-3000"}}}},
		{"cr file", "a\rb\rc", Request{Offset: 2}, seenPage{Contents: []string{"b\rc"}, Numbered: []string{"2|b\n3|c"}}},
		{"cr as data", "a\rb\nc", Request{Limit: 1}, seenPage{[]string{"a\rb\n"}, []string{"1|a\rb\n"}, "lines", 2, "2", nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Read(t.Context(), strings.NewReader(tt.text), int64(len(tt.text)), tt.q)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, see(p)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPageFaults(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		q          Request
		want       fault.Code
		details    any
	}{
		{"offset beyond", "a\nb\n", Request{Offset: 3}, fault.OutOfRange, beyond{TotalLines: 2}},
		{"range beyond", "a\nb\n", Request{Ranges: "1,3-4"}, fault.OutOfRange, beyond{TotalLines: 2}},
		{"offset beyond an empty text", "", Request{Offset: 2}, fault.OutOfRange, beyond{}},
		{"characters beyond", "a\nbcd\n", Request{Ranges: "2:4-5"}, fault.OutOfRange, beyond{Line: 2, Chars: 3}},
		{"negative limit", "a", Request{Limit: -1}, fault.InvalidArguments, nil},
		{"negative bytes", "a", Request{MaxBytes: -1}, fault.InvalidArguments, nil},
		{"both", "a", Request{Offset: 2, Ranges: "1"}, fault.InvalidArguments, nil},
		{"encoding", "a", Request{Encoding: "klingon"}, fault.EncodingUnsupported, nil},
		{"binary", "a\x00b", Request{}, fault.BinaryFile, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(t.Context(), strings.NewReader(tt.text), int64(len(tt.text)), tt.q)
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != tt.want {
				t.Fatalf("got %v, want %s", err, tt.want)
			}
			if diff := cmp.Diff(tt.details, f.Details); diff != "" {
				t.Errorf("details (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseRanges(t *testing.T) {
	for in, want := range map[string][]span{
		"5":              {{from: 5, to: 5}},
		"5-16,40 , 960-": {{from: 5, to: 16}, {from: 40, to: 40}, {from: 960}},
		"-60":            {{from: -60}},
		"7:2001-4000":    {{from: 7, to: 7, chars: true, firstChar: 2001, lastChar: 4000}},
		"-1:2":           {{from: -1, to: -1, chars: true, firstChar: 2, lastChar: 2}},
		"7:1-,1 - 2":     {{from: 7, to: 7, chars: true, firstChar: 1}, {from: 1, to: 2}},
		"":               nil, ",": nil, "0": nil, "1-0": nil, "5-4": nil, "a": nil, "+1": nil, "--1": nil, "-0": nil, "-": nil, "1-2-3": nil,
		"1:": nil, ":1": nil, "1:0": nil, "1:2:3": nil, "--1:2": nil, "-0:2": nil, "1_0": nil, "99999999999999999999": nil, "1,": nil, "1..2": nil,
		strings.Repeat("1,", 32) + "1": nil,
	} {
		got, err := parseRanges(in)
		if want == nil {
			if !fault.Is(err, fault.InvalidArguments) {
				t.Errorf("parseRanges(%q) = %v, %v", in, got, err)
			}
			continue
		}
		if err != nil || len(got) != len(want) {
			t.Errorf("parseRanges(%q) = %v, %v", in, got, err)
			continue
		}
		for i, s := range got {
			if s != want[i] {
				t.Errorf("parseRanges(%q): %+v, want %+v", in, s, want[i])
			}
			if again, err := parseRanges(s.String()); s.from > 0 && (err != nil || again[0] != s) {
				t.Errorf("%+v prints as %q, which reads as %+v, %v", s, s, again, err)
			}
		}
	}
}

// simplePage does what a page does to a single range of lines, without any
// thought of memory.
func simplePage(text string, from, to, lines, budget int) (content string, next int) {
	all := Lines(text)[from-1 : to]
	wanted := all[:min(len(all), lines)]
	if content = unsplit(wanted); len(content) <= budget {
		if len(wanted) < len(all) {
			return content, from + len(wanted)
		}
		return content, 0
	}
	content = ""
	for i, l := range wanted {
		if n := utf8.RuneCountInString(l.Body); n > 2000 {
			size, chars := prefix(l.Body, 2000)
			l.Body = l.Body[:size] + moreChars(n-chars)
		}
		if whole := l.Body + l.EOL; len(content)+len(whole) <= budget {
			content += whole
		} else if i > 0 {
			return content, from + i
		} else {
			return "", -1 // a line too long by itself, shown in part
		}
	}
	if len(wanted) < len(all) {
		return content, from + len(wanted)
	}
	return content, 0
}

func randomPageText(rnd *rand.Rand) string {
	var b strings.Builder
	for range rnd.IntN(8) {
		b.WriteString(randomText(rnd, rnd.IntN(10)))
		if rnd.IntN(3) == 0 {
			b.WriteString(strings.Repeat([]string{"x", "é", "e\u0301", "𝔘", "👩‍💻", "🇩🇪"}[rnd.IntN(6)], rnd.IntN(3000)))
		}
	}
	return b.String()
}

func TestPageAgainstSimplePage(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 3000 {
		text := randomPageText(rnd)
		total := len(Lines(text))
		if total == 0 {
			continue
		}
		from := 1 + rnd.IntN(total)
		to := from + rnd.IntN(total-from+1)
		q := Request{Ranges: fmt.Sprintf("%d-%d", from, to), Limit: 1 + rnd.IntN(20), MaxBytes: 1 + rnd.IntN(1<<rnd.IntN(16))}
		want, next := simplePage(text, from, to, q.Limit, q.MaxBytes)
		p, err := Read(t.Context(), strings.NewReader(text), int64(len(text)), q)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Windows[0].Content()
		if next < 0 {
			line := Lines(text)[from-1]
			if first := p.Windows[0].lines[0]; first.body == "" && line.Body != "" || !strings.HasPrefix(line.Body, first.body) || first.eol != line.EOL {
				t.Fatalf("%+v of %q begins with %+v", q, text, first)
			}
			continue
		}
		if got != want || p.NextOffset != next {
			t.Fatalf("%+v of %q is %q and goes on at %d; want %q and %d", q, text, got, p.NextOffset, want, next)
		}
		if p.Windows[0].Start != from || p.TruncatedBy == "" && p.Windows[0].End != to {
			t.Fatalf("%+v of %q claims to be %+v", q, text, p.Windows[0])
		}
	}
}

// Following Rest, and Rest of the cut lines, reads the complete text.
func TestPagesAddUp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		text := randomPageText(rnd)
		lines := Lines(text)
		if len(lines) == 0 {
			continue
		}
		bodies := make([]strings.Builder, len(lines)+1)
		q := Request{Ranges: "1-", Limit: 1 + rnd.IntN(30), MaxBytes: 20 + rnd.IntN(9000)}
		queue := []string{"1-"}
		for calls := 0; len(queue) > 0; calls++ {
			if calls > len(text)+len(lines) {
				t.Fatalf("%+v of %q never ends", q, text)
			}
			q.Ranges, queue = queue[0], queue[1:]
			p, err := Read(t.Context(), strings.NewReader(text), int64(len(text)), q)
			if err != nil {
				t.Fatalf("%+v: %v", q, err)
			}
			// The rest of a line comes before the following lines.
			var next []string
			for _, c := range p.LinesCut {
				next = append(next, c.Rest)
			}
			if p.Rest != "" {
				next = append(next, p.Rest)
			}
			queue = append(next, queue...)
			for _, w := range p.Windows {
				for _, l := range w.lines {
					bodies[l.number].WriteString(l.body)
				}
			}
		}
		for i, l := range lines {
			if got := bodies[i+1].String(); got != l.Body {
				t.Fatalf("line %d of %q, read by %+v, adds up to %q", i+1, text, q, got)
			}
		}
	}
}

func TestPrefix(t *testing.T) {
	for _, tt := range []struct {
		s     string
		n     int
		want  string
		chars int
	}{
		{"abc", 2, "ab", 2},
		{"abc", 5, "abc", 3},
		{"ae\u0301b", 2, "a", 1},
		{"ae\u0301b", 3, "ae\u0301", 3},
		{"a👩‍💻b", 2, "a", 1},
		{"a👩‍💻b", 3, "a", 1},
		{"a👩‍💻b", 4, "a👩‍💻", 4},
		{"👍🏽b", 1, "👍", 1}, // nothing would be left
		{"🇩🇪🇫🇷", 3, "🇩🇪", 2},
		{"🇩🇪🇫🇷", 2, "🇩🇪", 2},
		{"a\r\nb", 2, "a", 1},
		{"a" + strings.Repeat("\u0301", 50), 45, "a" + strings.Repeat("\u0301", 44), 45},
		{"", 3, "", 0},
		{"中文", 1, "中", 1},
	} {
		size, chars := prefix(tt.s, tt.n)
		if tt.s[:size] != tt.want || chars != tt.chars {
			t.Errorf("prefix(%q, %d) = %q, %d; want %q, %d", tt.s, tt.n, tt.s[:size], chars, tt.want, tt.chars)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add([]byte("a\nb\r\nc"), "1-2,-1,1:1-5", 0, 3, 10, "", 4)
	f.Add([]byte("\xEF\xBB\xBFé\xFFx"), "", -2, 0, 0, "gbk", 5)
	f.Add([]byte("\xFF\xFEa\x00\n\x00\x00\xD8"), "", 1, 1, 3, "", 7)
	f.Add([]byte("a\rb\rc\r"), "2-", 0, 2, 2, "", 6)
	f.Fuzz(func(t *testing.T, raw []byte, ranges string, offset, lines, bytes int, hint string, step int) {
		q := Request{Offset: offset, Limit: lines, MaxBytes: bytes, Ranges: ranges, Encoding: hint}
		compareStream(t, raw, q, 4+step&0xFF)
	})
}
