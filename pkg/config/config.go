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
	Project  string        `json:"project,omitzero" doc:"Id of the project that calls work in; empty is the workspace itself."`
	ReadOnly bool          `json:"readonly,omitzero" default:"false" doc:"Deny everything but reading."`
	Files    Files         `json:"files,omitzero" doc:"Files of the workspace."`
	Projects []Project     `json:"projects,omitzero" doc:"Further roots, reached as [id]/path."`
	Rules    []policy.Rule `json:"rules,omitzero" doc:"What is allowed, asked about and denied; the strictest rule that matches decides."`
	Switches Switches      `json:"switches,omitzero" doc:"Features that rules and tools may require."`
	Tools    Tools         `json:"tools,omitzero" doc:"Which tools there are."`
	Audit    Audit         `json:"audit,omitzero" doc:"Log of what was done."`
	Web      Web           `json:"web,omitzero" doc:"Access to the web."`
	Exec     Exec          `json:"exec,omitzero" doc:"Commands and what holds them."`
}

// defaults returns the settings without any source. They are those of the tags; a
// test compares the two, and a call without files need not read the tags.
func defaults() Config {
	return Config{Files: Files{RequireRead: "warn"}, Switches: Switches{Memory: true}, Web: Web{Search: Search{Provider: "auto"}}, Exec: Exec{Sandbox: "auto", Network: "none"}}
}

// Files is the settings of the file tools.
type Files struct {
	RequireRead string `json:"require_read,omitzero" enum:"off,warn,on" default:"warn" doc:"What happens when a file is overwritten that the session has not read: nothing, a warning, a refusal."`
}

// Project is a root besides the workspace.
type Project struct {
	ID   string `json:"id" min:"1" max:"64" doc:"Name of the project: letters, digits, -, _ and dots."`
	Path string `json:"path" min:"1" max:"4095" doc:"Its directory, relative to the workspace for the workspace's own file, else to the file that names it."`
	Mode string `json:"mode,omitzero" enum:"read,write" default:"read" doc:"Whether calls from other projects may change files there, or only read them."`
}

// Switches are features that can be turned off.
type Switches struct {
	Memory bool `json:"memory,omitzero" default:"true" doc:"Memory of the agent across sessions."`
}

// Tools says which tools there are.
type Tools struct {
	Disabled  []string `json:"disabled,omitzero" doc:"Tools that are not there."`
	Bound     []Bound  `json:"bound,omitzero" doc:"Tools made of another one by fixing some of its arguments."`
	Manifests []string `json:"manifests,omitzero" doc:"Directories of custom tools, relative like the path of a project."`
}

// Bound is a preset of a tool: a tool with a name of its own, some of whose arguments
// are fixed and hidden.
type Bound struct {
	Name        string   `json:"name" min:"1" max:"64" doc:"Name of the new tool."`
	Uses        string   `json:"uses" min:"1" max:"64" doc:"Name of the tool it is made of."`
	Description string   `json:"description,omitzero" doc:"What it does; the description of the other tool by default."`
	Bind        string   `json:"bind" doc:"Arguments that are fixed."` // an object in the file, its JSON here
	Requires    []string `json:"requires,omitzero" doc:"Switches without which the tool is not there."`
}

// Bindings returns the fixed arguments as a JSON object.
func (b Bound) Bindings() json.RawMessage { return json.RawMessage(b.Bind) }

// Audit is the settings of the log of calls.
type Audit struct {
	Mask []string `json:"mask,omitzero" doc:"Regular expressions (RE2) of secrets to hide, beside the known kinds."`
}

// Web is the settings of the web client.
type Web struct {
	AllowPrivate   bool     `json:"allow_private,omitzero" default:"false" doc:"Let web tools reach private addresses, such as this machine's own."`
	AllowAddresses []string `json:"allow_addresses,omitzero" doc:"Blocks of addresses, such as 198.18.0.0/15, that web tools may reach although they are not public."`
	Proxy          string   `json:"proxy,omitzero" doc:"Proxy for the web, such as http://proxy.example.org:3128; the environment's by default, none for direct."`
	Search         Search   `json:"search,omitzero" doc:"Search engines."`
}

// Search is the settings of the search engines. An engine is available when it has
// the key or the address that it needs.
type Search struct {
	Provider   string  `json:"provider,omitzero" enum:"auto,brave,duckduckgo,searxng,tavily,exa,serper,google" default:"auto" doc:"Engine that is asked; auto is the first that is set up, else duckduckgo."`
	Brave      Service `json:"brave,omitzero" doc:"Brave Search API."`
	DuckDuckGo Service `json:"duckduckgo,omitzero" doc:"DuckDuckGo, which wants no key."`
	SearXNG    Service `json:"searxng,omitzero" doc:"An instance of SearXNG, which has an address and no key."`
	Tavily     Service `json:"tavily,omitzero" doc:"Tavily Search."`
	Exa        Service `json:"exa,omitzero" doc:"Exa Search."`
	Serper     Service `json:"serper,omitzero" doc:"Serper, for results of Google."`
	Google     Service `json:"google,omitzero" doc:"Google Programmable Search, which wants an engine, too."`
}

// Service is the settings of a search engine.
type Service struct {
	Key    string `json:"key,omitzero" doc:"Key of its API. It is never shown."`
	URL    string `json:"url,omitzero" doc:"Address of the service, where it is not its usual one."`
	Engine string `json:"engine,omitzero" doc:"Id of a search engine (cx), for google."`
}

// Exec is the settings of commands. Which commands are allowed is a matter of rules
// with argv or network.
type Exec struct {
	Sandbox  string   `json:"sandbox,omitzero" enum:"off,auto,require" default:"auto" doc:"What holds commands: nothing; the strongest sandbox there is, without which whatever changes something is asked about; a sandbox, without which nothing runs."`
	Network  string   `json:"network,omitzero" enum:"none,local,full" default:"none" doc:"What commands may reach without being asked about: nothing, the sandbox's own loopback, everything."`
	Pass     []string `json:"pass,omitzero" doc:"Names of environment variables that commands are given beside the usual ones, also if they look like secrets."`
	Deny     []string `json:"deny,omitzero" doc:"Regular expressions (RE2) of commands that are never allowed, matched against each simple command with its words joined by one space."`
	Writable []string `json:"writable,omitzero" doc:"Directories outside the workspace that commands may write to, relative like the path of a project."`
	Readable []string `json:"readable,omitzero" doc:"Files and directories that commands may read although they are known to hold secrets, relative like the path of a project."`
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
