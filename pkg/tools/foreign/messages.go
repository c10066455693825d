package foreign

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// messaging are the names of message.
func messaging() family {
	return family{args: joined(
		renamed("reply_to", "message_id", "replyToId"),
		renamed("media", "filePath", "file_path", "path", "media_path", "attachment", "image", "file", "images"),
		[]Argument{
			only("action", fault.T("message sends; it cannot do anything else"), "send"),
			only("type", fault.T("message sends to a person or a chat"), "message", "text", "info"),
			{Name: "target", To: "channel to", How: "channel:chat, or the chat", read: target},
			{Name: "buttons", To: "buttons", How: "a row, rows, or Telegram's keyboard", read: keyboard},
			{Name: "reply_markup", To: "buttons", How: "Telegram's keyboard", read: keyboard},
			{Name: "inline_keyboard", To: "buttons", How: "Telegram's keyboard", read: keyboard},
			{Name: "keyboard", To: "buttons", How: "Telegram's keyboard", read: keyboard},
		},
		identifiers("to", "chat_id", "chatId", "chat", "recipient", "conversation_id", "reply_to", "reply_to_message_id", "reply_to_id"),
		ignored("parse_mode", "format", "silent", "disable_notification", "title", "subtitle", "priority", "urgency"), words(),
	), names: []Name{
		{Name: "send_message", Of: "Hermes, MCP"},
		{Name: "SendMessage", Of: "Claude Code"},
		{Name: "SendUserMessage", Of: "Claude Code"},
		{Name: "send_user_message", Of: "MCP"},
		{Name: "message_notify_user", Of: "Manus"},
		{Name: "message_user", Of: "Devin"},
		{Name: "notify", Of: "MCP"},
		{Name: "notify_user", Of: "Antigravity"},
		{Name: "send_notification", Of: "MCP"},
		{Name: "PushNotification", Of: "Claude Code"},
	}}
}

// identifiers are arguments that name a conversation or a message. Where these are
// numbers, as in Telegram, models pass numbers.
func identifiers(names ...string) (args []Argument) {
	for _, name := range names {
		args = append(args, Argument{Name: name, How: "a number, too", read: func(c *conversion, name string) error {
			if n, ok := c.g.Whole(name); ok {
				c.g.Set(name, strconv.FormatInt(n, 10))
			}
			return nil
		}})
	}
	return args
}

// target is a conversation, with its channel before it if that is said: telegram:42.
func target(c *conversion, name string) error {
	text, ok := c.g.Text(name)
	channel, chat, both := strings.Cut(text, ":")
	if _, given := c.named("channel"); !ok || given || !both || channel == "" || chat == "" || strings.Trim(channel, "abcdefghijklmnopqrstuvwxyz") != "" {
		return c.rename(name, "to")
	}
	if _, given := c.named("to"); given {
		return c.rename(name, "to")
	}
	c.g.Drop(name)
	c.set("channel", channel)
	c.set("to", chat)
	c.say(fault.T("%s is channel=%s, to=%s", name, channel, chat))
	return nil
}

// keyboard reads buttons: a label, a row of them, or rows. Telegram's form is an object
// with rows of objects, each with the text of a button and what it does. Here an answer
// is the text itself.
func keyboard(c *conversion, name string) error {
	if name != "buttons" {
		if err := c.rename(name, "buttons"); err != nil {
			return err
		}
	}
	board, ok := c.g.Object("buttons")
	if text, is := c.g.Text("buttons"); is && strings.HasPrefix(strings.TrimSpace(text), "{") {
		inner, err := schema.Read([]byte(text))
		board, ok = inner, err == nil
	}
	if ok {
		for _, member := range []string{"inline_keyboard", "keyboard", "buttons", "rows"} {
			if _, ok := board.Each(member); ok {
				return c.rows(board, member)
			}
		}
		return wrong("buttons", fault.T("it has no buttons"), fault.T(`pass rows of labels, such as [["Yes","No"]]`))
	}
	if label, ok := c.g.Text("buttons"); ok {
		if _, list := c.g.Each("buttons"); !list {
			c.g.Set("buttons", [][]string{{label}})
			return nil
		}
	}
	return c.rows(c.g, "buttons")
}

// rows sets buttons to the labels in a list: of rows, or of the buttons of one row.
func (c *conversion) rows(of *schema.Given, name string) error {
	items, ok := of.Each(name)
	var rows [][]string
	bare, lists := true, 0
	for _, item := range items {
		row, list := item.Each("")
		if list {
			lists++
		} else {
			row = []*schema.Given{item}
		}
		var labels []string
		for _, button := range row {
			label, plain := labelOf(button)
			ok, bare, labels = ok && label != "", bare && plain, append(labels, label)
		}
		rows = append(rows, labels)
	}
	if !ok || lists > 0 && lists < len(rows) {
		return wrong("buttons", fault.T("they cannot be read"), fault.T(`pass rows of labels, such as [["Yes","No"]]`))
	}
	if lists == 0 && len(rows) > 0 {
		rows = [][]string{slices.Concat(rows...)}
	}
	c.g.Set("buttons", rows)
	if !bare {
		c.say(fault.T("of buttons only the text is sent: it is the answer that comes back"))
	}
	return nil
}

// labelOf returns the label of a button, "" if it has none, and whether that is all that
// was said of it.
func labelOf(button *schema.Given) (label string, plain bool) {
	if o, ok := button.Object(""); ok {
		for _, member := range []string{"text", "label", "title", "name"} {
			if label, ok = o.Text(member); ok {
				return label, len(o.Names()) == 1
			}
		}
		return "", false
	}
	label, _ = button.Text("")
	return label, true
}
