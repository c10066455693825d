// Package language detects the language of a file by its name and first bytes, as
// Linguist does. It does not parse code.
package language

import (
	_ "embed"
	"path"
	"sort"
	"strings"
)

//go:generate go run -C ../../../scripts ./languages ../pkg/files/language/tables

// The tables are lines of a key and a language, separated by a tab and sorted by key. They
// are searched as they are, so that nothing is built at start.
var (
	//go:embed tables/filenames.txt
	byFilename string
	//go:embed tables/extensions.txt
	byExtension string // in lower case, with their dot; the longest counts
	//go:embed tables/interpreters.txt
	byInterpreter string // programs that a first line may name
	//go:embed tables/aliases.txt
	byAlias string // names that an editor's mode line may use
)

// Of returns Linguist's name for the language of a file, such as "Go" or "Markdown",
// or "" if it is unknown. The first of these decides: an editor's mode line, the
// file name, the interpreter in the first line, the extension and, for extensions
// that several languages share, the content. head is the first few KiB of the file
// or nil.
func Of(name string, head []byte) string {
	base := path.Base(name)
	start := string(head)
	if lang := byModeline(start); lang != "" {
		return lang
	}
	if lang := find(byFilename, base); lang != "" {
		return lang
	}
	if lang := byShebang(start); lang != "" {
		return lang
	}
	lower := strings.ToLower(base)
	for i := strings.IndexByte(lower, '.'); i >= 0; {
		ext := lower[i:]
		if lang := find(byExtension, ext); lang != "" {
			return byContent(ext, lang, start)
		}
		next := strings.IndexByte(lower[i+1:], '.')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	if strings.HasPrefix(strings.TrimLeft(start, " \t\r\n"), "<?xml") {
		return "XML"
	}
	return ""
}

// find returns the language of a key in a table, or "".
func find(table, key string) string {
	from := func(at int) int { return strings.LastIndexByte(table[:at], '\n') + 1 } // where the line begins
	at := sort.Search(len(table), func(at int) bool {
		have, _, _ := strings.Cut(table[from(at):], "\t")
		return have >= key
	})
	lang, ok := strings.CutPrefix(table[from(at):], key+"\t")
	if !ok {
		return ""
	}
	lang, _, _ = strings.Cut(lang, "\n")
	return lang
}

// byShebang reads the interpreter of a first line such as "#!/usr/bin/env
// python3 -u".
func byShebang(start string) string {
	line, ok := strings.CutPrefix(start, "#!")
	if !ok {
		return ""
	}
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	if len(words) == 0 {
		return ""
	}
	program := path.Base(words[0])
	if program == "env" {
		program = ""
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				program = path.Base(w)
				break
			}
		}
	}
	if lang := find(byInterpreter, program); lang != "" {
		return lang
	}
	return find(byInterpreter, strings.TrimRight(program, "0123456789.")) // python3.12
}

// byModeline reads the mode lines of Emacs and Vim among the first lines, such as
// "-*- mode: c++ -*-" and "vim: set ft=sh:".
func byModeline(start string) string {
	lines := strings.SplitN(start, "\n", 6)
	for _, line := range lines[:min(len(lines), 5)] {
		mode := ""
		if _, rest, ok := strings.Cut(line, "-*-"); ok {
			inner, _, closed := strings.Cut(rest, "-*-")
			if !closed {
				continue
			}
			mode = strings.TrimSpace(inner)
			if strings.ContainsAny(inner, ":;") {
				mode = setting(inner, ":", "mode")
			}
		} else if i := vim(line); i >= 0 {
			if mode = setting(line[i:], "=", "ft"); mode == "" {
				mode = setting(line[i:], "=", "filetype")
			}
		}
		if lang := find(byAlias, strings.ToLower(mode)); lang != "" {
			return lang
		}
	}
	return ""
}

// vim returns where a Vim mode line begins in a line, -1 if it has none.
func vim(line string) int {
	for _, mark := range []string{" vim:", " vi:", " ex:"} {
		if i := strings.Index(" "+line, mark); i >= 0 {
			return min(i+len(mark)-1, len(line))
		}
	}
	return -1
}

// setting returns the value of a name in "name=value" pairs that spaces, colons or
// semicolons separate.
func setting(text, equals, name string) string {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r == ';' || r == ' ' && equals == "=" || r == '\t' || r == ':' && equals == "="
	}) {
		key, value, ok := strings.Cut(part, equals)
		if ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
