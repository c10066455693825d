package host

import "github.com/helve-dev/helve/pkg/fault"

// Entry is a variable of the environment or a file, for the manual.
type Entry struct {
	Name string
	What fault.Text
}

// Variables returns the variables of the environment that helve reads, but for those that
// it sets itself for what it starts and those that are nobody's in particular, such as
// PATH.
func Variables() []Entry {
	all := []Entry{
		{"HELVE_ROOT", fault.T("the workspace, as --root", "工作区，同 --root")},
		{"HELVE_PROJECT", fault.T("the configured project that calls work in, as --project", "调用所在的已配置项目，同 --project")},
		{"HELVE_SESSION", fault.T("the session that the calls belong to, as --session", "调用所属的会话，同 --session")},
		{OutputVariable, fault.T("the form of the output, as -o: json, pretty or text", "输出形式，同 -o：json、pretty 或 text")},
		{"HELVE_LANG", fault.T("the language of messages and help, as --lang: en or zh", "消息和帮助的语言，同 --lang：en 或 zh")},
		{ReadOnlyVariable, fault.T("1 or true refuses every call that does more than read, as --readonly", "1 或 true 拒绝一切不止读取的调用，同 --readonly")},
		{"HELVE_CHANNEL", fault.T("the channel of the conversation that the calls come from, such as telegram", "调用所来自的会话渠道，例如 telegram")},
		{"HELVE_CHAT", fault.T("that conversation in its channel, such as 42", "该渠道中的会话，例如 42")},
		{"HELVE_TURN", fault.T("the turn of the agent, in which the same message is sent once", "智能体的轮次，同一轮中相同的消息只发送一次")},
		{"HELVE_HOME", fault.T("a directory for all that is helve's own: config.json, state and cache", "存放 helve 自身一切内容的目录：config.json、state 和 cache")},
		{"HELVE_RELEASES_URL", fault.T("where helve upgrade --check asks for the newest release, such as a mirror", "helve upgrade --check 查询最新版本的地址，例如镜像")},
		{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", fault.T("the directories of the XDG Base Directory Specification, without HELVE_HOME", "未设置 HELVE_HOME 时，XDG 基本目录规范的各目录")},
		{baseVariable + ", " + modelVariable + ", " + keyVariable, fault.T("the model of sub-agents, where spawn.base_url, spawn.model and spawn.key_env say nothing", "未设置 spawn.base_url、spawn.model 和 spawn.key_env 时子代理所用的模型")},
		{anthropicVariable, fault.T("the key of Anthropic's own server", "Anthropic 官方服务器的密钥")},
		{"HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY", fault.T("the proxy for the web, where web.proxy says nothing; also in lower case", "未设置 web.proxy 时的网络代理；小写亦可")},
		{"NO_COLOR", fault.T("no colours on the terminal", "终端上不用颜色")},
		{"CI", fault.T("if it is set, no line about progress on the terminal; TERM=dumb does the same", "已设置时，终端上不显示进度行；TERM=dumb 亦然")},
		{"COLUMNS", fault.T("the width of help and text", "帮助和文本的宽度")},
	}
	for _, b := range bindings() {
		all = append(all, Entry{b.name, fault.T("the setting %s", "设置项 %s", b.key)})
	}
	return all
}

// Files returns the files and directories of helve, as they are on Linux and macOS without
// HELVE_HOME.
func Files() []Entry {
	return []Entry{
		{"~/.config/helve/config.json", fault.T("your settings and rules", "你的设置和规则")},
		{"~/.config/helve/tools/", fault.T("your custom tools", "你的自定义工具")},
		{"~/.config/helve/servers/", fault.T("the servers whose tools you have imported", "你导入其工具的服务器")},
		{"~/.config/helve/output/", fault.T("your rules about the output of programs, NAME.rules", "你关于程序输出的规则：名称.rules")},
		{"/etc/helve/config.json", fault.T("the settings of the administrator", "管理员的设置")},
		{".helve/config.json", fault.T("the settings of the workspace, which only narrow until helve config trust", "工作区的设置；在 helve config trust 之前只能收紧")},
		{".helve/tools/", fault.T("the custom tools of the workspace, which do nothing until they are trusted", "工作区的自定义工具；受信任之前不起作用")},
		{".helve/artifacts/SESSION/", fault.T("complete outputs of commands and images, for the agent to read", "命令的完整输出和图像，供智能体读取")},
		{"~/.local/state/helve/", fault.T("what undo restores, approvals, the audit log, messages and jobs", "undo 所恢复的内容、批准、审计日志、消息和任务")},
		{"~/.cache/helve/", fault.T("web pages, texts of documents and caches of commands, which can be deleted", "网页、文档文本和命令的缓存，可以删除")},
	}
}
