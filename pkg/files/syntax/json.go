package syntax

import (
	"encoding/json"
	"errors"
	"strings"
)

// valid accepts any JSON value and discards it.
type valid struct{}

func (*valid) UnmarshalJSON([]byte) error { return nil }

// checkJSON checks one value, or one value per line.
func checkJSON(text string) Verdict {
	line, message := jsonFault(text)
	if message == "" {
		return passed()
	}
	if !strings.Contains(message, "after top-level value") {
		return failed(line, message)
	}
	n, values := 0, 0
	for l := range strings.Lines(text) {
		n++
		if strings.TrimSpace(l) == "" {
			continue
		}
		if _, fault := jsonFault(l); fault != "" {
			if values > 0 && line <= n {
				return failed(n, fault)
			}
			return failed(line, message)
		}
		values++
	}
	return passed()
}

// jsonFault returns where and why a text is not a JSON value, or "" if it is one.
func jsonFault(text string) (line int, message string) {
	err := json.Unmarshal([]byte(text), new(valid))
	var at *json.SyntaxError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &at):
		// The offset points behind the wrong byte.
		return lineAt(text, int(at.Offset)-1), at.Error()
	}
	return 0, err.Error()
}

// plainJSON replaces comments, and commas before a closing bracket, by spaces, so that
// lines keep their numbers. It accepts more than package jsonc, which also refuses
// repeated names and deep nesting.
func plainJSON(text string) string {
	b := []byte(text)
	comma := -1 // the last comma after a value, while only space has followed
	value := false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			for i++; i < len(b) && b[i] != '"' && b[i] != '\n'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			comma, value = -1, true
		case c == '/' && i+1 < len(b) && (b[i+1] == '/' || b[i+1] == '*'):
			end := commentEnd(text, i)
			for ; i < end; i++ {
				if b[i] != '\n' {
					b[i] = ' '
				}
			}
			i--
		case c == ',' && comma < 0 && value:
			comma = i
		case (c == ']' || c == '}') && comma >= 0:
			b[comma] = ' '
			comma, value = -1, true
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma, value = -1, c != '[' && c != '{' && c != ',' && c != ':'
		}
	}
	return string(b)
}

// commentEnd returns where the comment that begins at i ends. It does not skip one
// without an end, so that the parser reports it.
func commentEnd(text string, i int) int {
	if text[i+1] == '/' {
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			return i + n
		}
		return len(text)
	}
	if n := strings.Index(text[i+2:], "*/"); n >= 0 {
		return i + 2 + n + 2
	}
	return i + 1
}
