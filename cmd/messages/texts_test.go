package messages

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Command, "recv", "error: helve messages recv needs --consumer (usage)\nhint: name the program that receives…\n", "错误：helve messages recv 需要 --consumer（usage）\n提示：请给出接收程序的名称…\n")
	w.Prints(t, Command, "recv --consumer c", "\n", "\n")
	w.Prints(t, Command, "recv --consumer c --wait -1s", "error: --wait -1s: want a duration that is not below zero (usage)\nhint: …\n", "错误：--wait -1s：时长不得小于零（usage）\n提示：…\n")
	w.Prints(t, Command, "recv --consumer c --max 0", "error: --max 0: want 1 or more (usage)\nhint: …\n", "错误：--max 0：应不小于 1（usage）\n提示：…\n")
	w.Prints(t, Command, "ack --consumer c", "error: messages ack needs the id of a message (usage)\nhint: usage: …\n", "错误：messages ack 需要消息的 id（usage）\n提示：用法：…\n")
	w.Prints(t, Command, "nak --consumer nobody-yet x", "error: … (not_found)\nhint: …\n", "错误：…（not_found）\n提示：…\n")
	w.Prints(t, Command, "tail", "\n", "\n")
	w.Prints(t, Command, "sent --turn 1", "\n", "\n")
	w.Prints(t, Command, "channels", "consumer c  0 open, 0 to come\n", "消费者 c  未确认 0，待取 0\n")
	w.Prints(t, Command, "dead", "\n", "\n")
	w.Prints(t, Command, "dead --retry c:x", "error: there is no dead letter \"c:x\" (not_found)\nhint: …\n", "错误：没有死信 \"c:x\"（not_found）\n提示：…\n")
	w.Prints(t, Command, "deliver", "error: there is no sink to deliver messages to (not_configured)\nhint: …\n", "错误：没有可投递消息的接收端（not_configured）\n提示：…\n")
	w.Prints(t, Command, "deliver --sink hok", "error: there is no sink \"hok\" (not_configured)\nhint: the sinks of messages.sinks are: stdout\n", "错误：没有接收端 \"hok\"（not_configured）\n提示：messages.sinks 中的接收端：stdout\n")
	w.Prints(t, Command, "deliver --once --follow", "error: --once and --follow exclude each other (usage)\nhint: …\n", "错误：--once 与 --follow 不能同时使用（usage）\n提示：…\n")
	w.Prints(t, Command, "deliver --sink stdout", "", "")
}
