package foreign

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
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
