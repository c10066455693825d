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
	Project  string        `json:"project,omitzero" doc:"Id of the project that calls work in; empty means the workspace itself."`
	ReadOnly bool          `json:"readonly,omitzero" default:"false" doc:"Deny everything but reading."`
	Output   string        `json:"output,omitzero" enum:"auto,json,pretty,text" default:"auto" doc:"Form of output where neither -o nor HELVE_OUTPUT names one: JSON on one line, indented JSON, or text for people and models. auto is text on a terminal, and indented JSON where there is no text, else json."`
	Profile  string        `json:"profile,omitzero" doc:"Name of the profile that callers are shown the tools in: the names, words and results of another system. Empty is helve's own."`
	Timezone string        `json:"timezone,omitzero" doc:"The person's time zone, such as Asia/Shanghai, in which times without one are meant; empty is that of the system."`
	Files    Files         `json:"files,omitzero" doc:"Files of the workspace."`
	Search   FileSearch    `json:"search,omitzero" doc:"Searching for files."`
	Projects []Project     `json:"projects,omitzero" doc:"Roots besides the workspace; a path in one is written [id]/path."`
	Policy   Policy        `json:"policy,omitzero" doc:"What is decided where no rule matches."`
	Rules    []policy.Rule `json:"rules,omitzero" doc:"Rules that allow, ask about or deny calls; of those that match, the strictest decides."`
	Switches Switches      `json:"switches,omitzero" doc:"Features that can be turned off; rules and tools may require them."`
	Tools    Tools         `json:"tools,omitzero" doc:"Which tools exist."`
	Audit    Audit         `json:"audit,omitzero" doc:"Log of calls."`
	Web      Web           `json:"web,omitzero" doc:"Access to the web."`
	Exec     Exec          `json:"exec,omitzero" doc:"Commands and their sandbox."`
	Git      Git           `json:"git,omitzero" doc:"Commands of git."`
	Messages Messages      `json:"messages,omitzero" doc:"Messages on the bus."`
	Store    Store         `json:"store,omitzero" doc:"Store of messages and scheduled jobs."`
	Spawn    Spawn         `json:"spawn,omitzero" doc:"Sub-agents."`
	OnChange []OnChange    `json:"on_change,omitzero" doc:"Formatters and checkers that run on files when a call changes them; what the change broke is in its answer."`
	Hooks    Hooks         `json:"hooks,omitzero" doc:"Programs of yours that run before and after calls. They can refuse and narrow, and allow nothing."`
	OTel     OTel          `json:"otel,omitzero" doc:"Spans of calls, where OTEL_EXPORTER_OTLP_ENDPOINT names a collector."`
	MCP      MCP           `json:"mcp,omitzero" doc:"Server of the Model Context Protocol."`
}

// defaults returns the settings without any source. They are those of the tags; a
// test compares the two, and a call without files need not read the tags.
func defaults() Config {
	return Config{
		Output:   "auto",
		Files:    Files{RequireRead: "warn", Links: "follow", Dotdot: "inside", Artifacts: ".helve/artifacts/{session}"},
		Policy:   Policy{Undoable: "ask"},
		Switches: Switches{Memory: true},
		Tools:    Tools{Imported: "deferred", StartTimeout: 30},
		Audit:    Audit{Megabytes: 16},
		Web:      Web{Search: Search{Provider: "auto"}},
		Exec:     Exec{Sandbox: "auto", Shell: "auto", Reads: "home", Network: "auto", Temp: 4096},
		Git:      Git{Trusted: "before"},
		Spawn:    Spawn{Format: "auto", MaxJobs: 4, Tokens: 2_000_000, Context: 100_000, Timeout: 1800, OnLost: "fail", Runtime: BuiltinRuntime},
	}
}

// Files is the settings of the file tools.
type Files struct {
	RequireRead string `json:"require_read,omitzero" enum:"off,warn,on" default:"warn" doc:"What to do when a call overwrites a file that the session has not read: nothing, warn, or refuse."`
	Links       string `json:"links,omitzero" enum:"follow,refuse" default:"follow" doc:"What becomes of a path that goes through a symbolic link: it is followed inside the workspace, or refused."`
	Dotdot      string `json:"dotdot,omitzero" enum:"inside,refuse" default:"inside" doc:"What becomes of a path with .. in it: it may lead to anywhere inside the workspace, or is refused."`
	Artifacts   string `json:"artifacts,omitzero" default:".helve/artifacts/{session}" doc:"Directory in the workspace for the complete output of commands and for images; {session} stands for the session."`
}

// FileSearch is the settings of the tool file-search.
type FileSearch struct {
	Skip []string `json:"skip,omitzero" doc:"Names of directories that file-search does not enter, besides node_modules and .venv."`
}

// Policy holds the decisions where no rule matches.
type Policy struct {
	Undoable string `json:"undoable,omitzero" enum:"ask,allow" default:"ask" doc:"Whether to ask before a call deletes what undo restores. What undo cannot restore is asked about in any case."`
}

// Project is a root besides the workspace.
type Project struct {
	ID   string `json:"id" min:"1" max:"64" doc:"Name of the project: letters, digits, -, _ and dots."`
	Path string `json:"path" min:"1" max:"4095" doc:"Its directory. A relative path starts at the workspace in the workspace's own file, and otherwise at the directory of the file that sets it."`
	Mode string `json:"mode,omitzero" enum:"read,write" default:"read" doc:"Whether calls from other projects may change files there, or only read them."`
}

// Switches are features that can be turned off.
type Switches struct {
	Memory bool `json:"memory,omitzero" default:"true" doc:"Memory of the agent across sessions."`
}

// Tools says which tools there are.
type Tools struct {
	Disabled     []string  `json:"disabled,omitzero" doc:"Names of tools to leave out."`
	Bound        []Bound   `json:"bound,omitzero" doc:"Tools made from another tool by fixing some of its arguments."`
	Sets         []Toolset `json:"sets,omitzero" doc:"Toolsets of your own: names for a choice of tools, for helve schema --toolset."`
	Names        []string  `json:"names,omitzero" doc:"Tools under other names: an object of the new names, each with tool, doc, doc_zh and arguments, which is an object of new names of arguments by the ones they have."` // objects in the file, the JSON of each here
	Imported     string    `json:"imported,omitzero" enum:"deferred,offered" default:"deferred" doc:"Whether the tools of imported servers are in every list of definitions (offered), or only where they are named, and found by tools_search (deferred)."`
	StartTimeout int       `json:"start_timeout,omitzero" min:"1" max:"600" default:"30" doc:"Seconds that an imported server may take to start, unless it was imported with --start-timeout."`
	Manifests    []string  `json:"manifests,omitzero" doc:"Directories of custom tools, which may be relative as the path of a project is."`
}

// Toolset is a name for a choice of tools.
type Toolset struct {
	Name  string   `json:"name" min:"1" max:"64" doc:"Name of the toolset: letters, digits, -, _ and dots."`
	Tools []string `json:"tools" min:"1" max:"200" doc:"Names of its tools."`
}

// Bound is a preset of a tool: a tool with a name of its own, some of whose arguments
// are fixed and hidden.
type Bound struct {
	Name        string   `json:"name" min:"1" max:"64" doc:"Name of the new tool."`
	Uses        string   `json:"uses" min:"1" max:"64" doc:"Name of the tool that it is made from."`
	Description string   `json:"description,omitzero" doc:"What it does; by default, the description of the other tool."`
	Bind        string   `json:"bind" doc:"Fixed arguments."` // an object in the file, its JSON here
	Requires    []string `json:"requires,omitzero" doc:"Switches that must be on for the tool to exist."`
}

// Bindings returns the fixed arguments as a JSON object.
func (b Bound) Bindings() json.RawMessage { return json.RawMessage(b.Bind) }

// Audit is the settings of the log of calls.
type Audit struct {
	Mask      []string `json:"mask,omitzero" doc:"Regular expressions (RE2) of secrets to hide, besides the known kinds."`
	Megabytes int      `json:"megabytes,omitzero" min:"1" max:"4096" default:"16" doc:"Size that the log may reach, in MiB: then its older half is dropped, and counted."`
}

// Web is the settings of the web client.
type Web struct {
	AllowPrivate   bool     `json:"allow_private,omitzero" default:"false" doc:"Let web tools reach private addresses, such as this machine's own."`
	AllowAddresses []string `json:"allow_addresses,omitzero" doc:"Blocks of addresses that are not public and that web tools may reach, such as 198.18.0.0/15."`
	Proxy          string   `json:"proxy,omitzero" doc:"Proxy for the web, such as http://proxy.example.org:3128, or direct for none; by default, that of the environment."`
	Browser        string   `json:"browser,omitzero" doc:"Chromium or Chrome that may run the scripts of pages, confined and behind the same rules: auto for the first one installed, or its path; without it, none."`
	Headers        []string `json:"headers,omitzero" doc:"Headers of requests for pages: an object of hosts, such as api.example.org or *.example.org, each with an object of headers. They are sent over https only, never to another host, and never shown; what such a request returns is not cached."` // objects in the file, the JSON of each here
	Search         Search   `json:"search,omitzero" doc:"Search engines."`
}

// Search is the settings of the search engines. An engine is available when it has
// the key or the address that it needs.
type Search struct {
	Provider   string  `json:"provider,omitzero" enum:"auto,brave,duckduckgo,searxng,tavily,exa,serper,google" default:"auto" doc:"Engine to use; auto is the first that has what it needs, or else duckduckgo."`
	Brave      Service `json:"brave,omitzero" doc:"Brave Search API."`
	DuckDuckGo Service `json:"duckduckgo,omitzero" doc:"DuckDuckGo, which needs no key."`
	SearXNG    Service `json:"searxng,omitzero" doc:"An instance of SearXNG, which needs an address and no key."`
	Tavily     Service `json:"tavily,omitzero" doc:"Tavily Search."`
	Exa        Service `json:"exa,omitzero" doc:"Exa Search."`
	Serper     Service `json:"serper,omitzero" doc:"Serper, for results of Google."`
	Google     Service `json:"google,omitzero" doc:"Google Programmable Search, which also needs an engine."`
}

// Service is the settings of a search engine.
type Service struct {
	Key    string `json:"key,omitzero" doc:"Key of its API. It is never shown."`
	URL    string `json:"url,omitzero" doc:"Address of the service, if not its usual one."`
	Engine string `json:"engine,omitzero" doc:"Id of a search engine (cx), for google."`
}

// OTel is the settings of the spans of calls.
type OTel struct {
	Content bool `json:"content,omitzero" default:"false" doc:"Put the arguments and the results of calls into their spans. Without it, a span has neither."`
}

// MCP is the settings of the server of the Model Context Protocol.
type MCP struct {
	Toolsets   []string `json:"toolsets,omitzero" doc:"Toolsets that helve mcp offers where no flag names tools, such as all; without any, coding, web and the tools that you added."`
	Structured bool     `json:"structured,omitzero" default:"false" doc:"Send results as data, too, each tool with a schema of them. Many clients then give the model the data in place of the text."`
}

// Exec is the settings of commands. Which commands are allowed is a matter of rules
// with argv or network.
type Exec struct {
	Sandbox  string   `json:"sandbox,omitzero" enum:"off,auto,require,namespaces,landlock" default:"auto" doc:"Sandbox of commands. off: none. auto: the strongest that this machine has; without one, ask about every command that may change something. require: without one, run nothing. namespaces, landlock: that one; without it, run nothing."`
	Shell    string   `json:"shell,omitzero" enum:"auto,user,bash,sh,zsh" default:"auto" doc:"Shell of commands that ask for none. auto: bash, or sh without it. user: the person's login shell."`
	Reads    string   `json:"reads,omitzero" enum:"home,workspace,all" default:"home" doc:"What commands may read. home: everything outside of home directories, and in these the workspace, the projects that it names, tool chains, their caches, and exec.readable. workspace: the workspace, programs and tool chains; a command that names another path is refused. all: everything but known secrets."`
	Allow    []string `json:"allow,omitzero" doc:"Programs that commands may start, each with the words that must follow, as in git status; without any, all may."`
	Presets  Presets  `json:"presets,omitzero" doc:"Programs of the tools shell-readonly, shell-write and shell-destructive, in the form of allow; without any, the usual ones."`
	Network  string   `json:"network,omitzero" enum:"auto,none,local,hosts,full" default:"auto" doc:"What commands may reach without a question. none: nothing. local: servers on the loopback. hosts: these, and exec.hosts. full: everything. auto: hosts where the sandbox has a network of its own, else local where it has a loopback of its own, else none."`
	Hosts    []string `json:"hosts,omitzero" doc:"Hosts that commands may reach without a question: example.org, *.example.org for those below it, or either with a port, as in example.org:22; without one, 80 and 443. An address that is not public must be here itself, or in web.allow_addresses. Needs the sandbox of namespaces."`
	Pass     []string `json:"pass,omitzero" doc:"Names of environment variables to pass to commands besides the usual ones, even if they look like secrets."`
	Deny     []string `json:"deny,omitzero" doc:"Regular expressions (RE2) of commands that are never allowed, matched against each simple command with its words joined by one space."`
	Memory   int      `json:"memory,omitzero" default:"0" min:"0" max:"1000000000" doc:"MB of memory that a command and all that it starts may hold, before it is ended (Linux). 0 is nine tenths of what the machine has left."`
	Temp     int      `json:"temp,omitzero" default:"4096" min:"1" max:"1000000000" doc:"MB that the temporary files of a session may take, before the command that adds to them is ended (Linux)."`
	Disk     int      `json:"disk,omitzero" default:"0" min:"0" max:"1000000000" doc:"MB that a disk may lose while a command writes to it, before the command is ended (Linux). 0 is everything but a reserve of 2 percent, at most 256 MB, which is kept in any case."`
	Writable []string `json:"writable,omitzero" doc:"Directories outside the workspace that commands may write to, which may be relative as the path of a project is."`
	Readable []string `json:"readable,omitzero" doc:"Files and directories that commands may read although they are in a home directory or known to hold secrets, which may be relative as the path of a project is."`
}

// Git is the settings of commands of git.
type Git struct {
	Trusted string `json:"trusted,omitzero" enum:"before,never" default:"before" doc:"Which commits may change files that other programs run or obey without a question, when git moves to them. before: those that were in the repository before commands of helve ran, or came there while none ran. never: none."`
}

// Presets are the programs of the tools that run commands of one kind. Each also has
// those of the tools before it.
type Presets struct {
	ShellReadonly    []string `json:"shell_readonly,omitzero" doc:"Programs that read."`
	ShellWrite       []string `json:"shell_write,omitzero" doc:"Programs that write."`
	ShellDestructive []string `json:"shell_destructive,omitzero" doc:"Programs that delete."`
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
