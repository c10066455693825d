package loop

import (
	"strings"
	"unicode"
)

// asksForChange reports whether a task certainly asks for a change of files: it begins a
// sentence with such a verb and names a file. Whoever called no tool has not made it.
func asksForChange(task string) bool {
	for sentence := range strings.FieldsFuncSeq(task, func(r rune) bool { return r == '\n' || r == ';' }) {
		words := strings.Fields(strings.ToLower(sentence))
		for len(words) > 0 && isPolite(words[0]) {
			words = words[1:]
		}
		if len(words) > 1 && changes(words[0]) && namesFile(words[1:]) {
			return true
		}
	}
	return false
}

func isPolite(word string) bool {
	switch strings.TrimRight(word, ",:.") {
	case "please", "then", "now", "first", "and", "-", "*", "1", "2":
		return true
	}
	return false
}

func changes(verb string) bool {
	switch verb {
	case "create", "write", "edit", "change", "modify", "fix", "add", "append", "delete", "remove", "rename", "move", "replace", "update", "implement", "save":
		return true
	}
	return false
}

// namesFile reports whether one of the words is the name of a file, with an ending.
func namesFile(words []string) bool {
	for _, word := range words {
		word = strings.Trim(word, "`'\"“”()[],.:!?")
		at := strings.LastIndexByte(word, '.')
		if at < 1 || strings.Contains(word, "://") || len(word)-at-1 > 5 || len(word)-at-1 < 1 {
			continue
		}
		before, first := rune(word[at-1]), rune(word[at+1])
		if unicode.IsLetter(first) && before != '.' && word != "e.g" && word != "i.e" {
			return true
		}
	}
	return false
}
