package page

import "bytes"

// keptScripts limits the bytes kept of the scripts and styles of a page: they hold
// metadata, and the texts of pages that only scripts show.
const keptScripts = 4 << 20

// Lean collects a page as it comes, without what its scripts and style sheets have beyond
// a bound. It makes room for the text of a page that has much of them before it. Its
// memory is bounded, whatever is written to it.
//
// It knows of HTML only what it needs to find the ends of these elements. Where it is
// wrong, it keeps a script; it only mistakes for a script one in the text of a title or a
// textarea. An encoding must have ASCII in it, as all have but UTF-16 and 32.
type Lean struct {
	// Most limits the bytes that it collects; Cut is set if more came.
	Most int
	Cut  bool

	out     []byte
	scripts int // bytes of them in out
	within  func(l *Lean, p []byte) []byte
	name    []byte // of the tag at hand, in lower case, or what follows "<!"
	last    byte   // the last byte of the tag at hand that is no space
	quote   byte   // around the value at hand
	dashes  int    // at the end of the comment so far, up to 2
	close   string // the beginning of the tag that ends the element at hand
	matched int    // bytes of close that came
}

// Bytes returns what was collected.
func (l *Lean) Bytes() []byte { return l.out }

// Write never fails.
func (l *Lean) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if l.within == nil {
			l.within = (*Lean).text
		}
		p = l.within(l, p)
	}
	return n, nil
}

func (l *Lean) keep(p []byte) {
	if room := l.Most - len(l.out); len(p) > room {
		p, l.Cut = p[:room], true
	}
	l.out = append(l.out, p...)
}

// The states take the beginning of p and return the rest.

func (l *Lean) text(p []byte) []byte {
	at := bytes.IndexByte(p, '<')
	if at < 0 {
		l.keep(p)
		return nil
	}
	l.keep(p[:at+1])
	l.name, l.within = l.name[:0], (*Lean).open
	return p[at+1:]
}

// open is behind "<".
func (l *Lean) open(p []byte) []byte {
	switch c := p[0]; {
	case c == '!':
		l.within = (*Lean).declaration
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		l.within = (*Lean).tagName
	default: // an end tag needs no more care than text
		l.within = (*Lean).text
	}
	return p
}

// declaration distinguishes a comment from other declarations.
func (l *Lean) declaration(p []byte) []byte {
	const comment = "!--"
	if p[0] != comment[len(l.name)] {
		l.within = (*Lean).tag
		return p
	}
	l.keep(p[:1])
	if l.name = append(l.name, p[0]); len(l.name) == len(comment) {
		l.dashes, l.within = 2, (*Lean).comment // "<!-->" is a comment
	}
	return p[1:]
}

func (l *Lean) comment(p []byte) []byte {
	l.keep(p[:1])
	switch {
	case p[0] == '-':
		l.dashes = min(l.dashes+1, 2)
	case p[0] == '>' && l.dashes == 2:
		l.within = (*Lean).text
	default:
		l.dashes = 0
	}
	return p[1:]
}

func (l *Lean) tagName(p []byte) []byte {
	switch p[0] {
	case ' ', '\t', '\n', '\f', '\r', '/', '>':
		l.last, l.within = 0, (*Lean).tag
		return p
	}
	if len(l.name) < len("script")+1 {
		l.name = append(l.name, p[0]|0x20)
	}
	l.keep(p[:1])
	return p[1:]
}

// tag is behind the name of a tag.
func (l *Lean) tag(p []byte) []byte {
	c := p[0]
	l.keep(p[:1])
	switch {
	case c == '>':
		l.within = (*Lean).text
		if name := string(l.name); (name == "script" || name == "style") && l.last != '/' { // else perhaps one of SVG, without content
			l.close, l.matched, l.within = "</"+name, 0, (*Lean).content
		}
	case (c == '"' || c == '\'') && l.last == '=':
		l.quote, l.within = c, (*Lean).value
	case c != ' ' && c != '\t' && c != '\n' && c != '\f' && c != '\r':
		l.last = c
	}
	return p[1:]
}

// value is in the quotes of an attribute.
func (l *Lean) value(p []byte) []byte {
	at := bytes.IndexByte(p, l.quote)
	if at < 0 {
		l.keep(p)
		return nil
	}
	l.keep(p[:at+1])
	l.last, l.within = l.quote, (*Lean).tag
	return p[at+1:]
}

// content is in a script or style.
func (l *Lean) content(p []byte) []byte {
	if l.matched == 0 {
		inner, rest, found := bytes.Cut(p, []byte("<"))
		l.script(inner)
		if found {
			l.matched = 1
		}
		return rest
	}
	c := p[0]
	if l.matched == len(l.close) {
		switch c {
		case ' ', '\t', '\n', '\f', '\r', '/', '>':
			l.keep([]byte(l.close))
			l.name, l.last, l.within = l.name[:0], 0, (*Lean).tag
			return p
		}
	} else if want := l.close[l.matched]; c == want || want != '/' && c|0x20 == want {
		l.matched++
		return p[1:]
	}
	l.script([]byte(l.close[:l.matched]))
	l.matched = 0
	return p
}

// script keeps a part of a script or style while there is room for it.
func (l *Lean) script(p []byte) {
	p = p[:min(len(p), keptScripts-l.scripts)]
	l.scripts += len(p)
	l.keep(p)
}
