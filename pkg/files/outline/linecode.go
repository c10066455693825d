package outline

import "strings"

// keywordRule is for languages in which a keyword begins every definition.
func keywordRule(line string) (definition, bool) {
	line = strings.TrimPrefix(line, "(") // Lisp
	for {
		word := identifier(line, "-!")
		if word == "" {
			return definition{}, false
		}
		rest := line[len(word):]
		switch word {
		case "public", "private", "protected", "internal", "fileprivate", "pub", "open", "static", "final", "abstract", "async", "unsafe",
			"extern", "inline", "override", "sealed", "partial", "data", "suspend", "export", "default", "declare", "local", "mutating",
			"indirect", "lazy", "readonly", "case", "operator", "inner", "infix", "tailrec", "external", "expect", "actual", "base", "mixin",
			"virtual", "new", "const", "implicit", "comptime", "threadlocal", "noinline", "Public", "Private", "Protected", "Friend", "Shared":
			// A modifier, unless it is itself what is defined.
			if word != "case" && strings.HasPrefix(rest, "(") {
				_, rest, _ = strings.Cut(rest, ")") // pub(crate)
			}
			rest = strings.TrimLeft(rest, " ")
			if strings.HasPrefix(rest, `"`) {
				_, rest, _ = strings.Cut(rest[1:], `"`) // extern "C"
			}
			line = strings.TrimLeft(rest, " ")
			continue
		case "class", "struct", "interface", "trait", "enum", "union", "record", "object", "protocol", "extension", "module", "namespace",
			"defmodule", "defprotocol", "defimpl", "message", "service", "type", "actor", "mod", "contract",
			"Class", "Module", "Structure", "Interface":
			return container(word, rest)
		case "func", "fn", "fun", "def", "defp", "defmacro", "function", "sub", "proc", "macro", "method", "defn", "defn-",
			"resource", "variable", "output", "provider", "rpc", "input", "scalar", "test", "Function", "Sub", "filter":
			return named(word, rest)
		}
		return definition{}, false
	}
}

// container returns a definition that others may be in.
func container(word, rest string) (definition, bool) {
	name := strings.TrimRight(identifier(strings.TrimLeft(rest, " "), ":.$"), ":.")
	return definition{kind: word, name: name}, name != "" && strings.HasPrefix(rest, " ")
}

func named(word, rest string) (definition, bool) {
	if !strings.HasPrefix(rest, " ") {
		return definition{}, false
	}
	rest = strings.TrimLeft(rest, " ")
	if quoted, found := strings.CutPrefix(rest, `"`); found {
		// resource "kind" "name" {
		head, _, _ := strings.Cut(quoted, "{")
		return definition{kind: word, name: strings.TrimSpace(strings.ReplaceAll(head, `"`, ""))}, true
	}
	name := strings.TrimRight(identifier(rest, "?!.:-"), ":-.")
	return definition{kind: word, name: name}, name != ""
}

// braceRule is for languages in which only their shape identifies some functions.
func braceRule(line string) (definition, bool) {
	if d, found := keywordRule(line); found && !strings.HasSuffix(line, ";") {
		return d, true
	}
	if d, found := assigned(line); found {
		return d, true
	}
	switch line[0] {
	case '#', '/', '*', '}', '{', '(', ')', '@', '[', '"', '\'', '`', '.', ',', '<', '&', '|', '?', ':', '=':
		return definition{}, false
	}
	before, after, found := strings.Cut(line, "(")
	end := after[max(len(after)-1, 0):]
	if !found || strings.HasPrefix(after, "*") || end != "{" && end != ")" && end != "," || strings.ContainsAny(before, "=\"'`!?.;+|") {
		return definition{}, false
	}
	words := strings.Fields(before)
	if len(words) == 0 {
		return definition{}, false
	}
	switch words[0] {
	case "if", "for", "while", "switch", "return", "else", "do", "try", "catch", "throw", "new", "await", "case", "with", "using", "lock",
		"typeof", "sizeof", "assert", "yield", "delete", "super", "this", "goto", "defer", "foreach", "synchronized", "super.", "define":
		return definition{}, false
	}
	name := strings.TrimLeft(words[len(words)-1], "*&~")
	if identifier(name, ":<>,$~") != name || name == "" {
		return definition{}, false
	}
	if len(words) == 1 && end != "{" {
		return definition{}, false // a call or a macro
	}
	return definition{kind: "function", name: name}, true
}

// assigned finds functions and blocks that are bound to a name at the top level of a
// module, as in "export const x = () => {".
func assigned(line string) (definition, bool) {
	line = strings.TrimPrefix(line, "export ")
	for _, keyword := range []string{"const ", "let ", "var "} {
		rest, found := strings.CutPrefix(line, keyword)
		if !found {
			continue
		}
		name := identifier(rest, "$")
		_, value, bound := strings.Cut(rest[len(name):], "=")
		value = strings.TrimSpace(value)
		block := strings.HasSuffix(value, "{") || strings.HasSuffix(value, "(") || strings.HasSuffix(value, "[") || strings.HasSuffix(value, "=>")
		return definition{kind: strings.TrimSpace(keyword), name: name}, name != "" && bound && block
	}
	return definition{}, false
}
