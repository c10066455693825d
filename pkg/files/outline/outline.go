// Package outline finds the definitions of a source file and the headings of a
// document, and in which lines each begins and ends. It reads Go with the standard
// library's parser. Other languages it reads by their keywords, brackets and
// indentation, after a table of what each of them calls a comment, a string and a
// definition. It resolves no names, expands no macros and reports no faults: what it
// does not understand is not in the outline.
package outline

import "strings"

// Definition is something with a name, and the lines that it takes.
type Definition struct {
	Name string `json:"name"`           // as in the source: "Server", "Server.Run" for a method of Go, "a::b" in C++
	Kind string `json:"kind"`           // class, function, method, struct, heading, …
	Line int    `json:"line"`           // where the name is, from 1
	From int    `json:"start,omitzero"` // its first line, if that is not Line: of its comments, decorators or attributes
	End  int    `json:"end"`            // its last line

	Children []Definition `json:"children,omitempty"`

	declared bool // it has no body, so that the definition may be elsewhere
}

// Start returns the first line of what belongs to the definition.
func (d *Definition) Start() int {
	if d.From != 0 {
		return d.From
	}
	return d.Line
}

// maxBytes is the longest text, in bytes, that is read.
const maxBytes = 16 << 20

// Outline returns the definitions of a text in the order of their lines. The language
// is a name that language.Of returns. A text of another language, or of more than
// 16 MiB, has none.
func Outline(language, text string) []Definition {
	if len(text) > maxBytes {
		return nil
	}
	if strings.IndexByte(text, '\r') >= 0 && strings.IndexByte(text, '\n') < 0 {
		text = strings.ReplaceAll(text, "\r", "\n") // as in files of the old Mac OS
	} else {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if language == "Go" {
		return ofGo(text)
	}
	if g := grammarOf(language); g != nil {
		l := lex(text, g)
		if g.blocks == indented {
			return l.byIndent()
		}
		return l.byBraces()
	}
	if defs, ok := byHeadings(language, text); ok {
		return defs
	}
	return byLines(language, text)
}

// Known reports whether outlines of a language can have definitions.
func Known(language string) bool {
	if _, ok := byHeadings(language, ""); ok {
		return true
	}
	return language == "Go" || grammarOf(language) != nil || ruleOf(language) != nil
}

// All iterates over definitions and all that is in them, each after what it is in.
// path are the definitions that lead to it, itself the last; it is only valid until
// the next.
func All(defs []Definition) func(yield func(path []*Definition) bool) {
	return func(yield func([]*Definition) bool) {
		all(defs, nil, yield)
	}
}

func all(defs []Definition, path []*Definition, yield func([]*Definition) bool) bool {
	for i := range defs {
		next := append(path, &defs[i])
		if !yield(next) || !all(defs[i].Children, next, yield) {
			return false
		}
	}
	return true
}
