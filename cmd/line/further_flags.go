package line

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/fault/similar"
	"github.com/helve-dev/helve/pkg/schema"
)

// Further adds hidden flags for those that args name and c, which is below the root,
// does not have. Their values become members of the JSON object under the name that
// the caller wrote, so that the decoder does with them what it does with JSON: it
// takes an alias, and lists an unknown name beside all other faults.
func (m *Given) Further(c *cobra.Command, args []string) {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return // it completes names and has no values
	}
	for i, arg := range args {
		if arg == "--" {
			return
		}
		var next string
		if i+1 < len(args) {
			next = args[i+1]
		}
		if long, ok := strings.CutPrefix(arg, "--"); ok {
			name, _, joined := strings.Cut(long, "=")
			m.long(c, name, next)
			if !joined && (next == "true" || next == "false") {
				m.mark(c, name, next)
			}
		} else if short, ok := strings.CutPrefix(arg, "-"); ok {
			m.short(c, short)
		}
	}
}

// switched is a flag of an argument that is true or false, and the word after it.
type switched struct{ argument, word string }

// mark notes the word after a flag that takes none.
func (m *Given) mark(c *cobra.Command, name, word string) {
	flag := lookup(c, name)
	if flag == nil || flag.NoOptDefVal == "" {
		return
	}
	if a, ok := flag.Value.(*Argument); ok && a.Field.Type.Kind == schema.Boolean {
		m.switches = append(m.switches, switched{a.Field.Name, word})
	}
}

// switched returns args without the words that are the values of flags, if there are more
// than most, so that they can be nothing else, and gives the flags these values.
func (m *Given) switched(args []string, most int) []string {
	if len(args)-len(m.switches) > most || len(args) <= most {
		return args
	}
	rest := slices.Clone(args)
	for _, s := range m.switches {
		at := slices.Index(rest, s.word)
		if at < 0 || m.index(s.argument) < 0 {
			return args
		}
		rest = slices.Delete(rest, at, at+1)
	}
	for _, word := range []string{"true", "false"} {
		if slices.Contains(rest, word) { // which of them is the flag's?
			return args
		}
	}
	for _, s := range m.switches {
		m.values[m.index(s.argument)] = []byte(s.word)
	}
	return rest
}

// long adds a flag for --name if there is none. next is the word after it.
func (m *Given) long(c *cobra.Command, name, next string) {
	if name == "" || name == "help" || strings.ContainsAny(name[:1], "-=") || lookup(c, name) != nil {
		return
	}
	f, known := m.argumentOf(name)
	valued := next != "" && !strings.HasPrefix(next, "-")
	switch near := similar.Name(name, m.object.Names()); {
	case known:
		valued = f.Type.Kind != schema.Boolean
	case near != "":
		meant, _ := m.object.Field(near)
		valued = valued && meant.Type.Kind != schema.Boolean
	default:
		if flag := lookup(c, similar.Name(name, flagNames(c))); flag != nil {
			valued = valued && flag.NoOptDefVal == ""
		}
	}
	hide(c, m, f, pflag.Flag{Name: name}, valued)
}

// short adds flags for the letters of -abc that have none. Only a letter that is an
// alias can have a value: what follows any other may be an argument without a name.
func (m *Given) short(c *cobra.Command, letters string) {
	letters, _, _ = strings.Cut(letters, "=")
	for _, letter := range letters {
		if letter == 'h' || letter <= ' ' || letter > '~' {
			continue
		}
		name := "-" + string(letter)
		if flag := shorthand(c, name[1:]); flag != nil {
			if flag.NoOptDefVal == "" {
				return // the rest is its value
			}
			continue
		}
		f, known := m.argumentOf(name)
		valued := known && f.Type.Kind != schema.Boolean
		hide(c, m, f, pflag.Flag{Name: name, Shorthand: name[1:]}, valued)
		if valued {
			return
		}
	}
}

// argumentOf returns the argument that a flag is another name of, with that name. If
// there is none, it returns one that any value fits, for the decoder to refuse.
func (m *Given) argumentOf(flag string) (f *schema.Field, known bool) {
	for _, name := range []string{flag, strings.ReplaceAll(flag, "-", "_")} {
		if found, ok := m.object.Field(name); ok {
			alias := *found
			alias.Name = name
			return &alias, true
		}
	}
	if strings.HasPrefix(flag, "-") {
		return &schema.Field{Name: flag}, false
	}
	return &schema.Field{Name: strings.ReplaceAll(flag, "-", "_")}, false
}

// hide adds a flag for f that neither help nor completion shows.
func hide(c *cobra.Command, m *Given, f *schema.Field, flag pflag.Flag, valued bool) {
	added := c.Flags().VarPF(&Argument{m, f}, flag.Name, flag.Shorthand, "")
	added.Hidden = true
	if !valued {
		added.NoOptDefVal = "true"
	}
}

// lookup returns a flag of c or of every command; nil if there is none.
func lookup(c *cobra.Command, name string) *pflag.Flag {
	if flag := c.Flags().Lookup(name); flag != nil {
		return flag
	}
	return c.Root().PersistentFlags().Lookup(name)
}

// shorthand returns the flag of a letter; nil if there is none.
func shorthand(c *cobra.Command, letter string) *pflag.Flag {
	if flag := c.Flags().ShorthandLookup(letter); flag != nil {
		return flag
	}
	return c.Root().PersistentFlags().ShorthandLookup(letter)
}

// astray says which flags no argument has or resembles, and a flag of the process does.
// Call it when the flags are parsed.
func (m *Given) astray(c *cobra.Command) []fault.Text {
	var all []fault.Text
	c.Flags().Visit(func(f *pflag.Flag) {
		a, ok := f.Value.(*Argument)
		if !ok || !f.Hidden || similar.Name(f.Name, m.object.Names()) != "" {
			return
		}
		if _, known := m.object.Field(a.Field.Name); known {
			return
		}
		if near := similar.Name(f.Name, flagNames(c)); near != "" {
			all = append(all, fault.T("--%s: did you mean the flag --%s?", f.Name, near))
		}
	})
	return all
}

// flagNames lists the flags that the help of c shows.
func flagNames(c *cobra.Command) []string {
	var names []string
	for _, set := range []*pflag.FlagSet{c.Flags(), c.Root().PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
	}
	return names
}
