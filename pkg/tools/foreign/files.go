package foreign

import (
	"fmt"

	"github.com/helve-dev/helve/pkg/fault"
)

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
		{Name: "NotebookEdit", Of: "Claude Code", Args: claudeCells()},
		{Name: "edit_notebook", Of: "Cursor", Args: cursorCells()},
		{Name: "edit_notebook_file", Of: "Copilot", Args: copilotCells()},
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
