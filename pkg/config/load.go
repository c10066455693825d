package config

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// Options say where settings are looked for.
type Options struct {
	Files  []File
	Values []Value
	// Trusted reports whether a person trusts a workspace file with this SHA-256
	// (64 hex digits); nil trusts none. See [Trusted].
	Trusted func(sha string) bool
}

// Entry is one setting and where it came from. A list has an entry for each of
// its items, with the item's number at the end of the key, as in rules.0; an
// empty list has one for itself.
type Entry struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"` // without secrets
	Origin Origin          `json:"origin"`
}

// Ignored is the workspace's own file as far as it was not followed.
type Ignored struct {
	File string   // its path
	SHA  string   // of its bytes, for [Trust]
	Keys []string // the settings that were ignored, sorted as in the file
}

// Settings are all sources taken together.
type Settings struct {
	Config   Config
	Warnings []fault.Text
	Ignored  *Ignored // nil when nothing was
	Problems Problems

	entries []Entry
}

// Load reads and merges all sources. Scalars are taken from the source of the
// highest precedence, lists are joined, projects by their id. What the
// workspace's own file says is taken only as far as it narrows, unless it is
// trusted.
//
// When any source has a fault, the error is not_configured with [Problems], and
// nobody can tell what the faulty one meant to forbid: the settings are then the
// defaults, read-only. A file that is not there is no fault.
func Load(o Options) (*Settings, error) {
	s := &Settings{}
	layers := s.layers(&o)
	if len(s.Problems) > 0 {
		return s.refuse()
	}
	if len(layers) == 0 { // as most often: then nothing need be known of the schema
		s.Config = defaults()
		return s, nil
	}
	if err := s.merge(layers); err != nil {
		return nil, err
	}
	if p := s.Config.Project; p != "" && !slices.ContainsFunc(s.Config.Projects, func(one Project) bool { return one.ID == p }) {
		entry, _ := s.Get("project") // a known key
		s.Problems = Problems{{File: entry.Origin.String(), Message: fault.T("there is no project %q", "没有项目 %q", p)}}
		return s.refuse()
	}
	return s, nil
}

// refuse is the outcome of sources with faults.
func (s *Settings) refuse() (*Settings, error) {
	refused := &Settings{Problems: s.Problems, Config: defaults()}
	refused.Config.ReadOnly = true
	return refused, s.Problems.Err()
}

// layers reads the sources, in rising precedence.
func (s *Settings) layers(o *Options) []*layer {
	var layers []*layer
	for _, f := range o.Files {
		text, err := Read(f)
		if err != nil {
			s.Problems = append(s.Problems, Problem{File: f.Path, Message: fault.As(err).Message})
			continue
		}
		if text == nil {
			if f.Must {
				s.Problems = append(s.Problems, Problem{File: f.Path, Message: fault.T("there is no such file", "文件不存在")})
			}
			continue
		}
		l, problems := parse(f, text)
		s.Problems = append(s.Problems, problems...)
		if l != nil {
			l.trusted = f.Source != Workspace || o.Trusted != nil && o.Trusted(l.sha)
			layers = append(layers, l)
		}
	}
	for _, v := range o.Values {
		l, problem := v.layer()
		if problem != nil {
			s.Problems = append(s.Problems, *problem)
			continue
		}
		layers = append(layers, l)
	}
	slices.SortStableFunc(layers, func(a, b *layer) int { return a.source.precedence() - b.source.precedence() })
	return layers
}

// layer is a value from the environment or a flag as a source.
func (v Value) layer() (*layer, *Problem) {
	path := strings.Split(v.Key, ".")
	leaf, problem := leafOf(v.Key)
	if !problem.IsZero() {
		return nil, &Problem{File: v.Name, Message: problem}
	}
	value, bad := valueOf(leaf, v.Text)
	if !bad.IsZero() {
		return nil, &Problem{File: v.Name, Message: bad}
	}
	for _, name := range slices.Backward(path) {
		value = &jsonc.Node{Kind: jsonc.Object, Members: []jsonc.Member{{Name: name, Value: value}}}
	}
	l := &layer{source: v.Source, name: v.Name, trusted: true}
	if problems := check(value, l); len(problems) > 0 {
		return nil, &Problem{File: v.Name, Message: problems[0].Message}
	}
	return l, nil
}

// valueOf reads the text of a setting: as it is for a string, else as JSON.
func valueOf(leaf *schema.Type, text string) (*jsonc.Node, fault.Text) {
	if leaf.Kind == schema.String {
		return &jsonc.Node{Kind: jsonc.String, Text: text}, fault.Text{}
	}
	n, problems := jsonc.Parse([]byte(text))
	if len(problems) > 0 {
		return nil, fault.T("%q is not a value of the type %s: %s", "%q 不是 %s 类型的值：%s", text, leaf.Kind, problems[0].Message)
	}
	if n.Kind == jsonc.Null {
		return nil, fault.T("null is no value; to go back to the default, take the setting out of the file", "null 不是有效值；若要恢复默认值，请从文件中删除该设置项")
	}
	return n, fault.Text{}
}

// merge fills in the settings.
func (s *Settings) merge(layers []*layer) error {
	for _, l := range layers {
		l.absolute()
	}
	merged := &jsonc.Node{Kind: jsonc.Object}
	m := merger{settings: s, layers: layers}
	m.object(object(), nil, merged)
	config, problems := decode(merged)
	if len(problems) > 0 {
		// Every source was right by itself, so this is a mistake of ours.
		return fault.New(fault.Internal, fault.T("the merged configuration is wrong: %s", "合并后的配置有误：%s", problems[0].Message))
	}
	s.Config = *config
	return nil
}

type merger struct {
	settings *Settings
	layers   []*layer
}

// object merges the members of one object into the node to.
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

// scalar takes the value of the highest source.
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

// defaultNode is what a key that nobody sets means.
func defaultNode(f *schema.Field) *jsonc.Node {
	switch v := f.Default.(type) {
	case bool:
		return &jsonc.Node{Kind: jsonc.Boolean, Truth: v}
	case string:
		return &jsonc.Node{Kind: jsonc.String, Text: v}
	}
	return &jsonc.Node{Kind: jsonc.String}
}

// list joins the items of all sources; of projects with one id, the highest
// source's counts.
func (m *merger) list(path []string) *jsonc.Node {
	key := strings.Join(path, ".")
	joined := &jsonc.Node{Kind: jsonc.Array}
	var origins []Origin
	for _, l := range m.layers {
		n := l.tree.Path(path...)
		if n == nil {
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
			if at := slices.IndexFunc(joined.Items, func(other *jsonc.Node) bool { return key == "projects" && sameID(item, other) }); at >= 0 {
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

func sameID(a, b *jsonc.Node) bool {
	return a.Get("id") != nil && b.Get("id") != nil && a.Get("id").Text == b.Get("id").Text
}

func (m *merger) entry(key string, value *jsonc.Node, origin Origin) {
	m.settings.entries = append(m.settings.entries, Entry{key, shown(key, value), origin})
}

// ignore notes a setting of an untrusted file that was not followed.
func (m *merger) ignore(l *layer, key string) {
	s := m.settings
	if s.Ignored == nil {
		s.Ignored = &Ignored{File: l.file.Path, SHA: l.sha}
	}
	s.Ignored.Keys = append(s.Ignored.Keys, key)
	s.Warnings = []fault.Text{fault.T("%s may only narrow, so these of its settings are ignored: %s; a person who trusts it runs helve config trust",
		"%s 只能收紧权限，以下设置已被忽略：%s；信任它的用户可运行 helve config trust", s.Ignored.File, strings.Join(s.Ignored.Keys, ", "))}
}

// Rules lists the rules with where each comes from, for [policy.New].
func (s *Settings) Rules() []policy.Given {
	given := make([]policy.Given, len(s.Config.Rules))
	for i, rule := range s.Config.Rules {
		given[i] = policy.Given{Rule: rule, From: "rules." + strconv.Itoa(i)}
		if entry, err := s.Get(given[i].From); err == nil {
			given[i].From = entry.Origin.String()
		}
	}
	return given
}
