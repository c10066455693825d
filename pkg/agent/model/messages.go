package model

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
)

// messages is Anthropic's Messages.
type messages struct{}

// defaultOutput is the limit of a reply's tokens if none is set: the parameter is
// required. The error of a model that allows fewer names its limit, see [quirks].
const defaultOutput = 16_000

func (messages) name() string { return Anthropic }

// endpoint accepts a base URL with and without the version, which Anthropic's own clients
// leave out.
func (messages) endpoint(base string) string {
	base = strings.TrimSuffix(base, "/messages")
	return strings.TrimSuffix(base, "/v1") + "/v1/messages"
}

// header has the key as the documentation says. Anthropic's newer clients, and some servers that
// speak this format, have it elsewhere.
func (messages) header(key string, h quirks) map[string]string {
	header := map[string]string{"Anthropic-Version": "2023-06-01"}
	switch {
	case key == "":
	case h.bearer:
		header["Authorization"] = "Bearer " + key
	default:
		header["X-Api-Key"] = key
	}
	return header
}

type messagesMessage struct {
	Role    string            `json:"role"`
	Content []json.RawMessage `json:"content"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type cachedBlock struct {
	textBlock
	Cache json.RawMessage `json:"cache_control"`
}

// cacheControl marks a block up to which the server is to keep what it has computed, for a few
// minutes: else each step of a conversation is paid for from its beginning.
// https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
func cacheControl() json.RawMessage { return json.RawMessage(`{"type":"ephemeral"}`) }

// cached marks the end of a conversation.
func cached(turns []object) []object {
	if len(turns) == 0 {
		return turns
	}
	last := turns[len(turns)-1]
	blocks := blocksOf(last.get("content"))
	end := readObject(blocks[len(blocks)-1])
	switch end.text("type") {
	case "text", "image", "tool_result": // thinking takes no mark
		blocks[len(blocks)-1] = encode(end.with("cache_control", cacheControl()))
		turns[len(turns)-1] = last.with("content", encode(blocks))
	}
	return turns
}

func (messages) user(text string) any { return chatMessage{"user", text} }

func (messages) encode(model string, r *Request, h quirks) ([]byte, error) {
	type choice struct {
		Type string `json:"type"`
	}
	body := struct {
		Model    string          `json:"model"`
		Most     int             `json:"max_tokens"`
		System   []cachedBlock   `json:"system,omitempty"`
		Messages []object        `json:"messages"`
		Tools    json.RawMessage `json:"tools,omitempty"`
		Choice   *choice         `json:"tool_choice,omitzero"`
	}{Model: model, Most: cmp.Or(r.Output, defaultOutput), Messages: cached(alternating(r.Messages)), Tools: r.Tools}
	if r.System != "" {
		body.System = []cachedBlock{{textBlock{"text", r.System}, cacheControl()}}
	}
	if h.most > 0 {
		body.Most = min(body.Most, h.most)
	}
	if len(r.Tools) > 0 && r.NoCalls {
		body.Choice = &choice{"none"}
	} else if names := spoken(r.Messages); len(r.Tools) == 0 && len(names) > 0 { // a conversation with calls must define tools
		var all []any
		for _, name := range names {
			all = append(all, map[string]any{"name": name, "input_schema": anyArguments()})
		}
		body.Tools, body.Choice = encode(all), &choice{"none"}
	}
	return tryEncode(body)
}

// alternating returns a conversation as the server takes it back: messages of the same role that
// follow each other are one, and those without content are left out.
func alternating(all []json.RawMessage) []object {
	var turns []object
	role := ""
	for _, text := range all {
		m := readObject(text)
		blocks := blocksOf(m.get("content"))
		if len(blocks) == 0 {
			continue
		}
		if m.text("role") == role {
			last := &turns[len(turns)-1]
			blocks = append(blocksOf(last.get("content")), blocks...)
			*last = last.with("content", encode(blocks))
			continue
		}
		role = m.text("role")
		turns = append(turns, m.with("content", encode(blocks)))
	}
	return turns
}

// blocksOf returns the blocks of a content as the server takes them back: without texts that are
// empty, and with an object for arguments that are none. The model may have got them wrong, which
// their answer says.
func blocksOf(content json.RawMessage) []json.RawMessage {
	if text, ok := readString(content); ok {
		content = encode([]textBlock{{"text", text}})
	}
	var blocks []json.RawMessage
	for _, raw := range readList(content) {
		b := readObject(raw)
		switch b.text("type") {
		case "text":
			if b.text("text") == "" {
				continue
			}
		case "tool_use":
			if input := b.get("input"); readObject(input) == nil {
				raw = encode(b.with("input", instead(string(input))))
			}
		}
		blocks = append(blocks, raw)
	}
	return blocks
}

func (messages) decode(body []byte) (*Reply, error) {
	top := readObject(body)
	if top == nil {
		return nil, errors.New("it is not a JSON object")
	}
	if top.text("type") == "error" || top.get("error") != nil {
		return nil, &failed{statusOf(readObject(top.get("error")).text("type"))}
	}
	content := top.get("content")
	blocks := readList(content)
	if blocks == nil || top.has("choices") {
		return nil, errors.New("it has no content")
	}
	reply := &Reply{}
	var text []string
	ids := map[string]bool{}
	for i, raw := range blocks {
		b := readObject(raw)
		switch b.text("type") {
		case "text":
			text = append(text, b.text("text"))
		case "tool_use":
			if id := b.text("id"); id == "" || ids[id] {
				b = b.with("id", encode("toolu_"+rand.Text()))
				blocks[i] = encode(b)
			}
			ids[b.text("id")] = true
			reply.Calls++
		case "":
			return nil, errors.New("one of its blocks has no type")
		}
	}
	reply.Message = encode(messagesMessage{"assistant", blocks})
	reply.Text = bus.WithoutThinking(strings.Join(text, ""))
	reply.Stop = stopped(top.text("stop_reason"), reply)
	usage := readObject(top.get("usage"))
	reply.Usage = Usage{
		In:  count(usage, "input_tokens") + count(usage, "cache_creation_input_tokens") + count(usage, "cache_read_input_tokens"),
		Out: count(usage, "output_tokens"),
	}
	return reply, nil
}
