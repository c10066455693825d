package config

import (
	"bytes"
	"encoding/json"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// Published is one of tools.names: a tool under another name.
type Published struct {
	Name      string            `json:"name"`
	Tool      string            `json:"tool"` // the tool, by a name of its own
	Doc       string            `json:"doc"`
	DocZH     string            `json:"doc_zh"`
	Arguments map[string]string `json:"arguments"` // their new names, by the ones they have
}

// Published returns tools.names in their order. One that cannot be read is left out
// with a warning: it does not take the rest of the configuration down.
func (t Tools) Published() (all []Published, warnings []fault.Text) {
	for _, text := range t.Names {
		var p Published
		dec := json.NewDecoder(bytes.NewReader([]byte(text)))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&p); err != nil || p.Name == "" || p.Tool == "" {
			warnings = append(warnings, fault.T("an entry of tools.names is ignored: want an object with tool and, where wanted, doc, doc_zh and arguments (an object of texts), got %s", text))
			continue
		}
		all = append(all, p)
	}
	return all, warnings
}

// published returns tools.names as a list of texts, each the JSON of one entry with its
// name: a file has an object of them, or the list.
func published(names *jsonc.Node) *jsonc.Node {
	entry := func(n *jsonc.Node) *jsonc.Node {
		return &jsonc.Node{Kind: jsonc.String, Text: string(n.JSON()), Start: n.Start, End: n.End}
	}
	if names.Kind != jsonc.Object {
		return each(names, func(_ int, n *jsonc.Node) *jsonc.Node { return entry(n) })
	}
	list := &jsonc.Node{Kind: jsonc.Array, Start: names.Start, End: names.End}
	for _, m := range names.Members {
		one := jsonc.Node{Kind: jsonc.Object, Start: m.Value.Start, End: m.Value.End,
			Members: []jsonc.Member{{Name: "name", Value: &jsonc.Node{Kind: jsonc.String, Text: m.Name}}}}
		if m.Value.Kind == jsonc.Object {
			one.Members = append(one.Members, m.Value.Members...)
		} else {
			one.Members = append(one.Members, jsonc.Member{Name: "value", Value: m.Value})
		}
		list.Items = append(list.Items, entry(&one))
	}
	return list
}
