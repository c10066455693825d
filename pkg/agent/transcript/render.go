package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/agent"
	"github.com/helve-dev/helve/pkg/agent/loop"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy/approval"
	"github.com/helve-dev/helve/pkg/web"
)

// The most characters that are shown of the arguments of a call, of one of them, and of
// what is shown on a line.
const (
	mostArguments = 120
	mostArgument  = 60
	mostLine      = 200
)

// Render returns an event as lines for people, each with its newline; "" for one that
// tells them nothing. What the model or a program said is indented, and can neither
// control a terminal nor look like what helve says.
func Render(e loop.Event, lang fault.Lang) string {
	switch e.Kind {
	case loop.Started:
		return head(lang, fault.T("task: %s", short(e.Text)))
	case loop.Requested:
		return head(lang, fault.T("step %d, %d tokens so far", e.Iteration, e.Tokens))
	case loop.Retried:
		return head(lang, fault.T("asking again: %s", short(e.Text)))
	case loop.Replied:
		return block(e.Text)
	case loop.Called:
		var b strings.Builder
		for _, c := range e.Calls {
			b.WriteString("  " + call(c, lang) + "\n")
		}
		return b.String()
	case loop.Trimmed:
		return head(lang, fault.T("left out of the conversation: %s", short(e.Text)))
	case loop.Nudged:
		return head(lang, fault.T("told the model: %s", short(e.Text)))
	case loop.Ended:
		return head(lang, ending(e))
	case unreadable:
		return head(lang, fault.T("a line that is no event: %s", short(e.Text)))
	}
	return block(e.Text)
}

func head(lang fault.Lang, t fault.Text) string { return t.In(lang) + "\n" }

// ending describes the end of a sub-agent.
func ending(e loop.Event) fault.Text {
	why := string(e.Reason)
	if e.Error != "" {
		why = strings.TrimPrefix(why+": "+short(e.Error), ": ")
	}
	if why != "" {
		why = " (" + why + ")"
	}
	said := fault.T("%s%s, %d tokens", short(string(e.Status)), why, e.Tokens)
	switch e.Status {
	case agent.Completed:
		said = fault.T("completed%s, %d tokens", why, e.Tokens)
	case agent.Incomplete:
		said = fault.T("incomplete%s, %d tokens", why, e.Tokens)
	case agent.Failed:
		said = fault.T("failed%s, %d tokens", why, e.Tokens)
	case agent.Canceled:
		said = fault.T("canceled%s, %d tokens", why, e.Tokens)
	}
	return said
}

// call returns a call and its outcome on one line.
func call(c loop.Made, lang fault.Lang) string {
	outcome := fault.T("ok, %d bytes", c.Bytes)
	switch {
	case !c.OK && c.Code != "":
		outcome = fault.Verbatim(short(string(c.Code)), short(string(c.Code)))
	case !c.OK:
		outcome = fault.T("failed")
	}
	return short(c.Name) + "(" + arguments(c.Arguments) + "): " + outcome.In(lang)
}

// arguments returns the arguments of a call as name=value, in their order. Those that
// are no object, as models write them at times, are shown as they are.
func arguments(data json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return line(string(data), mostArguments)
	}
	var parts []string
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return line(string(data), mostArguments)
		}
		parts = append(parts, line(fmt.Sprint(name), mostArgument)+"="+line(string(value), mostArgument))
	}
	return web.Shorten(strings.Join(parts, ", "), mostArguments)
}

// short returns a text on one line, cut.
func short(s string) string { return line(s, mostLine) }

func line(s string, most int) string {
	// What is far behind the cut is not looked at.
	if len(s) > 8*most {
		s = strings.ToValidUTF8(s[:8*most], "")
	}
	return approval.Visible(web.Shorten(web.OneLine(s), most))
}

// block returns a text of several lines, indented.
func block(s string) string {
	s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n ")
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return "  " + strings.ReplaceAll(approval.Visible(s), "\n", "\n  ") + "\n"
}
