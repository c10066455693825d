package pipe

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// message is one message of the client, or what is wrong with it.
type message struct {
	jsonrpc.Message
	refused *refusal
}

// refusal is the answer to what is no message: an error of JSON-RPC. Its text is for
// those who write clients, and in English as all that the library says.
type refusal struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"` // as it came; null if unknown
	Error   jsonrpc.Error   `json:"error"`
}

func refuse(id json.RawMessage, code int64, format string, args ...any) *refusal {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &refusal{"2.0", id, jsonrpc.Error{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// decode returns the messages of a line. Several are a batch, of which each request is
// answered in one array; the revisions of the protocol since 2025-06-18 have none, but
// who sends one is answered all the same.
func decode(l line) (all []message, batch bool) {
	text := bytes.TrimPrefix(l.text, []byte("\ufeff"))
	switch {
	case l.long:
		return []message{{refused: refuse(idIn(text), jsonrpc.CodeInvalidRequest, "the message is too long: send at most %d bytes a line", maxLine)}}, false
	case !json.Valid(text):
		return []message{{refused: refuse(idIn(text), jsonrpc.CodeParseError, "the line is not valid JSON: send one message a line")}}, false
	case text[0] != '[':
		return []message{decodeOne(text)}, false
	}
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil || len(items) == 0 {
		return []message{{refused: refuse(nil, jsonrpc.CodeInvalidRequest, "the batch is empty")}}, false
	}
	for _, item := range items {
		all = append(all, decodeOne(item))
	}
	return all, true
}

// decodeOne returns a message that is JSON. Names are taken as they are written: that of
// a member is exact, and the last of several with one name holds.
func decodeOne(text []byte) message {
	invalid := func(id json.RawMessage, what string) message {
		return message{refused: refuse(id, jsonrpc.CodeInvalidRequest, "%s", what)}
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(text, &m); err != nil || m == nil {
		return invalid(nil, "the message is not a JSON object")
	}
	raw, named := m["id"]
	id, known := idOf(raw)
	if named && !known {
		if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
			raw = nil // no answer could carry it
		}
		return invalid(raw, "id: want a string or an integer of at most 53 bits")
	}
	if string(m["jsonrpc"]) != `"2.0"` {
		return invalid(raw, `jsonrpc: want "2.0"`)
	}
	written, asks := m["method"]
	if !asks {
		return decodeResponse(id, raw, m)
	}
	var method string
	if written[0] != '"' || json.Unmarshal(written, &method) != nil || method == "" {
		return invalid(raw, "method: want a string that is not empty")
	}
	params := m["params"]
	switch {
	case string(params) == "null":
		params = nil
	case params != nil && params[0] != '{' && named:
		return message{refused: refuse(raw, jsonrpc.CodeInvalidParams, "params: want an object")}
	case params != nil && params[0] != '{':
		return message{} // nobody waits for an answer
	}
	return message{Message: &jsonrpc.Request{ID: id, Method: method, Params: params}}
}

// decodeResponse returns the answer to a request of the server.
func decodeResponse(id jsonrpc.ID, raw json.RawMessage, m map[string]json.RawMessage) message {
	result, failure := m["result"], m["error"]
	if raw == nil || result == nil && failure == nil {
		return message{refused: refuse(raw, jsonrpc.CodeInvalidRequest, "the message has no method")}
	}
	answer := &jsonrpc.Response{ID: id, Result: result}
	if failure != nil && string(failure) != "null" {
		var e jsonrpc.Error
		if err := json.Unmarshal(failure, &e); err != nil {
			e = jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the client failed, and does not say properly why"}
		}
		answer.Result, answer.Error = nil, &e
	}
	return message{Message: answer}
}

// idOf returns the id that a message has, unless it is one that an answer could not
// repeat as it is.
func idOf(raw json.RawMessage) (jsonrpc.ID, bool) {
	if len(raw) == 0 {
		return jsonrpc.ID{}, false
	}
	var v any
	switch {
	case raw[0] == '"':
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return jsonrpc.ID{}, false
		}
		v = s
	default:
		var n float64
		const most = 1 << 53
		if raw[0] == 'n' || json.Unmarshal(raw, &n) != nil || n < 1-most || n > most-1 || n != float64(int64(n)) {
			return jsonrpc.ID{}, false
		}
		v = n
	}
	id, err := jsonrpc.MakeID(v)
	return id, err == nil
}

// idIn returns the id of a message that cannot be read to its end, so that who waits for
// its answer learns that there is none; nil if there is none before its fault.
func idIn(text []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		if name != "id" {
			if skip(d) != nil {
				return nil
			}
			continue
		}
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil
		}
		if _, ok := idOf(raw); ok {
			return raw
		}
		return nil
	}
	return nil
}

// skip reads one value.
func skip(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}
