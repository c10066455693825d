package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style is a set of text styles.
type Style uint8

// The styles that Markdown and HTML within it can show.
const (
	Bold Style = 1 << iota
	Italic
	Strike
	Code
	Superscript
	Subscript
	Inserted // a tracked change: <ins>
	Deleted  // <del>
)

// Inline builds the text of a paragraph, a heading or a cell out of pieces. Neighbours of
// one style become one; spaces stand outside of the marks, as Markdown wants it.
type Inline struct {
	text  []byte // of all spans
	spans []span
}

type span struct {
	end   int // of its text, which begins where the one before ends
	style Style
	link  string
	raw   bool // the text is Markdown
}

// Text adds plain text. link is its target, "" for none.
func (i *Inline) Text(text string, style Style, link string) {
	if text == "" {
		return
	}
	i.text = append(i.text, text...)
	if n := len(i.spans); n > 0 {
		last := &i.spans[n-1]
		if !last.raw && last.link == link && (last.style == style || link == "" && strings.TrimSpace(text) == "") { // a space has no style that shows
			last.end = len(i.text)
			return
		}
	}
	i.spans = append(i.spans, span{end: len(i.text), style: style, link: link})
}

// Raw adds inline Markdown: an image, a reference to a note, a formula.
func (i *Inline) Raw(markdown string) {
	if markdown != "" {
		i.text = append(i.text, markdown...)
		i.spans = append(i.spans, span{end: len(i.text), raw: true})
	}
}

// Math adds a formula in LaTeX.
func (i *Inline) Math(latex string) {
	if latex = strings.TrimSpace(latex); latex != "" {
		i.Raw("$" + latex + "$")
	}
}

// Break adds a line break.
func (i *Inline) Break() { i.Raw("\\\n") }

// Empty reports whether nothing was added that shows.
func (i *Inline) Empty() bool {
	from := 0
	for _, s := range i.spans {
		if len(bytes.TrimSpace(bytes.Trim(i.text[from:s.end], "\\\n"))) > 0 {
			return false
		}
		from = s.end
	}
	return true
}

// Reset makes the builder empty.
func (i *Inline) Reset() { i.text, i.spans = i.text[:0], i.spans[:0] }

// String returns the Markdown.
func (i *Inline) String() string {
	var b strings.Builder
	b.Grow(len(i.text) + 16*len(i.spans))
	all := string(i.text)
	from := 0
	for at := 0; at < len(i.spans); {
		s := i.spans[at]
		if s.raw {
			b.WriteString(all[from:s.end])
			from = s.end
			at++
			continue
		}
		end := at + 1 // of the spans of one link
		for s.link != "" && end < len(i.spans) && !i.spans[end].raw && i.spans[end].link == s.link {
			end++
		}
		to := &b
		if s.link != "" {
			to = &strings.Builder{}
		}
		for n, s := range i.spans[at:end] {
			piece := styled(all[from:s.end], s.style, lastOf(to.String(), s.link), i.after(at+n))
			if s.link == "" && strings.HasSuffix(piece, "!") && end < len(i.spans) && i.spans[end].link != "" {
				piece = piece[:len(piece)-1] + `\!` // before a link, it would make an image
			}
			to.WriteString(piece)
			from = s.end
		}
		if s.link != "" {
			b.WriteString(Link(to.String(), s.link))
		}
		at = end
	}
	return b.String()
}

// lastOf returns the character that a mark would stand behind.
func lastOf(text, link string) rune {
	switch {
	case text != "":
		r, _ := utf8.DecodeLastRuneInString(text)
		return r
	case link != "":
		return '['
	}
	return ' '
}

// after returns the character that follows a span: of the text that comes next, or of the
// marks before it.
func (i *Inline) after(at int) rune {
	s := i.spans[at]
	if at+1 == len(i.spans) {
		return ' '
	}
	next := i.spans[at+1]
	if !next.raw && next.link == s.link && next.style == 0 || next.raw {
		r, _ := utf8.DecodeRune(i.text[s.end:])
		return r
	}
	return '*'
}

// Link returns inline Markdown that leads to a target. What is run rather than opened is no
// target: there is only the text.
func Link(text, target string) string {
	inner := strings.TrimSpace(text)
	if inner == "" || isScript(target) {
		return text
	}
	lead, trail := spaces(text)
	if inner == target && (strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")) && !strings.ContainsAny(target, " <>") {
		return lead + "<" + target + ">" + trail
	}
	return lead + "[" + balanced(inner) + "](" + quoteTarget(target) + ")" + trail
}

// isScript reports whether an address is a program or a whole page.
func isScript(target string) bool {
	scheme, _, ok := strings.Cut(target, ":")
	if !ok {
		return false
	}
	scheme = strings.Map(func(r rune) rune { // as browsers do
		if r <= ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, scheme)
	return scheme == "javascript" || scheme == "vbscript" || scheme == "data"
}

// balanced returns the text of a link in which no bracket ends it early (CommonMark 6.3).
func balanced(text string) string {
	if !strings.Contains(text, "]") && !strings.Contains(text, "[") || strings.HasPrefix(text, "![") {
		return text
	}
	depth, escaped := 0, false
	for i := 0; i < len(text) && depth >= 0; i++ {
		switch c := text[i]; {
		case escaped:
			escaped = false
			continue
		case c == '[':
			depth++
		case c == ']':
			depth--
		}
		escaped = text[i] == '\\'
	}
	if depth == 0 {
		return text
	}
	var b strings.Builder
	escaped = false
	for i := range len(text) {
		if c := text[i]; (c == '[' || c == ']') && !escaped {
			b.WriteByte('\\')
		}
		escaped = text[i] == '\\' && !escaped
		b.WriteByte(text[i])
	}
	return b.String()
}

// Image returns inline Markdown that shows an image.
func Image(alt, target string) string {
	alt = strings.Join(strings.Fields(strings.NewReplacer("[", "(", "]", ")", "\\", "", "`", "'").Replace(alt)), " ")
	return "![" + Escape(alt) + "](" + quoteTarget(target) + ")"
}

// quoteTarget returns a path or address as it stands between the parentheses of a link.
func quoteTarget(target string) string {
	target = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, target)
	target = strings.NewReplacer("`", "%60", `\`, `\\`).Replace(target) // within a link, a backslash escapes
	if strings.ContainsAny(target, " ()<>") {
		return "<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(target) + ">"
	}
	return target
}

func spaces(text string) (lead, trail string) {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	return text[:len(text)-len(rest)], rest[len(strings.TrimRightFunc(rest, unicode.IsSpace)):]
}

// styled returns text with its marks, between two characters.
func styled(text string, style Style, before, after rune) string {
	inner := strings.TrimSpace(text)
	if inner == "" {
		return text
	}
	if style == 0 {
		return Escape(text)
	}
	lead, trail := spaces(text)
	if style&Code != 0 {
		inner = code(inner)
	} else {
		if style&(Bold|Italic|Strike) != 0 {
			if lead != "" {
				before = ' '
			}
			if trail != "" {
				after = ' '
			}
			var first, last string
			first, inner, last = outside(inner, before, after)
			lead, trail = lead+Escape(first), Escape(last)+trail
		}
		if inner == "" {
			return lead + trail
		}
		inner = Escape(inner)
	}
	wrap := func(s Style, before, after string) {
		if style&s != 0 {
			inner = before + inner + after
		}
	}
	wrap(Superscript, "<sup>", "</sup>")
	wrap(Subscript, "<sub>", "</sub>")
	wrap(Strike, "~~", "~~")
	switch style & (Bold | Italic) {
	case Bold:
		wrap(Bold, "**", "**")
	case Italic:
		wrap(Italic, "*", "*")
	case Bold | Italic:
		wrap(Bold, "***", "***")
	}
	wrap(Inserted, "<ins>", "</ins>")
	wrap(Deleted, "<del>", "</del>")
	return lead + inner + trail
}

// outside splits punctuation off that must stand outside of marks: between a letter and
// punctuation no emphasis begins or ends (CommonMark 6.2), as in "**Note:**text".
func outside(inner string, before, after rune) (first, rest, last string) {
	rest = inner
	if r, n := utf8.DecodeRuneInString(rest); isMarkLike(r) && isWordLike(before) {
		first, rest = rest[:n], rest[n:]
	}
	if r, n := utf8.DecodeLastRuneInString(rest); rest != "" && isMarkLike(r) && isWordLike(after) {
		rest, last = rest[:len(rest)-n], rest[len(rest)-n:]
	}
	if strings.TrimSpace(rest) != rest { // what is left begins or ends with a space
		lead, trail := spaces(rest)
		return first + lead, strings.TrimSpace(rest), trail + last
	}
	return first, rest, last
}

func isMarkLike(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
func isWordLike(r rune) bool { return !unicode.IsSpace(r) && !isMarkLike(r) }

// code returns a span of code.
func code(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}
