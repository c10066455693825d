package text

import "strings"

func goRule(line string) (definition, bool) {
	keyword, rest, _ := strings.Cut(line, " ")
	switch keyword {
	case "func":
		if receiver, method, found := strings.Cut(rest, ") "); found && strings.HasPrefix(receiver, "(") {
			receiver, _, _ = strings.Cut(receiver[1:], "[")
			fields := strings.Fields(strings.ReplaceAll(receiver, "*", " "))
			name := identifier(method, "")
			if len(fields) > 0 && name != "" {
				group := fields[len(fields)-1]
				return definition{title: "func " + group + "." + name, group: group}, true
			}
			return definition{}, false
		}
		name := identifier(rest, "")
		return definition{title: "func " + name}, name != ""
	case "type":
		name := identifier(rest, "")
		if name == "" {
			return definition{title: "types"}, rest == "("
		}
		return definition{title: "type " + name, group: name, owner: true}, true
	case "var", "const":
		if rest == "(" {
			return definition{title: keyword + " block"}, true
		}
		name := identifier(rest, "")
		return definition{title: keyword + " " + name}, name != ""
	}
	return definition{}, false
}

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
			"defmodule", "defprotocol", "defimpl", "message", "service", "type", "actor", "mod", "impl", "contract",
			"Class", "Module", "Structure", "Interface":
			return container(word, rest)
		case "func", "fn", "fun", "def", "defp", "defmacro", "function", "sub", "proc", "macro", "method", "defn", "defn-", "init",
			"resource", "variable", "output", "provider", "rpc", "input", "scalar", "test", "Function", "Sub", "filter", "macro_rules!":
			return named(word, rest)
		}
		return definition{}, false
	}
}

// container returns a definition that others may belong to.
func container(word, rest string) (definition, bool) {
	if word == "impl" {
		// impl<T> Trait for Type, which belongs to Type.
		if strings.HasPrefix(rest, "<") {
			_, rest, _ = strings.Cut(rest, "> ")
		}
		head, _, _ := strings.Cut(rest, "{")
		if _, target, found := strings.Cut(head, " for "); found {
			head = target
		}
		name := identifier(strings.TrimSpace(head), ":.")
		return definition{title: "impl " + name, group: name}, name != ""
	}
	name := identifier(strings.TrimLeft(rest, " "), ":.$")
	if name == "" || !strings.HasPrefix(rest, " ") {
		return definition{}, false
	}
	name = strings.TrimRight(name, ":.")
	return definition{title: word + " " + name, group: name, owner: true}, name != ""
}

func named(word, rest string) (definition, bool) {
	if !strings.HasPrefix(rest, " ") && word != "init" {
		return definition{}, false
	}
	if word == "init" && !strings.HasPrefix(rest, "(") {
		return definition{}, false
	}
	rest = strings.TrimLeft(rest, " ")
	if quoted, found := strings.CutPrefix(rest, `"`); found {
		// resource "kind" "name" {
		head, _, _ := strings.Cut(quoted, "{")
		return definition{title: word + " " + strings.TrimSpace(strings.ReplaceAll(head, `"`, ""))}, true
	}
	name := identifier(rest, "?!.:-")
	name = strings.TrimRight(name, ":-.")
	return definition{title: strings.TrimSpace(word + " " + name)}, name != "" || word == "init"
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
	d := definition{title: name + "()"}
	if owner, _, member := strings.Cut(name, "::"); member {
		d.group = owner
	}
	return d, true
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
		return definition{title: keyword + name}, name != "" && bound && block
	}
	return definition{}, false
}
