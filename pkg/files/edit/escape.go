package edit

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A model that writes a call escapes its texts once more than it should, or some of their
// characters: "\n" for every line break, and the "\n" of a string literal like any other.
// Whether a "\n" in quotation marks is a break or two characters, only the file can say.

// escapes is an escaped text, cut where literals begin and end.
type escapes []literal

// literal is a part of an escaped text: a string or regular expression with its marks, or
// what is between two, which has no mark.
type literal struct {
	raw  string
	mark string // `"`, `\"`, `"""`, "/" …
}

// unescaped returns the readings of old and new lines whose escapes are decoded, if the
// old ones have any. A text with real line endings was not escaped by mistake.
func unescaped(file string, old, new []string) []Reading {
	before := strings.Join(old, "\n")
	if !strings.Contains(before, `\`) || len(old) > 1 && strings.Contains(before, `\n`) {
		return nil
	}
	o, n := cutEscapes(before), cutEscapes(strings.Join(new, "\n"))
	all, outside := unescape(before), o.outside()
	var readings []Reading
	add := func(before, after string, unsure bool) {
		readings = append(readings, Reading{
			Strategy: Unescape, Old: strings.Split(before, "\n"), New: splitLines(after, len(new)),
			Unsure: unsure || n.unproven(o, before) || strings.Contains(n.plain(), "n") && cutEscapes(file).words(),
		})
	}
	if all != before {
		add(all, unescape(n.text()), slices.ContainsFunc(n, func(l literal) bool { return l.unsure() && !o.has(l) }))
	}
	if outside != before && outside != all {
		// If the file has this, it proves that in quotation marks nothing was escaped. A
		// literal of several lines may still be one of them.
		add(outside, n.outside(), slices.ContainsFunc(n, func(l literal) bool { return l.unsure() && l.long() && !o.has(l) }))
	}
	return readings
}

// cutEscapes cuts an escaped text.
func cutEscapes(s string) escapes {
	var all escapes
	from := 0
	for at := 0; at < len(s); {
		mark := opens(s, at)
		if mark == "" {
			at += tokenSize(s[at:])
			continue
		}
		end := closes(s, at+len(mark), mark)
		if end < 0 {
			at += len(mark)
			continue
		}
		all = append(all, literal{raw: s[from:at]}, literal{s[at:end], mark})
		at, from = end, end
	}
	return append(all, literal{raw: s[from:]})
}

// tokenSize returns how many bytes of a text are one escape, or one character that is none.
func tokenSize(s string) int {
	if s[0] == '\\' && len(s) > 1 {
		return 2
	}
	return 1
}

// opens returns the mark with which a literal begins at an offset, or "".
func opens(s string, at int) string {
	rest := s[at:]
	for _, mark := range []string{`"""`, "'''", `\"`, `\'`, "\\`", `"`, "`"} {
		if strings.HasPrefix(rest, mark) {
			return mark
		}
	}
	switch {
	case rest[0] == '\'' && (at == 0 || !wordRune(rune(s[at-1]))): // not the one of "don't"
		return "'"
	case rest[0] == '/' && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "/*"):
		if before := strings.TrimRight(s[:at], blank); before != "" && strings.ContainsAny(before[len(before)-1:], "(,=:[!&|?{};~") {
			return "/"
		}
	}
	return ""
}

// closes returns the offset after the literal that a mark has opened, or -1.
func closes(s string, at int, mark string) int {
	for at < len(s) {
		switch {
		case mark[0] == '\\' && strings.HasPrefix(s[at:], `\\`):
			// What follows is escaped within the literal, such as the mark in `\\\"`.
			at += 2
			if at < len(s) {
				at += tokenSize(s[at:])
			}
		case strings.HasPrefix(s[at:], mark):
			return at + len(mark)
		default:
			at += tokenSize(s[at:])
		}
	}
	return -1
}

// text returns the text that was cut.
func (e escapes) text() string {
	var b strings.Builder
	for _, l := range e {
		b.WriteString(l.raw)
	}
	return b.String()
}

// outside decodes what is escaped outside of literals, their marks and what is escaped for
// the sake of these.
func (e escapes) outside() string {
	var b strings.Builder
	for _, l := range e {
		switch {
		case l.mark == "":
			b.WriteString(unescape(l.raw))
		case l.mark[0] == '\\':
			b.WriteString(strings.NewReplacer(`\\`, `\`, l.mark, l.mark[1:]).Replace(l.raw))
		default:
			b.WriteString(l.raw)
		}
	}
	return b.String()
}

// plain returns which kinds of escapes there are outside of literals.
func (e escapes) plain() string {
	var kinds strings.Builder
	for _, l := range e {
		if l.mark == "" {
			kinds.WriteString(kindsOf(l.raw))
		}
	}
	return kinds.String()
}

// words reports whether there are words with a backslash outside of literals, as in TeX.
func (e escapes) words() bool {
	return slices.ContainsFunc(e, func(l literal) bool {
		for at := 0; l.mark == "" && at < len(l.raw)-1; at += tokenSize(l.raw[at:]) {
			if l.raw[at] == '\\' && isLetter(l.raw[at+1]) {
				return true
			}
		}
		return false
	})
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// kindsOf returns a sign for each kind of escapes of a text: n for white space, q for marks,
// or the escaped character.
func kindsOf(s string) string {
	var kinds strings.Builder
	for at := 0; at < len(s); at += tokenSize(s[at:]) {
		if s[at] != '\\' || at+1 == len(s) {
			continue
		}
		switch c := s[at+1]; c {
		case 'n', 't':
			kinds.WriteByte('n')
		case '"', '\'', '`':
			kinds.WriteByte('q')
		case '\\', '$':
			kinds.WriteByte(c)
		case 'u':
			if code := s[at:min(at+6, len(s))]; unescape(code) != code {
				kinds.WriteByte('u')
			}
		}
	}
	return kinds.String()
}

// unproven reports whether the text has kinds of escapes, outside of literals, that the old
// text does not have: nothing says that these are to be decoded. Marks may be new if the
// old text, decoded, has none that are not escaped.
func (e escapes) unproven(old escapes, decoded string) bool {
	known := kindsOf(old.text())
	if !strings.ContainsAny(decoded, "\"'`") {
		known += "q"
	}
	missing := func(kinds string) bool { return strings.Trim(kinds, known) != "" }
	return missing(e.plain()) || slices.ContainsFunc(e, func(l literal) bool {
		return strings.HasPrefix(l.mark, `\`) && missing("q"+strings.Trim(kindsOf(l.raw), `nqu\`))
	})
}

func (e escapes) has(l literal) bool {
	return slices.ContainsFunc(e, func(o literal) bool { return o == l })
}

// unsure reports whether escapes in the literal may mean themselves.
func (l literal) unsure() bool {
	switch {
	case l.mark == "":
		return false
	case l.mark[0] == '\\':
		return strings.Trim(kindsOf(l.raw), `q\$`) != ""
	}
	return strings.Contains(l.raw, `\`)
}

// long reports whether the literal may have several lines in most languages, or is none of
// a string.
func (l literal) long() bool {
	return len(strings.TrimPrefix(l.mark, `\`)) == 3 || strings.HasSuffix(l.mark, "`") || l.mark == "/"
}

// unescape decodes \n \r\n \t \" \' \\ \$ \` and \u003c.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case '"', '\'', '\\', '$', '`':
			b.WriteByte(c)
		case 'r':
			if !strings.HasPrefix(s[i+1:], `\n`) { // of "\r\n" the line ending is left
				b.WriteString(`\r`)
			}
		case 'u':
			if n, err := strconv.ParseUint(s[i+1:min(len(s), i+5)], 16, 32); err == nil && i+5 <= len(s) && utf8.ValidRune(rune(n)) {
				b.WriteRune(rune(n))
				i += 4
				continue
			}
			b.WriteString(`\u`)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}

// escapedPlace returns the place that has escapes where a text has the characters
// themselves: in quotation marks, or everywhere.
func (d *document) escapedPlace(old string) (place, bool) {
	if !strings.ContainsAny(old, "\n\t") || !strings.Contains(d.text, `\`) {
		return place{}, false
	}
	breaks := strings.NewReplacer("\n", `\n`, "\t", `\t`)
	cut := cutEscapes(old)
	for i, l := range cut {
		if l.mark != "" {
			cut[i].raw = breaks.Replace(l.raw)
		}
	}
	quoted := cut.text()
	all := strings.NewReplacer("\n", `\n`, "\t", `\t`, `"`, `\"`, `\`, `\\`)
	for _, text := range []string{quoted, strings.TrimSuffix(breaks.Replace(old), `\n`), strings.TrimSuffix(all.Replace(old), `\n`)} {
		if text == old || !Telling(text) {
			continue
		}
		if places, err := d.exact(text); err == nil && len(places) == 1 {
			d.number(places)
			return places[0], true
		}
	}
	return place{}, false
}

// before puts the lines of a place before the windows that do not overlap them.
func (p place) before(d *document, others []window) []window {
	own := window{from: p.line - 1, to: p.line + strings.Count(d.text[p.start:p.end], "\n"), score: 1}
	others = slices.DeleteFunc(others, func(w window) bool { return w.from < own.to && own.from < w.to })
	return append([]window{own}, others[:min(len(others), maxCandidates-1)]...)
}
