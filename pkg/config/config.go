// Package config reads helve's settings: from files, the environment and flags, each
// with where it comes from. It acts on none of them.
//
// A workspace's own configuration file is written by whoever writes the repository,
// an agent included. [Load] therefore takes from it only what narrows, until a
// person has trusted its bytes: see [Trust].
package config

import (
	"encoding/json"
	"reflect"
	"sync"

	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
)

// Config is the settings of one file, or of all sources together. The key of a
// setting is its names joined by dots, as in files.require_read.
type Config struct {
	Project  string        `json:"project,omitzero" doc:"Id of the project that calls work in; empty means the workspace itself." zh:"调用所在项目的 id；为空表示工作区本身。"`
	ReadOnly bool          `json:"readonly,omitzero" default:"false" doc:"Deny everything but reading." zh:"只允许读取，拒绝其他一切。"`
	Output   string        `json:"output,omitzero" enum:"auto,json,pretty,text" default:"auto" doc:"Form of output where neither -o nor HELVE_OUTPUT names one: JSON on one line, indented JSON, or text for people and models. auto is text on a terminal, and indented JSON where there is no text, else json." zh:"未由 -o 或 HELVE_OUTPUT 指定时的输出形式：json 为单行 JSON，pretty 为缩进的 JSON，text 为供人和模型阅读的文本。auto 在终端上为 text，没有文本时为缩进的 JSON，其他情况为 json。"`
	Files    Files         `json:"files,omitzero" doc:"Files of the workspace." zh:"工作区中的文件。"`
	Search   FileSearch    `json:"search,omitzero" doc:"Searching for files." zh:"搜索文件。"`
	Projects []Project     `json:"projects,omitzero" doc:"Roots besides the workspace; a path in one is written [id]/path." zh:"工作区以外的根目录；其中的路径写作 [id]/路径。"`
	Policy   Policy        `json:"policy,omitzero" doc:"What is decided where no rule matches." zh:"没有规则匹配时如何裁决。"`
	Rules    []policy.Rule `json:"rules,omitzero" doc:"Rules that allow, ask about or deny calls; of those that match, the strictest decides." zh:"允许、询问或拒绝调用的规则；匹配的规则中以最严格者为准。"`
	Switches Switches      `json:"switches,omitzero" doc:"Features that can be turned off; rules and tools may require them." zh:"可关闭的功能；规则和工具可要求其开启。"`
	Tools    Tools         `json:"tools,omitzero" doc:"Which tools exist." zh:"有哪些工具。"`
	Audit    Audit         `json:"audit,omitzero" doc:"Log of calls." zh:"调用日志。"`
	Web      Web           `json:"web,omitzero" doc:"Access to the web." zh:"网络访问。"`
	Exec     Exec          `json:"exec,omitzero" doc:"Commands and their sandbox." zh:"命令及其沙箱。"`
	Messages Messages      `json:"messages,omitzero" doc:"Messages on the bus." zh:"总线上的消息。"`
	Store    Store         `json:"store,omitzero" doc:"Store of messages and scheduled jobs." zh:"消息与定时任务的存储。"`
	Spawn    Spawn         `json:"spawn,omitzero" doc:"Sub-agents." zh:"子代理。"`
}

// defaults returns the settings without any source. They are those of the tags; a
// test compares the two, and a call without files need not read the tags.
func defaults() Config {
	return Config{
		Output:   "auto",
		Files:    Files{RequireRead: "warn", Links: "follow", Dotdot: "inside", Artifacts: ".helve/artifacts/{session}"},
		Policy:   Policy{Undoable: "ask"},
		Switches: Switches{Memory: true},
		Tools:    Tools{Imported: "deferred"},
		Web:      Web{Search: Search{Provider: "auto"}},
		Exec:     Exec{Sandbox: "auto", Shell: "auto", Reads: "all", Network: "auto"},
		Spawn:    Spawn{Format: "auto", MaxJobs: 4, Tokens: 2_000_000, Context: 100_000, Timeout: 1800, OnLost: "fail", Runtime: BuiltinRuntime},
	}
}

// Files is the settings of the file tools.
type Files struct {
	RequireRead string `json:"require_read,omitzero" enum:"off,warn,on" default:"warn" doc:"What to do when a call overwrites a file that the session has not read: nothing, warn, or refuse." zh:"调用覆盖本会话未读过的文件时：off 不处理，warn 警告，on 拒绝。"`
	Links       string `json:"links,omitzero" enum:"follow,refuse" default:"follow" doc:"What becomes of a path that goes through a symbolic link: it is followed inside the workspace, or refused." zh:"路径经过符号链接时：follow 在工作区内跟随，refuse 拒绝。"`
	Dotdot      string `json:"dotdot,omitzero" enum:"inside,refuse" default:"inside" doc:"What becomes of a path with .. in it: it may lead to anywhere inside the workspace, or is refused." zh:"路径含有 .. 时：inside 只要仍在工作区内即可，refuse 拒绝。"`
	Artifacts   string `json:"artifacts,omitzero" default:".helve/artifacts/{session}" doc:"Directory in the workspace for the complete output of commands and for images; {session} stands for the session." zh:"工作区内存放命令完整输出和图像的目录；{session} 表示会话。"`
}

// FileSearch is the settings of the tool file-search.
type FileSearch struct {
	Skip []string `json:"skip,omitzero" doc:"Names of directories that file-search does not enter, besides node_modules and .venv." zh:"除 node_modules 和 .venv 外，file-search 不进入的目录名称。"`
}

// Policy is what is decided where no rule matches.
type Policy struct {
	Undoable string `json:"undoable,omitzero" enum:"ask,allow" default:"ask" doc:"Whether to ask before a call deletes what undo restores. What undo cannot restore is asked about in any case." zh:"调用删除 undo 可恢复的内容时：ask 询问，allow 不询问。undo 无法恢复的内容总会询问。"`
}

// Project is a root besides the workspace.
type Project struct {
	ID   string `json:"id" min:"1" max:"64" doc:"Name of the project: letters, digits, -, _ and dots." zh:"项目名称：字母、数字、-、_ 和点。"`
	Path string `json:"path" min:"1" max:"4095" doc:"Its directory. A relative path starts at the workspace in the workspace's own file, and otherwise at the directory of the file that sets it." zh:"项目的目录。相对路径在工作区自身的文件中以工作区为起点，否则以设置它的文件所在目录为起点。"`
	Mode string `json:"mode,omitzero" enum:"read,write" default:"read" doc:"Whether calls from other projects may change files there, or only read them." zh:"来自其他项目的调用可修改其中的文件（write），还是只能读取（read）。"`
}

// Switches are features that can be turned off.
type Switches struct {
	Memory bool `json:"memory,omitzero" default:"true" doc:"Memory of the agent across sessions." zh:"智能体跨会话的记忆。"`
}

// Tools says which tools there are.
type Tools struct {
	Disabled  []string  `json:"disabled,omitzero" doc:"Names of tools to leave out." zh:"要去掉的工具的名称。"`
	Bound     []Bound   `json:"bound,omitzero" doc:"Tools made from another tool by fixing some of its arguments." zh:"固定另一工具的部分参数而得到的工具。"`
	Sets      []Toolset `json:"sets,omitzero" doc:"Toolsets of your own: names for a choice of tools, for helve schema --toolset." zh:"自定义工具集：为一组工具命名，用于 helve schema --toolset。"`
	Names     []string  `json:"names,omitzero" doc:"Tools under other names: an object of the new names, each with tool, doc, doc_zh and arguments, which is an object of new names of arguments by the ones they have." zh:"以其他名称发布的工具：以新名称为键的对象，各含 tool、doc、doc_zh 和 arguments；arguments 以参数原名为键、新名为值。"` // objects in the file, the JSON of each here
	Imported  string    `json:"imported,omitzero" enum:"deferred,offered" default:"deferred" doc:"Whether the tools of imported servers are in every list of definitions (offered), or only where they are named, and found by tools_search (deferred)." zh:"已导入服务器的工具：offered 出现在所有定义列表中；deferred 仅在被指名时出现，并可用 tools_search 查找。"`
	Manifests []string  `json:"manifests,omitzero" doc:"Directories of custom tools, which may be relative as the path of a project is." zh:"自定义工具所在的目录，可像项目路径那样为相对路径。"`
}

// Toolset is a name for a choice of tools.
type Toolset struct {
	Name  string   `json:"name" min:"1" max:"64" doc:"Name of the toolset: letters, digits, -, _ and dots." zh:"工具集的名称：字母、数字、-、_ 和点。"`
	Tools []string `json:"tools" min:"1" max:"200" doc:"Names of its tools." zh:"其中工具的名称。"`
}

// Bound is a preset of a tool: a tool with a name of its own, some of whose arguments
// are fixed and hidden.
type Bound struct {
	Name        string   `json:"name" min:"1" max:"64" doc:"Name of the new tool." zh:"新工具的名称。"`
	Uses        string   `json:"uses" min:"1" max:"64" doc:"Name of the tool that it is made from." zh:"所基于的工具的名称。"`
	Description string   `json:"description,omitzero" doc:"What it does; by default, the description of the other tool." zh:"它的作用；默认为所基于工具的描述。"`
	Bind        string   `json:"bind" doc:"Fixed arguments." zh:"固定的参数。"` // an object in the file, its JSON here
	Requires    []string `json:"requires,omitzero" doc:"Switches that must be on for the tool to exist." zh:"该工具存在所需开启的开关。"`
}

// Bindings returns the fixed arguments as a JSON object.
func (b Bound) Bindings() json.RawMessage { return json.RawMessage(b.Bind) }

// Audit is the settings of the log of calls.
type Audit struct {
	Mask []string `json:"mask,omitzero" doc:"Regular expressions (RE2) of secrets to hide, besides the known kinds." zh:"除已知种类外，要隐藏的机密的正则表达式（RE2）。"`
}

// Web is the settings of the web client.
type Web struct {
	AllowPrivate   bool     `json:"allow_private,omitzero" default:"false" doc:"Let web tools reach private addresses, such as this machine's own." zh:"允许网络工具访问私有地址，例如本机地址。"`
	AllowAddresses []string `json:"allow_addresses,omitzero" doc:"Blocks of addresses that are not public and that web tools may reach, such as 198.18.0.0/15." zh:"网络工具可访问的非公共地址段，例如 198.18.0.0/15。"`
	Proxy          string   `json:"proxy,omitzero" doc:"Proxy for the web, such as http://proxy.example.org:3128, or direct for none; by default, that of the environment." zh:"访问网络的代理，例如 http://proxy.example.org:3128；direct 表示不用代理；默认取自环境变量。"`
	Browser        string   `json:"browser,omitzero" doc:"Chromium or Chrome that may run the scripts of pages, confined and behind the same rules: auto for the first one installed, or its path; without it, none." zh:"可用于运行页面脚本的 Chromium 或 Chrome（受隔离并遵守同样的规则）：auto 为已安装的第一个，或其路径；为空则不使用。"`
	Headers        []string `json:"headers,omitzero" doc:"Headers of requests for pages: an object of hosts, such as api.example.org or *.example.org, each with an object of headers. They are sent over https only, never to another host, and never shown; what such a request returns is not cached." zh:"获取网页时的请求头：以主机（如 api.example.org 或 *.example.org）为键，值为请求头对象。仅通过 https 发送，绝不发往其他主机，也从不显示；此类请求的响应不会缓存。"` // objects in the file, the JSON of each here
	Search         Search   `json:"search,omitzero" doc:"Search engines." zh:"搜索引擎。"`
}

// Search is the settings of the search engines. An engine is available when it has
// the key or the address that it needs.
type Search struct {
	Provider   string  `json:"provider,omitzero" enum:"auto,brave,duckduckgo,searxng,tavily,exa,serper,google" default:"auto" doc:"Engine to use; auto is the first that has what it needs, or else duckduckgo." zh:"使用的引擎；auto 为第一个具备所需设置的引擎，否则为 duckduckgo。"`
	Brave      Service `json:"brave,omitzero" doc:"Brave Search API." zh:"Brave Search API。"`
	DuckDuckGo Service `json:"duckduckgo,omitzero" doc:"DuckDuckGo, which needs no key." zh:"DuckDuckGo，无需密钥。"`
	SearXNG    Service `json:"searxng,omitzero" doc:"An instance of SearXNG, which needs an address and no key." zh:"一个 SearXNG 实例，需要地址而无需密钥。"`
	Tavily     Service `json:"tavily,omitzero" doc:"Tavily Search." zh:"Tavily 搜索。"`
	Exa        Service `json:"exa,omitzero" doc:"Exa Search." zh:"Exa 搜索。"`
	Serper     Service `json:"serper,omitzero" doc:"Serper, for results of Google." zh:"Serper，提供 Google 的结果。"`
	Google     Service `json:"google,omitzero" doc:"Google Programmable Search, which also needs an engine." zh:"Google 可编程搜索，还需要 engine。"`
}

// Service is the settings of a search engine.
type Service struct {
	Key    string `json:"key,omitzero" doc:"Key of its API. It is never shown." zh:"其 API 的密钥，从不显示。"`
	URL    string `json:"url,omitzero" doc:"Address of the service, if not its usual one." zh:"服务的地址，仅在非默认时需要。"`
	Engine string `json:"engine,omitzero" doc:"Id of a search engine (cx), for google." zh:"搜索引擎的 id（cx），用于 google。"`
}

// Exec is the settings of commands. Which commands are allowed is a matter of rules
// with argv or network.
type Exec struct {
	Sandbox  string   `json:"sandbox,omitzero" enum:"off,auto,require,namespaces,landlock" default:"auto" doc:"Sandbox of commands. off: none. auto: the strongest that this machine has; without one, ask about every command that may change something. require: without one, run nothing. namespaces, landlock: that one; without it, run nothing." zh:"命令的沙箱。off：无。auto：本机可用的最强者；没有沙箱时，对每条可能产生改动的命令询问。require：没有沙箱则不运行任何命令。namespaces、landlock：只用该种，没有则不运行。"`
	Shell    string   `json:"shell,omitzero" enum:"auto,user,bash,sh,zsh" default:"auto" doc:"Shell of commands that ask for none. auto: bash, or sh without it. user: the person's login shell." zh:"命令未指定时使用的 shell。auto：bash，没有则为 sh。user：用户的登录 shell。"`
	Reads    string   `json:"reads,omitzero" enum:"all,workspace" default:"all" doc:"What commands may read. all: everything but secrets. workspace: the workspace, programs and tool chains; a command that names another path is refused." zh:"命令可读取的范围。all：除机密外的一切。workspace：工作区、程序与工具链；命令若指明其他路径则被拒绝。"`
	Allow    []string `json:"allow,omitzero" doc:"Programs that commands may start, each with the words that must follow, as in git status; without any, all may." zh:"命令可启动的程序，可带其后必须出现的词，例如 git status；为空则不限。"`
	Presets  Presets  `json:"presets,omitzero" doc:"Programs of the tools shell-readonly, shell-write and shell-destructive, in the form of allow; without any, the usual ones." zh:"工具 shell-readonly、shell-write 和 shell-destructive 可启动的程序，形式同 allow；为空则为常用程序。"`
	Network  string   `json:"network,omitzero" enum:"auto,none,local,full" default:"auto" doc:"What commands may reach without a question. none: nothing. local: servers on the loopback. full: everything. auto: local where the sandbox has a loopback of its own, else none." zh:"命令无需询问即可访问的网络。none：无。local：回环接口上的服务器。full：一切。auto：沙箱有自己的回环接口时为 local，否则为 none。"`
	Pass     []string `json:"pass,omitzero" doc:"Names of environment variables to pass to commands besides the usual ones, even if they look like secrets." zh:"除常用变量外还要传给命令的环境变量名，即使看起来像机密。"`
	Deny     []string `json:"deny,omitzero" doc:"Regular expressions (RE2) of commands that are never allowed, matched against each simple command with its words joined by one space." zh:"永不允许的命令的正则表达式（RE2），与每条简单命令（各词以一个空格相连）匹配。"`
	Writable []string `json:"writable,omitzero" doc:"Directories outside the workspace that commands may write to, which may be relative as the path of a project is." zh:"工作区外命令可写入的目录，可像项目路径那样为相对路径。"`
	Readable []string `json:"readable,omitzero" doc:"Files and directories that commands may read although they are known to hold secrets, which may be relative as the path of a project is." zh:"已知含有机密但允许命令读取的文件和目录，可像项目路径那样为相对路径。"`
}

// Presets are the programs of the tools that run commands of one kind. Each also has
// those of the tools before it.
type Presets struct {
	ShellReadonly    []string `json:"shell_readonly,omitzero" doc:"Programs that read." zh:"只读程序。"`
	ShellWrite       []string `json:"shell_write,omitzero" doc:"Programs that write." zh:"写入程序。"`
	ShellDestructive []string `json:"shell_destructive,omitzero" doc:"Programs that delete." zh:"删除程序。"`
}

// On returns the names of the switches that are on, for [policy.Options].
func (s Switches) On() []string {
	if s.Memory {
		return []string{"memory"}
	}
	return nil
}

// SwitchNames returns the names of all switches.
func SwitchNames() []string { return schema.Of(reflect.TypeFor[Switches]()).Names() }

// object is the schema of the settings.
var object = sync.OnceValue(func() *schema.Object { return schema.Of(reflect.TypeFor[Config]()) })
