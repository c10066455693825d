package syntax

import (
	"encoding/json"
	"errors"
	"strings"
)

// valid takes any JSON value and keeps nothing of it.
type valid struct{}

func (*valid) UnmarshalJSON([]byte) error { return nil }

// checkJSON checks one value, or one to a line.
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

// jsonFault is where and why a text is no JSON value; "" if it is one.
func jsonFault(text string) (line int, message string) {
	err := json.Unmarshal([]byte(text), new(valid))
	var at *json.SyntaxError
	switch {
	case err == nil:
		return 0, ""
	case errors.As(err, &at):
		// The offset is behind the byte that is wrong.
		return lineAt(text, int(at.Offset)-1), at.Error()
	}
	return 0, err.Error()
}

// plainJSON makes spaces of comments and of commas before a closing bracket, so
// that everything else stays where it is.
func plainJSON(text string) string {
	b := []byte(text)
	comma := -1 // the last comma behind a value, while nothing but space has followed
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

// commentEnd is where the comment that begins at i ends. One that is not closed
// is none: the parser will stumble over it.
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
