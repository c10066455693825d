package line

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/cmd/out"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Given are the arguments that were given as flags, in their order, as members
// of a JSON object. They go through the decoder like any other JSON, so that a
// flag can do nothing that JSON cannot.
type Given struct {
	object *schema.Object // the arguments that there are; nil if nothing is given by an alias
	names  []string       // as they were given: an argument's own name or an alias of it
	values [][]byte
	lists  map[string][][]byte // items of arrays, by name
	file   string              // names a file with the text of [tool.Tool.Input]
	beside bool                // there is JSON, too
	// switches are the flags without a value that true or false follows: it may be meant for
	// them.
	switches []switched
}

// NewGiven adds a flag to c for every field of the arguments.
func NewGiven(c *cobra.Command, o *schema.Object, p *out.Printer) *Given {
	m := &Given{object: o}
	c.Flags().SortFlags = false // the order of the struct
	for i := range o.Fields {
		f := &o.Fields[i]
		name := flagName(f.Name)
		flag := c.Flags().VarPF(&Argument{m, f}, name, "", UsageOf(f, p))
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

// UsageOf returns the help of an argument's flag.
func UsageOf(f *schema.Field, p *out.Printer) string {
	usage := f.Description()
	if len(f.Type.Enum) > 0 {
		usage += p.Text(" One of: %s.", strings.Join(f.Type.Enum, ", "))
	}
	if f.Required {
		usage += p.Text(" Required.")
	}
	return usage
}

func (m *Given) empty() bool { return len(m.names) == 0 }

// index returns which of the members is an argument, under any of its names; -1 if
// none is.
func (m *Given) index(name string) int {
	return slices.IndexFunc(m.names, func(given string) bool {
		if given == name || m.object == nil {
			return given == name
		}
		f, ok := m.object.Field(given)
		return ok && f.Name == name
	})
}

// has reports whether an argument was given.
func (m *Given) has(name string) bool { return m.index(name) >= 0 }

// dash reports whether the value "-" was given for an argument, and takes it back.
func (m *Given) dash(name string) bool {
	i := m.index(name)
	if i < 0 || string(m.values[i]) != `"-"` {
		return false
	}
	m.names, m.values = slices.Delete(m.names, i, i+1), slices.Delete(m.values, i, i+1)
	return true
}

// text adds an argument that is a text.
func (m *Given) text(name, value string) error {
	quoted, err := schema.Marshal(value)
	if err == nil {
		m.add(name, quoted)
	}
	return err
}

// list adds an argument that is a list of texts.
func (m *Given) list(name string, words []string) error {
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

func (m *Given) add(name string, value []byte) {
	m.names = append(m.names, name)
	m.values = append(m.values, value)
}

// Into returns the text of a JSON object with the members added. The object need
// not be valid: its faults stay for the decoder to report.
func (m *Given) Into(object []byte) []byte {
	end := bytes.LastIndexByte(object, '}')
	m.beside = m.beside || string(object) != "{}"
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

// Argument is one flag of a tool.
type Argument struct {
	members *Given
	Field   *schema.Field
}

var _ pflag.Value = (*Argument)(nil)

func (a *Argument) String() string { return "" }

// Type returns the JSON type of the argument, by which pflag treats a boolean as a switch.
func (a *Argument) Type() string {
	if a.Field.Type.Kind == schema.Boolean {
		return "bool" // the help does not show it
	}
	return string(a.Field.Type.Kind)
}

// Set takes the text of the flag, and adds the argument to those given.
func (a *Argument) Set(text string) error {
	if a.Field.Path != schema.NoPath && !utf8.ValidString(text) {
		text = workspace.Escape(text)
	}
	if !utf8.ValidString(text) {
		return notUTF8(a.Field.Name)
	}
	m, t := a.members, a.Field.Type
	if t.Kind == schema.Array && !strings.HasPrefix(strings.TrimSpace(text), "[") {
		if m.lists[a.Field.Name] == nil {
			m.add(a.Field.Name, nil)
		}
		if m.lists == nil {
			m.lists = map[string][][]byte{}
		}
		m.lists[a.Field.Name] = append(m.lists[a.Field.Name], literal(t.Items.Kind, text))
		return nil
	}
	m.add(a.Field.Name, literal(t.Kind, text))
	return nil
}

// literal returns the JSON for a flag's text. Text that does not fit the kind
// becomes a string, which the decoder refuses with its usual message. Of a flag of another
// system no kind is known: what reads those takes all but objects as text.
func literal(kind schema.Kind, text string) []byte {
	if kind == "" && !strings.HasPrefix(text, "{") {
		kind = schema.String
	}
	if kind != schema.String && json.Valid([]byte(text)) {
		return []byte(text)
	}
	quoted, err := schema.Marshal(text)
	if err != nil {
		return []byte("null") // unreachable: every valid string encodes
	}
	return quoted
}
