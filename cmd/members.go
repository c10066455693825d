package cmd

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/workspace"
)

// members are the arguments that were given as flags, in their order, as members
// of a JSON object. They go through the decoder like any other JSON, so that a
// flag can do nothing that JSON cannot.
type members struct {
	object *schema.Object // the arguments that there are; nil if nothing is given by an alias
	names  []string       // as they were given: an argument's own name or an alias of it
	values [][]byte
	lists  map[string][][]byte // items of arrays, by name
	file   string              // names a file with the text of [tool.Tool.Input]
}

// newMembers adds a flag to c for every field of the arguments.
func newMembers(c *cobra.Command, o *schema.Object, out *Printer) *members {
	m := &members{object: o}
	c.Flags().SortFlags = false // the order of the struct
	for i := range o.Fields {
		f := &o.Fields[i]
		name := flagName(f.Name)
		flag := c.Flags().VarPF(&argument{m, f}, name, "", usageOf(f, out))
		if f.Type.Kind == schema.Boolean {
			flag.NoOptDefVal = "true"
		}
		if len(f.Type.Enum) > 0 {
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(f.Type.Enum, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not there
		}
	}
	return m
}

// flagName returns the flag of an argument.
func flagName(argument string) string { return strings.ReplaceAll(argument, "_", "-") }

func usageOf(f *schema.Field, out *Printer) string {
	usage := f.Description()
	if len(f.Type.Enum) > 0 {
		usage += out.Text(" One of: %s.", strings.Join(f.Type.Enum, ", "))
	}
	if f.Required {
		usage += out.Text(" Required.")
	}
	return usage
}

func (m *members) empty() bool { return len(m.names) == 0 }

// index returns which of the members is an argument, under any of its names; -1 if
// none is.
func (m *members) index(name string) int {
	return slices.IndexFunc(m.names, func(given string) bool {
		if given == name || m.object == nil {
			return given == name
		}
		f, ok := m.object.Field(given)
		return ok && f.Name == name
	})
}

// has reports whether an argument was given.
func (m *members) has(name string) bool { return m.index(name) >= 0 }

// dash reports whether the value "-" was given for an argument, and takes it back.
func (m *members) dash(name string) bool {
	i := m.index(name)
	if i < 0 || string(m.values[i]) != `"-"` {
		return false
	}
	m.names, m.values = slices.Delete(m.names, i, i+1), slices.Delete(m.values, i, i+1)
	return true
}

// text adds an argument that is a text.
func (m *members) text(name, value string) error {
	quoted, err := schema.Marshal(value)
	if err == nil {
		m.add(name, quoted)
	}
	return err
}

// list adds an argument that is a list of texts.
func (m *members) list(name string, words []string) error {
	if !utf8.ValidString(strings.Join(words, "")) {
		return notUTF8(name)
	}
	quoted, err := schema.Marshal(words)
	if err == nil {
		m.add(name, quoted)
	}
	return err
}

func notUTF8(argument string) error {
	return fault.New(fault.InvalidArguments, fault.T("the value of %s is not UTF-8", argument)).
		WithHint(fault.T("names and texts must be UTF-8"))
}

func (m *members) add(name string, value []byte) {
	m.names = append(m.names, name)
	m.values = append(m.values, value)
}

// into returns the text of a JSON object with the members added. The object need
// not be valid: its faults stay for the decoder to report.
func (m *members) into(object []byte) []byte {
	end := bytes.LastIndexByte(object, '}')
	if m.empty() || end < 0 {
		return object
	}
	var b bytes.Buffer
	b.Write(object[:end])
	first := strings.TrimLeft(string(object[:end]), "\ufeff \t\r\n") == "{"
	for i, name := range m.names {
		if !first || i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(name))
		b.WriteByte(':')
		if items := m.lists[name]; items != nil {
			b.WriteByte('[')
			b.Write(bytes.Join(items, []byte(",")))
			b.WriteByte(']')
		} else {
			b.Write(m.values[i])
		}
	}
	b.Write(object[end:])
	return b.Bytes()
}

// argument is one flag of a tool.
type argument struct {
	members *members
	field   *schema.Field
}

var _ pflag.Value = (*argument)(nil)

func (a *argument) String() string { return "" }
func (a *argument) Type() string {
	if a.field.Type.Kind == schema.Boolean {
		return "bool" // the help does not show it
	}
	return string(a.field.Type.Kind)
}

func (a *argument) Set(text string) error {
	if a.field.Path != schema.NoPath && !utf8.ValidString(text) {
		text = workspace.Escape(text)
	}
	if !utf8.ValidString(text) {
		return notUTF8(a.field.Name)
	}
	m, t := a.members, a.field.Type
	if t.Kind == schema.Array && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		if m.lists[a.field.Name] == nil {
			m.add(a.field.Name, nil)
		}
		if m.lists == nil {
			m.lists = map[string][][]byte{}
		}
		m.lists[a.field.Name] = append(m.lists[a.field.Name], literal(t.Items.Kind, text))
		return nil
	}
	m.add(a.field.Name, literal(t.Kind, text))
	return nil
}

// literal returns the JSON for a flag's text. Text that does not fit the kind
// becomes a string, which the decoder refuses with its usual message.
func literal(kind schema.Kind, text string) []byte {
	if kind != schema.String && json.Valid([]byte(text)) {
		return []byte(text)
	}
	quoted, err := schema.Marshal(text)
	if err != nil {
		return []byte("null") // unreachable: every valid string encodes
	}
	return quoted
}
