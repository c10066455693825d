package model

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strings"
)

// The tags that calls have which a model writes as text: those that the templates of most
// open models teach, and that [taught] teaches where a server has no tools.
const (
	callTag, callEnd     = "<tool_call>", "</tool_call>"
	answerTag, answerEnd = "<tool_response>", "</tool_response>"
)

// bodies returns what is between the tags in a text that is nothing but calls. A call that
// is quoted in a sentence or in a fence makes a text that is more than that.
func bodies(text string) (all []string, ok bool) {
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		call, found := strings.CutPrefix(rest, callTag)
		if !found {
			return nil, false
		}
		var body string
		body, rest, _ = strings.Cut(call, callEnd) // the last one may be cut off
		all = append(all, body)
	}
	return all, len(all) > 0
}

// OnlyCalls reports whether a text of a model is nothing but calls, be they right or not.
func OnlyCalls(text string) bool {
	_, ok := bodies(text)
	return ok
}

// writtenCalls returns the calls of a text that is nothing but right calls of tools that
// are offered, as Chat Completions has them; nil for any other.
func writtenCalls(text string, tools json.RawMessage) (calls []json.RawMessage) {
	all, ok := bodies(text)
	if !ok || !strings.HasSuffix(strings.TrimSpace(text), callEnd) {
		return nil
	}
	offered := offeredNames(tools)
	for _, body := range all {
		call := readObject([]byte(strings.TrimSpace(body)))
		name, arguments := call.text("name"), call.get("arguments")
		if !slices.Contains(offered, name) || readObject(arguments) == nil {
			return nil
		}
		calls = append(calls, encode(map[string]any{
			"id": "call_" + rand.Text(), "type": "function", "function": map[string]any{"name": name, "arguments": string(arguments)},
		}))
	}
	return calls
}

// offeredNames returns the names of the tools in definitions of Chat Completions.
func offeredNames(tools json.RawMessage) (names []string) {
	for _, one := range readList(tools) {
		names = append(names, readObject(readObject(one).get("function")).text("name"))
	}
	return names
}

// withCalls returns the reply with the calls that its text was.
func (r *Reply) withCalls(calls []json.RawMessage) *Reply {
	m := readObject(r.Message).with("content", json.RawMessage(`""`)).with("tool_calls", encode(calls))
	return &Reply{Message: encode(m), Calls: len(calls), Stop: Calls, Usage: r.Usage}
}

// taught returns what a system prompt says about tools to a model whose server has none.
func taught(tools json.RawMessage) string {
	var b strings.Builder
	b.WriteString("\n\nYou can call these tools, one JSON object each:\n<tools>\n")
	for _, one := range readList(tools) {
		b.Write(one)
		b.WriteString("\n")
	}
	b.WriteString("</tools>\nTo call tools, answer with nothing but calls, each in this form:\n" +
		callTag + "\n{\"name\": \"NAME\", \"arguments\": {…}}\n" + callEnd + "\n" +
		"Their answers come in " + answerTag + " in the next message. To end, answer with text.")
	return b.String()
}

// asWords returns a conversation as one without tools has it: calls and their answers are
// texts, and no two messages of the user follow each other.
func asWords(all []json.RawMessage) (said []json.RawMessage) {
	var user []string
	flush := func() {
		if len(user) > 0 {
			said, user = append(said, encode(chatMessage{"user", strings.Join(user, "\n\n")})), nil
		}
	}
	for _, text := range all {
		m := readObject(text)
		content, err := chatText(m.get("content"))
		if err != nil {
			content = string(m.get("content"))
		}
		switch m.text("role") {
		case "assistant":
			flush()
			for _, call := range readList(m.get("tool_calls")) {
				f := readObject(readObject(call).get("function"))
				arguments := json.RawMessage(f.text("arguments"))
				if !isArguments(string(arguments)) {
					arguments = instead(string(arguments))
				}
				content += "\n" + callTag + "\n" + string(encode(object{{"name", encode(f.text("name"))}, {"arguments", arguments}})) + "\n" + callEnd
			}
			said = append(said, encode(chatMessage{"assistant", strings.TrimSpace(content)}))
		case "tool":
			user = append(user, answerTag+"\n"+content+"\n"+answerEnd)
		default:
			user = append(user, content)
		}
	}
	flush()
	return said
}
