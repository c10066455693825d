package catalog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/cmdtest"
	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/cmd/out"
)

// TestTexts shows what the commands print for people, in both languages.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := cmdtest.New(t)
	manifest := filepath.Join(w.Root, "greet.json")
	if err := os.WriteFile(manifest, []byte(`{"name":"greet","description":"Greet.","risk":"read","run":{"argv":["true"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Prints(t, Command, "show str_replace", "edit  write\n\nReplace text in a file. …\nAliases: …str_replace…\nArguments:\n  path (string)  …Required. Aliases: file_path…\n  occurrence (integer)  … At least 1. Not in the schema of a model.\n…\n    within (string)  …\nExamples:\n  one place: {…",
		"edit  write\n\n替换文件中的文本。…\n别名：…str_replace…\n参数：\n  path (string)  …必填。别名：file_path…\n  occurrence (integer)  …不小于 1。不在提供给模型的定义中。\n…\n    within (string)  …\n示例：\n  一处: {…")
	w.Prints(t, Command, "show ls", "ls  read\n…  path (string)  Directory to list. Default: the workspace root. Aliases: …", "ls  read\n…  path (string)  要列出的目录。默认为工作区根目录。别名：…")
	w.Prints(t, Command, "show shell-readonly", "shell-readonly  …It is exec with some arguments fixed.\n…", "shell-readonly  …它是固定了部分参数的 exec。\n…")
	w.Prints(t, Command, "show exec", "exec  destructive\n…Preset: shell-readonly fixes {…}\n…", "exec  destructive\n…预设：shell-readonly 固定 {…}\n…")
	w.Prints(t, Command, "show raed", "error: there is no tool \"raed\" (unknown_tool)\nhint: did you mean read?…", "错误：没有名为 \"raed\" 的工具（unknown_tool）\n提示：是否指 read？…")
	w.Prints(t, Command, "validate "+manifest, "greet is valid\n", "greet 有效\n")
	w.Prints(t, Command, "disable ls", "ls is disabled\n", "ls 已停用\n")
	w.Prints(t, Command, "enable ls", "ls is enabled\n", "ls 已启用\n")
	w.Prints(t, registerAndUnregister, manifest, "greet is registered: "+filepath.Join(w.Dirs.UserTools(), "greet.json")+"\ngreet is no longer registered\n", "greet 已注册："+filepath.Join(w.Dirs.UserTools(), "greet.json")+"\ngreet 已注销\n")
}

// registerAndUnregister is a command that runs both on a manifest.
func registerAndUnregister(h *host.Host, p *out.Printer) *cobra.Command {
	return &cobra.Command{RunE: func(c *cobra.Command, args []string) error {
		if err := registerCommand(h, p).RunE(c, args); err != nil {
			return err
		}
		return unregisterCommand(h, p).RunE(c, []string{"greet"})
	}}
}
