// Package message is the tool that sends a message. It hands it to the bus, which keeps
// it until a consumer takes it, and waits for no answer.
package message

import (
	"github.com/helve-dev/helve/pkg/bus"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// Args are the arguments.
type Args struct {
	Content   string   `json:"content" doc:"Text to send." zh:"要发送的文本。" alias:"text,message,body,msg"`
	Channel   string   `json:"channel,omitzero" doc:"Such as telegram. Default: this conversation's." zh:"媒介，如 telegram。默认为当前会话的。" alias:"platform,medium"`
	To        string   `json:"to,omitzero" doc:"Chat id or address. Default: this conversation." zh:"聊天 id 或地址。默认为当前会话。" alias:"chat_id,chatId,chat,recipient,conversation_id"`
	Media     []string `json:"media,omitzero" doc:"Workspace files to attach." zh:"要附上的工作区文件。" alias:"files,attachments,media_paths,file_paths"`
	ReplyTo   string   `json:"reply_to,omitzero" doc:"Id of the message to reply to." zh:"所回复消息的 id。" alias:"reply_to_message_id,reply_to_id,in_reply_to,replyTo"`
	DedupeKey string   `json:"dedupe_key,omitzero" doc:"Of equal keys, only the first is sent." zh:"键相同的消息只发送第一条。" alias:"idempotency_key,dedup_key"`
	Buttons   []string `json:"buttons,omitzero" doc:"Answers to offer, where the medium can." zh:"媒介支持时提供的快捷回复。" max:"20" unlisted:"true"`
}

// Result says what became of the message.
type Result struct {
	ID        string       `json:"id"` // of the message; of the first one, if it is a duplicate
	Seq       uint64       `json:"seq"`
	Duplicate bool         `json:"duplicate"` // it was sent before, and not again
	Delivery  bus.Delivery `json:"delivery"`
	Channel   string       `json:"channel"`
	To        string       `json:"to"`
}

// Tool sends a message.
var Tool = tool.New(tool.Def[Args, Result]{
	Name: "message",
	Risk: policy.Write,
	Doc: "Send a message or files to a person or chat while you work. Not for your final answer: that is shown anyway. " +
		"delivery=queued is success: do not send it again.",
	DocZH: "在工作过程中向某人或聊天发送消息或文件。不要用于最终回复：它总会显示。" +
		"delivery=queued 即为成功：请勿重发。",
	DefaultArg: "content",
	Input:      "content",
	Examples: []tool.Example{
		{Doc: "to the conversation that the call comes from", DocZH: "发往调用所在的会话", Args: `{"content":"The build is done."}`},
		{Doc: "a file to another one", DocZH: "向另一会话发送文件", Args: `{"content":"The report","channel":"telegram","to":"42","media":["report.pdf"]}`},
	},
	Paths: attached,
	Run:   run,
	Text:  text,
})

func text(r Result, v screen.View) string {
	to := screen.Line(r.Channel + " " + r.To)
	var said fault.Text
	switch {
	case r.Duplicate:
		said = fault.T("the same was sent to %s before (%s): not sent again", "此前已向 %s 发送过相同的消息（%s）：未重发", to, r.ID)
	case r.Delivery == bus.DeliveryDelivered:
		said = fault.T("delivered to %s (%s)", "已送达 %s（%s）", to, r.ID)
	case r.Delivery == bus.DeliveryFailed:
		said = fault.T("kept for %s (%s), but not delivered yet", "已为 %s 保存（%s），但尚未送达", to, r.ID)
	default:
		said = fault.T("queued for %s (%s)", "已排队，等待发往 %s（%s）", to, r.ID)
	}
	return v.Say(said) + "\n"
}
