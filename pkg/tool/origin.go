package tool

import (
	"cmp"
	"sync"

	"github.com/helve-dev/helve/pkg/policy/approval"
)

// Origin is the conversation that calls come from.
type Origin struct {
	Session string // what was shown to it and what it changed are recorded by this name
	Channel string // the medium that answers go to, such as telegram; may be empty
	Chat    string // the conversation in that medium; may be empty
	Turn    string // of the agent, as the host numbers them; may be empty
	Run     string // id of the run of a job that the calls belong to; empty for none
	// Timezone is the zone of the person there; empty is that of the settings.
	Timezone string
}

// Variables returns the origin of the calls as environment variables, each as
// NAME=value, for the programs of custom tools.
func (e *Env) Variables() []string {
	return append(variables("HELVE_SESSION", e.Session, "HELVE_CHANNEL", e.Channel, "HELVE_CHAT", e.Chat, "HELVE_TURN", e.Turn), e.RunVariables()...)
}

// RunVariables returns those variables that every program of a run or of a sub-agent
// gets, so that it cannot pass for a call of the agent; nil outside of these.
func (e *Env) RunVariables() []string {
	return variables(approval.RunVariable, e.Run, approval.AgentVariable, e.Agent)
}

// ProgramVariables returns the variables that every program of the call gets: those of its
// run, and what continues its trace.
func (c *Call) ProgramVariables() []string {
	return append(c.Env.RunVariables(), variables("TRACEPARENT", c.Parent)...)
}

// variables returns names and values, in turn, as environment variables. Empty ones are
// left out.
func variables(pairs ...string) (all []string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, pairs[i]+"="+pairs[i+1])
		}
	}
	return all
}

// From returns the same world for calls of another origin. What o does not say stays.
func (e *Env) From(o Origin) *Env {
	from := *e
	from.Session, from.Channel, from.Chat = cmp.Or(o.Session, e.Session), cmp.Or(o.Channel, e.Channel), cmp.Or(o.Chat, e.Chat)
	from.Turn, from.Run = cmp.Or(o.Turn, e.Turn), cmp.Or(o.Run, e.Run)
	from.Timezone = cmp.Or(o.Timezone, e.Timezone)
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
