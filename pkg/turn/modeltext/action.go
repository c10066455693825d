package modeltext

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// action reads a call in the words of ReAct:
//
//	Action: read
//	Action Input: {"path":"a.go"}
//
// Command R writes a list of calls, in a block, after the one word.
func (r *reader) action(from int) (int, bool) {
	at, ok := r.label(from, "Action")
	if !ok {
		return from, false
	}
	if marks, _, body, ok := r.fenceAt(r.space(at)); ok {
		first := r.space(body)
		if !r.has(first, "{") && !r.has(first, "[") {
			return from, false
		}
		if end, ok := r.jsonBlock(marks, first); ok {
			return end, true
		}
		return r.blockEnd(body, marks), true // an answer, in the form of a call
	}
	line, _, _ := strings.Cut(r.s[at:], "\n")
	name := r.plainName(strings.Trim(strings.TrimSpace(line), "*[]"))
	input, ok := r.label(r.space(at+len(line)), "Action Input")
	if !ok || name == "" || strings.EqualFold(name, "final answer") {
		if r.has(r.space(at), "[{") { // Command R without a block
			return r.bareJSON(r.space(at))
		}
		return from, false
	}
	next := r.space(input)
	if fence, body, ok := r.openFence(next); ok {
		r.fence, next = fence, r.space(body)
	}
	if r.has(next, "{") {
		return r.namedAt(from, name, next), true
	}
	end := len(r.s)
	for _, stop := range []string{"\n\n", "\nObservation", "\nThought", "\nAction", "\n```"} {
		if i := strings.Index(r.s[next:end], stop); i >= 0 {
			end = next + i
		}
	}
	c := Call{Name: name}
	switch text := strings.TrimSpace(r.s[next:end]); {
	case slices.Contains([]string{"", "None", "null", "N/A"}, text):
		c.Arguments = []byte("{}")
	default:
		if schema.Check([]byte(text)) == nil && text[0] == '"' {
			r.argue(&c, []byte(text), r.tool(name))
			break
		}
		if c.Arguments, c.Err = bare(text, r.tool(name)); c.Err != nil {
			c.Err = damaged(fault.T("what follows Action Input must be a JSON object"))
		}
	}
	r.add(c, from, end)
	return end, true
}

// label reads a word and its colon at the start of a line, also in bold and numbered:
// "**Action:**", "Action 1:".
func (r *reader) label(at int, word string) (end int, ok bool) {
	bold := r.has(at, "**")
	if bold {
		at += 2
	}
	if !r.has(at, word) {
		return at, false
	}
	at += len(word)
	for at < len(r.s) && (r.s[at] == ' ' || r.s[at] >= '0' && r.s[at] <= '9') {
		at++
	}
	if bold && r.has(at, "**") {
		at, bold = at+2, false
	}
	if !r.has(at, ":") {
		return at, false
	}
	at++
	if bold && r.has(at, "**") {
		at += 2
	}
	return at, true
}
