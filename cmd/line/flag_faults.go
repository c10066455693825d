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

// WrongFlags returns the error of flags that cannot be parsed, with all that is wrong
// with them: pflag stops at the first. The flags of args are all set again by it.
func WrongFlags(c *cobra.Command, args []string, err error) error {
	faults := flagFaults(c, args)
	if len(faults) == 0 {
		return err
	}
	e := UsageOfFlags(c, faults)
	if slices.ContainsFunc(args, func(word string) bool {
		return clustered(word) && c.Annotations[ToolKey] != "" || textLikeFlag(c, word)
	}) {
		return e.WithHint(textsLikeFlags(c, args))
	}
	return e
}

// clustered reports whether a word begins like letters of flags, and may be a text.
func clustered(word string) bool {
	return len(word) > 2 && word[0] == '-' && word[1] != '-'
}

// textLikeFlag reports whether a word cannot be letters of flags, though it begins like them:
// one with spaces, or that begins with a number.
func textLikeFlag(c *cobra.Command, word string) bool {
	return clustered(word) && c.Flags().ShorthandLookup(word[1:2]) == nil &&
		(word[1] >= '0' && word[1] <= '9' || strings.ContainsAny(word, " \t\n"))
}

// textsLikeFlags is the hint about a text among args that was taken for flags.
func textsLikeFlags(c *cobra.Command, args []string) fault.Text {
	words := slices.DeleteFunc(slices.Clone(args), func(word string) bool { return strings.HasPrefix(word, "--") })
	if p := programOf(c.Annotations[ToolKey]); p != nil && len(words) > 0 {
		return fault.T("what begins with - and is no flag follows --: %[1]s -- %[2]s. As %[3]s does it: %[4]s", c.CommandPath(), quoteAll(words), p.name, asProgram(p.name, args))
	}
	if len(words) < len(args) {
		return fault.T("what begins with - and is no flag follows --, after all flags: %s … -- %s", c.CommandPath(), "-…")
	}
	return fault.T("what begins with - and is no flag follows --: %s -- %s", c.CommandPath(), quoteAll(words))
}

// flagged says faults about arguments in the words of the command line: what was given as a
// flag, or is missing where there is no JSON, is not in any JSON to point into. args is the
// command line.
func (m *Given) flagged(c *cobra.Command, args []string, e *fault.Error) *fault.Error {
	if e == nil || e.Code != fault.InvalidArguments {
		return e
	}
	if path := strings.Fields(c.CommandPath())[1:]; len(args) > len(path) && slices.Equal(args[:len(path)], path) {
		args = args[len(path):]
	}
	problems, _ := e.Details.(schema.Problems)
	texts, found := make([]fault.Text, len(problems)), make(flagProblems, len(problems))
	flags, hint := false, fault.T("%s --help lists the flags", c.CommandPath())
	for i, one := range problems {
		name, _, inside := strings.Cut(strings.TrimPrefix(one.Pointer, "/"), "/")
		flag := "--" + flagName(name)
		texts[i], found[i] = fault.T("%s: %s", one.Pointer, one.Message), flagProblem{pointer: one.Pointer, message: one.Message}
		if name == "" || m.beside && !slices.Contains(m.names, name) {
			continue
		}
		flags = true
		switch near := similar.Name(name, m.object.Names()); {
		case strings.HasPrefix(name, "-"):
			flag = name
			texts[i], hint = fault.T("unknown flag %s", name), textsLikeFlags(c, args)
		case !one.Unknown() || inside:
			texts[i] = fault.T("%s: %s", flag, one.Message)
		case near != "":
			texts[i] = fault.T("unknown flag --%s; did you mean --%s?", flagName(name), flagName(near))
		default:
			texts[i] = fault.T("unknown flag --%s", flagName(name))
		}
		found[i] = flagProblem{flag: flag, message: one.Message}
	}
	if !flags {
		return e
	}
	if known := e.Hint.String(); known != "" && !strings.HasPrefix(known, "the arguments are: ") && known != "this tool takes no arguments: pass {}" {
		hint = e.Hint
	}
	return fault.New(e.Code, fault.Join(texts, "; ")).WithHint(hint).WithDetails(found).Because(e.Unwrap())
}

// flagProblem is a problem of a flag, or of a place in JSON that was given beside flags.
type flagProblem struct {
	flag, pointer string
	message       fault.Text
}

// flagProblems are the details of an error about flags.
type flagProblems []flagProblem

// Worded marks the problems as listed in the message.
func (p flagProblems) Worded() {}

// In returns the problems in a language, to be written as JSON.
func (p flagProblems) In(lang fault.Lang) any {
	type problem struct {
		Flag    string `json:"flag,omitzero"`
		Pointer string `json:"pointer,omitzero"`
		Message string `json:"message"`
	}
	out := make([]problem, len(p))
	for i, one := range p {
		out[i] = problem{one.flag, one.pointer, one.message.In(lang)}
	}
	return struct {
		Problems []problem `json:"problems"`
	}{out}
}

// UsageOfFlags returns the error that lists faults of flags.
func UsageOfFlags(c *cobra.Command, faults []fault.Text) *fault.Error {
	return fault.New(fault.Usage, fault.Join(faults, "; ")).
		WithHint(fault.T("%s --help lists the flags", c.CommandPath()))
}

// flagFaults lists what is wrong with the flags among args, in their order.
func flagFaults(c *cobra.Command, args []string) []fault.Text {
	var faults []fault.Text
	note := func(problem fault.Text) {
		if !problem.IsZero() {
			faults = append(faults, problem)
		}
	}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return faults
		case strings.HasPrefix(arg, "--"):
			name, value, joined := strings.Cut(arg[2:], "=")
			f := c.Flags().Lookup(name)
			if f == nil {
				var meant *pflag.Flag
				problem := fault.T("unknown flag --%s", name)
				if near := similar.Name(name, flagNames(c)); near != "" {
					problem = fault.T("unknown flag --%s; did you mean --%s?", name, near)
					meant = lookup(c, near)
				}
				note(problem)
				if meant != nil && meant.NoOptDefVal == "" && !joined && len(args) > 0 {
					args = args[1:]
				}
				continue
			}
			if !joined {
				value, args = valueOf(f, args, note)
			}
			note(setting(f, "--"+name, value))
		case textLikeFlag(c, arg):
			note(fault.T("unknown flag %s", quoteAll([]string{arg})))
		case len(arg) > 1 && arg[0] == '-':
			args = shortFaults(c, arg[1:], args, note)
		}
	}
	return faults
}

// shortFaults notes what is wrong with the letters of -abc, and returns the rest of
// args.
func shortFaults(c *cobra.Command, letters string, args []string, note func(fault.Text)) []string {
	for letters != "" {
		letter := letters[:1]
		letters = letters[1:]
		f := c.Flags().ShorthandLookup(letter)
		if f == nil {
			note(fault.T("unknown flag -%s", letter))
			if strings.HasPrefix(letters, "=") {
				return args
			}
			continue
		}
		value := f.NoOptDefVal
		switch {
		case strings.HasPrefix(letters, "="):
			value, letters = letters[1:], ""
		case value != "":
		case letters != "":
			value, letters = letters, ""
		default:
			value, args = valueOf(f, args, note)
		}
		note(setting(f, "-"+letter, value))
	}
	return args
}

// valueOf returns the value of a flag that is not joined to it, and the rest of args.
func valueOf(f *pflag.Flag, args []string, note func(fault.Text)) (value string, rest []string) {
	switch {
	case f.NoOptDefVal != "":
		return f.NoOptDefVal, args
	case len(args) > 0:
		return args[0], args[1:]
	}
	note(fault.T("--%s needs a value", f.Name))
	return f.Value.String(), nil
}

// setting sets a flag and says what is wrong with the value; it is empty if nothing is.
func setting(f *pflag.Flag, as, value string) fault.Text {
	err := f.Value.Set(value)
	if err == nil {
		return fault.Text{}
	}
	switch f.Value.Type() {
	case "bool":
		return fault.T("%s: want true or false, got %q", as, value)
	case "int", "uint64":
		return fault.T("%s: want an integer, got %q", as, value)
	case "duration":
		return fault.T("%s: want a duration such as 90s or 5m, got %q", as, value)
	}
	return fault.T("%s: %s", as, fault.As(err).Message)
}
