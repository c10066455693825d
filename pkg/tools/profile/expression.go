package profile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// Expression is a value of an outcome: a path of names joined by dots, and what is done with
// the value there, one after the other.
//
//	bytes_written           a field of our result
//	args.path               an argument, as the caller named it
//	undone.0.path           of the first item of a list
//	details.total           a detail of a failure
//	root                    the directory of the workspace
//	content|len             the bytes of a text, or the items of a list
//	content|chars           the characters of a text
//	content|chomp           a text without the end of its last line
//	kind|eq:directory       whether it is that
//	language|default:null   the value, or this JSON where there is none
//	entries|listing:[D] ,[F]    a text made of it: see the renderers
type Expression struct {
	path []string
	ops  []operation
}

type operation struct{ name, argument string }

// The names with a meaning of their own at the beginning of a path.
const (
	ofArgs    = "args"
	ofDetails = "details"
	ofRoot    = "root"
)

// parseExpression reads an expression.
func parseExpression(s string) (*Expression, fault.Text) {
	parts := strings.Split(s, "|")
	e := &Expression{path: strings.Split(parts[0], ".")}
	if slices.Contains(e.path, "") {
		return nil, fault.T("%q is no path: want names joined by dots", parts[0])
	}
	for _, part := range parts[1:] {
		name, argument, _ := strings.Cut(part, ":")
		if !slices.Contains(operations(), name) {
			return nil, fault.T("%q is nothing that can be done with a value; there are %s", name, strings.Join(operations(), ", "))
		}
		if name == "default" && !json.Valid([]byte(argument)) {
			return nil, fault.T("the default %q is not JSON", argument)
		}
		e.ops = append(e.ops, operation{name, argument})
	}
	return e, fault.Text{}
}

// operations lists what can be done with a value.
func operations() []string {
	names := []string{"len", "chars", "lines", "chomp", "eq", "default"}
	for _, r := range renderers {
		names = append(names, r.name)
	}
	return names
}

// scope holds what expressions are about.
type scope struct {
	result, args, details json.RawMessage
	words                 map[string]string // single values that texts of failures know
	root                  string            // of the workspace
}

// value returns the JSON of an expression; nil where there is no such value.
func (e *Expression) value(s *scope) json.RawMessage {
	v := s.at(e.path)
	for _, op := range e.ops {
		v = op.apply(v, s)
	}
	return v
}

func (s *scope) at(path []string) json.RawMessage {
	from := s.result
	switch path[0] {
	case ofArgs:
		from, path = s.args, path[1:]
	case ofDetails:
		from, path = s.details, path[1:]
	case ofRoot:
		return quoted(s.root)
	default:
		if word, ok := s.words[path[0]]; ok && len(path) == 1 {
			return quoted(word)
		}
	}
	for _, name := range path {
		from = member(from, name)
	}
	return from
}

// member returns a member of an object, or an item of a list by its number from 0; nil where
// there is none.
func member(v json.RawMessage, name string) json.RawMessage {
	if i, err := strconv.ParseUint(name, 10, 16); err == nil {
		if list := objects(v); int(i) < len(list) {
			return list[i]
		}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(v, &members) != nil {
		return nil
	}
	found := members[name]
	if bytes.Equal(found, []byte("null")) {
		return nil
	}
	return found
}

func (op operation) apply(v json.RawMessage, s *scope) json.RawMessage {
	switch op.name {
	case "len":
		return number(size(v, func(text string) int { return len(text) }))
	case "chars":
		return number(size(v, utf8.RuneCountInString))
	case "lines":
		return number(size(v, countLines))
	case "chomp":
		return quoted(strings.TrimSuffix(plain(v), "\n"))
	case "eq":
		return truth(plain(v) == op.argument)
	case "default":
		if v == nil {
			return json.RawMessage(op.argument)
		}
		return v
	}
	return quoted(render(op.name, op.argument, v, s))
}

// size returns how many items a list has, or what is counted of a text.
func size(v json.RawMessage, of func(string) int) int {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		return len(list)
	}
	return of(plain(v))
}

func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// plain returns a value as texts have it: a string as it is, nothing for none, else JSON.
func plain(v json.RawMessage) string {
	var text string
	if v == nil || json.Unmarshal(v, &text) == nil {
		return text
	}
	return string(v)
}

// holds reports whether a value says something: it is no false, 0, empty or absent one.
func holds(v json.RawMessage) bool {
	switch string(bytes.TrimSpace(v)) {
	case "", "null", "false", "0", `""`, "[]", "{}":
		return false
	}
	return true
}

func number(n int) json.RawMessage { return json.RawMessage(strconv.Itoa(n)) }

func truth(b bool) json.RawMessage { return json.RawMessage(strconv.FormatBool(b)) }

func quoted(s string) json.RawMessage {
	text, err := schema.Marshal(s)
	if err != nil { // a string always can be
		panic(fmt.Sprintf("profile: %q: %v", s, err))
	}
	return text
}
