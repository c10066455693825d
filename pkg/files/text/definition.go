package text

import (
	"strings"
	"unicode"
)

// heading is the group of headings and sections, which are never combined as methods
// are.
const heading = "\x00heading"

// definitions finds the lines of a text that begin a definition or a section.
func definitions(lines []Line, language string) []definition {
	find := ruleOf(language)
	if find == nil {
		return nil
	}
	var out []definition
	fence := "" // ends the comment, string or fence that the line is in
	for i, l := range lines {
		body := strings.TrimRight(l.Body, " \t")
		trimmed := strings.TrimLeft(body, " \t")
		if fence != "" {
			if strings.Contains(trimmed, fence) {
				fence = ""
			}
			continue
		}
		if fence = opens(trimmed, language); fence != "" || trimmed == "" || language == "Go" && body != trimmed {
			continue
		}
		d, found := find(trimmed)
		if !found {
			continue
		}
		d.line = i
		if d.group != heading {
			d.level = columns(body[:len(body)-len(trimmed)])
		} else if d.level == 0 && body != trimmed {
			continue // sections are never indented
		}
		if r := []rune(d.title); len(r) > 60 {
			d.title = string(r[:59]) + "…"
		}
		out = append(out, d)
	}
	return out
}

// opens returns what ends the comment, string or fence that a line begins and does
// not end, or "".
func opens(line, language string) string {
	switch language {
	case "Markdown":
		for _, f := range []string{"```", "~~~"} {
			if strings.HasPrefix(line, f) {
				return f
			}
		}
	case "Python":
		for _, q := range []string{`"""`, `'''`} {
			if strings.Count(line, q)%2 == 1 {
				return q
			}
		}
	default:
		if strings.HasPrefix(line, "/*") && !strings.Contains(line, "*/") {
			return "*/"
		}
	}
	return ""
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

// rule says whether a line without its indentation begins a definition.
type rule func(line string) (definition, bool)

// ruleOf returns the rule for a language, nil if there is none.
func ruleOf(language string) rule {
	switch language {
	case "Go":
		return goRule
	case "Markdown", "RMarkdown", "MDX":
		return markdownRule
	case "AsciiDoc", "Org":
		return starRule
	case "TeX":
		return texRule
	case "INI", "TOML", "EditorConfig", "Git Config":
		return iniRule
	case "YAML":
		return yamlRule
	case "Makefile":
		return makeRule
	case "Shell":
		return shellRule
	case "SQL", "PLSQL", "PLpgSQL", "TSQL":
		return sqlRule
	case "Python", "Ruby", "Crystal", "Elixir", "Lua", "Perl", "PHP", "Julia", "Nim", "Protocol Buffer", "GraphQL", "Thrift", "HCL",
		"Swift", "Kotlin", "Scala", "Groovy", "Rust", "Zig", "Dart", "V", "PowerShell", "Visual Basic .NET", "Objective-C", "Clojure":
		return keywordRule
	case "C", "C++", "Java", "C#", "JavaScript", "TypeScript", "TSX", "Vue", "Svelte", "Objective-C++", "Cuda", "D", "Solidity":
		return braceRule
	}
	return nil
}

func section(level int, title string) (definition, bool) {
	title = strings.TrimSpace(title)
	return definition{level: level, title: title, group: heading}, title != ""
}

func markdownRule(line string) (definition, bool) {
	text := strings.TrimLeft(line, "#")
	level := len(line) - len(text)
	if level == 0 || level > 6 || !strings.HasPrefix(text, " ") {
		return definition{}, false
	}
	return section(level, strings.TrimRight(text, "# "))
}

func starRule(line string) (definition, bool) {
	text := strings.TrimLeft(line, line[:1])
	level := len(line) - len(text)
	if line[0] != '=' && line[0] != '*' || !strings.HasPrefix(text, " ") || level > 6 {
		return definition{}, false
	}
	return section(level, text)
}

func texRule(line string) (definition, bool) {
	for level, command := range []string{`\part`, `\chapter`, `\section`, `\subsection`} {
		text, found := strings.CutPrefix(line, command)
		text = strings.TrimPrefix(text, "*")
		if title, closed := strings.CutPrefix(text, "{"); found && closed {
			title, _, _ = strings.Cut(title, "}")
			return section(level+1, title)
		}
	}
	return definition{}, false
}

func iniRule(line string) (definition, bool) {
	if line[0] != '[' || strings.HasPrefix(line, "[[") && !strings.HasSuffix(line, "]]") || !strings.HasSuffix(line, "]") {
		return definition{}, false
	}
	return section(0, line)
}

func yamlRule(line string) (definition, bool) {
	key, _, found := strings.Cut(line, ":")
	if !found || strings.ContainsAny(key, "#-{}[]\"' ") {
		return definition{}, false
	}
	return section(0, key)
}

func makeRule(line string) (definition, bool) {
	target, rest, found := strings.Cut(line, ":")
	if !found || strings.HasPrefix(rest, "=") || strings.ContainsAny(target, "#=$ \t\"") || strings.HasPrefix(target, ".") {
		return definition{}, false
	}
	return section(0, target)
}

func shellRule(line string) (definition, bool) {
	rest, keyword := strings.CutPrefix(line, "function ")
	name := identifier(rest, "-:.")
	after := strings.TrimSpace(rest[len(name):])
	if name == "" || !keyword && !strings.HasPrefix(after, "()") || keyword && after != "" && after[0] != '{' && after[0] != '(' {
		return definition{}, false
	}
	return definition{title: "function " + name}, true
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
			return definition{title: strings.ToLower(w) + " " + strings.TrimRight(name, ";")}, name != ""
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
