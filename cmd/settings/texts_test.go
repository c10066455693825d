package settings

import (
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	w.Prints(t, Memory, "", "on  # default\n", "开启  # default\n")
	w.Prints(t, Memory, "off", "off  # "+w.Dirs.UserConfig+"…\n", "关闭  # "+w.Dirs.UserConfig+"…\n")
	w.Prints(t, Config, "get switches.memory", "false\n", "false\n")
	w.Prints(t, Config, "validate", "valid\n", "有效\n")
	w.Prints(t, Config, "set nothing 1", "error: …nothing… (…)\nhint: …\n", "错误：…nothing…（…）\n提示：…\n")
	w.Prints(t, Config, "path", "…config.json  (absent)\n", "…config.json  （不存在）\n")
	w.Prints(t, Config, "trust", "error: the workspace has no configuration of its own (not_found)\nhint: …\n", "错误：工作区没有自己的配置文件（not_found）\n提示：…\n")
	w.Prints(t, Config, "trust --forget", "nothing of this workspace is trusted\n", "不信任此工作区的任何内容\n")
	w.Prints(t, Config, "", "error: helve config needs a subcommand (usage)\nhint: the subcommands are: show, path, get, set, validate, trust, schema\n", "错误：helve config 需要子命令（usage）\n提示：可用子命令：show, path, get, set, validate, trust, schema\n")
	w.Prints(t, Config, "nothing", "error: helve config has no subcommand \"nothing\" (usage)\nhint: …\n", "错误：helve config 没有子命令 \"nothing\"（usage）\n提示：…\n")
	w.Prints(t, Policy, `explain read {"path":"a"}`, "allow  # …\n", "allow  # …\n")
	w.Prints(t, Risk, "ls", "read\n…\n", "read\n…\n")
}
