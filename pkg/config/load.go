package config

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// Options says where the settings are.
type Options struct {
	Files  []File
	Values []Value
	// Trusted reports whether a person trusts a workspace file with this SHA-256
	// (64 hex digits); nil trusts none. See [Trusted].
	Trusted func(sha string) bool
}

// Entry is one setting and where it comes from. A list has an entry for each of its
// items, with the number of the item in the key, as in rules.0; an empty list has one
// entry.
type Entry struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"` // without secrets
	Origin Origin          `json:"origin"`
}

// Ignored lists the ignored settings of the workspace's own file.
type Ignored struct {
	File string   // its path
	SHA  string   // of its bytes, for [Trust]
	Keys []string // of the ignored settings, in the order of [Config]
}

// Settings is the merged configuration of all sources.
type Settings struct {
	Config   Config
	Warnings []fault.Text
	Ignored  *Ignored // nil if nothing was
	Problems Problems
	// Unused are the problems of what is left out of the settings for them: the workspace's
	// own file, if nobody trusts it, and bound tools.
	Unused Problems

	entries []Entry
}

// Load reads and merges all sources. A scalar comes from the source with the highest
// precedence; lists are joined, projects by their id. Unless it is trusted, the
// workspace's own file can only narrow.
//
// If any source has a problem, the error is not_configured with [Problems]. Nobody
// can tell what that source would forbid, so the settings are then the defaults, and
// read-only. A missing file is no problem, nor is an untrusted file of the workspace:
// without a person's trust it must not decide that nothing works, and is not used. Nor is
// a bound tool with a problem.
func Load(o Options) (*Settings, error) {
	s := &Settings{}
	layers := s.layers(&o)
	if len(s.Problems) > 0 {
		return s.refuse()
	}
	if len(layers) == 0 { // nearly always, and then the schema need not be built
		s.Config = defaults()
		return s, nil
	}
	if err := s.merge(layers); err != nil {
		return nil, err
	}
	if p := s.Config.Project; p != "" && !slices.ContainsFunc(s.Config.Projects, func(one Project) bool { return one.ID == p }) {
		entry, _ := s.Get("project") // a known key
		s.Problems = Problems{{File: entry.Origin.String(), Message: fault.T("there is no project %q", p)}}
		return s.refuse()
	}
	return s, nil
}

// refuse returns the settings and the error of sources with problems.
func (s *Settings) refuse() (*Settings, error) {
	refused := &Settings{Warnings: s.Warnings, Problems: s.Problems, Unused: s.Unused, Config: defaults()}
	refused.Config.ReadOnly = true
	return refused, s.Problems.Err()
}

// layers reads the sources and returns them in rising precedence.
func (s *Settings) layers(o *Options) []*layer {
	var layers []*layer
	for _, f := range o.Files {
		text, err := Read(f)
		if err != nil {
			s.refuseFile(f, false, Problems{{File: f.Path, Message: fault.As(err).Message}})
			continue
		}
		if text == nil {
			if f.Must {
				s.Problems = append(s.Problems, Problem{File: f.Path, Message: fault.T("the file does not exist")})
			}
			continue
		}
		l, problems := parse(f, text)
		l.trusted = f.Source != Workspace || o.Trusted != nil && o.Trusted(l.sha)
		switch {
		case len(problems) == 0:
		case l.leaveOut(problems):
			s.Unused = append(s.Unused, problems...)
			s.Warnings = append(s.Warnings, fault.T("bound tools are left out: %s", problems.list()))
		default:
			s.refuseFile(f, l.trusted, problems)
			continue
		}
		layers = append(layers, l)
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

// refuseFile notes the problems of a file, which stop everything unless it is the
// workspace's own and nobody trusts it.
func (s *Settings) refuseFile(f File, trusted bool, problems Problems) {
	if f.Source != Workspace || trusted {
		s.Problems = append(s.Problems, problems...)
		return
	}
	s.Unused = append(s.Unused, problems...)
	s.Warnings = append(s.Warnings, fault.T("the configuration of the workspace is not used, as it is not valid: %s", problems.list()))
}

// layer returns a value from the environment or a flag as a source.
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

// valueOf reads the text of a setting: as it is for a string, and otherwise as JSON.
func valueOf(leaf *schema.Type, text string) (value *jsonc.Node, bad fault.Text) {
	if leaf.Kind == schema.String {
		return &jsonc.Node{Kind: jsonc.String, Text: text}, fault.Text{}
	}
	n, problems := jsonc.Parse([]byte(text))
	if len(problems) > 0 {
		return nil, fault.T("%q is not a value of the type %s: %s", text, leaf.Kind, problems[0].Message)
	}
	if n.Kind == jsonc.Null {
		return nil, fault.T("null is not a value; to restore the default, remove the setting from the file")
	}
	return n, fault.Text{}
}

// Rules returns the rules with where each comes from, for [policy.New].
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
