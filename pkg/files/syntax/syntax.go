// Package syntax checks the syntax of texts in the few languages that need no
// compiler for it. It checks nothing else and repairs nothing.
package syntax

import "strings"

const (
	// maxBytes is the longest text, in bytes, that is checked.
	maxBytes = 4 << 20
	// maxDepth limits the nesting of brackets in a checked text.
	maxDepth = 1000
)

// Verdict is the result of a check.
type Verdict struct {
	Checked bool   // false if the language is unknown, or the text too long or unusual
	OK      bool   // no fault was found
	Line    int    // of the first fault, from 1; 0 if unknown
	Message string // the fault, in English
}

// Check parses a text. The language is a name of Linguist's or the usual file
// extension: Go, JSON, JSON with Comments, TOML, XML and its dialects, YAML.
//
// YAML without a fault is not proven correct: only faults that edits tend to make
// are looked for.
func Check(language, text string) Verdict {
	check := checkerOf(language)
	if check == nil || len(text) > maxBytes || tooDeep(text) {
		return Verdict{}
	}
	return check(text)
}

func checkerOf(language string) func(string) Verdict {
	switch strings.ToLower(language) {
	case "go":
		return checkGo
	case "json", "geojson", "topojson":
		return checkJSON
	case "json with comments", "jsonc":
		return func(text string) Verdict { return checkJSON(plainJSON(text)) }
	case "toml":
		return checkTOML
	case "xml", "svg", "xslt", "xml property list":
		return checkXML
	case "yaml", "yml":
		return checkYAML
	}
	return nil
}

func passed() Verdict { return Verdict{Checked: true, OK: true} }

func failed(line int, message string) Verdict {
	return Verdict{Checked: true, Line: line, Message: message}
}

// lineAt returns the number, from 1, of the line around an offset.
func lineAt(text string, offset int) int {
	return 1 + strings.Count(text[:min(max(offset, 0), len(text))], "\n")
}

// tooDeep reports whether brackets nest so deeply that a recursive parser could
// exhaust its stack. Brackets within strings count too.
func tooDeep(text string) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{', '(':
			if depth++; depth > maxDepth {
				return true
			}
		case ']', '}', ')':
			depth = max(0, depth-1)
		}
	}
	return false
}
