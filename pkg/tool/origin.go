package tool

import (
	"cmp"
	"sync"
)

// Origin is the conversation that calls come from.
type Origin struct {
	Session string // what was shown to it and what it changed are recorded by this name
	Channel string // the medium that answers go to, such as telegram; may be empty
	Chat    string // the conversation in that medium; may be empty
}

// Variables returns the origin of the calls as environment variables, each as
// NAME=value, for the programs of custom tools.
func (e *Env) Variables() (variables []string) {
	for _, v := range []struct{ name, value string }{
		{"HELVE_SESSION", e.Session}, {"HELVE_CHANNEL", e.Channel}, {"HELVE_CHAT", e.Chat},
	} {
		if v.value != "" {
			variables = append(variables, v.name+"="+v.value)
		}
	}
	return variables
}

// From returns the same world for calls of another origin. What o does not say stays.
func (e *Env) From(o Origin) *Env {
	from := *e
	from.Session, from.Channel, from.Chat = cmp.Or(o.Session, e.Session), cmp.Or(o.Channel, e.Channel), cmp.Or(o.Chat, e.Chat)
	if e.Enter == nil {
		return &from
	}
	var mu sync.Mutex // calls run in parallel
	entered := map[string]*Env{}
	from.Enter = func(id string) *Env { // always the same world for an id
		mu.Lock()
		defer mu.Unlock()
		if _, ok := entered[id]; !ok {
			if entered[id] = e.Enter(id); entered[id] != nil {
				entered[id] = entered[id].From(o)
			}
		}
		return entered[id]
	}
	return &from
}
