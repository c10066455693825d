package foreign

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// messaging are the names of message.
func messaging() family {
	return family{args: joined(
		renamed("reply_to", "message_id", "replyToId"),
		renamed("media", "filePath", "file_path", "path", "media_path", "attachment", "image", "file", "images"),
		[]Argument{
			only("action", fault.T("message sends; it cannot do anything else", "message 只能发送消息"), "send"),
			only("type", fault.T("message sends to a person or a chat", "message 用于向某人或聊天发送消息"), "message", "text", "info"),
			{Name: "target", To: "channel to", How: "channel:chat, or the chat", read: target},
		},
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
	c.say(fault.T("%s is channel=%s, to=%s", "%s 即 channel=%s, to=%s", name, channel, chat))
	return nil
}
