package upstream

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Difference lists the changes to a server's description of a tool since a person
// accepted it. Unchanged parts are empty.
type Difference struct {
	Name        string  `json:"name"` // that helve has for the tool
	Title       *Change `json:"title,omitempty"`
	Description *Change `json:"description,omitempty"`
	// Added, Removed and Altered are arguments.
	Added   []string   `json:"arguments_added,omitempty"`
	Removed []string   `json:"arguments_removed,omitempty"`
	Altered []Argument `json:"arguments_changed,omitempty"`
	// Schema is set if the schema of the arguments differs elsewhere, such as in the
	// definitions that they refer to; Output, if that of the results differs.
	Schema bool    `json:"schema_changed,omitzero"`
	Output bool    `json:"output_changed,omitzero"`
	Hints  *Change `json:"hints,omitempty"` // the annotations, in JSON
}

// Change is the old and the new form of a text.
type Change struct {
	Before string `json:"before"`
	After  string `json:"after"`
}

// Argument is an argument with a changed schema, with the schemas in JSON. Required has
// the new value if that has changed.
type Argument struct {
	Name string `json:"name"`
	Change
	Required *bool `json:"required,omitempty"`
}

// maxChange limits the bytes shown of each schema of an argument.
const maxChange = 1000

// differs returns how a tool differs from what it was before.
func (t *Tool) differs(before *Tool) Difference {
	d := Difference{
		Title: changed(before.Title, t.Title), Description: changed(before.Description, t.Description),
		Output: !sameJSON(before.Output, t.Output),
	}
	if !reflect.DeepEqual(before.Annotations, t.Annotations) {
		d.Hints = &Change{compact(before.Annotations), compact(t.Annotations)}
	}
	was, is := argumentsOf(before.Input), argumentsOf(t.Input)
	for _, name := range slices.Sorted(maps.Keys(is.Properties)) {
		old, known := was.Properties[name]
		required := slices.Contains(is.Required, name)
		switch {
		case !known:
			d.Added = append(d.Added, name)
		case !sameJSON(old, is.Properties[name]) || slices.Contains(was.Required, name) != required:
			a := Argument{Name: name, Change: Change{compact(old), compact(is.Properties[name])}}
			if slices.Contains(was.Required, name) != required {
				a.Required = &required
			}
			d.Altered = append(d.Altered, a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was.Properties)) {
		if _, known := is.Properties[name]; !known {
			d.Removed = append(d.Removed, name)
		}
	}
	d.Schema = !sameJSON(was.rest, is.rest)
	return d
}

// changed returns the change of a text, nil for none.
func changed(before, after string) *Change {
	if before == after {
		return nil
	}
	return &Change{before, after}
}

// arguments are the parts of a schema that say which there are.
type arguments struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`

	rest json.RawMessage // the schema without them
}

// argumentsOf takes a schema apart. One that has other things in these places is all rest.
func argumentsOf(schema json.RawMessage) arguments {
	var a arguments
	var all map[string]json.RawMessage
	if json.Unmarshal(schema, &a) != nil || json.Unmarshal(schema, &all) != nil {
		return arguments{rest: schema}
	}
	delete(all, "properties")
	delete(all, "required")
	rest, err := json.Marshal(all)
	if err != nil {
		return arguments{rest: schema}
	}
	a.rest = rest
	return a
}

// compact returns a value in JSON, at most so much of it.
func compact(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return ""
	}
	if s := b.String(); len(s) > maxChange {
		return strings.ToValidUTF8(s[:maxChange], "") + "…"
	}
	return b.String()
}
