package cron

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Command, "", "error: helve cron needs a subcommand (usage)\nhint: the subcommands are: get, update, enable, disable, run-now, next, history, tick, run, install\n", "错误：helve cron 需要子命令（usage）\n提示：可用子命令：get, update, enable, disable, run-now, next, history, tick, run, install\n")
	w.Prints(t, Command, "history", "no runs\n", "没有运行\n")
	w.Prints(t, Command, "tick", "no runs\n", "没有运行\n")
	w.Prints(t, Command, "history --limit 0", "error: --limit: want 1 or more, got 0 (usage)\n", "错误：--limit：应不小于 1，实际为 0（usage）\n")
	w.Prints(t, Command, "next @daily --timezone Asia/Shanghai --count 1", "…day 2… 00:00 +08:00 Asia/Shanghai\n", "2…星期… 00:00 +08:00 Asia/Shanghai\n")
	w.Prints(t, Command, "next @daily --count 0", "error: --count: want 1 to 1000, got 0 (usage)\n", "错误：--count：应为 1 到 1000，实际为 0（usage）\n")
	w.Prints(t, Command, "get nothing", "error: there is no job \"nothing\" (not_found)\nhint: …\n", "错误：没有任务 \"nothing\"（not_found）\n提示：…\n")
	w.Prints(t, Command, "enable nothing", "error: there is no job \"nothing\" (not_found)\nhint: …\n", "错误：没有任务 \"nothing\"（not_found）\n提示：…\n")
	w.Prints(t, Command, "update nothing --name x", "error: there is no job \"nothing\" (not_found)\nhint: …\n", "错误：没有任务 \"nothing\"（not_found）\n提示：…\n")
	w.Prints(t, Command, "install --kind systemd --dry-run", "nothing was done; this would be:\nwritten  …/helve-cron-….service\n    # …\nto be typed:\n    systemctl --user daemon-reload\n…", "未做任何更改；将会：\nwritten  …/helve-cron-….service\n    # …\n请执行：\n    systemctl --user daemon-reload\n…")
}
