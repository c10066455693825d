package modeltext

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// value is the text of a parameter.
type value struct {
	text  string
	cdata bool // it was marked as text, so that nothing in it stands for anything else
}

const (
	cdataOpen = "<![CDATA["
	cdataEnd  = "]]>"
)

// value reads the text of a parameter from after its opening tag, and the closing
// tag. param is the name of the tag, name that of the parameter.
//
// The text stands there as it is: files have tags too, also those of the parameter. So
// the closing tag is the one that is not matched by an opening tag in the text and
// that is followed by what can follow a parameter: another one, or the end of the call.
func (e *element) value(from int, param, name string) (v value, end int, err *fault.Error) {
	s := e.r.s
	if at := e.r.space(from); e.r.has(at, cdataOpen) {
		return e.cdata(at, param)
	}
	depth, calls := 0, 0 // of tags in the text that are named like the parameter's and the call's
	last, after, several := -1, -1, false
	for at := from; ; at++ {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			break
		}
		at += i
		if next, ok := closes(s, at, param); ok {
			switch follows := e.follows(next); {
			case depth == 0 && follows:
				return value{text: unwrap(s[from:at])}, next, nil
			case follows:
				several = last >= 0
				last, after = at, next
			}
			depth = max(depth-1, 0)
			continue
		}
		if _, ok := closes(s, at, e.close); ok && e.close != param {
			if calls--; calls < 0 {
				return e.unmatched(from, at, last, after, several, name)
			}
			continue
		}
		switch {
		case opens(s, at, param):
			depth++
		case opens(s, at, e.close):
			calls++
		}
	}
	if last >= 0 {
		return e.unmatched(from, len(s), last, after, several, name)
	}
	return v, 0, cutOff()
}

// unmatched decides about a text in which the tags do not match. The call ends at an
// offset; last is the offset of an earlier end of the parameter, or -1.
func (e *element) unmatched(from, at, last, after int, several bool, name string) (value, int, *fault.Error) {
	switch {
	case several:
		return value{}, 0, unclear(name)
	case last >= 0:
		return value{text: unwrap(e.r.s[from:last])}, after, nil
	case e.tool != nil && e.tool.Reads && at < len(e.r.s):
		e.repairs = append(e.repairs, fault.T("/%s: its closing tag was missing", name))
		return value{text: strings.Trim(e.r.s[from:at], "\r\n")}, at, nil
	}
	return value{}, 0, unclear(name)
}

// follows reports whether what can follow a parameter is at an offset.
func (e *element) follows(at int) bool {
	at = e.r.space(at)
	if at >= len(e.r.s) {
		return true
	}
	if _, ok := closes(e.r.s, at, e.close); ok {
		return true
	}
	t, ok := tagAt(e.r.s, at)
	switch {
	case !ok:
		return false
	case insideCall(t.name) || e.pairs && t.name == "arg_value":
		return true
	case t.close:
		return false
	}
	return e.tool == nil || e.field(t.raw)
}

// cdata reads sections of CDATA. A section ends where the next begins or the
// parameter ends: models forget to split the mark of its end.
func (e *element) cdata(at int, param string) (v value, end int, err *fault.Error) {
	s := e.r.s
	var b strings.Builder
	for e.r.has(at, cdataOpen) {
		at += len(cdataOpen)
		begin := at
		for {
			i := strings.Index(s[at:], cdataEnd)
			if i < 0 {
				return v, 0, cutOff()
			}
			at += i
			next := e.r.space(at + len(cdataEnd))
			_, ends := closes(s, next, param)
			if ends || e.r.has(at+len(cdataEnd), cdataOpen) {
				b.WriteString(s[begin:at])
				at = next
				break
			}
			at++
		}
	}
	end, _ = closes(s, at, param)
	return value{unwrap(b.String()), true}, end, nil
}

// unwrap removes the line break after an opening tag, and then also the one before
// the closing tag: they were written to set the value off.
func unwrap(s string) string {
	for _, eol := range []string{"\n", "\r\n"} {
		if rest, ok := strings.CutPrefix(s, eol); ok {
			return strings.TrimSuffix(rest, eol)
		}
	}
	return s
}
