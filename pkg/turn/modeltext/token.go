package modeltext

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// token reads a special token such as <|tool_call|> and the calls that it begins. A
// token that begins none only separates, and is dropped.
func (r *reader) token(at int) (int, bool) {
	if !r.any() {
		return at, false
	}
	for _, t := range []string{"<|START_THINKING|>", "<|begin_of_thought|>"} { // Command R7B
		if r.has(at, t) {
			return r.thought(at, t, strings.NewReplacer("START", "END", "begin", "end").Replace(t))
		}
	}
	for _, t := range []string{
		"<|tool_call|>", "<|tool_calls|>", "<|tool_call_start|>", "<|function_call|>", // Granite, Phi-4, LFM2
		"<|START_ACTION|>", "<|tools_prefix|>", // Command R7B, Apertus
		"<|python_tag|>", "<|action_start|><|plugin|>", "<|action_start|> <|plugin|>", // Llama 3, InternLM
	} {
		if r.has(at, t) {
			return r.explicit(at + len(t))
		}
	}
	for _, t := range []string{"<|tool_response>", "<|tool_response|>", "<|START_TOOL_RESULT|>", "<|observation|>", "<｜tool▁outputs▁begin｜>", "<｜tool▁output▁begin｜>", "<|im_start|>user", "<|im_start|>tool", "<|start_header_id|>ipython", "<|start_header_id|>user"} {
		if r.has(at, t) {
			if end, ok := r.invented(at, t); ok {
				return end, true
			}
		}
	}
	for _, t := range []string{"<｜tool▁call▁begin｜>", "<｜tool_call_begin｜>", "<|tool_call_begin|>"} {
		if r.has(at, t) { // DeepSeek, Step, Kimi
			return r.begun(at, at+len(t))
		}
	}
	switch {
	case r.has(at, "<|tool_call>call:"): // Gemma 4
		return r.gemma(at, at+len("<|tool_call>"), `<|"|>`, "<tool_call|>")
	case r.has(at, "<|channel|>"), r.has(at, "<|start|>"): // gpt-oss
		return r.harmony(at)
	}
	if end, ok := tokenEnd(r.s, at); ok {
		return end, true
	}
	return at, false
}

// tokenEnd returns the offset after a special token: <|name|>.
func tokenEnd(s string, at int) (int, bool) {
	bar, width := "|", 1
	if strings.HasPrefix(s[at:], "<｜") {
		bar, width = "｜", len("｜")
	}
	const longest = 64
	rest := s[at+1+width : min(len(s), at+1+width+longest)]
	i := strings.Index(rest, bar+">")
	if i <= 0 || strings.ContainsAny(rest[:i], "\n<>{}\"") {
		return at, false
	}
	return at + 1 + width + i + width + 1, true
}

// begun reads a call between tokens that say where it begins and ends:
//
//	function<sep>name ```json {…} ```   DeepSeek V3
//	name<sep>{…}                        DeepSeek V3.1
//	functions.name:0<|tool_call_argument_begin|>{…}   Kimi K2
func (r *reader) begun(from, at int) (int, bool) {
	head := r.s[at:]
	end := strings.IndexAny(head, "<{`\n")
	if end < 0 {
		r.add(Call{Err: cutOff()}, from, len(r.s))
		return len(r.s), true
	}
	name, body := strings.TrimSpace(head[:end]), at+end
	for _, sep := range []string{"<｜tool▁sep｜>", "<｜tool_sep｜>", "<|tool_call_argument_begin|>", "<|tool_sep|>"} {
		if !r.has(body, sep) {
			continue
		}
		body += len(sep)
		if name != "function" {
			break
		}
		if t, ok := tagAt(r.s, r.space(body)); ok && t.name == "invoke" { // Step
			return r.space(body), true
		}
		end := strings.IndexAny(r.s[body:], "{`\n<")
		if end < 0 {
			r.add(Call{Err: cutOff()}, from, len(r.s))
			return len(r.s), true
		}
		name, body = strings.TrimSpace(r.s[body:body+end]), body+end
		break
	}
	if i := strings.LastIndexByte(name, ':'); i > 0 { // Kimi counts the calls
		name = name[:i]
	}
	body = r.space(body)
	if fence, inner, ok := r.openFence(body); ok {
		r.fence, body = fence, r.space(inner)
	}
	return r.namedAt(from, name, body), true
}

// named reads a name, up to a separator, and the JSON of its arguments.
func (r *reader) named(from, at int, separator string) (int, bool) {
	name, _, ok := strings.Cut(r.s[at:], separator)
	body := r.space(at + len(name) + len(separator))
	if !ok || r.tool(r.plainName(name)) == nil || !r.has(body, "{") {
		return from, false
	}
	return r.namedAt(from, name, body), true
}

// namedAt reads the JSON at an offset as the arguments of a named tool.
func (r *reader) namedAt(from int, name string, at int) int {
	c := Call{Name: r.plainName(name)}
	if !r.has(at, "{") {
		if r.ends(at) && at < len(r.s) {
			c.Arguments = []byte("{}")
		} else {
			c.Err = damaged(fault.T("expected the arguments as a JSON object"))
		}
		r.add(c, from, at)
		return at
	}
	text, end, repairs, how, err := r.value(at)
	if c.Arguments, c.Repairs = text, repairs; err != nil {
		c.Err = damagedJSON(err)
	}
	if how == openEnds {
		c.Err = cutOff()
	}
	r.add(c, from, end)
	if c.Err != nil && !r.ends(end) {
		return r.swallow()
	}
	return end
}

// mistral reads what follows [TOOL_CALLS]: a list, or a name and its arguments.
func (r *reader) mistral(from int) (int, bool) {
	at := r.space(from + len("[TOOL_CALLS]"))
	if r.has(at, "[{") || r.has(at, "[ ") || r.has(at, "[\n") || r.has(at, "{") {
		return r.region(from, at), true
	}
	word := at
	for word < len(r.s) && nameByte(r.s[word]) {
		word++
	}
	body := word
	if r.has(body, "[CALL_ID]") {
		body = min(r.after(body, "[CALL_ID]"), len(r.s))
		for body < len(r.s) && nameByte(r.s[body]) {
			body++
		}
	}
	if r.has(body, "[ARGS]") {
		body += len("[ARGS]")
	}
	body = r.space(body)
	if word == at || !r.has(body, "{") {
		return from, false
	}
	return r.namedAt(from, r.s[at:word], body), true
}

// harmony reads one message of gpt-oss: its header says whom it is for.
//
//	<|channel|>commentary to=functions.read <|constrain|>json<|message|>{…}<|call|>
func (r *reader) harmony(from int) (int, bool) {
	const mark, longest = "<|message|>", 256
	i := strings.Index(r.s[from:min(len(r.s), from+longest)], mark)
	if i < 0 {
		return tokenEnd(r.s, from)
	}
	header, at := r.s[from:from+i], from+i+len(mark)
	if _, to, ok := strings.Cut(header, "to="); ok {
		name := to
		if stop := strings.IndexAny(to, " <\n"); stop >= 0 {
			name = to[:stop]
		}
		if name != "user" && name != "assistant" && name != "all" {
			return r.namedAt(from, name, r.space(at)), true
		}
	}
	if !strings.Contains(header, "analysis") {
		return at, true
	}
	end := len(r.s)
	for _, t := range []string{"<|end|>", "<|call|>", "<|return|>", "<|start|>"} {
		if j := strings.Index(r.s[at:end], t); j >= 0 {
			end = at + j
		}
	}
	r.think(r.s[at:end])
	return end, true
}

// gemma reads a call in the notation of Gemma: call:name{key:value,…}, with its own
// marks around texts.
func (r *reader) gemma(from, at int, quotes, end string) (int, bool) {
	rest, ok := strings.CutPrefix(r.s[at:], "call:")
	brace := strings.IndexByte(rest, '{')
	if !ok || brace < 0 {
		return from, false
	}
	g := &gemmaValue{s: rest, at: brace, quotes: quotes}
	arguments, ok := g.value(0)
	stop := len(r.s)
	switch {
	case ok:
		stop = at + len("call:") + g.at
	case strings.Contains(rest, end):
		stop = r.after(at, end)
	}
	c := Call{Name: r.plainName(rest[:brace]), Arguments: arguments}
	if !ok {
		c.Err = cutOff()
	}
	r.add(c, from, stop)
	if r.has(stop, end) {
		stop += len(end)
	}
	return stop, true
}

// gemmaValue reads the values of that notation.
type gemmaValue struct {
	s      string
	at     int
	quotes string
}

func (g *gemmaValue) value(depth int) (json []byte, ok bool) {
	const deepest = 64
	if depth > deepest {
		return nil, false
	}
	rest := g.s[g.at:]
	switch {
	case strings.HasPrefix(rest, g.quotes):
		text, _, closed := strings.Cut(rest[len(g.quotes):], g.quotes)
		g.at += 2*len(g.quotes) + len(text)
		return quote(text), closed && utf8.ValidString(text)
	case strings.HasPrefix(rest, "{"):
		var all []member
		ok := g.list('}', func() bool {
			name, _, found := strings.Cut(g.s[g.at:], ":")
			if g.at += len(name) + 1; !found || strings.ContainsAny(name, "{}[],") {
				return false
			}
			value, ok := g.value(depth + 1)
			all = append(all, member{strings.Trim(name, " \n\""), value})
			return ok
		})
		return object(all), ok
	case strings.HasPrefix(rest, "["):
		items := []byte{'['}
		ok := g.list(']', func() bool {
			value, ok := g.value(depth + 1)
			if len(items) > 1 {
				items = append(items, ',')
			}
			items = append(items, value...)
			return ok
		})
		return append(items, ']'), ok
	}
	end := strings.IndexAny(rest, ",}]")
	if end < 0 {
		return nil, false
	}
	g.at += end
	word := strings.TrimSpace(rest[:end])
	if schema.Check([]byte(word)) == nil {
		return []byte(word), true
	}
	return quote(word), word != ""
}

// list reads the items between brackets.
func (g *gemmaValue) list(end byte, item func() bool) bool {
	for g.at++; g.at < len(g.s); {
		switch g.s[g.at] {
		case end:
			g.at++
			return true
		case ',', ' ', '\n':
			g.at++
		default:
			if !item() {
				return false
			}
		}
	}
	return false
}
