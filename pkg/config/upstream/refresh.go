package upstream

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Changes list the tools whose descriptions by a server have changed, by helve's names
// for them.
type Changes struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
	Changed []string `json:"changed"`
	// Differences describe the changes of each of Changed.
	Differences []Difference `json:"differences,omitempty"`
	Numbered    []string     `json:"-"` // see [Server.Assign]
}

// Any reports whether there is a change.
func (c Changes) Any() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) > 0 }

// Refreshed returns the record with the server's present offer. Accepted tools stay
// unchanged and are marked as changed, and new ones are marked as well, unless the person
// accepts now: a server that changes a tool once it is trusted may do so to mislead a
// model. The names come from [Server.Assign].
func (s *Server) Refreshed(offered []Tool, taken []string, accept bool) (*Server, Changes) {
	fresh := *s
	fresh.Tools = nil
	c := Changes{Added: []string{}, Removed: []string{}, Changed: []string{}}
	var added []string // names at the server
	changed := map[string]Difference{}
	for _, now := range offered {
		at := slices.IndexFunc(s.Tools, func(t Tool) bool { return t.Name == now.Name })
		switch {
		case at < 0:
			added = append(added, now.Name)
			now.Changed = !accept
		case !now.Same(s.Tools[at]):
			changed[now.Name] = now.differs(&s.Tools[at])
			if !accept {
				now = s.Tools[at]
				now.Changed = true
			}
		case s.Tools[at].Changed:
			now.Changed = !accept
		}
		fresh.Tools = append(fresh.Tools, now)
	}
	for _, before := range s.Tools {
		if !slices.ContainsFunc(offered, func(now Tool) bool { return now.Name == before.Name }) {
			c.Removed = append(c.Removed, before.As)
		}
	}
	c.Numbered = fresh.Assign(taken, s.Tools)
	for _, t := range fresh.Tools {
		if slices.Contains(added, t.Name) {
			c.Added = append(c.Added, t.As)
		}
		if d, ok := changed[t.Name]; ok {
			d.Name = t.As
			c.Changed = append(c.Changed, t.As)
			c.Differences = append(c.Differences, d)
		}
	}
	return &fresh, c
}

// Same reports whether two definitions of a tool say the same.
func (t Tool) Same(other Tool) bool {
	return t.Name == other.Name && t.Title == other.Title && t.Description == other.Description && reflect.DeepEqual(t.Annotations, other.Annotations) &&
		sameJSON(t.Input, other.Input) && sameJSON(t.Output, other.Output)
}

// sameJSON reports whether two texts are the same JSON.
func sameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
