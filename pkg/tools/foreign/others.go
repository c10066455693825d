package foreign

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// fetching are the names of fetch.
func fetching() family {
	return family{args: joined(
		renamed("url", "Url"),
		[]Argument{
			{Name: "prompt", To: "", How: "ignored; the URL in it, if there is no other", read: prompt},
			flag("raw", true, "format", "raw"),
			value("format", "format", "md", "markdown", "plain", "text"), value("extractMode", "format", "md", "markdown"),
			milliseconds("timeout_ms", true),
			most("max_length", "max_chars", 400_000),
		},
		ignored("query", "objective"), words(),
	), names: []Name{
		{Name: "WebFetch", Of: "Claude Code"},
		{Name: "web_fetch", Of: "Gemini CLI, Cline, nanobot"},
		{Name: "webfetch", Of: "OpenCode"},
		{Name: "fetch_url", Of: "MCP"},
		{Name: "fetch_url_content", Of: "Continue"},
		{Name: "fetch_webpage", Of: "Copilot"},
		{Name: "read_web_page", Of: "Amp"},
		{Name: "read_url_content", Of: "Windsurf"},
		{Name: "download", Of: "Crush", Args: renamed("save", "file_path", "path", "destination")},
		{Name: "web-fetch", Of: "helve"},
	}}
}

// prompt leaves out what a page is read for; with Gemini CLI, it has the URLs.
func prompt(c *conversion, name string) error {
	text, _ := c.g.Text(name)
	c.g.Drop(name)
	if _, given := c.named("url"); given || c.g.Has("urls") {
		c.say(fault.T("%s ignored: the page comes as it is", name))
		return nil
	}
	var urls []string
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "<>()[]\"'`,;")
		if strings.HasPrefix(word, "https://") || strings.HasPrefix(word, "http://") {
			urls = append(urls, strings.TrimRight(word, ".,;:!?"))
		}
	}
	switch len(urls) {
	case 0:
		return wrong("url", fault.T("is missing, and %s has none", name), fault.T("pass the address of the page as url"))
	case 1:
		c.g.Set("url", urls[0])
		c.say(fault.T("the url is that in %s; the page comes as it is", name))
	default:
		c.g.Set("urls", urls)
		c.say(fault.T("the urls are those in %s; the pages come as they are", name))
	}
	return nil
}

// searchingWeb are the names of websearch.
func searchingWeb() family {
	return family{args: joined(
		renamed("query", "searchTerm", "search"),
		[]Argument{
			most("count", "limit", 10), most("numResults", "limit", 10), most("num_results", "limit", 10), most("max_results", "limit", 10),
			{Name: "allowed_domains", To: "site", How: "a single one", read: sites}, {Name: "include_domains", To: "site", How: "a single one", read: sites},
			patternsLeftOut("blocked_domains"), patternsLeftOut("exclude_domains"),
		},
		ignored("livecrawl", "type", "contextMaxCharacters", "objective", "search_queries"), words(),
	), names: []Name{
		{Name: "WebSearch", Of: "Claude Code"},
		{Name: "google_web_search", Of: "Gemini CLI"},
		{Name: "web_search", Of: "Codex, Cursor, Cline, Amp, nanobot"},
		{Name: "search_web", Of: "Windsurf, Continue"},
		{Name: "web-search", Of: "helve"},
	}}
}

func sites(c *conversion, name string) error {
	list, ok := c.g.Texts(name)
	if !ok {
		return nil
	}
	c.g.Drop(name)
	switch len(list) {
	case 0:
	case 1:
		c.set("site", list[0])
		c.say(fault.T("%s is site=%s", name, list[0]))
	default:
		c.say(fault.T("%s is not possible with more than one: all sites were searched", name))
	}
	return nil
}

// telling are the names of time.
func telling() family {
	return family{args: []Argument{value("timezone", "timezone", "utc", "UTC", "local", "")}, names: []Name{
		{Name: "get_current_time", Of: "MCP"}, {Name: "now", Of: "Zed"}, {Name: "current_time", Of: "MCP"}, {Name: "time-now", Of: "helve"},
	}}
}

// choosing are the names that mean a tool by their arguments.
func choosing() []Name {
	return append(append(commands(), shells()...),
		Name{Name: "search_files", Of: "Cline, Roo Code, MCP filesystem", Tools: []string{"find", "grep"}, choose: searchFiles},
		Name{Name: "cron", Of: "nanobot, picoclaw, openclaw", Tools: []string{"cron_add", "cron_list", "cron_remove"}, choose: cronByAction},
		Name{Name: "insert_content", Of: "Roo Code", Tools: []string{"edit", "write"}, choose: insertContent},
		Name{Name: "apply_diff", Of: "Roo Code", Tools: []string{"patch", "edit"}, choose: func(g *schema.Given) (*Name, error) {
			if g.Has("operations") {
				return &Name{Name: "apply_diff", Tool: "edit"}, nil
			}
			return &Name{Name: "apply_diff", Tool: "patch"}, nil
		}},
	)
}

// lacking are the tools of other systems that we have not, and what to do instead.
func lacking() []Name {
	var all []Name
	for _, l := range []struct {
		why   fault.Text
		names string // and whose they are
	}{
		{fault.T("keep the plan in your answer, or write it to a file"),
			"TodoWrite:Claude Code, TodoRead:Claude Code, todowrite:OpenCode, todoread:OpenCode, todo_write:Cursor, write_todos:Gemini CLI, update_plan:Codex, task_tracker:OpenHands, update_todo_list:Roo Code, manage_todo_list:Copilot"},
		{fault.T("do the work yourself with the other tools, or give it to a sub-agent with spawn"), "oracle:Amp"},
		{fault.T("a sub-agent cannot be spoken to, and its result comes as a message: go on with other work"),
			"wait_agent:Codex, send_input:Codex, close_agent:Codex, resume_agent:Codex, sessions_yield:openclaw, sessions_send:openclaw, subagents:openclaw"},
		{fault.T("say it in your answer: no tool is needed"),
			"attempt_completion:Cline, ask_followup_question:Cline, plan_mode_respond:Cline, finish:OpenHands, think:OpenHands, AskUserQuestion:Claude Code, ExitPlanMode:Claude Code, EnterPlanMode:Claude Code, ask_user:Gemini CLI, enter_plan_mode:Gemini CLI, exit_plan_mode:Gemini CLI, switch_mode:Roo Code, thinking:Zed, sequentialthinking:MCP, question:OpenCode"},
		{fault.T("write it to a file: write with mode=append"), "save_memory:Gemini CLI, create_memory:Windsurf, update_memory:Cursor, memory:Anthropic"},
		{fault.T("fetch reads a page as text; there is no browser here"), "browser_action:Cline, browser:OpenHands, browser_preview:Windsurf, open_simple_browser:Copilot"},
		{fault.T("there is no terminal to type into: pass stdin to exec, or run the program in the background and follow it with job"),
			"write_stdin:Codex, interact_with_process:Desktop Commander"},
		{fault.T("an edit with omissions cannot be applied: pass old_text and new_text to edit, or the whole file to write"),
			"insert_edit_into_file:Copilot, edit_existing_file:Continue, reapply:Cursor"},
		{fault.T("run it with exec, such as python3 -c, or write it to a file first"),
			"execute_ipython_cell:OpenHands, python:OpenAI, code_interpreter:OpenAI, run_code:MCP, execute_code:MCP"},
		{fault.T("exec runs the commands of a POSIX shell: write the command for that, or run pwsh -Command with it if there is one"), "PowerShell:Claude Code"},
		{fault.T("a skill is a directory of files: read its SKILL.md, and do what that says"), "Skill:Claude Code"},
		{fault.T("call the tools by their names; those that are not listed at first are found by tools_search, where there is one"), "ToolSearch:Claude Code"},
		{fault.T("there is one workspace, and paths are relative to its root: ls lists it"),
			"list_allowed_directories:MCP filesystem"},
		{fault.T("grep finds definitions and references, and read with outline=true lists those of a file"),
			"lsp:OpenCode, LSP:Claude Code, go_to_definition:Zed, find_references:Zed, list_code_usages:Copilot"},
		{fault.T("run the checker of the language with exec"), "get_errors:Copilot, diagnostics:Zed, read_lints:Cursor, mcp__ide__getDiagnostics:Claude Code"},
		{fault.T("call the tools one by one, or in one request"), "multi_tool_use.parallel:OpenAI, batch:OpenCode"},
	} {
		for pair := range strings.SplitSeq(l.names, ", ") {
			name, of, _ := strings.Cut(pair, ":")
			all = append(all, Name{Name: name, Of: of, Why: l.why})
		}
	}
	return all
}
