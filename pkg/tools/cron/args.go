package cron

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schedule"
	"github.com/helve-dev/helve/pkg/schema"
)

// AddArgs are the arguments of cron_add: what a job does, when, and how.
type AddArgs struct {
	Message string `json:"message,omitzero" doc:"Text to send then." alias:"text,reminder"`
	Exec    string `json:"exec,omitzero" doc:"Command to run then." alias:"command"`
	Call    string `json:"call,omitzero" doc:"Tool call to make then: JSON {name, arguments}."`
	Spawn   string `json:"spawn,omitzero" doc:"Task for a sub-agent then." alias:"task" unlisted:"true"`

	EverySeconds *int64 `json:"every_seconds,omitzero" doc:"Repeat so often." min:"1"`
	Cron         string `json:"cron,omitzero" doc:"Five or six fields." alias:"cron_expr,expression"`
	At           string `json:"at,omitzero" doc:"Once: 2026-01-31T15:04, with an offset or in timezone."`
	In           string `json:"in,omitzero" doc:"Once, after 90s, 20m, 1h30m, 2d." alias:"after,delay"`
	Timezone     string `json:"timezone,omitzero" doc:"IANA name. Default: the person's." alias:"time_zone,timeZone,tz"`
	Name         string `json:"name,omitzero" doc:"Short title." alias:"title"`

	AllowPast bool   `json:"allow_past,omitzero" doc:"An at that has passed runs at once." unlisted:"true"`
	Missed    string `json:"missed,omitzero" doc:"Times that passed while no scheduler ran: skip them, run the latest once, or run all." enum:"skip,once,all" unlisted:"true"`
	Grace     *int   `json:"grace_seconds,omitzero" doc:"How late a missed run may begin, in seconds." min:"0" unlisted:"true"`
	Overlap   string `json:"overlap,omitzero" doc:"A time that comes while the job still runs: skip it, queue it, or run in parallel." enum:"skip,queue,parallel" unlisted:"true"`
	Timeout   *int   `json:"timeout_seconds,omitzero" doc:"Seconds after which a run is canceled." min:"1" unlisted:"true" alias:"timeout"`
	Retries   *int   `json:"retries,omitzero" doc:"Times that a failed run is tried again." min:"0" unlisted:"true"`
	Jitter    *int   `json:"jitter_seconds,omitzero" doc:"Begin up to so many seconds later." min:"0" unlisted:"true"`
	MaxRuns   *int   `json:"max_runs,omitzero" doc:"Runs after which the job ends." min:"0" unlisted:"true"`
	Expires   string `json:"expires_at,omitzero" doc:"Time after which it does not run, as at." unlisted:"true"`
	Deliver   string `json:"deliver,omitzero" doc:"When output is sent to the conversation." enum:"always,on_output,on_change,on_error,never" unlisted:"true"`
	When      string `json:"when,omitzero" doc:"Tool call, as call: a run does nothing unless it succeeds and returns something; with changed true, something else than the last time." unlisted:"true"`
	OnLost    string `json:"on_lost,omitzero" doc:"What becomes of a run whose process has died." enum:"fail,rerun" unlisted:"true"`
	Channel   string `json:"channel,omitzero" doc:"Where messages and output go. Default: the conversation's." unlisted:"true"`
	To        string `json:"to,omitzero" doc:"Conversation in channel." unlisted:"true" alias:"chat_id"`
	Job       string `json:"job,omitzero" doc:"Change this job instead, by its id or name: what is not given stays." unlisted:"true"`
}

// actions returns the names of the actions that are given.
func (a *AddArgs) actions() (names []string) {
	for _, one := range []struct {
		name  string
		given bool
	}{{"message", a.Message != ""}, {"exec", a.Exec != ""}, {"call", a.Call != ""}, {"spawn", a.Spawn != ""}} {
		if one.given {
			names = append(names, one.name)
		}
	}
	return names
}

// times returns the names of the schedules that are given.
func (a *AddArgs) times() (names []string) {
	for _, one := range []struct {
		name  string
		given bool
	}{{"every_seconds", a.EverySeconds != nil}, {"cron", a.Cron != ""}, {"at", a.At != ""}, {"in", a.In != ""}} {
		if one.given {
			names = append(names, one.name)
		}
	}
	return names
}

// action returns the action that is given.
func (a *AddArgs) action() (action schedule.Action, err error) {
	action = schedule.Action{Message: a.Message, Exec: a.Exec, Spawn: a.Spawn}
	if a.Call != "" {
		action.Call, err = readCall("/call", a.Call)
	}
	return action, err
}

// readCall reads a call of a tool.
func readCall(pointer, text string) (*schedule.Call, error) {
	c := &schedule.Call{}
	return c, read(pointer, text, c, c)
}

// readWhen reads the call of a condition.
func readWhen(text string, w *schedule.When) error {
	given := struct {
		*schedule.Call
		Changed bool `json:"changed"`
	}{Call: &w.Call}
	err := read("/when", text, &given, &w.Call)
	w.Changed = given.Changed
	return err
}

// read reads JSON into v, which has the call c.
func read(pointer, text string, v any, c *schedule.Call) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if args := bytes.TrimSpace(c.Arguments); err != nil || d.More() || c.Name == "" || len(args) > 0 && args[0] != '{' {
		return schema.Invalid(pointer, fault.T("not a call of a tool: %s", text)).
			WithHint(fault.T(`pass JSON such as {"name":"fetch","arguments":{"url":"https://example.com"}}`))
	}
	return nil
}

// checkTarget reports a channel that nothing can be sent to.
func (a *AddArgs) checkTarget() error {
	switch a.Channel {
	case "":
		return nil
	case bus.System:
		return schema.Invalid("/channel", fault.T("the channel %s is helve's own", a.Channel)).
			WithHint(fault.T("name another, or leave it out"))
	}
	return bus.CheckChannel(a.Channel)
}

// apply changes a job as the arguments say, beside its action and its times.
func (a *AddArgs) apply(j *schedule.Job) error {
	text := func(to *string, given string) {
		if given != "" {
			*to = given
		}
	}
	number := func(to *int, given *int) {
		if given != nil {
			*to = *given
		}
	}
	if err := a.checkTarget(); err != nil {
		return err
	}
	text(&j.Name, a.Name)
	text(&j.Missed, a.Missed)
	text(&j.Overlap, a.Overlap)
	text(&j.Deliver, a.Deliver)
	text(&j.OnLost, a.OnLost)
	text(&j.Origin.Channel, a.Channel)
	text(&j.Origin.To, a.To)
	if a.Grace != nil {
		j.Grace = a.Grace
	}
	number(&j.Timeout, a.Timeout)
	number(&j.Retries, a.Retries)
	number(&j.Jitter, a.Jitter)
	number(&j.MaxRuns, a.MaxRuns)
	if a.When != "" {
		j.When = &schedule.When{}
		if err := readWhen(a.When, j.When); err != nil {
			return err
		}
	}
	return nil
}
