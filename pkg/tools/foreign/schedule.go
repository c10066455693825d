package foreign

import (
	"strconv"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// scheduling are the names of cron_add. In nanobot and picoclaw, deliver is a boolean,
// at_seconds counts from now, and a command makes the message a title.
func scheduling() family {
	return family{args: joined(
		renamed("message", "prompt"),
		renamed("every_seconds", "interval_seconds", "interval"),
		[]Argument{
			{Name: "call", To: "call", How: "an object, too", read: func(c *conversion, name string) error {
				if text, ok := c.g.ObjectText(name); ok {
					c.g.Set(name, text)
				}
				return nil
			}},
			{Name: "at_seconds", To: "in", How: "seconds from now", read: func(c *conversion, name string) error {
				if n, ok := c.g.Whole(name); ok && n > 0 {
					c.g.Drop(name)
					c.set("in", strconv.FormatInt(n, 10)+"s")
					c.say(fault.T("%s is in=%ds", name, n))
				}
				return nil
			}},
			flag("recurring", false, "max_runs", 1),
			{Name: "deliver", To: "deliver", How: "true always, false never", read: func(c *conversion, name string) error {
				is, ok := c.g.Truth(name)
				switch {
				case ok && is:
					c.g.Set(name, "always")
				case ok:
					c.g.Set(name, "never")
				}
				return nil
			}},
			{Name: "schedule", To: "every_seconds cron at timezone", How: "an object", read: openclawSchedule},
			{Name: "payload", To: "message", How: "its text or message", read: openclawPayload},
		},
		identifiers("to", "chat_id"), ignored("sessionTarget", "wakeMode", "enabled", "durable"), words(),
	), names: []Name{{Name: "CronCreate", Of: "Claude Code"}, {Name: "schedule_task", Of: "MCP"}}}
}

// openclawSchedule reads the object that says when a job of openclaw runs.
func openclawSchedule(c *conversion, name string) error {
	s, ok := c.g.Object(name)
	if !ok {
		return nil
	}
	c.g.Drop(name)
	kind, _ := s.Text("kind")
	if zone, ok := s.Text("tz"); ok {
		c.set("timezone", zone)
	}
	from := kind
	if kind == "cron" {
		from = "expr"
	}
	text, isText := s.Text(from)
	period, isPeriod := s.Whole("everyMs")
	switch {
	case kind == "every" && isPeriod && period >= 1000:
		c.set("every_seconds", int(period/1000))
	case kind == "cron" && isText, kind == "at" && isText:
		c.set(kind, text)
	default:
		return wrong(name, fault.T("it does not say when"), fault.T("pass every_seconds, cron, at or in"))
	}
	if kind == "every" {
		kind = "every_seconds"
	}
	c.say(fault.T("%s is %s", name, kind))
	return nil
}

// openclawPayload reads the object that says what a job of openclaw does.
func openclawPayload(c *conversion, name string) error {
	p, ok := c.g.Object(name)
	if !ok {
		return nil
	}
	c.g.Drop(name)
	for _, of := range []string{"text", "message"} {
		if text, ok := p.Text(of); ok {
			c.set("message", text)
			c.say(fault.T("%s is message", name))
			return nil
		}
	}
	return wrong(name, fault.T("it has no text"), fault.T("pass message, exec or call"))
}

// listingJobs are the names of cron_list.
func listingJobs() family {
	return family{
		args:  joined(renamed("id", "jobId"), ignored("includeDisabled", "include_disabled")),
		names: []Name{{Name: "CronList", Of: "Claude Code"}},
	}
}

// removingJobs are the names of cron_remove.
func removingJobs() family {
	return family{args: renamed("id", "jobId"), names: []Name{{Name: "CronDelete", Of: "Claude Code"}}}
}

// cronByAction is the one tool of nanobot, picoclaw and openclaw, which does what action
// says.
func cronByAction(g *schema.Given) (*Name, error) {
	action, _ := g.Text("action")
	n := &Name{Name: "cron", Args: []Argument{{Name: "action", How: "which tool it is", read: func(c *conversion, name string) error {
		c.g.Drop(name) // the name of the tool says it
		return nil
	}}}}
	switch action {
	case "add", "create", "":
		n.Tool = "cron_add"
		n.Args = append(n.Args, Argument{Name: "job", To: "", How: "an object: its members", read: unwrapJob}, Argument{Name: "command", To: "exec", How: "instead of message", read: titled})
		n.Args = append(n.Args, ignored("job_id")...)
	case "update":
		n.Tool = "cron_add"
		n.Args = append(append(n.Args, renamed("job", "job_id", "jobId", "id")...), Argument{Name: "patch", To: "", How: "an object: its members", read: unwrapJob})
	case "list", "status":
		n.Tool = "cron_list"
	case "remove", "delete":
		n.Tool = "cron_remove"
	default:
		return nil, fault.New(fault.UnknownTool, fault.T("cron cannot %q here", action)).
			WithHint(fault.T("the actions are add, update, list and remove; helve cron run-now, enable, disable and history are a person's"))
	}
	return n, nil
}

// unwrapJob puts the members of an object in its place.
func unwrapJob(c *conversion, name string) error {
	o, ok := c.g.Object(name)
	if !ok {
		return nil
	}
	c.g.Unwrap(name, o)
	return nil
}

// titled makes the message of a job that runs a command its name.
func titled(c *conversion, name string) error {
	c.g.Rename(name, "exec")
	if message, ok := c.g.Text("message"); ok && !c.g.Has("name") {
		c.g.Rename("message", "name")
		c.g.Set("name", titleOf(message))
	}
	return nil
}

// titleOf returns the first line of a text, at most 60 characters of it.
func titleOf(text string) string {
	most := 60
	for i, c := range text {
		if most--; c == '\n' || most < 0 {
			return text[:i]
		}
	}
	return text
}
