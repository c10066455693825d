package diagnostic

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// depth limits the nesting of JSON that is looked at.
const depth = 24

// parseJSON reads diagnostics that are objects in a JSON document, or in one on each line. It
// goes by the names that programs give to files, lines and messages, at any depth. It returns nil
// for what is no JSON.
func parseJSON(text []byte) []Diagnostic {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil
	}
	r := reader{all: []Diagnostic{}}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	for n := 0; len(r.all) < most; n++ {
		var v any
		if err := decoder.Decode(&v); err != nil {
			if n == 0 {
				return nil
			}
			break // what follows is the text of another program
		}
		if top, ok := v.(map[string]any); ok {
			_, r.zero = top["generalDiagnostics"] // of pyright, which counts from 0
		}
		r.walk(v, place{}, 0)
	}
	return r.all
}

// place holds the parts of a diagnostic that the objects around it name.
type place struct{ file, source string }

type reader struct {
	all  []Diagnostic
	zero bool // lines count from 0
}

// walk looks for diagnostics in a value.
func (r *reader) walk(v any, at place, level int) {
	if level > depth || len(r.all) >= most {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			r.walk(item, at, level+1)
		}
	case map[string]any:
		r.object(v, at, level)
	}
}

// object takes an object for a diagnostic if it has a message and a place, and looks into it
// else.
func (r *reader) object(o map[string]any, at place, level int) {
	if driver, ok := dig(o, "tool", "driver", "name").(string); ok { // of a run of SARIF
		at.source = driver
	}
	if file := fileOf(o); file != "" {
		at.file = file
	}
	line := r.lineOf(o)
	if message := messageOf(o); message != "" && at.file != "" && (line > 0 || hasLevel(o)) {
		d := Diagnostic{Warning: warning(o)}
		d.File, d.Line, d.Source, d.Message = at.file, line, at.source, message
		if code := codeOf(o); code != "" && !strings.Contains(message, code) {
			d.Message += " [" + code + "]"
		}
		if from, ok := o["FromLinter"].(string); ok {
			d.Source = from
		}
		r.all = append(r.all, d)
		return
	}
	for _, name := range sortedKeys(o) {
		if name != "fixes" && name != "fix" && name != "suggestions" && name != "children" && name != "rules" {
			inner := at
			if _, ok := o[name].([]any); ok && at.file == "" && strings.ContainsAny(name, "./\\") {
				inner.file = name // an object of lists by the names of files
			} else if files, ok := o[name].(map[string]any); ok && name == "files" {
				for _, file := range sortedKeys(files) {
					r.walk(files[file], place{file: file, source: at.source}, level+2)
				}
				continue
			}
			r.walk(o[name], inner, level+1)
		}
	}
}

// fileOf returns the file that an object names; "" if it names none.
func fileOf(o map[string]any) string {
	for _, path := range [...][]string{
		{"file"}, {"filename"}, {"filePath"}, {"file_path"}, {"file_name"}, {"path"}, {"Pos", "Filename"}, {"location", "path"}, {"location", "file"},
		{"location", "path", "file"}, {"range", "filename"},
	} {
		if s, ok := dig(o, path...).(string); ok && s != "" {
			return s
		}
	}
	if s, ok := dig(first(o["locations"]), "physicalLocation", "artifactLocation", "uri").(string); ok {
		return s
	}
	if s, ok := dig(primary(o["spans"]), "file_name").(string); ok {
		return s
	}
	return ""
}

// lineOf returns the line that an object names; 0 if it names none.
func (r *reader) lineOf(o map[string]any) int {
	for _, path := range [...][]string{
		{"line"}, {"Line"}, {"startLine"}, {"start_line"}, {"row"}, {"location", "row"}, {"location", "line"}, {"location", "start_line"},
		{"location", "range", "start", "line"}, {"start", "line"}, {"Pos", "Line"}, {"range", "start", "line"}, {"location", "start", "line"},
	} {
		if n := number(dig(o, path...)); n > 0 || n == 0 && r.zero && path[0] == "range" {
			if r.zero {
				n++
			}
			return n
		}
	}
	if n := number(dig(first(o["locations"]), "physicalLocation", "region", "startLine")); n > 0 {
		return n
	}
	return max(0, number(dig(primary(o["spans"]), "line_start")))
}

// messageOf returns the message of an object; "" if it has none.
func messageOf(o map[string]any) string {
	for _, path := range [...][]string{{"message"}, {"message", "text"}, {"problemMessage"}, {"Text"}, {"summary"}, {"description"}} {
		if s, ok := dig(o, path...).(string); ok && s != "" {
			if detail, ok := o["detail"].(string); ok && detail != "" {
				s += ": " + detail
			}
			return s
		}
	}
	return ""
}

// codeOf returns the rule that a diagnostic is of; "" if it names none.
func codeOf(o map[string]any) string {
	for _, path := range [...][]string{{"ruleId"}, {"code"}, {"code", "code"}, {"rule"}, {"cop_name"}} {
		switch v := dig(o, path...).(type) {
		case string:
			return v
		case json.Number:
			return v.String()
		}
	}
	return ""
}

func hasLevel(o map[string]any) bool {
	return o["severity"] != nil || o["level"] != nil || o["ruleId"] != nil
}

// warning reports whether an object says that it is less than an error.
func warning(o map[string]any) bool {
	for _, name := range [...]string{"severity", "level", "Severity"} {
		switch v := o[name].(type) {
		case string:
			v = strings.ToLower(v)
			return v != "error" && v != "fatal" && v != "failure" && v != ""
		case json.Number: // of eslint: 1 is a warning
			return v.String() == "1"
		}
	}
	return false
}

// dig returns the value at the end of a path of names; nil if there is none.
func dig(v any, path ...string) any {
	for _, name := range path {
		o, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = o[name]
	}
	return v
}

func first(v any) any {
	if list, ok := v.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return nil
}

// primary returns the span of a diagnostic of rustc that it is about.
func primary(v any) any {
	list, _ := v.([]any)
	for _, span := range list {
		if dig(span, "is_primary") == true {
			return span
		}
	}
	return first(v)
}

// number returns a whole number; -1 for anything else.
func number(v any) int {
	if n, ok := v.(json.Number); ok {
		if i, err := strconv.Atoi(n.String()); err == nil {
			return i
		}
	}
	return -1
}
