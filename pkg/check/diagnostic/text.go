package diagnostic

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// shape is a form in which programs print a diagnostic on one line. The groups file, line and
// message have its parts; message may be missing, and is then on a line around it.
type shape struct {
	*regexp.Regexp
	after bool // the message is in the lines after it, else in the one before
}

// shapes are the forms, the most telling first.
var shapes = sync.OnceValue(func() []shape {
	const file = `(?P<file>(?:[A-Za-z]:[\\/])?[^\s:()"'<>|][^:()"'<>|\n]*?)`
	var all []shape
	for _, s := range [...]struct {
		pattern string
		after   bool
	}{
		// GitHub's workflow commands, as biome and others print them.
		{`^::(?P<level>error|warning|notice) (?:[^:]*,)?file=(?P<file>[^,:]+),(?:[^:]*,)?line=(?P<line>\d+)[^:]*::(?P<message>.*)$`, false},
		// main.ts(3,5): error TS2322: …
		{`^\s*` + file + `\((?P<line>\d+)(?:,\d+)?\): (?P<message>.+)$`, false},
		// error - lib/main.dart:3:5 - … and error • … • lib/main.dart:3:5 • code
		{`^\s*(?P<level>error|warning|info) [-•] ` + file + `:(?P<line>\d+):\d+ [-•] (?P<message>.+)$`, false},
		{`^\s*(?P<level>error|warning|info) [-•] (?P<message>.+?) [-•] ` + file + `:(?P<line>\d+):\d+\b.*$`, false},
		// main.go:3:5: …, with a word such as "vet: " before it
		{`^(?:[\w-]+: )?\s*` + file + `:(?P<line>\d+)(?::\d+)?(?:-\d+)?(?::|\s+-|\s)\s*(?P<message>\S.*)$`, false},
		// main.sh: line 3: …
		{`^` + file + `: line (?P<line>\d+): (?P<message>.+)$`, false},
		// syntax error at main.pl line 3, near …
		{`^(?P<message>.+?) (?:at|in) (?P<file>[^\s:]+) (?:on )?line (?P<line>\d+)(?:[.,].*)?$`, false},
		//   --> src/main.rs:3:5, and   on main.tf line 3, in …
		{`^\s*--> ` + file + `:(?P<line>\d+):\d+$`, false},
		{`^[\s│]*on (?P<file>\S+) line (?P<line>\d+)(?:, in .*)?:?$`, false},
		//   File "main.py", line 3
		{`^\s*File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in .*)?$`, true},
		// /main.js:3, before the line, a caret and SyntaxError: …
		{`^` + file + `:(?P<line>\d+)$`, true},
	} {
		if r, err := regexp.Compile(s.pattern); err == nil { // a test compiles them all
			all = append(all, shape{r, s.after})
		}
	}
	return all
})

// maxLine limits the bytes of a line that is looked at.
const maxLine = 4000

// parseText reads diagnostics that are lines of text.
func parseText(text string) (all []Diagnostic) {
	lines := strings.Split(text, "\n")
	header := ""
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		if len(line) > maxLine || len(all) >= most {
			continue
		}
		if d, ok := match(lines, i, line); ok {
			all = append(all, d)
			continue
		}
		// eslint's own form: the file on a line, and its faults below it, indented.
		if trimmed := strings.TrimSpace(line); trimmed == line && trimmed != "" {
			header = trimmed
		} else if d, ok := below(header, line); ok {
			all = append(all, d)
		}
	}
	return all
}

// match reads a diagnostic of one of the shapes.
func match(lines []string, i int, line string) (d Diagnostic, ok bool) {
	for _, s := range shapes() {
		m := s.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		level := ""
		for g, name := range s.SubexpNames() {
			switch name {
			case "file":
				d.File = strings.TrimSpace(m[g])
			case "line":
				d.Line, _ = strconv.Atoi(m[g]) // 0 where it is too large
			case "message":
				d.Message = m[g]
			case "level":
				level = m[g] + ": "
			}
		}
		if d.Message == "" {
			d.Message = around(lines, i, s.after)
		}
		d.Warning = mild(level + d.Message)
		return d, d.Message != "" && plausible(d.File) && !continues(d.Message)
	}
	return Diagnostic{}, false
}

// continues reports whether a message belongs to the diagnostic before it.
func continues(message string) bool {
	for _, word := range [...]string{"note: ", "help: ", "hint: ", "\t"} {
		if strings.HasPrefix(message, word) {
			return true
		}
	}
	return false
}

// plausible reports whether a text may be the name of a file, not the time in a log.
func plausible(file string) bool {
	return file != "" && len(file) <= 1024 && !strings.Contains(file, "://") && strings.ContainsFunc(file, func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
	})
}

// around returns the message of a diagnostic whose line names the place alone: the first
// line after it that reads as one, or the line before it.
func around(lines []string, i int, after bool) string {
	if !after {
		for j := i - 1; j >= max(0, i-4); j-- {
			if text := strings.Trim(lines[j], " \t\r│╷"); text != "" {
				return text
			}
		}
		return ""
	}
	for _, line := range lines[i+1 : min(len(lines), i+8)] {
		line = strings.TrimRight(line, "\r")
		name, rest, ok := strings.Cut(line, ": ")
		if ok && rest != "" && name != "" && !strings.ContainsAny(name, " \t(){}=\"'") {
			return line
		}
	}
	return ""
}

var belowShape = sync.OnceValue(func() *regexp.Regexp {
	r, _ := regexp.Compile(`^\s+(\d+):\d+\s+(error|warning)\s+(\S.*)$`) // it compiles
	return r
})

// below reads a diagnostic below the name of its file.
func below(file, line string) (d Diagnostic, ok bool) {
	m := belowShape().FindStringSubmatch(line)
	if m == nil || !plausible(file) {
		return d, false
	}
	d.File, d.Message, d.Warning = file, strings.Join(strings.Fields(m[3]), " "), m[2] == "warning"
	d.Line, _ = strconv.Atoi(m[1])
	return d, true
}

// mild reports whether a message says that it is less than an error.
func mild(message string) bool {
	message = strings.ToLower(message)
	for _, word := range [...]string{"warning", "note", "info", "style", "convention", "refactor", "hint", "c:", "w:"} {
		if strings.HasPrefix(message, word) {
			return true
		}
	}
	return false
}
