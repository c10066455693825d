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

// Key describes one setting.
type Key struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // as JSON Schema names it
	Doc     string   `json:"doc"`
	Enum    []string `json:"enum,omitzero"`
	Default any      `json:"default,omitzero"`
}

// Keys lists every setting there is, in the order of [Config].
func Keys() []Key {
	var keys []Key
	leaves(object(), "", func(name string, f *schema.Field) {
		keys = append(keys, Key{name, string(f.Type.Kind), f.Doc, f.Type.Enum, f.Default})
	})
	return keys
}

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

// leafOf finds the type of a setting, or says why there is none.
func leafOf(key string) (*schema.Type, fault.Text) {
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

func unknown(key string, names []string) fault.Text {
	if near := similar.Name(key, names); near != "" {
		return fault.T("there is no setting %q; did you mean %q?", "没有设置项 %q；是否指 %q？", key, near)
	}
	return fault.T("there is no setting %q; the settings are: %s", "没有设置项 %q；可用设置项：%s", key, strings.Join(names, ", "))
}

// Entries lists every key in the order of [Config], with its value and where that
// came from.
func (s *Settings) Entries() []Entry {
	if s.entries == nil { // no source says anything
		(&merger{settings: s}).object(object(), nil, &jsonc.Node{Kind: jsonc.Object})
		if s.Config.ReadOnly { // as it is where the sources cannot be used
			i := slices.IndexFunc(s.entries, func(e Entry) bool { return e.Key == "readonly" })
			s.entries[i].Value = json.RawMessage("true")
		}
	}
	return s.entries
}

// Get finds a setting by its key: one entry for files.require_read or rules.0.
// The error is invalid_arguments and suggests a key.
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
		WithHint(fault.T("helve config show lists all of them", "helve config show 会列出全部设置项"))
}

// All finds the entries at or below a key: the items of rules, or all of tools.
// There are none for a key that is unknown.
func (s *Settings) All(key string) []Entry {
	var found []Entry
	for _, e := range s.Entries() {
		if key == "" || e.Key == key || strings.HasPrefix(e.Key, key+".") {
			found = append(found, e)
		}
	}
	return found
}
