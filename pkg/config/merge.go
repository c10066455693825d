package config

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// merge sets the configuration to what the layers say together.
func (s *Settings) merge(layers []*layer) error {
	for _, l := range layers {
		l.absolute()
	}
	merged := &jsonc.Node{Kind: jsonc.Object}
	m := merger{settings: s, layers: layers}
	m.object(object(), nil, merged)
	config, problems := decode(merged)
	if len(problems) > 0 {
		// Every source is right by itself, so this is a bug.
		return fault.New(fault.Internal, fault.T("the merged configuration is wrong: %s", problems[0].Message))
	}
	s.Config = *config
	if s.Ignored != nil {
		s.Warnings = append(s.Warnings, fault.T("%s may only narrow, so these settings in it are ignored: %s; a person who trusts it can run helve config trust", s.Ignored.File, strings.Join(s.Ignored.Keys, ", ")))
	}
	return nil
}

// merger merges layers and notes where each setting comes from.
type merger struct {
	settings *Settings
	layers   []*layer
}

// object merges the members of an object into the node to.
func (m *merger) object(o *schema.Object, path []string, to *jsonc.Node) {
	for i := range o.Fields {
		f := &o.Fields[i]
		at := append(slices.Clip(path), f.Name)
		var n *jsonc.Node
		switch f.Type.Kind {
		case schema.Map:
			n = &jsonc.Node{Kind: jsonc.Object}
			m.object(f.Type.Object, at, n)
		case schema.Array:
			n = m.list(at)
		default:
			n = m.scalar(f, at)
		}
		if n != nil {
			to.Members = append(to.Members, jsonc.Member{Name: f.Name, Value: n})
		}
	}
}

// scalar returns the value of the source with the highest precedence.
func (m *merger) scalar(f *schema.Field, path []string) *jsonc.Node {
	key := strings.Join(path, ".")
	value := defaultNode(f)
	origin := Origin{Source: Default}
	for _, l := range m.layers {
		n := l.tree.Path(path...)
		if n == nil || n.Kind == jsonc.Null {
			continue
		}
		if !l.trusted && !narrows(key, value, n) {
			if !bytes.Equal(value.JSON(), n.JSON()) {
				m.ignore(l, key)
			}
			continue
		}
		value, origin = n, l.origin(n)
	}
	m.entry(key, value, origin)
	return value
}

// defaultNode returns the value of a setting that no source sets.
func defaultNode(f *schema.Field) *jsonc.Node {
	switch v := f.Default.(type) {
	case bool:
		return &jsonc.Node{Kind: jsonc.Boolean, Truth: v}
	case string:
		return &jsonc.Node{Kind: jsonc.String, Text: v}
	case int64:
		return &jsonc.Node{Kind: jsonc.Number, Text: strconv.FormatInt(v, 10)}
	}
	return &jsonc.Node{Kind: jsonc.String}
}

// list joins the items of all sources. Of projects with the same id, and of toolsets,
// sinks and agents with the same name, that of the source with the highest precedence counts.
func (m *merger) list(path []string) *jsonc.Node {
	key := strings.Join(path, ".")
	joined := &jsonc.Node{Kind: jsonc.Array}
	var origins []Origin
	for _, l := range m.layers {
		n := l.tree.Path(path...)
		if n == nil {
			continue
		}
		if key == "exec.allow" && !l.trusted && len(n.Items) > 0 {
			joined.Items = bothAllow(joined.Items, n.Items)
			origins = slices.Repeat([]Origin{l.origin(n)}, len(joined.Items))
			continue
		}
		for i, item := range n.Items {
			origin := l.origin(item)
			if !l.trusted {
				narrowed, whole := narrowItem(key, item)
				if !whole {
					m.ignore(l, key+"."+strconv.Itoa(i))
				}
				if item = narrowed; item == nil {
					continue
				}
			}
			if at := slices.IndexFunc(joined.Items, func(other *jsonc.Node) bool { return replaces(key, item, other) }); at >= 0 {
				joined.Items[at], origins[at] = item, origin
				continue
			}
			joined.Items, origins = append(joined.Items, item), append(origins, origin)
		}
	}
	for i, item := range joined.Items {
		m.entry(key+"."+strconv.Itoa(i), item, origins[i])
	}
	if len(joined.Items) == 0 {
		m.entry(key, joined, Origin{Source: Default})
	}
	return joined
}

// replaces reports whether an item of a list takes the place of another one.
func replaces(key string, item, other *jsonc.Node) bool {
	var name string
	switch key {
	case "projects":
		name = "id"
	case "tools.sets", "messages.sinks", "spawn.agents":
		name = "name"
	default:
		return false
	}
	a, b := item.Get(name), other.Get(name)
	return a != nil && b != nil && a.Text == b.Text
}

func (m *merger) entry(key string, value *jsonc.Node, origin Origin) {
	m.settings.entries = append(m.settings.entries, Entry{key, shown(key, value), origin})
}

// ignore notes an ignored setting of an untrusted file.
func (m *merger) ignore(l *layer, key string) {
	s := m.settings
	if s.Ignored == nil {
		s.Ignored = &Ignored{File: l.file.Path, SHA: l.sha}
	}
	s.Ignored.Keys = append(s.Ignored.Keys, key)
}
