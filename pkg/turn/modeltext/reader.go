package modeltext

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// reader goes through a text once. Each method that reads something takes an offset
// and returns the one after what it read; ok is false if that is not there, and then
// nothing has changed.
type reader struct {
	s   string
	at  int
	opt Options

	calls    []Call
	notes    []fault.Text
	text     strings.Builder
	thinking strings.Builder

	known map[string]*Tool // by name; nil for no tool
	// closers are the names of the tags that ended values which stood there as they
	// are, each with the first call that it was in. One of them between the calls says
	// that a value had ended too early.
	closers map[string]int
	fence   string // of a block around calls that is not closed yet
	unwound bool   // JSON that does not end was seen: looking for more would take too long
	mending int    // how many bytes may still be read with repairs: each attempt may read all that follows
}

func (r *reader) run() {
	for r.at < len(r.s) {
		if end, ok := r.step(r.at); ok {
			r.at = max(end, r.at+1)
			continue
		}
		r.text.WriteByte(r.s[r.at])
		r.at++
	}
}

// step reads what begins at an offset, if it is more than text.
func (r *reader) step(at int) (end int, ok bool) {
	switch r.s[at] {
	case '<':
		return r.angle(at)
	case '[':
		return r.bracket(at)
	case '{':
		return r.bareJSON(at)
	case '`', '~':
		return r.ticks(at)
	case 0xE2: // ◁think▷, of Kimi
		return r.thought(at, "◁think▷", "◁/think▷")
	case 'A', '*', 'O', 'f', '>':
		if r.lineStart(at) {
			return r.line(at)
		}
	}
	return at, false
}

// reads reports whether calls in this convention are looked for.
func (r *reader) reads(f Format) bool { return r.opt.Format == f || r.any() }

// any reports whether the conventions of the families of models are looked for.
func (r *reader) any() bool { return r.opt.Format == Auto || r.opt.Format == "" }

// tool returns what is known of a tool; nil for an unknown one.
func (r *reader) tool(name string) *Tool {
	if t, ok := r.known[name]; ok {
		return t
	}
	var found *Tool
	if t, ok := r.opt.Tools(name); ok {
		found = &t
	}
	r.known[name] = found
	return found
}

// lineStart reports whether only blanks are before an offset in its line.
func (r *reader) lineStart(at int) bool {
	for at > 0 && (r.s[at-1] == ' ' || r.s[at-1] == '\t') {
		at--
	}
	return at == 0 || r.s[at-1] == '\n' || r.s[at-1] == '>' // also after a tag
}

func (r *reader) has(at int, prefix string) bool {
	return at <= len(r.s) && strings.HasPrefix(r.s[at:], prefix)
}

func (r *reader) space(at int) int {
	for at < len(r.s) && strings.IndexByte(" \t\r\n", r.s[at]) >= 0 {
		at++
	}
	return at
}

// after returns the offset after the next occurrence of a text; the end if there is
// none.
func (r *reader) after(at int, text string) int {
	if i := strings.Index(r.s[at:], text); i >= 0 {
		return at + i + len(text)
	}
	return len(r.s)
}

// add adds a call that was read from an offset to another.
func (r *reader) add(c Call, from, to int) {
	c.Source = strings.TrimSpace(r.s[from:min(to, len(r.s))])
	var compact bytes.Buffer
	switch {
	case c.Err != nil:
		c.Arguments = nil
	case json.Compact(&compact, c.Arguments) == nil:
		c.Arguments = compact.Bytes()
	}
	r.calls = append(r.calls, c)
}

// thought reads the thinking between two marks. Without the second one, all that
// follows is thinking: what the model only considers is not run.
func (r *reader) thought(at int, open, end string) (int, bool) {
	if !r.has(at, open) {
		if r.has(at, end) {
			return r.unopened(at + len(end)), true
		}
		return at, false
	}
	from := at + len(open)
	i := strings.Index(r.s[from:], end)
	if i < 0 {
		r.passed(from, len(r.s))
		r.notes = append(r.notes, fault.T("the thinking is not closed by %s: nothing after it was read as a call", end))
		r.think(r.s[from:])
		return len(r.s), true
	}
	r.think(r.s[from : from+i])
	return from + i + len(end), true
}

func (r *reader) think(text string) {
	r.thinking.WriteString(strings.TrimSpace(text))
	r.thinking.WriteByte('\n')
}

// unopened makes all that was read so far thinking: some prompts of models end with
// the opening tag, so that their texts only have the closing one.
func (r *reader) unopened(at int) int {
	for _, c := range r.calls {
		r.text.WriteString("\n" + c.Source)
	}
	before := r.text.String()
	r.text.Reset()
	r.calls = nil
	clear(r.closers)
	r.think(before)
	return at
}

// invented ends the reading at a result that the model made up: what follows was
// written in ignorance of the true one. Before the first call it is only a text.
func (r *reader) invented(at int, mark string) (int, bool) {
	if len(r.calls) == 0 {
		return at, false
	}
	r.passed(at, len(r.s))
	r.notes = append(r.notes, fault.T("the model wrote a result itself (%s): that and what follows was left out", mark))
	return len(r.s), true
}

// line reads what begins with a word at the start of a line.
func (r *reader) line(at int) (int, bool) {
	if !r.any() {
		return at, false
	}
	switch {
	case r.has(at, "Observation:"):
		return r.invented(at, "Observation:")
	case r.has(at, "functools["): // Phi-4-mini
		return r.explicit(at + len("functools"))
	case r.has(at, ">>>"): // Functionary 3.2
		return r.named(at, at+len(">>>"), "\n")
	case r.has(at, "function call<|role_sep|>"): // GigaChat
		return r.explicit(at + len("function call<|role_sep|>"))
	}
	return r.action(at)
}

// bracket reads what begins with "[".
func (r *reader) bracket(at int) (int, bool) {
	if end, ok := r.thought(at, "[THINK]", "[/THINK]"); ok {
		return end, true
	}
	if !r.any() {
		return r.bareJSON(at)
	}
	switch {
	case r.has(at, "[TOOL_CALLS]"):
		return r.mistral(at)
	case r.has(at, "[/TOOL_CALLS]"):
		return at + len("[/TOOL_CALLS]"), true
	case r.has(at, "[TOOL_RESULTS]"):
		return r.invented(at, "[TOOL_RESULTS]")
	}
	if end, ok := r.pythonList(at); ok {
		return end, true
	}
	return r.bareJSON(at)
}

// passed looks for closing tags as [reader.stray] handles them in a text that is passed
// over unread, such as a code block: what opened it may be a part of a value.
func (r *reader) passed(from, to int) {
	for _, name := range slices.Sorted(maps.Keys(r.closers)) {
		if strings.Contains(r.s[from:to], "</"+name) {
			r.stray(name)
		}
	}
}

// stray handles a closing tag between the calls. If it is one that ended a value,
// the value may have contained it, and the calls from there on may be a part of the
// value.
func (r *reader) stray(name string) {
	from, ok := r.closers[name]
	if !ok {
		return
	}
	for i := from; i < len(r.calls); i++ {
		if r.calls[i].Err == nil {
			r.calls[i].Err, r.calls[i].Arguments = unclear("<"+name+">"), nil
		}
	}
	r.closers[name] = len(r.calls) // those before are refused already
}
