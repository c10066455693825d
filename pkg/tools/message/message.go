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
	Content   string   `json:"content" doc:"Text to send." alias:"text,message,body,msg"`
	Channel   string   `json:"channel,omitzero" doc:"Such as telegram. Default: this conversation's." alias:"platform,medium"`
	To        string   `json:"to,omitzero" doc:"Chat id or address. Default: this conversation." alias:"chat_id,chatId,chat,recipient,conversation_id"`
	Media     []string `json:"media,omitzero" doc:"Workspace files to attach." alias:"files,attachments,media_paths,file_paths"`
	ReplyTo   string   `json:"reply_to,omitzero" doc:"Id of the message to reply to." alias:"reply_to_message_id,reply_to_id,in_reply_to,replyTo"`
	DedupeKey string   `json:"dedupe_key,omitzero" doc:"Of equal keys, only the first is sent." alias:"idempotency_key,dedup_key"`
	// Buttons are rows of labels. A list of labels is one row.
	Buttons [][]string `json:"buttons,omitzero" doc:"Answers to offer, where the medium can: rows of labels." max:"20" unlisted:"true"`
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
	Name: "message", Title: "Send a message",
	Risk: policy.Write,
	Doc: "Send a message or files to a person or chat while you work. Not for your final answer: that is shown anyway. " +
		"delivery=queued is success: do not send it again.",
	DefaultArg: "content",
	Input:      "content",
	Examples: []tool.Example{
		{Doc: "to the conversation that the call comes from", Args: `{"content":"The build is done."}`},
		{Doc: "a file to another one", Args: `{"content":"The report","channel":"telegram","to":"42","media":["report.pdf"]}`},
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
		said = fault.T("the same was sent to %s before (%s): not sent again", to, r.ID)
	case r.Delivery == bus.DeliveryDelivered:
		said = fault.T("delivered to %s (%s)", to, r.ID)
	case r.Delivery == bus.DeliveryFailed:
		said = fault.T("kept for %s (%s), but not delivered yet", to, r.ID)
	default:
		said = fault.T("queued for %s (%s)", to, r.ID)
	}
	return v.Say(said) + "\n"
}
