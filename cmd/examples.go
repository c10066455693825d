package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
)

// sample is a command that a reader of the help can copy.
type sample struct {
	typed string
	does  fault.Text
}

// samplesOf returns the examples of a command that is not a tool's.
func samplesOf(command string) []sample {
	switch command {
	case "helve":
		return []sample{
			{`helve read README.md`, fault.T("a file", "读取一个文件")},
			{`helve grep TODO src`, fault.T("search in a directory", "在目录中搜索")},
			{`echo '{"path":"README.md","limit":5}' | helve read`, fault.T("arguments as JSON", "以 JSON 给出参数")},
			{`helve undo`, fault.T("take back the last change", "撤销上一次改动")},
		}
	case "helve schema":
		return []sample{
			{`helve schema > tools.json`, fault.T("all tools", "全部工具")},
			{`helve schema --tools read,grep,find --strict`, fault.T("three of them, for structured outputs", "其中三个，用于结构化输出")},
		}
	case "helve call":
		return []sample{
			{`helve call < completion.json`, fault.T("run what the model asked for, and print the messages to append", "运行模型请求的调用，并输出应追加的消息")},
			{`helve call --ndjson`, fault.T("keep running: a line in, a line out", "持续运行：一行输入，一行输出")},
		}
	case "helve prompt":
		return []sample{{`helve prompt --format markdown > system.md`, fault.T("for a model without tool calls", "供不支持工具调用的模型使用")}}
	case "helve parse":
		return []sample{{`helve parse < answer.txt`, fault.T("the calls in a model's text", "模型文本中的调用")}}
	case "helve tools aliases":
		return []sample{{`helve tools aliases -o text`, fault.T("the names that calls may use instead", "调用时可改用的名称")}}
	case "helve tools show":
		return []sample{{`helve tools show read`, fault.T("all arguments of a tool", "一个工具的全部参数")}}
	case "helve tools":
		return []sample{{`helve tools list`, fault.T("the tools there are", "现有的工具")}}
	case "helve tools list":
		return []sample{{`helve tools list -o text`, fault.T("a line for each tool", "每个工具一行")}}
	case "helve tools register":
		return []sample{{`helve tools register tools/count.json`, fault.T("add a tool of your own", "添加自己的工具")}}
	case "helve tools unregister":
		return []sample{{`helve tools unregister count`, fault.T("remove it", "移除该工具")}}
	case "helve tools enable":
		return []sample{{`helve tools enable delete`, fault.T("offer a tool again", "重新提供一个工具")}}
	case "helve tools disable":
		return []sample{{`helve tools disable delete`, fault.T("leave a tool out", "去掉一个工具")}}
	case "helve tools validate":
		return []sample{{`helve tools validate tools/count.json`, fault.T("check a manifest before it is registered", "在注册前检查清单")}}
	case "helve history":
		return []sample{
			{`helve history`, fault.T("the last changes", "最近的改动")},
			{`helve history main.go --limit 5`, fault.T("of one file", "某个文件的改动")},
		}
	case "helve approvals":
		return []sample{{`helve approvals list`, fault.T("what waits for a decision", "等待决定的请求")}}
	case "helve approvals list":
		return []sample{{`helve approvals list -o pretty`, fault.T("all requests", "所有请求")}}
	case "helve approvals show":
		return []sample{{`helve approvals show 01m7zh1bwxt3eacg76z38mmmht`, fault.T("one request with its diff", "一个请求及其 diff")}}
	case "helve approvals watch":
		return []sample{{`helve approvals watch`, fault.T("a line for each request, until Ctrl-C", "每个请求一行，直到按 Ctrl-C")}}
	case "helve approve":
		return []sample{
			{`helve approve 01m7zh1bwxt3eacg76z38mmmht`, fault.T("allow the call, run it and print its result", "允许该调用，运行它并输出结果")},
		}
	case "helve deny":
		return []sample{{`helve deny 01m7zh1bwxt3eacg76z38mmmht --reason "use a branch"`, fault.T("refuse the call, and say why", "拒绝该调用并说明原因")}}
	case "helve doctor":
		return []sample{
			{`helve doctor -o text`, fault.T("a line for each check", "每项检查一行")},
			{`helve doctor --report`, fault.T("for a bug report", "用于报告问题")},
		}
	case "helve init":
		return []sample{
			{`helve init --sandbox require --no-input`, fault.T("your own settings, without a question", "自己的设置，不提问")},
			{`helve init --workspace --set 'exec.deny=["git push.*"]'`, fault.T("what holds for everybody in this workspace", "对此工作区的所有人生效")},
		}
	case "helve config":
		return []sample{{`helve config show`, fault.T("all settings and where they come from", "全部设置及其来源")}}
	case "helve config show":
		return []sample{{`helve config show -o text`, fault.T("a line for each setting", "每项设置一行")}}
	case "helve config path":
		return []sample{{`helve config path`, fault.T("where settings are looked for", "在哪里查找设置")}}
	case "helve config get":
		return []sample{{`helve config get exec`, fault.T("all settings about commands", "与命令有关的全部设置")}}
	case "helve config set":
		return []sample{
			{`helve config set files.require_read on`, fault.T("a string as it is", "字符串按原样给出")},
			{`helve config set exec.allow '["git status","go test"]'`, fault.T("anything else as JSON", "其他值以 JSON 给出")},
		}
	case "helve config validate":
		return []sample{{`helve config validate`, fault.T("what is wrong with the settings in force", "当前设置有何错误")}}
	case "helve config trust":
		return []sample{{`helve config trust`, fault.T("follow this workspace's own settings as they are now", "按现状采用此工作区自己的设置")}}
	case "helve config schema":
		return []sample{{`helve config schema > helve.schema.json`, fault.T("for an editor", "供编辑器使用")}}
	case "helve policy", "helve policy explain":
		return []sample{
			{`helve policy explain write '{"path":"SOUL.md","content":""}'`, fault.T("what would be decided about this call", "对此调用会如何裁决")},
			{`helve policy explain exec 'git push'`, fault.T("about a command", "对某条命令")},
		}
	case "helve memory", "helve memory on", "helve memory off":
		return []sample{
			{`helve memory`, fault.T("whether it is on", "是否开启")},
			{`helve memory off`, fault.T("turn it off", "关闭")},
		}
	case "helve checkpoint":
		return []sample{
			{`helve checkpoint before-refactoring`, fault.T("remember the workspace under a name", "以一个名称记住工作区")},
			{`helve checkpoint --list`, fault.T("the checkpoints", "列出检查点")},
		}
	case "helve restore":
		return []sample{
			{`helve restore before-refactoring --dry-run`, fault.T("what would change", "会有哪些变化")},
			{`helve restore before-refactoring`, fault.T("go back", "恢复")},
		}
	case "helve risk":
		return []sample{{`helve risk 'git push --force'`, fault.T("judged, not run", "只评估，不运行")}}
	case "helve cron", "helve cron get", "helve cron update", "helve cron enable", "helve cron disable", "helve cron run-now", "helve cron next", "helve cron history",
		"helve cron tick", "helve cron run", "helve cron install":
		return cronSamples(command)
	case "helve spawn run", "helve spawn status", "helve spawn list", "helve spawn logs", "helve spawn wait", "helve spawn result", "helve spawn cancel", "helve spawn gc",
		"helve spawn prompt", "helve spawn worker":
		return spawnSamples(command)
	case "helve audit":
		return []sample{{`helve audit --since 1h`, fault.T("the calls of the last hour", "最近一小时的调用")}}
	case "helve store", "helve store check":
		return []sample{
			{`helve store check`, fault.T("whether it is in order", "检查是否完好")},
			{`helve store check --repair`, fault.T("save what can be read", "保存仍可读取的内容")},
		}
	case "helve store export":
		return []sample{{`helve store export --out store.ndjson`, fault.T("everything in it, to a file", "将全部内容写入文件")}}
	case "helve store compact":
		return []sample{{`helve store compact`, fault.T("when messages were many", "消息较多之后")}}
	case "helve version":
		return []sample{{`helve version`, fault.T("also helve --version", "也可用 helve --version")}}
	case "helve upgrade":
		return []sample{
			{`helve upgrade`, fault.T("how it was installed", "查看安装方式")},
			{`helve upgrade --check`, fault.T("whether there is a newer release", "是否有新版本")},
		}
	case "helve skill":
		return []sample{
			{`helve skill`, fault.T("read it", "查看")},
			{`helve skill --dir .claude/skills`, fault.T("write it where agents look for it", "写到智能体查找的位置")},
		}
	case "helve help":
		return []sample{{`helve help config set`, fault.T("the help of one command", "某个命令的帮助")}}
	case "helve completion", "helve completion bash":
		return []sample{{`source <(helve completion bash)`, fault.T("for this shell; put it into ~/.bashrc for all", "用于当前 shell；写入 ~/.bashrc 则始终有效")}}
	case "helve completion zsh":
		return []sample{{`helve completion zsh > "${fpath[1]}/_helve"`, fault.T("for every new shell", "用于每个新的 shell")}}
	case "helve completion fish":
		return []sample{{`helve completion fish > ~/.config/fish/completions/helve.fish`, fault.T("for every new shell", "用于每个新的 shell")}}
	case "helve completion powershell":
		return []sample{{`helve completion powershell | Out-String | Invoke-Expression`, fault.T("for this shell; put it into your profile for all", "用于当前 shell；写入配置文件则始终有效")}}
	}
	return nil
}

// cronSamples is samplesOf for the commands of the schedule.
func cronSamples(command string) []sample {
	switch command {
	case "helve cron get":
		return []sample{{`helve cron get standup`, fault.T("by its id or its name", "按 id 或名称")}}
	case "helve cron update":
		return []sample{{`helve cron update standup --cron '0 10 * * 1-5'`, fault.T("run it at other times", "改为其他时间运行")}}
	case "helve cron enable":
		return []sample{{`helve cron enable standup`, fault.T("from now on", "从现在起")}}
	case "helve cron disable":
		return []sample{{`helve cron disable standup --reason "on leave"`, fault.T("until it is enabled again", "直到重新启用")}}
	case "helve cron run-now":
		return []sample{{`helve cron run-now backup`, fault.T("outside of its times", "不等到预定时间")}}
	case "helve cron next":
		return []sample{
			{`helve cron next '0 9 * * MON#1' --timezone Europe/Berlin`, fault.T("of an expression, before it is added", "在添加之前查看表达式")},
			{`helve cron next standup --count 10`, fault.T("of a job", "某个任务")},
		}
	case "helve cron history":
		return []sample{{`helve cron history backup --limit 5`, fault.T("the last runs of a job", "某个任务最近的运行")}}
	case "helve cron tick":
		return []sample{{`helve cron tick`, fault.T("one pass", "执行一次")}}
	case "helve cron run":
		return []sample{{`helve cron run`, fault.T("until Ctrl-C", "直到按 Ctrl-C")}}
	case "helve cron install":
		return []sample{
			{`helve cron install --dry-run -o text`, fault.T("what would be written, and what to type", "将写入什么，以及要执行的命令")},
			{`helve cron install --kind systemd --tick`, fault.T("a timer that calls cron tick", "调用 cron tick 的定时器")},
		}
	}
	return []sample{
		{`helve cron add --message "Call Ann back" --in 20m --channel telegram --to 42`, fault.T("a reminder", "提醒")},
		{`helve cron list -o text`, fault.T("the jobs", "列出任务")},
		{`helve cron run`, fault.T("run them", "运行任务")},
	}
}

// spawnSamples is samplesOf for the commands about sub-agents.
func spawnSamples(command string) []sample {
	switch command {
	case "helve spawn run":
		return []sample{
			{`helve spawn run "Run the tests in pkg/web and say which fail, and why"`, fault.T("see what it does, and its result", "查看过程和结果")},
			{`helve spawn run --stream --timeout 600 < task.md`, fault.T("a long task, for a program that reads lines", "较长的任务，供按行读取的程序使用")},
		}
	case "helve spawn status":
		return []sample{{`helve spawn status fix-tests`, fault.T("by the beginning of its id", "按 id 的开头")}}
	case "helve spawn list":
		return []sample{
			{`helve spawn list -o text`, fault.T("a line for each", "每个一行")},
			{`helve spawn list --status failed,lost`, fault.T("those that did not do their task", "未完成任务的")},
		}
	case "helve spawn logs":
		return []sample{{`helve spawn logs -f fix-tests`, fault.T("what it does, until it has ended", "它的过程，直到结束")}}
	case "helve spawn wait":
		return []sample{{`helve spawn wait fix-tests find-callers --timeout 10m`, fault.T("for two of them", "等待其中两个")}}
	case "helve spawn result":
		return []sample{{`helve spawn result find-callers -o text > callers.md`, fault.T("the result alone", "仅结果")}}
	case "helve spawn cancel":
		return []sample{
			{`helve spawn cancel fix-tests`, fault.T("one", "一个")},
			{`helve spawn cancel --all`, fault.T("all that have not ended", "所有尚未结束的")},
		}
	case "helve spawn gc":
		return []sample{{`helve spawn gc --older-than 30d`, fault.T("those of the last month stay", "保留最近一个月的")}}
	case "helve spawn prompt":
		return []sample{{`helve spawn prompt --default -o text > prompt.md`, fault.T("a beginning for one of your own", "作为编写自己的提示的起点")}}
	}
	return []sample{{`helve spawn worker --labels gpu`, fault.T("take the jobs that need a GPU, on this host", "在本机执行需要 GPU 的任务")}}
}

// toolSamples returns the examples of a tool.
func toolSamples(t *tool.Tool) []sample {
	all := make([]sample, len(t.Examples))
	for i, e := range t.Examples {
		all[i] = sample{"helve " + t.Command() + " '" + e.Args + "'", fault.T("%s", "%s", docOf(e))}
	}
	return all
}

// docOf returns what an example of a tool does, in both languages.
func docOf(e tool.Example) fault.Text {
	return fault.Verbatim(e.DocIn(fault.English), e.DocIn(fault.Chinese))
}

// shownSamples returns examples as the help shows them: what one does, and below that the
// command, which is never broken.
func shownSamples(all []sample, lang fault.Lang) string {
	lines := make([]string, 0, 2*len(all))
	for _, s := range all {
		lines = append(lines, "  # "+s.does.In(lang), "  "+s.typed)
	}
	return strings.Join(lines, "\n")
}

// addSamples adds the examples of the commands that are not tools.
func addSamples(c *cobra.Command, lang fault.Lang) {
	if all := samplesOf(c.CommandPath()); len(all) > 0 {
		c.Example = shownSamples(all, lang)
	}
	for _, sub := range c.Commands() {
		addSamples(sub, lang)
	}
}
