package loop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/agent/model"
	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/web"
)

// conversation holds the messages sent to the model: the task, and complete steps.
type conversation struct {
	user  func(text string) json.RawMessage
	fixed int    // tokens of the system prompt and the definitions of tools
	task  string // with what the loop said before the first step
	left  leftOut
	head  json.RawMessage // the task, and what was left out
	steps []step
	// scale is the ratio of the model's count of tokens to the estimated one.
	scale float64
}

// step is a message of the model with all that belongs to it: the answers to its calls,
// and what the loop said behind them. It stays whole or is left out.
type step struct {
	messages []json.RawMessage
	calls    []Made
	answers  int // how many of messages, behind the first, answer the calls
	cost     int // tokens, as they are estimated
}

func newConversation(m Model, system, task string, definitions json.RawMessage) *conversation {
	c := &conversation{user: m.User, task: task, scale: 1}
	c.fixed = tokens.Estimate(system) + tokens.EstimateDefinitions(string(definitions))
	c.head = m.User(task)
	return c
}

// messages returns the conversation as it is sent.
func (c *conversation) messages() []json.RawMessage {
	all := []json.RawMessage{c.head}
	for _, s := range c.steps {
		all = append(all, s.messages...)
	}
	return all
}

// add appends a step.
func (c *conversation) add(reply json.RawMessage, answers []json.RawMessage, calls []Made) {
	s := step{messages: append([]json.RawMessage{reply}, answers...), calls: calls, answers: len(answers)}
	s.cost = costs(s.messages)
	c.steps = append(c.steps, s)
}

// say appends a message of the user to the last step, or to the task: servers refuse two
// messages of the user in a row. It returns the event that says so.
func (c *conversation) say(text string) Event {
	e := Event{Kind: Nudged, Text: text}
	if len(c.steps) == 0 {
		c.task += "\n\n" + text
		c.head = c.user(c.task)
		e.Messages, e.Replaced = []json.RawMessage{c.head}, 1
		return e
	}
	last := &c.steps[len(c.steps)-1]
	m := c.user(text)
	last.messages = append(last.messages, m)
	last.cost += cost(m)
	e.Messages = []json.RawMessage{m}
	return e
}

// estimate returns about how many tokens of the model the conversation has.
func (c *conversation) estimate() int { return int(float64(c.raw()) * c.scale) }

// raw is estimate without the scale.
func (c *conversation) raw() int {
	sum := c.fixed + cost(c.head)
	for _, s := range c.steps {
		sum += s.cost
	}
	return sum
}

// calibrate learns from how many tokens the server counted. What is far off counts
// something else, such as what was not in a cache.
func (c *conversation) calibrate(u model.Usage) {
	if raw := c.raw(); u.In > 0 && raw > 0 {
		if scale := float64(u.In) / float64(raw); scale > 0.4 && scale < 4 {
			c.scale = scale
		}
	}
}

// trim leaves the oldest steps out until the conversation has at most so many tokens, or
// keep steps remain. It returns nil if there is nothing to leave out.
func (c *conversation) trim(most, keep int) *Event {
	n, messages := 0, 1
	for ; n < len(c.steps)-keep && (n == 0 || c.estimate()-c.costOf(n) > most); n++ {
		messages += len(c.steps[n].messages)
		c.left.add(c.steps[n].calls)
	}
	if n == 0 {
		return nil
	}
	c.steps = c.steps[n:]
	said := c.left.String()
	c.head = c.user(c.task + "\n\n" + said)
	return &Event{Kind: Trimmed, Text: said, Replaced: messages, Messages: []json.RawMessage{c.head}}
}

// costOf returns how many tokens the first n steps have.
func (c *conversation) costOf(n int) int {
	sum := 0
	for _, s := range c.steps[:n] {
		sum += s.cost
	}
	return int(float64(sum) * c.scale)
}

// shrink cuts the answers of the steps until the conversation has at most so many
// tokens. It returns nil if nothing could be cut.
func (c *conversation) shrink(most int) *Event {
	before := len(c.messages())
	answers := 0
	for _, s := range c.steps {
		answers += costs(s.messages[1 : 1+s.answers])
	}
	room := int(float64(most)/c.scale) - (c.raw() - answers)
	cut := false
	for i := range c.steps {
		s := &c.steps[i]
		old := s.messages[1 : 1+s.answers]
		for j, m := range bound(old, max(leastAnswers, room/len(c.steps))) {
			cut = cut || !bytes.Equal(m, old[j])
			old[j] = m
		}
		s.cost = costs(s.messages)
	}
	if !cut {
		return nil
	}
	return &Event{Kind: Trimmed, Text: "long answers were cut", Replaced: before, Messages: c.messages()}
}

// leftOut counts the parts left out of a conversation.
type leftOut struct {
	steps int
	calls []string // the last mostListed
	count int
}

const mostListed = 30

func (l *leftOut) add(calls []Made) {
	l.steps++
	for _, c := range calls {
		outcome := "ok"
		if !c.OK {
			outcome = "failed"
		}
		l.calls = append(l.calls, fmt.Sprintf("- %s %s: %s", web.OneLine(c.Name), brief(c.Arguments), outcome))
		l.count++
	}
	l.calls = l.calls[max(0, len(l.calls)-mostListed):]
}

// brief returns the arguments of a call on one line, cut.
func brief(arguments json.RawMessage) string {
	const most = 100 // characters
	return web.Shorten(web.OneLine(strings.ToValidUTF8(string(arguments[:min(len(arguments), 8*most)]), "")), most)
}

// String returns the text for the model.
func (l *leftOut) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "[To save room, the first %d steps of your work on this are left out here, with %d calls and their answers. What they did is done. Make a call again where you need its answer.", l.steps, l.count)
	if l.count > 0 {
		fmt.Fprintf(&b, " The last of these calls:\n%s", strings.Join(l.calls, "\n"))
	}
	return b.String() + "]"
}
