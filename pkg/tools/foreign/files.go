package foreign

import (
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// reading are the names of read.
func reading() family {
	several := joined(renamed("paths", "include"), []Argument{patternsLeftOut("exclude")}, ignored("recursive", "respect_git_ignore", "respect_gemini_ignore", "useDefaultExcludes", "file_filtering_options"))
	return family{args: joined(
		renamed("path", "absolute_path", "absolutePath", "AbsolutePath", "target_file", "filepath", "relative_path"),
		renamed("offset", "startLine", "start_line_one_indexed", "line_start"),
		renamed("limit", "head", "length", "max_lines"),
		[]Argument{
			{Name: "offset", To: "offset", How: "0 is the first line", read: firstLine},
			{Name: "tail", To: "offset", How: "so many lines of the end", read: tail},
			endLine("end_line"), endLine("endLine"), endLine("end_line_one_indexed_inclusive"), endLine("line_end"),
			viewRange("view_range"), viewRange("read_range"), viewRange("line_range"), viewRange("lines"),
			{Name: "files", To: "paths", How: "objects with path and line_ranges", read: filesToRead},
			only("mode", fault.T("pass offset and limit, or symbol for the definition around a line"), "slice", "text"),
			only("isUrl", fault.T("fetch reads web pages"), "false"), done("view"),
		},
		ignored("should_read_entire_file", "read_entire_file", "detail", "show_line_numbers", "allow_ignored"), words(),
	), names: []Name{
		{Name: "Read", Of: "Claude Code, Amp"},
		{Name: "read_file", Of: "Gemini CLI, Qwen Code, Codex, Cline, Roo Code, Cursor, Copilot, Zed, nanobot, MCP filesystem, LangChain"},
		{Name: "read_text_file", Of: "MCP filesystem"},
		{Name: "read_media_file", Of: "MCP filesystem"},
		{Name: "read_multiple_files", Of: "MCP filesystem"},
		{Name: "read_many_files", Of: "Gemini CLI", Args: several},
		{Name: "get_file_info", Of: "MCP filesystem", Fixed: []Setting{{"limit", 1}}},
		{Name: "view_file", Of: "Windsurf", Args: joined(renamed("offset", "StartLine"), []Argument{endLine("EndLine")}, ignored("IncludeSummaryOfOtherRanges"))},
		{Name: "view", Of: "Crush"},
		{Name: "view_image", Of: "Codex"},
		{Name: "NotebookRead", Of: "Claude Code"},
		{Name: "list_code_definition_names", Of: "Cline", Fixed: []Setting{{"outline", true}}},
		{Name: "open_file", Of: "SWE-agent"},
		{Name: "file-read", Of: "helve"}, {Name: "file-read-excel", Of: "helve"}, {Name: "file-read-docx", Of: "helve"},
	}}
}

// firstLine reads an offset that is counted from 0, as far as that shows.
func firstLine(c *conversion, name string) error {
	if n, ok := c.g.Whole(name); ok && n == 0 {
		c.g.Drop(name)
	}
	return nil
}

func tail(c *conversion, name string) error {
	n, ok := c.g.Whole(name)
	if !ok || n < 1 {
		return nil
	}
	if other, given := c.named("offset"); given {
		return wrong(name, fault.T("cannot be combined with %s", other), fault.T("pass one of them"))
	}
	c.g.Drop(name)
	c.set("offset", -int(n))
	c.say(fault.T("%s is offset=%d", name, -int(n)))
	return nil
}

// endLine is the last line to read, itself included; -1 is the end.
func endLine(name string) Argument {
	return Argument{Name: name, To: "limit", How: "last line, included", read: func(c *conversion, name string) error {
		last, ok := c.g.Whole(name)
		if !ok {
			return nil
		}
		first, given := c.whole("offset")
		if !given || first == 0 {
			first = 1
		}
		return c.lines(name, first, last)
	}}
}

// viewRange is a list of the first and the last line; -1 is the end.
func viewRange(name string) Argument {
	return Argument{Name: name, To: "offset limit", How: "first and last line, -1 is the end", read: func(c *conversion, name string) error {
		bounds, ok := c.g.Wholes(name)
		_, isText := c.g.Text(name)
		if isText && !ok {
			return c.rename(name, "range") // such as 5-16
		} else if len(bounds) == 0 && ok && !isText {
			c.g.Drop(name)
			return nil
		}
		if len(bounds) != 2 || !ok {
			return wrong(name, fault.T("want the first and the last line"), fault.T("pass [first, last]; -1 is the end"))
		}
		c.set("offset", int(bounds[0]))
		return c.lines(name, bounds[0], bounds[1])
	}}
}

// lines sets how many lines to read.
func (c *conversion) lines(name string, first, last int64) error {
	switch {
	case last == -1:
		c.g.Drop(name)
		return nil
	case first < 1 || last < first:
		return wrong(name, fault.T("the last line %d is before the first, %d", last, first),
			fault.T("lines count from 1, both included"))
	}
	count := last - first + 1
	if limit, given := c.whole("limit"); given {
		count = min(count, limit)
	}
	c.g.Drop(name)
	c.set("limit", int(count))
	c.say(fault.T("%s is limit=%d", name, count))
	return nil
}

// filesToRead reads a list of objects with a path and, of a single one, ranges of lines.
func filesToRead(c *conversion, name string) error {
	files, ok := c.g.Objects(name)
	if !ok {
		return nil // a list of paths, as it is ours
	}
	var paths []string
	var ranges string
	for _, f := range files {
		path, ok := f.Text("path")
		if !ok {
			return wrong(name, fault.T("each needs a path"), fault.T("pass paths as a list of strings"))
		}
		paths = append(paths, path)
		texts, isTexts := f.Texts("line_ranges")
		if !isTexts && f.Has("line_ranges") {
			texts = nil
			lists, ok := f.Lists("line_ranges")
			if !ok {
				return wrong(name, fault.T("line_ranges cannot be read"), fault.T(`pass range, such as "1-20,60-80"`))
			}
			for _, bounds := range lists {
				texts = append(texts, strings.Trim(strings.ReplaceAll(fmt.Sprint(bounds), " ", "-"), "[]"))
			}
		}
		if len(texts) > 0 {
			ranges = strings.Join(texts, ",")
		}
	}
	if ranges != "" && len(files) > 1 {
		return wrong(name, fault.T("ranges of lines are possible for one file only"), fault.T("call once for each file, with path and range"))
	}
	c.g.Drop(name)
	if len(files) > 1 {
		c.set("paths", paths)
		return nil
	}
	if len(paths) == 1 {
		c.set("path", paths[0])
	}
	if ranges != "" {
		c.set("range", ranges)
	}
	return nil
}

// patternsLeftOut is a list of globs that we cannot leave out.
func patternsLeftOut(name string) Argument {
	return Argument{Name: name, How: "ignored, and told", read: func(c *conversion, name string) error {
		if list, ok := c.g.Texts(name); !ok || len(list) > 0 {
			c.say(fault.T("%s is not possible here: nothing was left out by it", name))
		}
		c.g.Drop(name)
		return nil
	}}
}

// writing are the names of write.
func writing() family {
	return family{args: joined(
		renamed("path", "absolute_path", "absolutePath", "target_file", "TargetFile", "filepath"),
		renamed("content", "CodeContent", "new_content", "file_content", "data", "body"),
		[]Argument{
			value("mode", "mode", "rewrite", "overwrite", "w", "overwrite", "a", "append", "x", "create"),
			flag("append", true, "mode", "append"),
			flag("overwrite", false, "mode", "create"),
			flag("Overwrite", false, "mode", "create"),
			only("encoding", fault.T("files keep their encoding"), "utf-8", "utf8", "UTF-8"),
			flag("EmptyFile", true, "content", ""), {Name: "command", To: "mode", How: "create or write", read: writeCommand},
		},
		ignored("line_count", "create_dirs", "create_directories", "createDirectories"), words(),
	), names: []Name{
		{Name: "Write", Of: "Claude Code"},
		{Name: "write_file", Of: "Gemini CLI, Qwen Code, nanobot, MCP filesystem, LangChain"},
		{Name: "write_to_file", Of: "Cline, Roo Code, Windsurf", Args: []Argument{{Name: "TargetFile", To: "path", How: "a new file, unless Overwrite", read: newFile}}},
		{Name: "create_file", Of: "Copilot, Amp", Fixed: []Setting{{"mode", "create"}}},
		{Name: "save_file", Of: "Zed"},
		{Name: "create_new_file", Of: "Continue", Fixed: []Setting{{"mode", "create"}}},
		{Name: "create", Of: "Anthropic", Fixed: []Setting{{"mode", "create"}}},
		{Name: "file-write", Of: "helve"},
	}}
}

// writeCommand reads the argument that says what to do, of tools that do several things.
func writeCommand(c *conversion, name string) error {
	text, _ := c.g.Text(name)
	if _, given := c.named("mode"); text == "create" && !given {
		c.g.Set("mode", "create")
	}
	return done("create", "write").read(c, name)
}

// newFile names a file for Windsurf's write_to_file, which fails if there is one, unless
// Overwrite is set.
func newFile(c *conversion, name string) error {
	over, _ := c.g.Truth("Overwrite")
	if _, given := c.named("mode"); !given && !over {
		c.g.Set("mode", "create")
	}
	return c.rename(name, "path")
}

// editing are the names of edit.
func editing() family {
	return family{args: joined(
		renamed("path", "absolute_path", "absolutePath", "target_file", "TargetFile", "filepath"), renamed("new_text", "insert_text"), renamed("old_text", "find"),
		[]Argument{
			{Name: "before", To: "old_text", How: "with after", read: beforeAfter},
			{Name: "after", To: "new_text", How: "with before", read: beforeAfter},
			done("str_replace", "insert"),
			{Name: "edits", To: "edits", How: "with the names of others in them", read: items},
			{Name: "operations", To: "edits", read: items},
			{Name: "replacements", To: "edits", How: "of one file", read: items},
			{Name: "ReplacementChunks", To: "edits", How: "TargetContent ReplacementContent AllowMultiple", read: items},
			only("use_regex", fault.T("pass the text itself"), "false"),
			only("ignore_case", fault.T("pass the text as it is in the file"), "false"),
			only("use_replace_all", fault.T("pass replace_all"), "false"),
		}, words(),
	), names: []Name{
		{Name: "Edit", Of: "Claude Code"},
		{Name: "MultiEdit", Of: "Claude Code", Fixed: []Setting{{"sequential", true}}},
		{Name: "multiedit", Of: "OpenCode, Crush", Fixed: []Setting{{"sequential", true}}},
		{Name: "edit_file", Of: "nanobot, MCP filesystem, Roo Code, Amp", Args: []Argument{sketch("code_edit")}},
		{Name: "replace", Of: "Gemini CLI"},
		{Name: "str_replace", Of: "Anthropic"},
		{Name: "search_replace", Of: "Cursor, Roo Code"},
		{Name: "search_and_replace", Of: "Roo Code"},
		{Name: "replace_string_in_file", Of: "Copilot"},
		{Name: "multi_replace_string_in_file", Of: "Copilot"},
		{Name: "replace_file_content", Of: "Windsurf"},
		{Name: "edit_block", Of: "Desktop Commander"},
		{Name: "insert", Of: "Anthropic"},
	}}
}

// done is the argument that says what to do, to a tool that does that anyway.
func done(commands ...string) Argument {
	return only("command", fault.T("call the tool of that name"), commands...)
}

// beforeAfter reads a text before a change and the text after it. One without the other could
// be a place beside it.
func beforeAfter(c *conversion, name string) error {
	if !c.g.Has("before") || !c.g.Has("after") {
		return wrong(name, fault.T("can be the text itself, or a place beside it"), fault.T("pass old_text and new_text, or insert_line and new_text"))
	}
	if err := c.rename("before", "old_text"); err != nil {
		return err
	}
	return c.rename("after", "new_text")
}

// sketch is new text with omissions in it, which another model would have to read.
func sketch(name string) Argument {
	return Argument{Name: name, How: "refused", read: func(_ *conversion, name string) error {
		return wrong(name, fault.T("an edit with omissions cannot be applied"),
			fault.T("pass old_text as it is in the file and new_text, or the whole file with write"))
	}}
}

// items reads a list of edits with the names of other systems in them.
func items(c *conversion, name string) error {
	list, ok := c.g.Objects(name)
	if !ok {
		return nil
	}
	if _, isText := c.g.Text(name); isText {
		c.say(fault.T("%s was a string of JSON", name))
	}
	for i, item := range list {
		if n, twice := item.Repeated(); twice {
			return twiceGiven(fmt.Sprintf("%s/%d/%s", name, i, n))
		}
		for _, path := range []string{"filePath", "file_path", "path"} {
			if !item.Has(path) {
				continue
			}
			own, _ := item.Text(path)
			outer, given := c.named("path")
			if !given {
				c.g.Set("path", own)
			} else if of, _ := c.g.Text(outer); of != own {
				return wrong(fmt.Sprintf("%s/%d/%s", name, i, path), fault.T("one call edits one file"),
					fault.T("call edit once for each file, or pass one patch for all"))
			}
			item.Drop(path)
		}
		if all, _ := item.Truth("AllowMultiple"); all && (item.Has("StartLine") || item.Has("EndLine")) {
			return wrong(fmt.Sprintf("%s/%d/AllowMultiple", name, i), fault.T("all matches within some lines only is not possible here"),
				fault.T("pass one edit for each place, with more lines around it"))
		}
		if item.Has("before") && item.Has("after") { // after alone is ours
			item.Rename("before", "old_text")
			item.Rename("after", "new_text")
		}
		item.Rename("find", "old_text")
		item.Rename("TargetContent", "old_text")
		item.Rename("ReplacementContent", "new_text")
		item.Rename("AllowMultiple", "replace_all")
		for _, word := range []string{"explanation", "description", "instruction", "StartLine", "EndLine"} {
			item.Drop(word)
		}
	}
	c.g.Set(name, list)
	if name == "edits" {
		return nil
	}
	return c.rename(name, "edits")
}

// patching are the names of patch.
func patching() family {
	return family{args: joined(
		renamed("path", "absolutePath", "absolute_path", "target_file"),
		[]Argument{only("workdir", fault.T("paths in a patch are relative to the workspace root"), ".", "./")},
		words(),
	), names: []Name{
		{Name: "apply_patch", Of: "Codex, OpenCode, Cline, Copilot, nanobot"},
		{Name: "replace_in_file", Of: "Cline"},
	}}
}

// undoing are the names of undo.
func undoing() family {
	return family{args: words(), names: []Name{{Name: "undo_edit", Of: "Anthropic, Amp"}}}
}

// deleting are the names of delete.
func deleting() family {
	return family{args: joined(renamed("path", "target_file", "absolute_path"), words()), names: []Name{
		{Name: "delete_file", Of: "Cursor"}, {Name: "remove_file", Of: "MCP"}, {Name: "delete_path", Of: "Zed"},
		{Name: "file_delete", Of: "LangChain"}, {Name: "file-delete", Of: "helve"},
	}}
}

// moving are the names of move.
func moving() family {
	return family{args: joined(renamed("from", "source_path", "sourcePath", "old_name"), renamed("to", "destination_path", "destinationPath", "new_name"), words()), names: []Name{
		{Name: "move_file", Of: "MCP filesystem, LangChain"}, {Name: "move_path", Of: "Zed"}, {Name: "rename", Of: "MCP"}, {Name: "rename_file", Of: "MCP"},
	}}
}

// copying are the names of copy.
func copying() family {
	return family{args: joined(renamed("from", "source_path", "sourcePath"), renamed("to", "destination_path", "destinationPath"), words()), names: []Name{
		{Name: "copy_file", Of: "LangChain"}, {Name: "copy_path", Of: "Zed"}, {Name: "duplicate", Of: "MCP"},
	}}
}

// making are the names of mkdir.
func making() family {
	return family{args: joined(renamed("path", "dirPath", "directory_path"), ignored("parents", "exist_ok", "recursive"), words()), names: []Name{
		{Name: "create_directory", Of: "MCP filesystem, Copilot, Zed"}, {Name: "make_directory", Of: "MCP"},
	}}
}

// listing are the names of ls.
func listing() family {
	directory := []Setting{{"directory_only", true}}
	return family{args: joined(
		renamed("path", "dirPath", "DirectoryPath", "relative_workspace_path", "target_directory", "directory_path"),
		renamed("limit", "max_entries"), renamed("depth", "max_depth", "maxDepth"), renamed("all", "show_hidden", "include_hidden"),
		[]Argument{
			flag("recursive", true, "depth", 32),
			only("offset", fault.T("list with a higher limit, or one of the directories"), "1", "0"),
			patternsLeftOut("ignore"), patternsLeftOut("excludePatterns"), patternsLeftOut("ignore_globs"),
		},
		ignored("sortBy", "respect_git_ignore", "file_filtering_options"), words(),
	), names: []Name{
		{Name: "LS", Of: "Claude Code"},
		{Name: "list", Of: "OpenCode", Fixed: directory},
		{Name: "list_dir", Of: "Codex, Cursor, Windsurf, Copilot, nanobot", Fixed: directory},
		{Name: "list_directory", Of: "Gemini CLI, MCP filesystem, Zed, LangChain", Fixed: directory},
		{Name: "list_directory_with_sizes", Of: "MCP filesystem", Fixed: directory},
		{Name: "directory_tree", Of: "MCP filesystem", Fixed: []Setting{{"depth", 32}, {"directory_only", true}}},
		{Name: "list_files", Of: "Cline, Roo Code"},
		{Name: "file-list", Of: "helve", Fixed: directory},
	}}
}

// Whatever a name means, it has an entry of its own; these choose by their arguments.

// commands are the names that do what their argument command says.
func commands() []Name {
	var all []Name
	for _, n := range []Name{
		{Name: "str_replace_editor", Of: "Anthropic, OpenHands"}, {Name: "str_replace_based_edit_tool", Of: "Anthropic"},
		{Name: "file_editor", Of: "OpenHands"}, {Name: "text_editor", Of: "goose"}, {Name: "developer__text_editor", Of: "goose"},
	} {
		n.Tools = []string{"edit", "read", "write", "undo"}
		n.choose = func(g *schema.Given) (*Name, error) { return command(n, g) }
		all = append(all, n)
	}
	return all
}

// command returns what str_replace_editor does by its argument command.
func command(n Name, g *schema.Given) (*Name, error) {
	said, _ := g.Text("command")
	chosen := Name{Name: n.Name + " " + said, Args: []Argument{{Name: "command", read: func(c *conversion, name string) error {
		c.g.Drop(name)
		return nil
	}}}}
	// Some models fill in all arguments, those of other commands with nothing.
	unused := func(names ...string) {
		for _, name := range names {
			chosen.Args = append(chosen.Args, unusedArgument(name))
		}
	}
	switch said {
	case "view":
		chosen.Tool = "read"
		unused("file_text", "old_str", "new_str", "insert_line")
	case "create", "write":
		chosen.Tool = "write"
		unused("old_str", "new_str", "insert_line", "view_range")
		if said == "create" {
			chosen.Fixed = []Setting{{"mode", "create"}}
		}
	case "str_replace":
		chosen.Tool = "edit"
		chosen.Fixed = []Setting{{"new_text", ""}}
		unused("file_text", "insert_line", "view_range")
	case "insert":
		chosen.Tool = "edit"
		unused("file_text", "old_str", "view_range")
	case "undo_edit":
		chosen.Tool = "undo"
		unused("file_text", "old_str", "new_str", "insert_line", "view_range")
	case "":
		return nil, wrong("command", fault.T("required, and missing"), fault.T("pass view, create, str_replace, insert or undo_edit"))
	default:
		return nil, wrong("command", fault.T("want view, create, str_replace, insert or undo_edit, got %q", said),
			fault.T("to run %q call exec", said))
	}
	return &chosen, nil
}

// unusedArgument is an argument of another command. It may be empty.
func unusedArgument(name string) Argument {
	return Argument{Name: name, read: func(c *conversion, name string) error {
		text, isText := c.g.Text(name)
		number, isNumber := c.g.Whole(name)
		list, isList := c.g.Wholes(name)
		if isText && text == "" || isNumber && number == 0 || isList && len(list) == 0 {
			c.g.Drop(name)
			return nil
		}
		return wrong(name, fault.T("is no argument of this command"), fault.T("leave it out, or pass the command that it belongs to"))
	}}
}

// insertContent returns what Roo Code's insert_content does: it inserts before a line,
// or after the last.
func insertContent(g *schema.Given) (*Name, error) {
	chosen := Name{Name: "insert_content", Tool: "edit", Args: joined(renamed("new_text", "content"), []Argument{{Name: "line", To: "insert_line", How: "the line before it", read: func(c *conversion, name string) error {
		n, ok := c.g.Whole(name)
		if !ok || n < 1 {
			return wrong(name, fault.T("want the number of a line"), fault.T("lines count from 1; 0 adds to the end"))
		}
		c.g.Drop(name)
		c.set("insert_line", int(n)-1)
		c.say(fault.T("%s %d is insert_line=%d", name, n, n-1))
		return nil
	}}})}
	if n, ok := g.Whole("line"); ok && n == 0 {
		chosen.Tool, chosen.Fixed = "write", []Setting{{"mode", "append"}}
		chosen.Args = ignored("line")
	}
	return &chosen, nil
}
