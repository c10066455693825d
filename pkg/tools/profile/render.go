package profile

import (
	"encoding/json"
	"fmt"
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
	{"each", each},             // a member of each object in a list, a line each: each:path
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
	dir, file := "[D] ", "[F] "
	if argument != "" {
		dir, file, _ = strings.Cut(argument, ",")
	}
	var lines []string
	for _, entry := range objects(v) {
		mark := file
		if plain(member(entry, "type")) == "dir" {
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
