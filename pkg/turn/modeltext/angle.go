package modeltext

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// angle reads what begins with "<": thinking, special tokens, calls in tags.
func (r *reader) angle(at int) (int, bool) {
	if r.has(at, "<|") || r.has(at, "<｜") && !r.has(at, "<｜DSML｜") {
		return r.token(at)
	}
	t, ok := tagAt(r.s, at)
	if !ok {
		if r.has(at, "</｜DSML｜") {
			return r.after(at, ">"), true
		}
		return at, false
	}
	switch t.name {
	case "think", "thinking", "thought", "reasoning", "scratchpad", "scratch_pad":
		if t.close {
			return r.unopened(t.end), true
		}
		return r.thought(at, r.s[at:t.end], "</"+t.raw+">")
	}
	if t.close {
		return r.closing(t, at)
	}
	if r.reads(XML) {
		switch t.name {
		case "function_calls", "tool_calls", "calls":
			return r.wrapper(t, at)
		case "invoke", "function", "tool_use":
			if end, ok := r.element(t, at); ok {
				return end, true
			}
		default:
			if r.tool(t.raw) != nil {
				if end, ok := r.ownTag(t, at); ok {
					return end, true
				}
			}
		}
	}
	switch t.name {
	case "tool_call":
		return r.toolCall(t, at)
	case "tool_response", "tool_result", "tool_results", "function_results", "function_result", "function_response", "start_function_response":
		return r.invented(at, "<"+t.name+">")
	}
	if !r.any() {
		return at, false
	}
	switch t.name {
	case "TOOLCALL", "function_call", "tool_use", "toolcall":
		if next := r.space(t.end); r.has(next, "{") || r.has(next, "[") || r.has(next, "```") {
			return r.explicit(t.end)
		}
		return r.wrapper(t, at)
	case "start_function_call":
		return r.gemma(at, t.end, "<escape>", "<end_function_call>")
	case "end_function_call", "end_of_turn":
		return t.end, true
	}
	return at, false
}

// wrapper drops a tag around calls, and reads JSON or Python in it.
func (r *reader) wrapper(t tag, at int) (int, bool) {
	if t.empty {
		return t.end, true
	}
	if next := r.space(t.end); r.has(next, "<") || r.has(next, "{") || r.has(next, "[") || r.has(next, "```") {
		if r.has(next, "<") {
			return t.end, true
		}
		return r.explicit(t.end)
	}
	if end, ok := r.explicit(t.end); ok && end > t.end {
		return end, true
	}
	return at, false
}

// endsCall reports whether a tag is one that models write around calls.
func endsCall(name string) bool {
	switch name {
	case "tool_call", "tool_calls", "function_calls", "function_call", "tool_use", "calls", "TOOLCALL", "toolcall", "invoke", "function":
		return true
	}
	return false
}

// closing reads a closing tag that belongs to nothing that is being read.
func (r *reader) closing(t tag, at int) (int, bool) {
	r.stray(t.raw)
	switch {
	case endsCall(t.name):
		return t.end, true
	case t.name == "s":
		if r.space(t.end) == len(r.s) { // the end of the text, as models write it
			return t.end, true
		}
	}
	return at, false
}

// toolCall reads <tool_call>: with JSON as Hermes and Qwen write it, with pairs of
// keys and values as GLM does, or around another form of a call.
func (r *reader) toolCall(t tag, at int) (int, bool) {
	if !r.reads(Hermes) && !r.reads(XML) || t.empty {
		return at, false
	}
	next := r.space(t.end)
	if fence, body, ok := r.openFence(next); ok {
		r.fence, next = fence, r.space(body)
	}
	if r.has(next, "{") || r.has(next, "[") {
		return r.explicit(next)
	}
	if !r.any() && !r.reads(XML) {
		return r.unreadable(t, at)
	}
	if t.attr("name") != "" {
		return r.element(t, at)
	}
	if inner, ok := tagAt(r.s, next); ok && !inner.close {
		switch inner.name {
		case "name", "tool_name", "function_name":
			return r.element(t, at)
		case "function", "invoke", "tool_call", "tool", "think":
			return t.end, true
		}
		if r.tool(inner.raw) != nil {
			return t.end, true
		}
		return r.unreadable(t, at)
	}
	word := next
	for word < len(r.s) && nameByte(r.s[word]) {
		word++
	}
	if after := r.space(word); word > next {
		if inner, ok := tagAt(r.s, after); ok && (inner.name == "arg_key" || inner.close && inner.raw == t.raw) {
			e := &element{r: r, from: at, close: t.raw, pairs: true}
			e.called(r.plainName(r.s[next:word]))
			return e.read(after), true
		}
		if fence, body, ok := r.openFence(after); ok { // Hunyuan
			r.fence, after = fence, r.space(body)
		}
		if r.has(after, "{") {
			return r.namedAt(at, r.s[next:word], after), true
		}
	}
	if end, ok := r.explicit(next); ok && end > next {
		return end, true
	}
	return r.unreadable(t, at)
}

// unreadable reports a call that its tags mark as one, and that has no known form.
func (r *reader) unreadable(t tag, at int) (int, bool) {
	i := strings.Index(r.s[t.end:], "</"+t.raw+">")
	if i < 0 {
		return at, false // a word about the tag
	}
	end := t.end + i + len("</"+t.raw+">")
	r.add(Call{Err: damaged(fault.T("there is no JSON and no parameter in <%s>", t.raw))}, at, end)
	return end, true
}

// ownTag reads a call whose tag is the name of the tool, as Cline has them. The name
// may also be a word, so that what follows must look like the inside of a call.
func (r *reader) ownTag(t tag, at int) (int, bool) {
	if at > 0 && r.s[at-1] == '`' {
		return at, false
	}
	e := &element{r: r, from: at, close: t.raw, own: true}
	e.called(t.raw)
	for _, a := range t.attrs {
		if _, ok := e.tool.Arguments.Field(a.name); !ok {
			return at, false
		}
	}
	next := r.space(t.end)
	_, closedAtOnce := closes(r.s, min(next, len(r.s)), t.raw)
	inner, isTag := tagAt(r.s, next)
	switch {
	case t.empty, closedAtOnce, len(t.attrs) > 0:
	case isTag && !inner.close && (e.field(inner.raw) || insideCall(inner.name)):
	case r.has(next, `{"`) || r.has(next, "{\n"):
	default:
		return at, false
	}
	e.attributes(t.attrs)
	if t.empty {
		e.finish(t.end)
		return t.end, true
	}
	return e.read(t.end), true
}

// element reads a call in a tag that is the same for all tools: <invoke name="…">,
// <function=…>, <tool_use><name>….
func (r *reader) element(t tag, at int) (int, bool) {
	name := t.value
	if name == "" {
		name = t.attr("name")
	}
	if name == "" {
		inner, ok := tagAt(r.s, r.space(t.end))
		if !ok || inner.close || inner.name != "name" && inner.name != "tool_name" && inner.name != "function_name" {
			return at, false
		}
	}
	e := &element{r: r, from: at, close: t.raw}
	if name != "" {
		e.called(r.plainName(name))
	}
	if t.empty {
		e.finish(t.end)
		return t.end, true
	}
	return e.read(t.end), true
}
