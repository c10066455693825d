package syntax

import (
	"fmt"
	"strings"
)

// checkYAML looks for what edits break in YAML: indentation that matches nothing
// above it, tabs in it, quotes and brackets that are not closed, entries of
// another kind than their neighbours. It gives up on rare constructs. A complete
// parser would cost every call of every tool more at start than this check is
// worth.
func checkYAML(text string) Verdict {
	if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
		return Verdict{}
	}
	y := &walk{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	for y.n = 0; y.n < len(y.lines) && y.fault == nil && !y.odd; y.n++ {
		y.line(y.lines[y.n])
	}
	switch {
	case y.odd:
		return Verdict{}
	case y.fault != nil:
		return *y.fault
	}
	return passed()
}

// walk reads the lines of a document in block style.
type walk struct {
	lines []string
	n     int     // the current line, from 0
	open  []level // the open collections, outermost first
	fault *Verdict
	odd   bool // the document has constructs that are not checked

	// The last entry. A collection may begin below it if it has no value, and a plain
	// value may continue in lines that are indented more.
	last entry
}

type level struct {
	indent int
	seq    bool
}

type entry struct {
	kind   entryKind
	indent int // of the innermost collection it belongs to
}

type entryKind int

const (
	nothing entryKind = iota // at the beginning of a document
	empty                    // a key or dash without a value
	plain                    // a plain value
	closed                   // a quoted value, an alias or a flow collection
)

func (y *walk) fail(format string, args ...any) {
	if y.fault == nil {
		v := failed(y.n+1, fmt.Sprintf(format, args...))
		y.fault = &v
	}
}

// line reads a line, and the lines in which its value continues.
func (y *walk) line(l string) {
	body := strings.TrimLeft(l, " ")
	switch {
	case strings.Trim(body, " \t\r") == "", strings.HasPrefix(strings.TrimLeft(body, " \t"), "#"):
		return
	case strings.HasPrefix(l, "---"), l == "...", strings.HasPrefix(l, "... "):
		y.document(l)
		return
	case strings.HasPrefix(l, "%"), strings.HasPrefix(body, "? "), body == "?":
		y.odd = true
		return
	}
	indent := len(l) - len(body)
	if y.last.kind == plain && indent > y.last.indent {
		// The value continues in this line, whatever the line begins with.
		if _, ok := splitKey(body); ok {
			y.fail("a key where the value of the line above continues; check the indentation")
		}
		if hasComment(l) {
			y.last.kind = closed
		}
		return
	}
	if body[0] == '\t' {
		y.fail("a tab in the indentation")
		return
	}
	y.place(indent, body)
}

// document begins another document.
func (y *walk) document(l string) {
	rest := strings.TrimPrefix(strings.TrimPrefix(l, "---"), "...")
	if t := strings.TrimSpace(rest); t != "" && t[0] != '#' {
		y.odd = true
	}
	y.open, y.last = nil, entry{}
}

// place finds the collection that an entry at an indentation belongs to, and
// reads the entry.
func (y *walk) place(indent int, body string) {
	dash := body == "-" || strings.HasPrefix(body, "- ")
	_, isKey := splitKey(body)
	if !dash && !isKey {
		y.scalarLine(indent, body)
		return
	}
	for len(y.open) > 0 && y.open[len(y.open)-1].indent > indent {
		y.open = y.open[:len(y.open)-1]
	}
	// A list may have the indentation of its key.
	if n := len(y.open); n > 1 && !dash && y.open[n-1].seq && y.open[n-1].indent == indent && y.open[n-2].indent == indent {
		y.open = y.open[:n-1]
	}
	top := level{indent: -1}
	if n := len(y.open); n > 0 {
		top = y.open[n-1]
	}
	switch {
	case top.indent == indent && top.seq == dash:
	case top.indent == indent && dash && y.last.kind == empty && y.last.indent == indent:
		y.open = append(y.open, level{indent, true})
	case top.indent == indent && dash:
		y.fail("a list entry among keys")
	case top.indent == indent:
		y.fail("a key among list entries")
	case y.last.kind == nothing, y.last.kind == empty && y.last.indent < indent && y.last.indent == top.indent:
		y.open = append(y.open, level{indent, dash})
	default:
		y.fail("the indentation matches no entry above")
	}
	if y.fault == nil {
		y.entry(indent, body)
	}
}

// entry reads a key or dash at an indentation, and what follows in its line.
func (y *walk) entry(indent int, body string) {
	y.last = entry{closed, indent}
	if body == "-" || strings.HasPrefix(body, "- ") {
		rest := strings.TrimLeft(body[1:], " ")
		inner := indent + len(body) - len(rest)
		switch _, isKey := splitKey(rest); {
		case rest == "" || rest[0] == '#':
			y.last = entry{empty, indent}
		case rest[0] == '\t' || rest[0] == '?':
			y.odd = true
		case rest == "-" || strings.HasPrefix(rest, "- "), isKey:
			y.open = append(y.open, level{inner, !isKey})
			y.entry(inner, rest)
		default:
			y.value(indent, rest)
		}
		return
	}
	rest, _ := splitKey(body)
	if rest == "" || rest[0] == '#' {
		y.last = entry{empty, indent}
		return
	}
	if rest == "-" || strings.HasPrefix(rest, "- ") {
		y.fail("a list entry on the line of its key")
		return
	}
	y.value(indent, rest)
}

// scalarLine reads a line that is neither a key nor a list entry.
func (y *walk) scalarLine(indent int, body string) {
	switch {
	case y.last.kind == empty && indent > y.last.indent, y.last.kind == nothing:
		y.value(y.last.indent, body)
		if y.last.kind == plain && len(y.open) == 0 {
			y.odd = true // a document that is one value
		}
	case strings.ContainsAny(body[:1], "&!*{[\"'"):
		y.odd = true
	default:
		y.fail("neither a key nor a list entry; a colon may be missing")
	}
}
