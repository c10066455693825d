package cmd

import (
	"os"
	"testing"

	"github.com/helve-dev/helve/cmd/cmdtest"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	if err := os.WriteFile(w.Dirs.UserConfig, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Prints(t, upgradeCommand, "", "helve dev  built from source: …\n", "helve dev  由源代码构建：…\n")
	w.Prints(t, initCommand, "", "error: there is already a configuration: "+w.Dirs.UserConfig+" (already_exists)\nhint: helve config set KEY VALUE changes a setting in it; …\n", "错误：已有配置文件："+w.Dirs.UserConfig+"（already_exists）\n提示：helve config set …\n")
	w.Prints(t, initCommand, "--set output", "error: --set output: want KEY=VALUE (usage)\nhint: such as --set output=text\n", "错误：--set output：应为 键=值（usage）\n提示：例如 --set output=text\n")
	w.Prints(t, initCommand, "--workspace --sandbox off", "error: a workspace's own file only narrows, and this would widen: exec.sandbox (invalid_arguments)\nhint: …\n", "错误：工作区自己的文件只能收紧权限，以下设置会放宽：exec.sandbox（invalid_arguments）\n提示：…\n")
}
