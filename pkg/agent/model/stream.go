package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

var errStream = errors.New("its stream of events ends before the answer does")

// joined returns the body of Chat Completions that a stream of its parts makes. Some
// servers stream whether they are asked to or not, and some do nothing else.
func joined(stream []byte) ([]byte, error) {
	var text, thought strings.Builder
	calls := map[int]*partCall{}
	var order []int
	reason, usage, ended := "", json.RawMessage(nil), false
	for line := range bytes.Lines(bytes.TrimPrefix(stream, []byte("\uFEFF"))) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || len(data) == 0 {
			continue
		}
		if string(data) == "[DONE]" {
			ended = true
			break
		}
		top := readObject(data)
		if err := errorOf(top); err != nil {
			return nil, err
		}
		if u := top.get("usage"); u != nil {
			usage = u
		}
		for _, one := range readList(top.get("choices")) {
			choice := readObject(one)
			reason = cmp.Or(choice.text("finish_reason"), reason)
			delta := readObject(choice.get("delta"))
			text.WriteString(delta.text("content"))
			thought.WriteString(delta.text("reasoning_content"))
			for i, part := range readList(delta.get("tool_calls")) {
				p := readObject(part)
				at := i
				if n, err := strconv.Atoi(string(p.get("index"))); err == nil {
					at = n
				}
				if calls[at] == nil {
					calls[at], order = &partCall{}, append(order, at)
				}
				calls[at].add(p)
			}
		}
	}
	if !ended && reason == "" {
		return nil, errStream
	}
	message := map[string]any{"role": "assistant", "content": text.String()}
	if thought.Len() > 0 {
		message["reasoning_content"] = thought.String()
	}
	if len(order) > 0 {
		var all []any
		for _, at := range order {
			all = append(all, calls[at].whole())
		}
		message["tool_calls"] = all
	}
	body := map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": reason}}}
	if usage != nil {
		body["usage"] = usage
	}
	return tryEncode(body)
}

// partCall is a call whose parts come one after the other.
type partCall struct {
	id, name  string
	arguments strings.Builder
}

func (c *partCall) add(part object) {
	f := readObject(part.get("function"))
	c.id, c.name = cmp.Or(c.id, part.text("id")), cmp.Or(c.name, f.text("name"))
	c.arguments.WriteString(f.text("arguments"))
}

func (c *partCall) whole() any {
	arguments := c.arguments.String()
	if arguments == "" {
		arguments = "{}"
	}
	return map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": arguments}}
}
