package outline

import (
	"strings"
	"unicode"

	"github.com/helve-dev/helve/pkg/files/text"
)

// definition is a definition on a line, found by a rule that sees only that line.
type definition struct {
	kind, name string
	level      int // of a heading, from 1; 0 for what its indentation nests
}

// byLines reads a language of which only single lines are understood. What a definition
// contains is shown by indentation.
func byLines(language, source string) []Definition {
	find := ruleOf(language)
	if find == nil {
		return nil
	}
	lines := text.Lines(source)
	var found []nested
	closing := "" // ends the comment that the line is in
	for i, l := range lines {
		body := strings.TrimRight(l.Body, " \t")
		trimmed := strings.TrimLeft(body, " \t")
		if closing != "" {
			if strings.Contains(trimmed, closing) {
				closing = ""
			}
			continue
		}
		if strings.HasPrefix(trimmed, "/*") && !strings.Contains(trimmed, "*/") {
			closing = "*/"
		}
		if closing != "" || trimmed == "" {
			continue
		}
		d, ok := find(trimmed)
		if !ok || d.kind == section && body != trimmed {
			continue // sections are never indented
		}
		next := nested{Definition: Definition{Name: d.name, Kind: d.kind, Line: i + 1}, level: d.level}
		if d.kind == section {
			found = append(found, next)
			continue
		}
		next.level = columns(body[:len(body)-len(trimmed)])
		if !statements(language) {
			next.End = endOf(lines, i, next.level)
		}
		if from := leadIn(lines, i); from < i {
			next.From = from + 1
		}
		found = append(found, next)
	}
	return nest(found, lines)
}

// statements reports whether a language has a definition go on up to the next one,
// however its lines are indented.
func statements(language string) bool { return strings.HasSuffix(language, "SQL") }

// section is the kind of the parts of a document or a table of keys.
const section = "section"

// nested is a definition with the properties that decide its parent.
type nested struct {
	Definition
	level int
}

// nest puts into each definition those after it that have a higher level. A section,
// and whatever has no end yet, ends where the next one begins that is not in it.
func nest(found []nested, lines []text.Line) []Definition {
	var defs []Definition
	var stack []nested
	pop := func(level, end int) {
		for n := len(stack); n > 0 && stack[n-1].level >= level; n-- {
			d := stack[n-1].Definition
			stack = stack[:n-1]
			if d.End == 0 {
				for end > d.Line && strings.TrimSpace(lines[end-1].Body) == "" {
					end--
				}
				d.End = max(d.Line, end)
			}
			if n > 1 {
				stack[n-2].Children = append(stack[n-2].Children, d)
			} else {
				defs = append(defs, d)
			}
		}
	}
	for _, f := range found {
		pop(f.level, f.Start()-1)
		stack = append(stack, f)
	}
	pop(-1, len(lines))
	return defs
}

// endOf returns the number of the last line of the definition that begins at an index in
// a column: the line before the next that is not indented further, or that line if it
// closes the definition.
func endOf(lines []text.Line, at, column int) int {
	end := at + 1
	for i := at + 1; i < len(lines); i++ {
		body := strings.TrimRight(lines[i].Body, " \t")
		trimmed := strings.TrimLeft(body, " \t")
		if trimmed == "" {
			continue
		}
		if columns(body[:len(body)-len(trimmed)]) <= column {
			word := identifier(trimmed, "")
			switch {
			case strings.IndexByte("}])", trimmed[0]) >= 0 || word == "end" || word == "End":
				return i + 1
			case trimmed[0] == '{':
			default:
				return end
			}
		}
		end = i + 1
	}
	return end
}

// leadIn returns the index of the line at which the comments and attributes right
// above a line begin.
func leadIn(lines []text.Line, at int) int {
	for at > 0 {
		above := strings.TrimSpace(lines[at-1].Body)
		switch {
		case strings.HasSuffix(above, "*/"):
			for at > 1 && !strings.Contains(lines[at-1].Body, "/*") {
				at--
			}
		case strings.HasPrefix(above, "//"), strings.HasPrefix(above, "--"), strings.HasPrefix(above, "@"), strings.HasPrefix(above, "#"):
		case strings.HasPrefix(above, "[") && strings.HasSuffix(above, "]"):
		default:
			return at
		}
		at--
	}
	return at
}

// columns returns the width of an indentation, with four columns for a tab.
func columns(lead string) int {
	n := 0
	for _, c := range lead {
		if c == '\t' {
			n += 4
		} else {
			n++
		}
	}
	return n
}

// rule finds the definition that a line, without its indentation, begins.
type rule func(line string) (definition, bool)

// ruleOf returns the rule for a language, nil if there is none.
func ruleOf(language string) rule {
	switch language {
	case "TeX":
		return texRule
	case "Org":
		return starRule
	case "INI", "TOML", "EditorConfig", "Git Config":
		return iniRule
	case "YAML":
		return yamlRule
	case "Makefile":
		return makeRule
	case "SQL", "PLSQL", "PLpgSQL", "TSQL":
		return sqlRule
	case "Elixir", "Lua", "Perl", "Julia", "Nim", "Protocol Buffer", "GraphQL", "Thrift", "HCL", "Groovy", "Zig", "Dart", "V", "PowerShell",
		"Visual Basic .NET", "Clojure":
		return keywordRule
	case "Vue", "Svelte", "Objective-C", "Objective-C++", "D", "Solidity":
		return braceRule
	}
	return nil
}

func sectionAt(level int, title string) (definition, bool) {
	title = strings.TrimSpace(title)
	return definition{section, title, level}, title != ""
}

func starRule(line string) (definition, bool) {
	text := strings.TrimLeft(line, "*")
	if level := len(line) - len(text); level > 0 && strings.HasPrefix(text, " ") {
		return sectionAt(level, text)
	}
	return definition{}, false
}

func texRule(line string) (definition, bool) {
	for level, command := range []string{`\part`, `\chapter`, `\section`, `\subsection`, `\subsubsection`} {
		text, found := strings.CutPrefix(line, command)
		text = strings.TrimPrefix(text, "*")
		if title, closed := strings.CutPrefix(text, "{"); found && closed {
			title, _, _ = strings.Cut(title, "}")
			return sectionAt(level+1, title)
		}
	}
	return definition{}, false
}

func iniRule(line string) (definition, bool) {
	if line[0] != '[' || strings.HasPrefix(line, "[[") && !strings.HasSuffix(line, "]]") || !strings.HasSuffix(line, "]") {
		return definition{}, false
	}
	return sectionAt(0, line)
}

func yamlRule(line string) (definition, bool) {
	key, _, found := strings.Cut(line, ":")
	if !found || strings.ContainsAny(key, "#-{}[]\"' ") {
		return definition{}, false
	}
	return sectionAt(0, key)
}

func makeRule(line string) (definition, bool) {
	target, rest, found := strings.Cut(line, ":")
	if !found || strings.HasPrefix(rest, "=") || strings.ContainsAny(target, "#=$ \t\"") || strings.HasPrefix(target, ".") {
		return definition{}, false
	}
	return sectionAt(0, target)
}

func sqlRule(line string) (definition, bool) {
	words := strings.Fields(line)
	if len(words) < 3 || !strings.EqualFold(words[0], "create") {
		return definition{}, false
	}
	for i, w := range words[1 : len(words)-1] {
		switch strings.ToLower(w) {
		case "table", "view", "function", "procedure", "trigger", "index", "type", "schema", "package", "sequence":
			name := words[i+2]
			if strings.EqualFold(name, "if") && len(words) > i+5 {
				name = words[i+5] // if not exists
			}
			name, _, _ = strings.Cut(name, "(")
			name = strings.TrimRight(name, ";")
			return definition{kind: strings.ToLower(w), name: name}, name != ""
		}
	}
	return definition{}, false
}

// identifier returns the name that s begins with. extra are further characters that
// names may have in the language.
func identifier(s, extra string) string {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r) && !strings.ContainsRune(extra, r)) {
			return s[:i]
		}
	}
	return s
}
