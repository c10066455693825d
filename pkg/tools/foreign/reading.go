package foreign

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// reading are the names of read.
func reading() family {
	several := joined(renamed("paths", "include"), []Argument{patternsLeftOut("exclude")}, ignored("recursive", "respect_git_ignore", "respect_gemini_ignore", "useDefaultExcludes", "file_filtering_options"))
	return family{args: joined(
		renamed("path", "absolute_path", "absolutePath", "AbsolutePath", "target_file", "filepath", "relative_path"),
		renamed("offset", "startLine", "start_line_one_indexed", "line_start"),
		// Before head, which it excludes.
		[]Argument{{Name: "tail", To: "offset", How: "so many lines of the end", read: tail}},
		renamed("limit", "head", "length", "max_lines"),
		[]Argument{
			{Name: "offset", To: "offset", How: "0 is the first line", read: firstLine},
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
	for _, one := range []string{"offset", "head"} {
		if other, given := c.named(one); given || one == "head" && c.g.Has(one) {
			return wrong(name, fault.T("cannot be combined with %s", cmp.Or(other, one)), fault.T("pass one of them"))
		}
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
			lists, ok := f.Each("line_ranges")
			for _, list := range lists {
				bounds, whole := list.Wholes("")
				ok = ok && whole
				texts = append(texts, strings.Trim(strings.ReplaceAll(fmt.Sprint(bounds), " ", "-"), "[]"))
			}
			if !ok {
				return wrong(name, fault.T("line_ranges cannot be read"), fault.T(`pass range, such as "1-20,60-80"`))
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
