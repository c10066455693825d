package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// plainRune returns the ASCII character that is typed for a typographic dash,
// quote or space, and any other character unchanged.
func plainRune(r rune) rune {
	switch {
	case r < 0x80:
	case r >= 0x2010 && r <= 0x2015, r == 0x2212:
		return '-'
	case r >= 0x2018 && r <= 0x201b:
		return '\''
	case r >= 0x201c && r <= 0x201f:
		return '"'
	case r == 0xa0, r >= 0x2002 && r <= 0x200a, r == 0x202f, r == 0x205f, r == 0x3000:
		return ' '
	}
	return r
}

// invisible reports whether a character has no width and so is not compared.
func invisible(r rune) bool { return r >= 0x200b && r <= 0x200d || r == 0xfeff }

// folded is a text in compatibility composition (NFKC, Unicode Standard Annex 15)
// with typographic characters made plain and invisible ones removed. It knows
// which of its offsets correspond to which of the original.
type folded struct {
	text    strings.Builder
	at, src []int // at[i] in the folded text is src[i] in the original
}

// foldKey returns the key by which lines that differ in such characters are equal.
func foldKey(line string) string {
	if isASCII(line) {
		return rtrim(line)
	}
	var f folded
	f.add(line, 0)
	return rtrim(f.text.String())
}

// add folds a line that begins at an offset of the original.
func (f *folded) add(line string, offset int) {
	for i := 0; i < len(line); {
		f.at, f.src = append(f.at, f.text.Len()), append(f.src, offset+i)
		n := 1
		if line[i] < utf8.RuneSelf && (i+1 == len(line) || line[i+1] < utf8.RuneSelf) {
			f.text.WriteByte(line[i]) // nothing follows that could combine with it
			i++
			continue
		}
		if b := norm.NFKC.NextBoundaryInString(line[i:], true); b > 0 {
			n = b
		}
		composed := norm.NFKC.String(line[i : i+n])
		for j := 0; j < len(composed); {
			r, size := utf8.DecodeRuneInString(composed[j:])
			switch plain := plainRune(r); {
			case r == utf8.RuneError && size == 1:
				f.text.WriteByte(composed[j])
			case !invisible(r):
				f.text.WriteRune(plain)
			}
			j += size
		}
		i += n
	}
}

// fold folds a text line by line, trims lines on the right, and returns the
// offsets that correspond: at[i] in the folded text is src[i] in the text.
func fold(s string) (at, src []int) {
	length := 0 // of the folded text up to this line
	for start := 0; start <= len(s); {
		end := lineEnd(s, start)
		var f folded
		f.add(s[start:end], start)
		line := rtrim(f.text.String())
		for i, a := range f.at {
			if a <= len(line) {
				at, src = append(at, length+a), append(src, f.src[i])
			}
		}
		length += len(line)
		at, src = append(at, length), append(src, end)
		length++ // the line's ending
		start = end + 1
	}
	return at, src
}

// insideFolded finds places within lines that differ from the block only in
// typographic characters, one character for one.
func (d *document) insideFolded(b *block) []place {
	start, end := surest(b.old)
	if start == end {
		return nil
	}
	anchor := b.old[start:end]
	var places []place
	work := searchCells
	for at := 0; work > 0 && len(places) < maxBlocks; {
		i := strings.Index(d.text[at:], anchor)
		if i < 0 {
			break
		}
		at += i
		head, ok1 := matchBack(d.text[:at], b.old[:start], &work)
		tail, ok2 := matchOn(d.text[at+len(anchor):], b.old[end:], &work)
		if ok1 && ok2 {
			places = append(places, place{start: at - head, end: at + len(anchor) + tail})
		}
		_, size := utf8.DecodeRuneInString(anchor)
		at += size
	}
	if work <= 0 {
		return nil // the rest might hold another place
	}
	d.number(places)
	return places
}

// surest returns the longest part of s without typographic or plain variants.
func surest(s string) (start, end int) {
	from := 0
	for i, r := range s + " " {
		if plain := plainRune(r); plain != r || plain == '-' || plain == '\'' || plain == '"' || plain == ' ' {
			if i-from > end-start {
				start, end = from, i
			}
			from = i + utf8.RuneLen(r)
		}
	}
	return start, end
}

// matchOn returns how many bytes at the beginning of text equal s when folded.
func matchOn(text, s string, work *int) (int, bool) {
	n := 0
	for s != "" {
		*work--
		a, i := utf8.DecodeRuneInString(text[n:])
		b, j := utf8.DecodeRuneInString(s)
		if i == 0 || plainRune(a) != plainRune(b) || a == utf8.RuneError && text[n:n+i] != s[:j] {
			return 0, false
		}
		n, s = n+i, s[j:]
	}
	return n, true
}

// matchBack returns how many bytes at the end of text equal s when folded.
func matchBack(text, s string, work *int) (int, bool) {
	n := 0
	for s != "" {
		*work--
		a, i := utf8.DecodeLastRuneInString(text[:len(text)-n])
		b, j := utf8.DecodeLastRuneInString(s)
		if i == 0 || plainRune(a) != plainRune(b) ||
			a == utf8.RuneError && text[len(text)-n-i:len(text)-n] != s[len(s)-j:] {
			return 0, false
		}
		n, s = n+i, s[:len(s)-j]
	}
	return n, true
}

// mergeRunes returns the new text with the file's own characters wherever it keeps
// a word or sign of the old text. The old text and the file's are equal when
// folded.
func mergeRunes(old, file, new string) string {
	o, n := words(old), words(new)
	bounds := pairBounds(o, old, file)
	var b strings.Builder
	i, j := 0, 0
	keep := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			if bounds[i] >= 0 && bounds[i+1] >= bounds[i] {
				b.WriteString(file[bounds[i]:bounds[i+1]])
			} else {
				b.WriteString(n[j])
			}
		}
	}
	for _, r := range diff.Regions(o, n) {
		keep(r.OldStart)
		for ; j < r.NewEnd; j++ {
			b.WriteString(n[j])
		}
		i = r.OldEnd
	}
	keep(len(o))
	return b.String()
}

// pairBounds returns where in the file's text each word of the old text begins, and
// where the last one ends; -1 where the texts do not correspond.
func pairBounds(words []string, old, file string) []int {
	oat, osrc := fold(old)
	fat, fsrc := fold(file)
	bounds := make([]int, len(words)+1)
	at, i, k := 0, 0, 0
	for w, word := range words {
		at += len(word)
		for i < len(osrc) && osrc[i] < at {
			i++
		}
		bounds[w+1] = -1
		if i == len(osrc) || osrc[i] != at {
			continue
		}
		for k < len(fat) && fat[k] < oat[i] {
			k++
		}
		if k < len(fat) && fat[k] == oat[i] {
			bounds[w+1] = fsrc[k]
		}
	}
	bounds[len(words)] = len(file)
	return bounds
}

// words splits a text into words, runs of white space and single signs.
func words(s string) []string {
	kind := func(r rune) int {
		switch {
		case r == '\n':
			return 0
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_':
			return 1
		case unicode.IsSpace(r):
			return 2
		}
		return 0
	}
	var list []string
	start, last := 0, 0
	for i, r := range s {
		k := kind(r)
		if i > start && (k == 0 || k != last) {
			list = append(list, s[start:i])
			start = i
		}
		last = k
	}
	if start < len(s) {
		list = append(list, s[start:])
	}
	return list
}
