package cmd

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/host"
	"github.com/helve-dev/helve/pkg/fault"
)

// builder makes one command.
type builder func(*host.Host, *Printer) *cobra.Command

// text runs one command, which need not be below helve, and returns what it
// prints as text. An error is printed too.
func text(t *testing.T, lang fault.Lang, build builder, args ...string) string {
	t.Helper()
	o := host.FromEnvironment()
	o.Lang = lang
	h := host.New(o)
	defer h.Close()
	var b bytes.Buffer
	p := newPrinter(&b, io.Discard)
	p.Format, p.Lang = "text", lang
	cobra.EnableCommandSorting = false // as in newRoot
	c := build(h, p)
	c.SilenceErrors, c.SilenceUsage, c.CompletionOptions.DisableDefaultCmd = true, true, true
	c.SetArgs(args)
	c.SetIn(strings.NewReader(""))
	if err := c.ExecuteContext(t.Context()); err != nil {
		p.Fail(usage(err))
	}
	return b.String()
}

// home gives the test a workspace and a home of its own, and returns the file of
// the person's settings.
func home(t *testing.T) (workspace, settings string) {
	t.Helper()
	workspace, dir := t.TempDir(), t.TempDir()
	for name, value := range map[string]string{"HELVE_HOME": dir, "HELVE_ROOT": workspace, "HELVE_SESSION": "", "HELVE_LANG": "", "HELVE_OUTPUT": "", "HELVE_READONLY": "", "HELVE_PROJECT": "", "HELVE": ""} {
		t.Setenv(name, value)
	}
	return workspace, filepath.Join(dir, "config.json")
}

func TestCommands(t *testing.T) {
	workspace, settings := home(t)
	manifest := filepath.Join(workspace, "greet.json")
	if err := os.WriteFile(manifest, []byte(`{"name":"greet","description":"Greet.","risk":"read","run":{"argv":["true"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	registered := filepath.Join(filepath.Dir(settings), "tools", "greet.json")
	for _, c := range []struct {
		build  builder
		args   string
		en, zh string // "…" is any text
	}{
		{checkpointCommand, "--list", "no checkpoints\n", "没有检查点\n"},
		{restoreCommand, "second", "…there is no checkpoint \"second\"…", "…没有检查点 \"second\"…"},
		{checkpointCommand, "--drop first", "…there is no checkpoint \"first\"…", "…没有检查点 \"first\"…"},
		{upgradeCommand, "", "helve dev  built from source: …\n", "helve dev  由源代码构建：…\n"},
		{memoryCommand, "", "on  # default\n", "开启  # default\n"},
		{memoryCommand, "off", "off  # " + settings + "…\n", "关闭  # " + settings + "…\n"},
		{promptCommand, "--format yaml", "error: unknown format \"yaml\" (usage)\nhint: the formats are: xml, json, markdown, hermes\n", "错误：未知格式 \"yaml\"（usage）\n提示：可用格式：xml, json, markdown, hermes\n"},
		{promptCommand, "--tools ls --format json", "You can use…Examples:…", "你可以使用…示例：…"},
		{parseCommand, "<write><path>a</path>", "call_1  write  …the text ends before the call does\n", "call_1  write  …文本在调用结束之前中断\n"},
		{parseCommand, "<think><ls/>", "warning: the thinking is not closed by </think>…\n", "警告：思考内容没有以 </think> 结束…\n"},
		{configCommand, "get switches.memory", "false\n", "false\n"},
		{initCommand, "", "error: there is already a configuration: " + settings + " (already_exists)\nhint: helve config set KEY VALUE changes a setting in it; …\n", "错误：已有配置文件：" + settings + "（already_exists）\n提示：helve config set …\n"},
		{initCommand, "--set output", "error: --set output: want KEY=VALUE (usage)\nhint: such as --set output=text\n", "错误：--set output：应为 键=值（usage）\n提示：例如 --set output=text\n"},
		{initCommand, "--workspace --sandbox off", "error: a workspace's own file only narrows, and this would widen: exec.sandbox (invalid_arguments)\nhint: …\n", "错误：工作区自己的文件只能收紧权限，以下设置会放宽：exec.sandbox（invalid_arguments）\n提示：…\n"},
		{doctorCommand, "", "…helve  …\n…ok       shell …", "…helve  …\n…ok       shell …"},
		{doctorCommand, "--report=" + manifest, "error: there is already a file " + manifest + " (already_exists)\nhint: name another one: --report=FILE\n", "错误：文件 " + manifest + " 已存在（already_exists）\n提示：请指定其他文件：--report=文件\n"},
		{configCommand, "validate", "valid\n", "有效\n"},
		{configCommand, "set nothing 1", "error: …nothing… (…)\nhint: …\n", "错误：…nothing…（…）\n提示：…\n"},
		{configCommand, "path", "…config.json  (absent)\n", "…config.json  （不存在）\n"},
		{configCommand, "trust", "error: the workspace has no configuration of its own (not_found)\nhint: …\n", "错误：工作区没有自己的配置文件（not_found）\n提示：…\n"},
		{configCommand, "trust --forget", "nothing of this workspace is trusted\n", "不信任此工作区的任何内容\n"},
		{configCommand, "", "error: helve config needs a subcommand (usage)\nhint: the subcommands are: show, path, get, set, validate, trust, schema\n", "错误：helve config 需要子命令（usage）\n提示：可用子命令：show, path, get, set, validate, trust, schema\n"},
		{configCommand, "nothing", "error: helve config has no subcommand \"nothing\" (usage)\nhint: …\n", "错误：helve config 没有子命令 \"nothing\"（usage）\n提示：…\n"},
		{approveCommand, "", "error: wrong number of arguments to approve: 0, want 1 (usage)\nhint: usage: approve ID [flags]\n", "错误：approve 的参数个数有误：给出 0 个，需要 1 个（usage）\n提示：用法：approve ID [flags]\n"},
		{approvalsCommand, "watch a", "error: wrong number of arguments to approvals watch: 1, want 0 (usage)\nhint: usage: approvals watch [flags]\n", "错误：approvals watch 的参数个数有误：给出 1 个，需要 0 个（usage）\n提示：用法：approvals watch [flags]\n"},
		{historyCommand, "a b", "error: wrong number of arguments to history: 2, want 0 to 1 (usage)\nhint: usage: history [PATH] [flags]\n", "错误：history 的参数个数有误：给出 2 个，需要 0 到 1 个（usage）\n提示：用法：history [PATH] [flags]\n"},
		{schemaCommand, "--cost --tools time,fetch", "…  fetch\n…  time\n…  together (tokens of o200k_base, estimated)\n", "…  fetch\n…  time\n…  合计（估算的 o200k_base token 数）\n"},
		{toolsCommand, "show str_replace", "edit  write\n\nReplace text in a file. …\nAliases: …str_replace…\nArguments:\n  path (string)  …Required. Aliases: file_path…\n  occurrence (integer)  … At least 1. Not in the schema of a model.\n…\n    within (string)  …\nExamples:\n  one place: {…",
			"edit  write\n\n替换文件中的文本。…\n别名：…str_replace…\n参数：\n  path (string)  …必填。别名：file_path…\n  occurrence (integer)  …不小于 1。不在提供给模型的定义中。\n…\n    within (string)  …\n示例：\n  一处: {…"},
		{toolsCommand, "show ls", "ls  read\n…  path (string)  Directory to list. Default: the workspace root. Aliases: …", "ls  read\n…  path (string)  要列出的目录。默认为工作区根目录。别名：…"},
		{toolsCommand, "show shell-readonly", "shell-readonly  …It is exec with some arguments fixed.\n…", "shell-readonly  …它是固定了部分参数的 exec。\n…"},
		{toolsCommand, "show exec", "exec  destructive\n…Preset: shell-readonly fixes {…}\n…", "exec  destructive\n…预设：shell-readonly 固定 {…}\n…"},
		{toolsCommand, "show raed", "error: there is no tool \"raed\" (unknown_tool)\nhint: did you mean read?…", "错误：没有名为 \"raed\" 的工具（unknown_tool）\n提示：是否指 read？…"},
		{toolsCommand, "validate " + manifest, "greet is valid\n", "greet 有效\n"},
		{toolsCommand, "disable ls", "ls is disabled\n", "ls 已停用\n"},
		{toolsCommand, "enable ls", "ls is enabled\n", "ls 已启用\n"},
		{registerAndUnregister, manifest, "greet is registered: " + registered + "\ngreet is no longer registered\n", "greet 已注册：" + registered + "\ngreet 已注销\n"},
		{policyCommand, `explain read {"path":"a"}`, "allow  # …\n", "allow  # …\n"},
		{riskCommand, "ls", "read\n…\n", "read\n…\n"},
		{historyCommand, "", "\n", "\n"},
		{auditCommand, "--since 1h", "\n", "\n"},
		{auditCommand, "--since 0s", "error: --since 0s: want a duration above zero (usage)\nhint: …\n", "错误：--since 0s：应为大于零的时长（usage）\n提示：…\n"},
		{storeCommand, "check", "0 keys, 0 messages in 0 streams\n0 bytes, 0 of them free: …store.bolt\nno damage\n", "0 个键，0 条消息，0 个流\n0 字节，其中 0 空闲：…store.bolt\n没有损坏\n"},
		{storeCommand, "check --repair", "0 keys, 0 messages in 0 streams\nno damage\n", "0 个键，0 条消息，0 个流\n没有损坏\n"},
		{storeCommand, "export", "\n", "\n"},
		{storeCommand, "compact", "removed 0 messages, 0 dead letters, 0 files\n0 bytes, before 0: …store.bolt\n", "已删除 0 条消息、0 条死信、0 个文件\n0 字节，之前为 0：…store.bolt\n"},
		{storeCommand, "", "error: helve store needs a subcommand (usage)\nhint: the subcommands are: check, export, compact\n", "错误：helve store 需要子命令（usage）\n提示：可用子命令：check, export, compact\n"},
		{messagesCommand, "recv", "error: helve messages recv needs --consumer (usage)\nhint: name the program that receives…\n", "错误：helve messages recv 需要 --consumer（usage）\n提示：请给出接收程序的名称…\n"},
		{messagesCommand, "recv --consumer c", "\n", "\n"},
		{messagesCommand, "recv --consumer c --wait -1s", "error: --wait -1s: want a duration that is not below zero (usage)\nhint: …\n", "错误：--wait -1s：时长不得小于零（usage）\n提示：…\n"},
		{messagesCommand, "recv --consumer c --max 0", "error: --max 0: want 1 or more (usage)\nhint: …\n", "错误：--max 0：应不小于 1（usage）\n提示：…\n"},
		{messagesCommand, "ack --consumer c", "error: messages ack needs the id of a message (usage)\nhint: usage: …\n", "错误：messages ack 需要消息的 id（usage）\n提示：用法：…\n"},
		{messagesCommand, "nak --consumer nobody-yet x", "error: … (not_found)\nhint: …\n", "错误：…（not_found）\n提示：…\n"},
		{messagesCommand, "tail", "\n", "\n"},
		{messagesCommand, "sent --turn 1", "\n", "\n"},
		{messagesCommand, "channels", "consumer c  0 open, 0 to come\n", "消费者 c  未确认 0，待取 0\n"},
		{messagesCommand, "dead", "\n", "\n"},
		{messagesCommand, "dead --retry c:x", "error: there is no dead letter \"c:x\" (not_found)\nhint: …\n", "错误：没有死信 \"c:x\"（not_found）\n提示：…\n"},
		{messagesCommand, "deliver", "error: there is no sink to deliver messages to (not_configured)\nhint: …\n", "错误：没有可投递消息的接收端（not_configured）\n提示：…\n"},
		{messagesCommand, "deliver --sink hok", "error: there is no sink \"hok\" (not_configured)\nhint: the sinks of messages.sinks are: stdout\n", "错误：没有接收端 \"hok\"（not_configured）\n提示：messages.sinks 中的接收端：stdout\n"},
		{messagesCommand, "deliver --once --follow", "error: --once and --follow exclude each other (usage)\nhint: …\n", "错误：--once 与 --follow 不能同时使用（usage）\n提示：…\n"},
		{messagesCommand, "deliver --sink stdout", "", ""},
		{cronCommand, "", "error: helve cron needs a subcommand (usage)\nhint: the subcommands are: get, update, enable, disable, run-now, next, history, tick, run, install\n", "错误：helve cron 需要子命令（usage）\n提示：可用子命令：get, update, enable, disable, run-now, next, history, tick, run, install\n"},
		{cronCommand, "history", "no runs\n", "没有运行\n"},
		{cronCommand, "tick", "no runs\n", "没有运行\n"},
		{cronCommand, "history --limit 0", "error: --limit: want 1 or more, got 0 (usage)\n", "错误：--limit：应不小于 1，实际为 0（usage）\n"},
		{cronCommand, "next @daily --timezone Asia/Shanghai --count 1", "…day 2… 00:00 +08:00 Asia/Shanghai\n", "2…星期… 00:00 +08:00 Asia/Shanghai\n"},
		{cronCommand, "next @daily --count 0", "error: --count: want 1 to 1000, got 0 (usage)\n", "错误：--count：应为 1 到 1000，实际为 0（usage）\n"},
		{cronCommand, "get nothing", "error: there is no job \"nothing\" (not_found)\nhint: …\n", "错误：没有任务 \"nothing\"（not_found）\n提示：…\n"},
		{cronCommand, "enable nothing", "error: there is no job \"nothing\" (not_found)\nhint: …\n", "错误：没有任务 \"nothing\"（not_found）\n提示：…\n"},
		{cronCommand, "update nothing --name x", "error: there is no job \"nothing\" (not_found)\nhint: …\n", "错误：没有任务 \"nothing\"（not_found）\n提示：…\n"},
		{cronCommand, "install --kind systemd --dry-run", "nothing was done; this would be:\nwritten  …/helve-cron-….service\n    # …\nto be typed:\n    systemctl --user daemon-reload\n…", "未做任何更改；将会：\nwritten  …/helve-cron-….service\n    # …\n请执行：\n    systemctl --user daemon-reload\n…"},
		{deskCommand, "--idle -1s", "error: --idle -1s: want a duration that is not below zero (usage)\nhint: …\n", "错误：--idle -1s：时长不得小于零（usage）\n提示：…\n"},
		{denyCommand, "nothing", "error: … (…)\nhint: …\n", "错误：…（…）\n提示：…\n"},
	} {
		for lang, want := range map[fault.Lang]string{fault.English: c.en, fault.Chinese: c.zh} {
			got := text(t, lang, c.build, strings.Fields(c.args)...)
			if !matches(got, want) {
				t.Errorf("%s %s:\n%s", c.args, lang, cmp.Diff(want, got))
			}
		}
	}
}

// registerAndUnregister is a command that runs both on a manifest.
func registerAndUnregister(h *host.Host, out *Printer) *cobra.Command {
	return &cobra.Command{RunE: func(c *cobra.Command, args []string) error {
		if err := registerCommand(h, out).RunE(c, args); err != nil {
			return err
		}
		return unregisterCommand(h, out).RunE(c, []string{"greet"})
	}}
}

// matches reports whether text is as wanted, where "…" stands for any text.
func matches(text, want string) bool {
	parts := strings.Split(want, "…")
	if len(parts) == 1 {
		return text == want
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}
