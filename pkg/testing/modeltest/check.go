package modeltest

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// request reads a body into q, and returns its members.
func request(r *http.Request, body []byte, q any) (map[string]json.RawMessage, *refusal) {
	if r.Method != http.MethodPost {
		return nil, &refusal{http.StatusMethodNotAllowed, "", "", "Not allowed to " + r.Method}
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, &refusal{http.StatusUnsupportedMediaType, "", "", "the Content-Type is not application/json"}
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, bad("We could not parse the JSON body of your request: %v", err)
	}
	if err := json.Unmarshal(body, q); err != nil {
		return nil, bad("%v", err)
	}
	return members, nil
}

// definition returns what is wrong with the last of the names and its schema; "" is nothing.
func definition(names []string, longest int, text json.RawMessage) string {
	last := len(names) - 1
	name := names[last]
	isNot := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	}
	if name == "" || len(name) > longest || strings.ContainsFunc(name, isNot) {
		return "the name does not match ^[a-zA-Z0-9_-]+$"
	}
	if slices.Contains(names[:last], name) {
		return "Tool names must be unique"
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil || root["type"] != "object" {
		return `schema must be a JSON Schema of 'type: "object"'`
	}
	for _, word := range []string{"oneOf", "allOf", "anyOf", "enum", "not"} {
		if _, there := root[word]; there {
			return "schema must not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level"
		}
	}
	properties, _ := root["properties"].(map[string]any)
	for _, name := range anyStrings(root["required"]) {
		if _, there := properties[name]; !there {
			return "'required' names '" + name + "', which is no property"
		}
	}
	return ""
}

func anyStrings(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// masked returns a key as servers show it.
func masked(key string) string {
	key = strings.TrimPrefix(key, "Bearer ")
	if len(key) < 8 {
		return key
	}
	return key[:4] + strings.Repeat("*", 8) + key[len(key)-4:]
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // it is made of what can be encoded
	}
	return bytes.TrimSpace(b.Bytes())
}
