package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/helve-dev/helve/pkg/config/jsonc"
	"github.com/helve-dev/helve/pkg/fault"
)

// node returns a value as a node of JSON.
func node(v any) *jsonc.Node {
	if n, is := v.(*jsonc.Node); is {
		return n
	}
	text, err := json.Marshal(v)
	if err != nil {
		return &jsonc.Node{}
	}
	n, _ := jsonc.Parse(text)
	return n
}

// Edited returns the text of the client's file with helve among its servers; text itself if it
// is there as it would be written. A file that cannot be read is refused.
func (c Client) Edited(text []byte, s Server) ([]byte, error) {
	mark, bare := []byte("\ufeff"), text
	if bytes.HasPrefix(text, mark) {
		bare = text[len(mark):]
	} else {
		mark = nil
	}
	var after []byte
	var err error
	switch c.form {
	case inTOML:
		after, err = inTable(bare, s)
	case inYAML:
		after, err = inMapping(bare, s)
	default:
		after, err = c.inObject(bare, s)
	}
	if err != nil {
		return nil, fault.New(fault.BadDocument, fault.T("%[1]s cannot be read, and stays as it is: %[2]s", c.File, err.Error())).
			WithHint(fault.T("mend the file, or let %s do it, and run helve init again", c.Title))
	}
	return append(mark, after...), nil
}

// inObject puts the entry into JSON, with comments or without.
func (c Client) inObject(text []byte, s Server) ([]byte, error) {
	entry := c.entry(s)
	if root, problems := jsonc.Parse(text); len(problems) == 0 {
		if has := root.Path(c.path...); has != nil && bytes.Equal(has.JSON(), entry.JSON()) {
			return text, nil
		}
	}
	after, err := jsonc.Set(text, c.path, entry)
	if err != nil {
		return nil, fmt.Errorf("%s", fault.As(err).Message)
	}
	return after, nil
}

// inTable appends a table to TOML.
func inTable(text []byte, s Server) ([]byte, error) {
	had := struct {
		Servers map[string]any `toml:"mcp_servers"`
	}{}
	if err := toml.Unmarshal(text, &had); err != nil {
		return nil, err
	}
	want := map[string]any{"command": s.Command, "args": []any{"mcp"}, "tool_timeout_sec": int64(patience)}
	if has, is := had.Servers[name]; is {
		if reflect.DeepEqual(has, any(want)) {
			return text, nil
		}
		return nil, fmt.Errorf("mcp_servers.%s is set to something else; take it out first", name)
	}
	eol := lineEnd(text)
	table := strings.Join([]string{
		"[mcp_servers." + name + "]", "command = " + strconv.Quote(s.Command), `args = ["mcp"]`, fmt.Sprintf("tool_timeout_sec = %d", patience), "",
	}, eol)
	after := appended(text, eol, table)
	if err := toml.Unmarshal(after, &had); err != nil { // mcp_servers is an inline table, for example
		return nil, err
	}
	return after, nil
}

// appended returns a text with a part after an empty line at its end.
func appended(text []byte, eol, part string) []byte {
	after := bytes.Clone(text)
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, eol...)
	}
	if len(after) > 0 {
		after = append(after, eol...)
	}
	return append(after, part...)
}

func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// inMapping puts the entry below "extensions:" of YAML, or appends both. It reads lines alone, as
// a parser of YAML would cost every start of helve: what is no block of lines is refused.
func inMapping(text []byte, s Server) ([]byte, error) {
	eol, lines := lineEnd(text), bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		rest, is := bytes.CutPrefix(line, []byte("extensions:"))
		if !is {
			continue
		}
		first := 0 // the line of the first entry
		for at := i + 1; at < len(lines) && first == 0; at++ {
			if part := bytes.TrimSpace(lines[at]); len(part) > 0 && part[0] != '#' {
				first = at
			}
		}
		if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] != '#' || first == 0 || lines[first][0] != ' ' {
			return nil, fmt.Errorf("extensions is not a block of lines; put %s there by hand", name)
		}
		margin := string(lines[first][:len(lines[first])-len(bytes.TrimLeft(lines[first], " "))])
		entry := []byte(extension(s, margin, eol))
		for at := first; at < len(lines) && (len(bytes.TrimSpace(lines[at])) == 0 || lines[at][0] == ' ' || lines[at][0] == '#'); at++ {
			if !bytes.HasPrefix(lines[at], []byte(margin+name+":")) {
				continue
			}
			if bytes.HasPrefix(bytes.Join(lines[at:], nil), entry) {
				return text, nil
			}
			return nil, fmt.Errorf("extensions.%s is set to something else; take it out first", name)
		}
		return bytes.Join([][]byte{bytes.Join(lines[:first], nil), entry, bytes.Join(lines[first:], nil)}, nil), nil
	}
	return appended(text, eol, "extensions:"+eol+extension(s, "  ", eol)), nil
}

// extension returns the lines of goose's entry.
func extension(s Server, margin, eol string) string {
	var b strings.Builder
	for _, line := range []string{
		name + ":", "  enabled: true", "  type: stdio", "  name: " + name, "  cmd: " + strconv.Quote(s.Command), "  args: [mcp]", "  envs: {}", fmt.Sprintf("  timeout: %d", patience),
	} {
		b.WriteString(margin + line + eol)
	}
	return b.String()
}
