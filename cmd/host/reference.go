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
		{"HELVE_ROOT", fault.T("the workspace, as --root")},
		{"HELVE_PROJECT", fault.T("the configured project that calls work in, as --project")},
		{"HELVE_SESSION", fault.T("the session that the calls belong to, as --session")},
		{OutputVariable, fault.T("the form of the output, as -o: json, pretty or text")},
		{"HELVE_AS", fault.T("the profile that the tools are in, as --as: the names, words and results of another system")},
		{"HELVE_LANG", fault.T("the language of messages and help, as --lang: en or zh")},
		{ReadOnlyVariable, fault.T("1 or true refuses every call that does more than read, as --readonly")},
		{"HELVE_CHANNEL", fault.T("the channel of the conversation that the calls come from, such as telegram")},
		{"HELVE_CHAT", fault.T("that conversation in its channel, such as 42")},
		{"HELVE_TURN", fault.T("the turn of the agent, in which the same message is sent once")},
		{"HELVE_HOME", fault.T("a directory for all that is helve's own: config.json, state and cache")},
		{"HELVE_RELEASES_URL", fault.T("where helve upgrade --check asks for the newest release, such as a mirror")},
		{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", fault.T("the directories of the XDG Base Directory Specification, without HELVE_HOME")},
		{baseVariable + ", " + modelVariable + ", " + keyVariable, fault.T("the model of sub-agents, where spawn.base_url, spawn.model and spawn.key_env say nothing")},
		{anthropicVariable, fault.T("the key of Anthropic's own server")},
		{"HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY", fault.T("the proxy for the web, where web.proxy says nothing; also in lower case")},
		{collectorVariable + ", " + tracesVariable, fault.T("the collector that calls are sent to as spans, in the JSON form of OTLP over HTTP")},
		{collectorHeadersVariable, fault.T("headers of these requests, as NAME=value,NAME=value")},
		{serviceVariable, fault.T("the name of helve in its spans")},
		{parentVariable, fault.T("the span that calls belong to; commands get that of their call")},
		{"NO_COLOR", fault.T("no colours on the terminal")},
		{"CI", fault.T("if it is set, no line about progress on the terminal; TERM=dumb does the same")},
		{"COLUMNS", fault.T("the width of help and text")},
	}
	for _, b := range bindings() {
		all = append(all, Entry{b.name, fault.T("the setting %s", b.key)})
	}
	return all
}

// Files returns the files and directories of helve, as they are on Linux and macOS without
// HELVE_HOME.
func Files() []Entry {
	return []Entry{
		{"~/.config/helve/config.json", fault.T("your settings and rules")},
		{"~/.config/helve/tools/", fault.T("your custom tools")},
		{"~/.config/helve/servers/", fault.T("the servers whose tools you have imported")},
		{"~/.config/helve/output/", fault.T("your rules about the output of programs, NAME.rules")},
		{"/etc/helve/config.json", fault.T("the settings of the administrator")},
		{".helve/config.json", fault.T("the settings of the workspace, which only narrow until helve config trust")},
		{".helve/tools/", fault.T("the custom tools of the workspace, which do nothing until they are trusted")},
		{".helve/artifacts/SESSION/", fault.T("complete outputs of commands and images, for the agent to read")},
		{"~/.local/state/helve/", fault.T("what undo restores, approvals, the audit log, messages and jobs")},
		{"~/.cache/helve/", fault.T("web pages, texts of documents and caches of commands, which can be deleted")},
	}
}
