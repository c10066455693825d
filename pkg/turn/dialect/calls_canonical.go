package dialect

import (
	"encoding/json"

	"github.com/helve-dev/helve/pkg/fault"
)

// canonical is helve's own, for programs: {"id","name","arguments"}, one or an array.
// The answer to each has the same id, says whether it is ok, and has the result as
// text and as data, or the error as text and with its code.
//
// An object without an id is taken for the parameters of [mcp], unless the caller chose
// this dialect.
func canonical() *Dialect {
	return &Dialect{Name: "canonical", Pictures: smallPictures(), Inline: true, Structured: true, read: readCanonical}
}

func readCanonical(doc document) *Turn {
	items := doc.list
	if doc.object != nil {
		items = []json.RawMessage{doc.raw}
	}
	found := false
	for _, raw := range items {
		m := membersOf(raw)
		found = found || m.has("name") && m.only("id", "name", "arguments", "actionName", "status") && (m.has("id") || doc.list != nil || doc.chosen)
	}
	if !found {
		return nil
	}
	t := &Turn{Calls: make([]Call, len(items)), write: writeCanonical, alone: doc.object != nil}
	for i, raw := range items { // one that is no call is answered, too
		m := membersOf(raw)
		t.Calls[i] = Call{ID: m.text("id"), Name: m.text("name"), Arguments: arguments(m["arguments"]), Raw: raw, item: m}
		if m != nil && !m.only("id", "name", "arguments", "actionName", "status") {
			t.Calls[i].Err = fault.New(fault.InvalidArguments, fault.T("a call has id, name and arguments, and no other member")).
				WithHint(fault.T("write all calls of a list in one format"))
		}
	}
	return t
}

func writeCanonical(answers []Answer) (all []any) {
	type image struct {
		Name string `json:"name"`
		MIME string `json:"mime"`
		Data []byte `json:"data"` // in base64
	}
	type result struct {
		ID      json.RawMessage `json:"id"`
		Name    string          `json:"name"`
		OK      bool            `json:"ok"`
		Content string          `json:"content"`
		Data    json.RawMessage `json:"data,omitempty"`
		Error   any             `json:"error,omitempty"`
		Images  []image         `json:"images,omitempty"`
	}
	for _, a := range answers {
		r := result{ID: orNull(a.Call.item["id"]), Name: a.Call.Name, OK: a.Failure == nil, Content: a.Content, Data: a.Data, Error: a.Failure}
		for _, p := range a.Pictures {
			r.Images = append(r.Images, image(p))
		}
		all = append(all, r)
	}
	return all
}
