package modeltext

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// openFence reads the first line of a fenced block at an offset, and returns its
// marks and the offset of the next line.
func (r *reader) openFence(at int) (marks string, body int, ok bool) {
	marks, _, body, ok = r.fenceAt(at)
	return marks, body, ok
}

// fenceAt is openFence with the first word of the line, in lower case.
func (r *reader) fenceAt(at int) (marks, info string, body int, ok bool) {
	if !r.has(at, "```") && !r.has(at, "~~~") {
		return "", "", at, false
	}
	end := at
	for end < len(r.s) && r.s[end] == r.s[at] {
		end++
	}
	line, _, _ := strings.Cut(r.s[end:], "\n")
	if strings.Contains(line, "`") {
		return "", "", at, false // code in a line
	}
	body = min(end+len(line)+1, len(r.s))
	words := strings.Fields(strings.ToLower(line))
	if len(words) > 0 {
		info = words[0]
	}
	return r.s[at:end], info, body, true
}

// closeFence reads the last line of the block around the calls that were read.
func (r *reader) closeFence(at int) (end int, ok bool) {
	if r.fence == "" || !r.has(at, r.fence) {
		return at, false
	}
	end = at + len(r.fence)
	for end < len(r.s) && (r.s[end] == ' ' || r.s[end] == '\t' || r.s[end] == '\r') {
		end++
	}
	if end < len(r.s) && r.s[end] != '\n' && r.s[end] != '<' {
		return at, false
	}
	r.fence = ""
	return end, true
}

// ticks reads what begins with a backtick or a tilde: a block, or code in a line, in
// which nothing is a call.
func (r *reader) ticks(at int) (int, bool) {
	if end, ok := r.closeFence(at); ok {
		return end, true
	}
	if r.lineStart(at) {
		if marks, info, body, ok := r.fenceAt(at); ok {
			return r.block(at, marks, info, body)
		}
	}
	if r.s[at] != '`' {
		return at, false
	}
	run := at
	for run < len(r.s) && r.s[run] == '`' {
		run++
	}
	line, _, _ := strings.Cut(r.s[run:], "\n")
	i := strings.Index(line, r.s[at:run])
	if i < 0 {
		r.text.WriteString(r.s[at:run])
		return run, true
	}
	end := run + i + run - at
	r.text.WriteString(r.s[at:end])
	return end, true
}

// block reads a fenced block: calls, if it begins with one, or else text.
func (r *reader) block(at int, marks, info string, body int) (int, bool) {
	first := r.space(body)
	mark := slices.Contains([]string{"tool_call", "tool_calls", "tool", "tool_use", "function_call", "call", "action"}, info)
	switch {
	case r.any() && info == "tool_output", r.reads(Markdown) && info == "tool_result":
		if end, ok := r.invented(at, "```"+info); ok {
			return end, true
		}
	case r.any() && info == "tool_code":
		r.fence = marks
		return r.toolCode(at, body, marks), true
	case mark && r.reads(Markdown):
		r.fence = marks
		if r.has(first, "{") || r.has(first, "[") {
			return r.explicit(body)
		}
		if end, ok := r.explicit(body); ok && end > body {
			return end, true
		}
		end := r.blockEnd(body, marks)
		r.fence = ""
		r.add(Call{Err: damaged(fault.T("there is no JSON in the block"))}, at, end)
		return end, true
	case r.reads(JSON) && slices.Contains([]string{"", "json", "jsonc", "json5"}, info) && (r.has(first, "{") || r.has(first, "[")):
		if end, ok := r.jsonBlock(marks, first); ok {
			return end, true
		}
	case slices.Contains([]string{"", "xml", "text", "plaintext", "tool_call"}, info) && r.callTag(first):
		r.fence = marks
		return first, true
	}
	end := r.blockEnd(body, marks)
	r.text.WriteString(r.s[at:end])
	return end, true
}

// jsonBlock reads the JSON of a block. ok is false if it is no call.
func (r *reader) jsonBlock(marks string, at int) (int, bool) {
	end, _ := extent(r.s, at)
	text := r.s[at:end]
	calls, ok := r.callsIn([]byte(text), false)
	if !ok && !(looksLikeCall(text) && r.tool(r.guessName(text)) != nil && len(members([]byte(text))) == 0) {
		return at, false
	}
	r.fence = marks
	if !ok {
		return r.region(at, at), true
	}
	for ok {
		for _, c := range calls {
			r.add(c, at, end)
		}
		at = r.space(end)
		if r.has(at, ",") {
			at = r.space(at + 1)
		}
		if !r.has(at, "{") {
			break
		}
		next, _ := extent(r.s, at)
		if calls, ok = r.callsIn([]byte(r.s[at:next]), false); ok {
			end = next
		}
	}
	if !ok {
		return r.region(at, at), true
	}
	return end, true
}

// blockEnd returns the offset after the block whose content starts at an offset. The
// block is passed over unread.
func (r *reader) blockEnd(from int, marks string) int {
	at := from
	defer func() { r.passed(from, at) }()
	for at < len(r.s) {
		line, _, more := strings.Cut(r.s[at:], "\n")
		at += len(line)
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, marks) && strings.Trim(trimmed, marks[:1]) == "" {
			return at
		}
		if more {
			at++
		}
	}
	return at
}

// callTag reports whether a tag that calls begin with is at an offset.
func (r *reader) callTag(at int) bool {
	if r.any() && (r.has(at, "<|") || r.has(at, "<｜")) {
		return true
	}
	t, ok := tagAt(r.s, at)
	if !ok || t.close {
		return false
	}
	switch t.name {
	case "tool_call":
		return r.reads(Hermes) || r.reads(XML)
	case "function_calls", "tool_calls", "invoke", "function", "tool_use":
		return r.reads(XML)
	}
	return r.reads(XML) && r.tool(t.raw) != nil
}
