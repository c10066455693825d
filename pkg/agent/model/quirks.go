package model

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// quirks are a server's deviations from the API that it claims to speak. They are guessed
// from its address and learnt from its refusals, for the life of the client. A value does
// not change once it is made.
type quirks struct {
	bearer    bool     // has its key in the header Authorization
	either    bool     // may have it there
	limit     string   // the parameter for the length of a reply; "" is left out
	most      int      // tokens of a reply at most; 0 is not known
	dropped   []string // members of the model's messages that it does not take back
	textual   bool     // takes no null as the content of a message
	strict    bool     // takes back only arguments that are JSON
	defined   bool     // wants the definitions of tools wherever calls are spoken of
	untooled  bool     // has no tools: they are taught in words, and calls are texts
	unruled   bool     // takes no message of the system: the first of the user says the same
	streams   bool     // does nothing but stream
	least     int      // tokens of a reply that are asked for, as the server's own default is too few; 0 asks for none
	defaulted bool     // limit was changed before
}

// The parameters of Chat Completions for the length of a reply. OpenAI's own models want
// the new one; others may ignore what they do not know.
const (
	newLimit = "max_completion_tokens"
	oldLimit = "max_tokens"
)

func firstQuirks(host string) quirks {
	host = strings.ToLower(host)
	for _, h := range []string{"api.openai.com", ".openai.azure.com"} {
		if strings.HasSuffix(host, h) {
			return quirks{limit: newLimit}
		}
	}
	return quirks{limit: oldLimit}
}

// adapt returns the quirks adapted to a refusal; false if it reveals nothing new.
func (h quirks) adapt(f *failure, r *Request) (quirks, bool) {
	if f.status == http.StatusUnauthorized && h.either {
		h.bearer, h.either = true, false
		return h, true
	}
	if f.status == http.StatusNotFound && h.untools(f.said, r) { // OpenRouter
		h.untooled = true
		return h, true
	}
	if f.status != http.StatusBadRequest && f.status != http.StatusUnprocessableEntity && f.status != http.StatusInternalServerError {
		return h, false
	}
	if code := f.code(); code != fault.HTTPStatus && code != fault.Unavailable {
		return h, false
	}
	said := f.said
	if h.untools(said, r) {
		h.untooled = true
		return h, true
	}
	if r.System != "" && !h.unruled && containsAny(said, "system role", "role system", "system message") && containsAny(said, "not supported", "unsupported", "does not support", "not allowed") {
		h.unruled = true
		return h, true
	}
	if !h.streams && strings.Contains(said, "stream") && containsAny(said, "must be true", "must be set to true", "only support", "only stream", "requires stream", "non-streaming is not") {
		h.streams = true
		return h, true
	}
	history := readHistory(r.Messages)
	if f.status == http.StatusInternalServerError { // some fail over arguments that the model got wrong
		if history.broken && !h.strict && strings.Contains(said, "json") {
			h.strict = true
			return h, true
		}
		return h, false
	}
	refuses := containsAny(said, "unsupported", "not supported", "not permitted", "not allowed", "unknown", "unrecognized", "unexpected", "extra", "additional properties", "not a string")
	switch most := highest(said); {
	case most > 0 && h.most == 0:
		h.most = most
		return h, true
	case r.Output > 0 && !h.defaulted && refuses && mentions(said, h.limit):
		h.limit, h.defaulted = map[string]string{oldLimit: newLimit, newLimit: oldLimit}[h.limit], true
		return h, true
	case r.Output > 0 && h.limit != "" && h.defaulted && refuses && mentions(said, h.limit):
		h.limit = ""
		return h, true
	}
	if refuses {
		for _, name := range history.extra {
			if mentions(said, strings.ToLower(name)) && !slices.Contains(h.dropped, name) {
				h.dropped = append(slices.Clone(h.dropped), name)
				return h, true
			}
		}
	}
	switch {
	case history.null && !h.textual && mentions(said, "content") && containsAny(said, "must be a string", "expected a string", "valid string", "null", "nil", "none"):
		h.textual = true
	case history.broken && !h.strict && containsAny(said, "argument", "json", "expecting"):
		h.strict = true
	case history.calls && (len(r.Tools) == 0 || r.NoCalls) && !h.defined && containsAny(said, "tools=", "toolconfig", "must define tools", "tools are required"):
		h.defined = true
	default:
		return h, false
	}
	return h, true
}

// untools reports whether a refusal says that the server has no tools: Ollama's of a model
// whose template has none, vLLM's without a parser, llama.cpp's without its templates.
func (h quirks) untools(said string, r *Request) bool {
	return len(r.Tools) > 0 && !h.untooled && containsAny(said,
		"not support tool", "not support function", "tool choice requires", "tool-call-parser", "tools param requires",
		"tools are not supported", "tools is not supported", "tools not supported", "tool use is not supported", "tool calling is not supported",
		"function calling is not", "functions are not supported", "support tool use", "unsupported parameter: tools", "'tools' is not")
}

// mentions reports whether a text has a name that is not a part of another.
func mentions(text, name string) bool {
	for from := 0; name != ""; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if !isNamed(text, i-1) && !isNamed(text, from) {
			return true
		}
	}
	return false
}

// isNamed reports whether the byte of a text, if there is one, is of a name.
func isNamed(text string, at int) bool {
	if at < 0 || at >= len(text) {
		return false
	}
	c := text[at]
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// highest returns the number in words such as "max_tokens: 64000 > 8192, which is the maximum
// allowed number of output tokens"; 0 if there is none.
func highest(said string) int {
	_, after, ok := strings.Cut(said, "max_tokens: ")
	if !ok {
		return 0
	}
	_, after, ok = strings.Cut(after, " > ")
	if !ok {
		return 0
	}
	n := 0
	for _, c := range after {
		if c < '0' || c > '9' || n > 1<<30 {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// history lists the features of the model's messages that some servers refuse.
type history struct {
	extra  []string // members besides those that all know
	null   bool     // a content
	broken bool     // arguments that are no JSON object
	calls  bool
}

func readHistory(all []json.RawMessage) history {
	var h history
	for _, text := range all {
		m := readObject(text)
		if m.text("role") != "assistant" {
			continue
		}
		for _, member := range m {
			if !slices.Contains([]string{"role", "content", "tool_calls", "function_call"}, member.name) {
				h.extra = append(h.extra, member.name)
			}
		}
		h.null = h.null || m.has("content") && m.get("content") == nil
		for _, call := range readList(m.get("tool_calls")) {
			h.calls = true
			h.broken = h.broken || !isArguments(readObject(readObject(call).get("function")).text("arguments"))
		}
		for _, block := range readList(m.get("content")) {
			h.calls = h.calls || readObject(block).text("type") == "tool_use"
		}
	}
	return h
}

// isArguments reports whether a text is a JSON object.
func isArguments(text string) bool { return readObject([]byte(text)) != nil }

// instead are arguments in the place of those that are no JSON object.
func instead(text string) json.RawMessage {
	return encode(struct {
		Invalid string `json:"invalid_json"`
	}{text})
}
