package config

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/schema"
)

// leaves yields every setting with its key, in the order of [Config].
func leaves(o *schema.Object, prefix string, yield func(string, *schema.Field)) {
	for i := range o.Fields {
		f := &o.Fields[i]
		if f.Type.Kind == schema.Map {
			leaves(f.Type.Object, prefix+f.Name+".", yield)
			continue
		}
		yield(prefix+f.Name, f)
	}
}

// Keys returns the names of all settings, in the order of [Config].
func Keys() []string {
	var names []string
	leaves(object(), "", func(name string, _ *schema.Field) { names = append(names, name) })
	return names
}

// Values returns the values that a setting can have, if they are few; none for any other.
func Values(key string) []string {
	t, _ := leafOf(key)
	switch {
	case t == nil:
		return nil
	case t.Kind == schema.Boolean:
		return []string{"true", "false"}
	}
	return t.Enum
}

// leafOf returns the type of a setting; bad says that there is none.
func leafOf(key string) (t *schema.Type, bad fault.Text) {
	var found *schema.Type
	var names []string
	leaves(object(), "", func(name string, f *schema.Field) {
		names = append(names, name)
		if name == key {
			found = &f.Type
		}
	})
	if found != nil {
		return found, fault.Text{}
	}
	return nil, unknown(key, names)
}

// unknown describes the fault of a setting that does not exist.
func unknown(key string, names []string) fault.Text {
	if near := similar.Name(key, names); near != "" {
		return fault.T("there is no setting %q; did you mean %q?", key, near)
	}
	return fault.T("there is no setting %q; the settings are: %s", key, strings.Join(names, ", "))
}

// Entries returns every setting in the order of [Config], with its value and where
// that comes from.
func (s *Settings) Entries() []Entry {
	if s.entries == nil { // no source says anything
		(&merger{settings: s}).object(object(), nil, &jsonc.Node{Kind: jsonc.Object})
		if s.Config.ReadOnly { // because the sources cannot be used
			i := slices.IndexFunc(s.entries, func(e Entry) bool { return e.Key == "readonly" })
			s.entries[i].Value = json.RawMessage("true")
		}
	}
	return s.entries
}

// Get returns the setting with a key, such as files.require_read or rules.0. The
// error is invalid_arguments and suggests a key.
func (s *Settings) Get(key string) (Entry, error) {
	entries := s.Entries()
	if i := slices.IndexFunc(entries, func(e Entry) bool { return e.Key == key }); i >= 0 {
		return entries[i], nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Key
	}
	return Entry{}, fault.New(fault.InvalidArguments, unknown(key, names)).
		WithHint(fault.T("helve config show lists all settings"))
}

// All returns the settings at or below a key, such as rules or tools; none for an
// unknown key.
func (s *Settings) All(key string) []Entry {
	var found []Entry
	for _, e := range s.Entries() {
		if key == "" || e.Key == key || strings.HasPrefix(e.Key, key+".") {
			found = append(found, e)
		}
	}
	return found
}
