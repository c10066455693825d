package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// renderer makes a text of many lines of a value.
type renderer struct {
	name string
	text func(v json.RawMessage, argument string, s *scope) string
}

// renderers are those that expressions can name.
var renderers = [...]renderer{
	{"listing", listing},       // entries of a directory, a line each: listing:DIR,FILE are what stands before a name
	{"sizes", sizes},           // entries of a directory with their sizes and the sum of them: sizes:[DIR] ,[FILE]
	{"tree", tree},             // paths as nested JSON: objects with name, type and children
	{"each", each},             // a member of each object in a list, a line each: each:path
	{"paths", paths},           // the paths of files that were found, whole, a line each
	{"files", several},         // files that were read together, each below its path, with --- between them
	{"streams", streams},       // what a command printed and how it ended, from the result as a whole
	{"fenced", fenced},         // a text as a block of Markdown: fenced:diff
	{"numbered", numbered},     // a text, each line as 12|…
	{"cat-n", catN},            // the same as cat -n prints it
	{"grep-lines", grepLines},  // hits as PATH:LINE:TEXT
	{"results", searchResults}, // pages that a search found
}

func render(name, argument string, v json.RawMessage, s *scope) string {
	for _, r := range renderers {
		if r.name == name {
			return r.text(v, argument, s)
		}
	}
	return ""
}

// objects returns the objects of a list.
func objects(v json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) != nil {
		return nil
	}
	return list
}

func listing(v json.RawMessage, argument string, _ *scope) string {
	dir, file := marks(argument)
	var lines []string
	for _, entry := range objects(v) {
		mark := file
		if isDir(entry) {
			mark = dir
		}
		name := plain(member(entry, "name"))
		if name == "" {
			name = plain(member(entry, "path"))
		}
		lines = append(lines, mark+name)
	}
	return strings.Join(lines, "\n")
}

// marks reads what stands before the names of directories and of files.
func marks(argument string) (dir, file string) {
	if argument == "" {
		return "[D] ", "[F] "
	}
	dir, file, _ = strings.Cut(argument, ",")
	return dir, file
}

func isDir(entry json.RawMessage) bool { return plain(member(entry, "type")) == "dir" }

// sizes shows them as the MCP server for file systems does.
func sizes(v json.RawMessage, argument string, _ *scope) string {
	dir, file := marks(argument)
	var lines []string
	var dirs, total int64
	entries := objects(v)
	for _, entry := range entries {
		name := plain(member(entry, "name"))
		if isDir(entry) {
			dirs++
			lines = append(lines, fmt.Sprintf("%s%-30s ", dir, name))
			continue
		}
		size, _ := strconv.ParseInt(plain(member(entry, "size")), 10, 64) // a link has none
		total += size
		lines = append(lines, fmt.Sprintf("%s%-30s %10s", file, name, inUnits(size)))
	}
	lines = append(lines, "", fmt.Sprintf("Total: %d files, %d directories", int64(len(entries))-dirs, dirs), "Combined size: "+inUnits(total))
	return strings.Join(lines, "\n")
}

// inUnits returns a number of bytes in the largest unit of 1024 that gives one or more.
func inUnits(bytes int64) string {
	if bytes < 1024 {
		return fmt.Sprintf("%d B", bytes)
	}
	n, unit := float64(bytes), 0
	units := [...]string{"B", "KB", "MB", "GB", "TB"}
	for ; n >= 1024 && unit < len(units)-1; unit++ {
		n /= 1024
	}
	return fmt.Sprintf("%.2f %s", n, units[unit])
}

// node is a directory, with what is in it, or something else.
type node struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Children *[]*node `json:"children,omitempty"` // nil of a file
}

func tree(v json.RawMessage, _ string, s *scope) string {
	root := &node{Children: &[]*node{}}
	at := map[string]*node{"": root}
	below := strings.TrimSuffix(plain(member(s.args, "path")), "/") + "/"
	for _, entry := range objects(v) {
		name := strings.TrimPrefix(plain(member(entry, "path")), below)
		dir, base := path.Split(name)
		n := &node{Name: base, Type: "file"}
		if isDir(entry) {
			n.Type, n.Children = "directory", &[]*node{}
			at[name] = n
		}
		if parent := at[strings.TrimSuffix(dir, "/")]; parent != nil {
			*parent.Children = append(*parent.Children, n)
		}
	}
	text, err := json.MarshalIndent(root.Children, "", "  ")
	if err != nil { // texts alone
		panic(err)
	}
	return string(text)
}

func paths(v json.RawMessage, _ string, s *scope) string {
	var lines []string
	for _, one := range objects(v) {
		found := plain(member(one, "path"))
		if !filepath.IsAbs(found) {
			found = filepath.Join(s.root, filepath.FromSlash(found))
		}
		lines = append(lines, found)
	}
	return strings.Join(lines, "\n")
}

func several(v json.RawMessage, _ string, _ *scope) string {
	var texts []string
	for _, one := range objects(v) {
		name := plain(member(one, "path"))
		if wrong := member(one, "error"); wrong != nil {
			texts = append(texts, name+": Error - "+plain(member(wrong, "message")))
			continue
		}
		texts = append(texts, name+":\n"+plain(member(one, "content"))+"\n")
	}
	return strings.Join(texts, "\n---\n")
}

// streams has what was printed to standard error, and the exit code of a failure, behind what
// was printed to standard output.
func streams(_ json.RawMessage, _ string, s *scope) string {
	if holds(member(s.result, "timed_out")) {
		return fmt.Sprintf("Error: Command timed out after %s seconds", cmp.Or(plain(member(s.result, "timeout")), "60"))
	}
	var parts []string
	if text := plain(member(s.result, "stdout")); text != "" {
		parts = append(parts, text)
	}
	if text := plain(member(s.result, "stderr")); strings.TrimSpace(text) != "" {
		parts = append(parts, "STDERR:\n"+text)
	}
	if code := plain(member(s.result, "exit_code")); code != "0" {
		parts = append(parts, "\nExit code: "+code)
	}
	if len(parts) == 0 {
		return "(no output)"
	}
	return strings.Join(parts, "\n")
}

// fenced has more backticks around a text than there are together in it.
func fenced(v json.RawMessage, argument string, _ *scope) string {
	text, fence := plain(v), "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + argument + "\n" + text + fence + "\n\n"
}

func each(v json.RawMessage, argument string, _ *scope) string {
	var lines []string
	for _, one := range objects(v) {
		lines = append(lines, plain(member(one, argument)))
	}
	return strings.Join(lines, "\n")
}

func numbered(v json.RawMessage, _ string, s *scope) string { return withNumbers(v, s, "%d|%s") }
func catN(v json.RawMessage, _ string, s *scope) string     { return withNumbers(v, s, "%6d\t%s") }

// withNumbers puts the number of each line before it, from start_line of the result.
func withNumbers(v json.RawMessage, s *scope, format string) string {
	text := plain(v)
	if text == "" {
		return ""
	}
	first, err := strconv.Atoi(plain(member(s.result, "start_line")))
	if err != nil {
		first = 1
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = fmt.Sprintf(format, first+i, line)
	}
	return strings.Join(lines, "\n")
}

func grepLines(v json.RawMessage, _ string, _ *scope) string {
	var lines []string
	for _, file := range objects(v) {
		path := plain(member(file, "path"))
		for _, line := range objects(member(file, "lines")) {
			mark := "-"
			if holds(member(line, "match")) {
				mark = ":"
			}
			lines = append(lines, path+mark+plain(member(line, "line"))+mark+plain(member(line, "text")))
		}
	}
	return strings.Join(lines, "\n")
}

func searchResults(v json.RawMessage, _ string, _ *scope) string {
	var lines []string
	for i, one := range objects(v) {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, plain(member(one, "title"))))
		for _, name := range []string{"url", "snippet"} {
			if text := plain(member(one, name)); text != "" {
				lines = append(lines, "   "+text)
			}
		}
	}
	return strings.Join(lines, "\n")
}
