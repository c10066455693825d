package tool

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/schema"
)

// Freeform returns the arguments of a call that gave the text of [Tool.Input] as it
// is, or as a string of JSON, in place of an object. ok is false if the text may be
// an object, and if a call must give more than this argument.
//
// OpenAI's custom tools are called like this: Codex sends "*** Begin Patch".
func (t *Tool) Freeform(input []byte) (arguments []byte, ok bool) {
	text := bytes.TrimSpace(bytes.TrimPrefix(input, []byte("\ufeff")))
	if len(text) == 0 || text[0] == '{' || t.Input == "" || !utf8.Valid(input) {
		return nil, false
	}
	if !slices.Equal(t.Schema().Required(), []string{t.Input}) {
		return nil, false
	}
	var inner string
	if json.Unmarshal(text, &inner) != nil {
		quoted, err := schema.Marshal(string(input))
		return t.withInput(quoted), err == nil
	}
	if strings.HasPrefix(strings.TrimSpace(inner), "{") {
		return nil, false // an object in a string
	}
	return t.withInput(text), true
}

// withInput returns the arguments with nothing but [Tool.Input].
func (t *Tool) withInput(value []byte) []byte {
	return slices.Concat([]byte("{"+strconv.Quote(t.Input)+":"), value, []byte("}"))
}
