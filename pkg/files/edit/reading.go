package edit

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Reading is a block of lines without the line numbers, escapes, entities or quotation
// marks that it may have been copied with. It is used only if exactly one place has its
// lines, exactly.
type Reading struct {
	Strategy Strategy
	Old, New []string
	// Whole says that only whole lines are meant, because too little is left of the
	// text for a part of a line to be no coincidence.
	Whole bool
	// Unsure says that the new lines may also be read in another way.
	Unsure bool
}

// Readings returns the other ways to read an edit of lines of a file, the likeliest first.
func Readings(file string, old, new []string) []Reading {
	return append(numbered(old, new), decoded(file, old, new)...)
}

// numbered returns the readings without the line numbers of a listing.
func numbered(old, new []string) []Reading {
	var all []Reading
	for _, loose := range []bool{false, true} {
		o, mark, ok := stripNumbers(old, loose)
		if !ok {
			return nil
		}
		if n, ok := stripLike(old, o, new, mark, loose); ok {
			all = append(all, Reading{Strategy: LineNumbers, Old: o, New: n})
		}
	}
	return all
}

// decoded returns the readings without escapes, entities or quotation marks.
func decoded(file string, old, new []string) []Reading {
	all := unescaped(file, old, new)
	if plain := entities(); strings.ContainsRune(strings.Join(old, "\n"), '&') {
		all = append(all, Reading{
			Strategy: Entities, Old: mapped(old, plain.Replace), New: mapped(new, plain.Replace), Unsure: mixed(file, old, new),
		})
	}
	if o, n, ok := unquoted(old, new); ok {
		all = append(all, Reading{Strategy: Quoted, Old: o, New: n, Whole: true})
		for _, r := range unescaped(file, o, n) {
			r.Strategy, r.Whole = Quoted, true
			all = append(all, r)
		}
	}
	return all
}

// mixed reports whether entities of new lines may mean themselves: the file has some, or
// the edit also has what they stand for.
func mixed(file string, old, new []string) bool {
	plain := entities()
	has := func(s string) bool { return plain.Replace(s) != s }
	after := strings.Join(new, "\n")
	return has(after) && (has(file) || strings.ContainsRune(after+strings.Join(old, ""), '<'))
}

// entities decodes what is written for the characters of markup. Others, such as
// "&nbsp;" and "&copy;", are also written in files that are no markup at all.
func entities() *strings.Replacer {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&#34;", `"`, "&apos;", "'", "&#39;", "'", "&#x27;", "'")
}

// findRead looks for the readings of a block as exact text that occurs once. If more than
// one does, or what comes there is unsure, the edit is refused.
func (d *document) findRead(b *block, readings []Reading) (h hit, err *fault.Error) {
	for _, r := range readings {
		other := rejoin(b, r.Old, r.New)
		if solid(other.o...) == 0 {
			continue
		}
		places, err := d.exact(other.old)
		if err != nil || len(places) != 1 || r.Whole && !d.wholeLines(places[0]) {
			continue
		}
		again := h.block != nil && r.Strategy == h.strategy && r.Strategy != LineNumbers
		switch {
		case r.Unsure && h.block == nil, again && (other.old != h.old || other.new != h.new):
			d.number(places)
			return hit{}, d.twoReadings(r.Strategy, places)
		case h.block == nil:
			h = hit{block: other, strategy: r.Strategy, how: Exact, places: places}
		}
	}
	return h, nil
}

// wholeLines reports whether a place consists of whole lines, except for the indentation
// of the first and white space after the last.
func (d *document) wholeLines(p place) bool {
	before := d.text[lineStart(d.text, p.start):p.start]
	if d.text[p.end-1] == '\n' {
		return trim(before) == ""
	}
	return trim(before) == "" && trim(d.text[p.end:lineEnd(d.text, p.end)]) == ""
}

// rejoin returns a block of other lines that ends as b does.
func rejoin(b *block, o, n []string) *block {
	old, new := strings.Join(o, "\n"), strings.Join(n, "\n")
	if b.term {
		old += "\n"
		if len(n) > 0 {
			new += "\n"
		}
	}
	return newBlock(old, new)
}

// numberedLine splits a line such as "12|text", "12→text", "12:text", "12\ttext" or
// "12 | text". rest begins after the mark.
func numberedLine(l string) (number int, mark, rest string) {
	const most = 9 // digits
	l = strings.TrimLeft(l, blank)
	digits := 0
	for digits < len(l) && digits < most && l[digits] >= '0' && l[digits] <= '9' {
		digits++
	}
	if digits == 0 {
		return 0, "", l
	}
	for _, m := range []string{"|", "→", "\t", ":", " |"} {
		if rest, ok := strings.CutPrefix(l[digits:], m); ok {
			number, _ = strconv.Atoi(l[:digits]) // digits only, and few
			return number, m, rest
		}
	}
	return 0, "", l
}

// stripNumbers removes the numbers from lines that all have one with the same mark
// and are numbered consecutively. With loose, it also removes a space after it.
func stripNumbers(lines []string, loose bool) (stripped []string, mark string, ok bool) {
	before := 0
	for i, l := range lines {
		number, m, rest := numberedLine(l)
		if m == "" || i > 0 && (m != mark || number != before+1) {
			return nil, "", false
		}
		before, mark = number, m
		stripped = append(stripped, unspaced(rest, loose))
	}
	return stripped, mark, len(lines) > 0
}

func unspaced(line string, loose bool) string {
	if loose {
		return strings.TrimPrefix(line, " ")
	}
	return line
}

// stripLike removes the numbers from new lines, which may be numbered in any order
// or not at all. If only some are, those must be old lines: of another it is not
// known whether the number is meant.
func stripLike(old, stripped, new []string, mark string, loose bool) ([]string, bool) {
	known := make(map[string]string, len(old))
	for i, l := range old {
		known[l] = stripped[i]
	}
	out := make([]string, len(new))
	all, some := true, false // of the lines that are not old ones
	for i, l := range new {
		_, m, rest := numberedLine(l)
		out[i] = unspaced(rest, loose)
		if _, ok := known[l]; !ok && trim(l) != "" {
			all, some = all && m == mark, some || m == mark
		}
		if m != mark {
			out[i] = l
		}
	}
	if all || !some {
		return out, true
	}
	return nil, false
}

// splitLines splits a text into lines, or into none if it was made of none.
func splitLines(s string, lines int) []string {
	if lines == 0 {
		return nil
	}
	return strings.Split(s, "\n")
}

// unquoted takes old and new lines out of quotation marks or a fence that both are
// in. New lines that delete the old ones need none.
func unquoted(old, new []string) (o, n []string, ok bool) {
	o, mark := unquote(old)
	if mark == "" {
		return nil, nil, false
	}
	if len(new) == 0 || len(new) == 1 && new[0] == "" {
		return o, new, true
	}
	n, other := unquote(new)
	return o, n, other == mark
}

// unquote returns lines without the marks that they are in, and which that was, or
// "" if there is none.
func unquote(lines []string) (inside []string, mark string) {
	n := len(lines)
	if n == 0 {
		return nil, ""
	}
	first, last := trim(lines[0]), trim(lines[n-1])
	if n > 2 && strings.HasPrefix(first, "```") && last == "```" {
		return lines[1 : n-1], last
	}
	for _, m := range [][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}} {
		text, ok1 := strings.CutPrefix(strings.TrimLeft(strings.Join(lines, "\n"), blank), m[0])
		text, ok2 := strings.CutSuffix(rtrim(text), m[1])
		if ok1 && ok2 {
			return strings.Split(text, "\n"), m[0]
		}
	}
	return nil, ""
}
