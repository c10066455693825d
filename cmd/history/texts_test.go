package history

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Checkpoint, "--list", "no checkpoints\n", "没有检查点\n")
	w.Prints(t, Restore, "second", "…there is no checkpoint \"second\"…", "…没有检查点 \"second\"…")
	w.Prints(t, Checkpoint, "--drop first", "…there is no checkpoint \"first\"…", "…没有检查点 \"first\"…")
	w.Prints(t, Command, "a b", "error: wrong number of arguments to history: 2, want 0 to 1 (usage)\nhint: usage: history [PATH] [flags]\n", "错误：history 的参数个数有误：给出 2 个，需要 0 到 1 个（usage）\n提示：用法：history [PATH] [flags]\n")
	w.Prints(t, Command, "", "\n", "\n")
	w.Prints(t, Audit, "--since 1h", "\n", "\n")
	w.Prints(t, Audit, "--since 0s", "error: --since 0s: want a duration above zero (usage)\nhint: …\n", "错误：--since 0s：应为大于零的时长（usage）\n提示：…\n")
	w.Prints(t, Store, "check", "0 keys, 0 messages in 0 streams\n0 bytes, 0 of them free: …store.bolt\nno damage\n", "0 个键，0 条消息，0 个流\n0 字节，其中 0 空闲：…store.bolt\n没有损坏\n")
	w.Prints(t, Store, "check --repair", "0 keys, 0 messages in 0 streams\nno damage\n", "0 个键，0 条消息，0 个流\n没有损坏\n")
	w.Prints(t, Store, "export", "\n", "\n")
	w.Prints(t, Store, "compact", "removed 0 messages, 0 dead letters, 0 files\n0 bytes, before 0: …store.bolt\n", "已删除 0 条消息、0 条死信、0 个文件\n0 字节，之前为 0：…store.bolt\n")
	w.Prints(t, Store, "", "error: helve store needs a subcommand (usage)\nhint: the subcommands are: check, export, compact\n", "错误：helve store 需要子命令（usage）\n提示：可用子命令：check, export, compact\n")
}
