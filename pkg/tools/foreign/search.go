package foreign

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// newest sets the order of systems whose globs return the newest files first.
func newest() []Setting { return []Setting{{"sort", "modified"}, {"type", "file"}} }

// finding returns the names of find.
func finding() family {
	return family{args: joined(
		renamed("path", "target_directory", "SearchDirectory", "base_path", "root", "dirPath"),
		renamed("glob", "glob_pattern", "filePattern", "Pattern"),
		renamed("depth", "MaxDepth"),
		[]Argument{
			patterns("glob", ""), patterns("pattern", ""),
			patterns("excludePatterns", "!"), patterns("exclude", "!"), patterns("Excludes", "!"), patterns("ignore", "!"),
			flag("recursive", false, "depth", 1),
			most("head_limit", "limit", 100_000), most("maxResults", "limit", 100_000),
			value("entry_type", "type", "files", "file", "dirs", "dir", "both", "any"),
			value("type", "type", "directory", "dir", "files", "file", "f", "file", "d", "dir"),
		},
		ignoreRules(), ignored("case_sensitive", "FullPath"), words(),
	), names: []Name{
		{Name: "Glob", Of: "Claude Code", Fixed: newest()},
		{Name: "glob", Of: "Gemini CLI, OpenCode, Crush, Amp, nanobot", Fixed: newest()},
		{Name: "glob_file_search", Of: "Cursor", Fixed: newest()},
		{Name: "file_glob_search", Of: "Continue"},
		{Name: "file_search", Of: "Cursor, Copilot"},
		{Name: "find_by_name", Of: "Windsurf"},
		{Name: "find_path", Of: "Zed"},
		{Name: "find_files", Of: "MCP"},
		{Name: "find_file", Of: "SWE-agent", Args: joined(renamed("query", "file_name"), renamed("path", "dir"))},
		{Name: "codebase_search", Of: "Cursor, Roo Code", Args: joined(byWords(), renamed("path", "target_directories"), ignored("top_k")), Fixed: []Setting{{"content", true}}},
		{Name: "semantic_search", Of: "Copilot", Args: byWords(), Fixed: []Setting{{"content", true}}},
		{Name: "finder", Of: "Amp", Args: byWords(), Fixed: []Setting{{"content", true}}},
	}}
}

// byWords is a question that is meant for a search by meaning.
func byWords() []Argument {
	return []Argument{{Name: "query", To: "query", How: "words, not a question", read: func(c *conversion, _ string) error {
		c.say(fault.T("find looks for these words in names and files, not for what they mean; grep finds one of them"))
		return nil
	}}}
}

// grepping are the names of grep.
func grepping() family {
	lines := Argument{Name: "exclude_pattern", How: "lines to leave out, or files", read: excludePattern}
	return family{args: joined(
		renamed("path", "SearchDirectory", "SearchPath", "target_directory", "dirPath"),
		renamed("glob", "file_glob", "filePattern"),
		renamed("per_file", "maxMatchesPerFile"), renamed("no_ignore", "includeIgnoredFiles"),
		renamed("literal", "literal_text"), renamed("before", "context_before"), renamed("after", "context_after"),
		[]Argument{
			value("output_mode", "mode", "files_with_matches", "files", "count_matches", "count"),
			value("mode", "mode", "files_with_matches", "files"),
			flag("names_only", true, "mode", "files"),
			flag("MatchPerLine", false, "mode", "files"),
			flag("case_sensitive", false, "ignore_case", true), flag("caseSensitive", false, "ignore_case", true),
			flag("isRegexp", false, "literal", true), flag("is_regexp", false, "literal", true), flag("IsRegex", false, "literal", true),
			{Name: "regex", To: "pattern", How: "false is literal=true", read: regex},
			patterns("glob", ""), patterns("include", ""), patterns("Includes", ""),
			most("head_limit", "limit", 10_000), most("maxResults", "limit", 10_000),
			only("-o", fault.T("lines come whole, with the matches marked in submatches"), "false"),
		},
		ignoreRules(), ignored("-n", "-H", "-r", "-R", "recursive", "requestedPath", "line_numbers", "show_line_numbers"), words(),
	), names: []Name{
		{Name: "Grep", Of: "Claude Code", Fixed: []Setting{{"mode", "files"}}},
		{Name: "grep_search", Of: "Gemini CLI, Cursor, Windsurf, Copilot, Continue", Args: []Argument{lines}},
		{Name: "search_file_content", Of: "Gemini CLI"},
		{Name: "grep_files", Of: "Codex", Fixed: []Setting{{"mode", "files"}}},
		{Name: "ripgrep", Of: "MCP"},
		{Name: "search_code", Of: "Desktop Commander"},
		{Name: "search_dir", Of: "SWE-agent", Args: joined(renamed("pattern", "search_term"), renamed("path", "dir"))},
		{Name: "search_files_content", Of: "helve"},
	}}
}

// excludePattern reads what Cursor means by exclude_pattern, which it has beside query:
// globs. With Gemini CLI, which has pattern, it is a regular expression for lines.
func excludePattern(c *conversion, name string) error {
	if c.g.Has("query") {
		return c.rename(name, "exclude")
	}
	c.g.Drop(name)
	c.say(fault.T("%s is not possible here: no lines were left out", name))
	return nil
}

// regex reads an argument that is the pattern with some and a boolean with others.
func regex(c *conversion, name string) error {
	is, ok := c.g.Truth(name)
	if !ok || !c.g.Has("pattern") && !c.g.Has("query") && !c.g.Has("Query") {
		return nil
	}
	c.g.Drop(name)
	if !is {
		c.g.Set("literal", true)
		c.say(fault.T("%s=false is literal=true", name))
	}
	return nil
}

// searchFiles returns what search_files means: the names of files by a glob, or, with a
// regular expression, their content.
func searchFiles(g *schema.Given) (*Name, error) {
	if g.Has("regex") || g.Has("file_pattern") || g.Has("filePattern") {
		return &Name{Name: "search_files", Tool: "grep"}, nil
	}
	return &Name{Name: "search_files", Tool: "find"}, nil
}
