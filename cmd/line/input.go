package line

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/helve-dev/helve/cmd/process"
	"github.com/helve-dev/helve/pkg/fault"
	encoded "github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools"
)

// Input composes the JSON arguments of a call from what the command line gives:
//
//	helve TOOL JSON          the object
//	helve TOOL A B …         arguments that need no names
//	helve TOOL -- A B …      the list of [tool.Tool.Words]
//	helve TOOL --name VALUE  flags, also beside the others
//	helve TOOL               standard input: the object, or the text of [tool.Tool.Input]
//
// Standard input is read only if arguments are missing or "-" stands for them, or if
// nothing was given at all. Then a call that only reads takes from it one object that has
// begun, as an open pipe that nobody writes to must not make it wait; one that may change
// something waits, so that no argument comes too late for it.
type Input struct {
	tool     *tool.Tool
	given    *Given
	words    []string // that followed "--", for [tool.Tool.Words]
	stdin    io.Reader
	file     func(path string) (string, error) // returns the text of a file of the workspace
	first    func(subject string) bool         // see [tool.Env.First]
	warnings []fault.Text
}

// NewInput returns the input of a call of t by the command cmd, with what was given
// as flags.
func NewInput(cmd *cobra.Command, env *tool.Env, catalog *tools.Catalog, t *tool.Tool, given *Given) *Input {
	return &Input{
		tool: t, given: given, stdin: cmd.InOrStdin(),
		file:  func(path string) (string, error) { return TextOfFile(cmd.Context(), env, catalog, path) },
		first: env.First,
	}
}

// Read returns the arguments as JSON, for the decoder to check.
func (in *Input) Read(ctx context.Context, args []string) ([]byte, error) {
	if len(in.words) > 0 {
		if err := in.given.list(in.tool.Words, in.words); err != nil {
			return nil, err
		}
	}
	if err := unquotedJSON(in.tool, args); err != nil {
		return nil, err
	}
	if len(args) == 1 && (strings.HasPrefix(strings.TrimSpace(args[0]), "{") || in.listed(args[0])) {
		in.given.beside = true
		return in.given.Into([]byte(args[0])), nil
	}
	asked := slices.Equal(args, []string{"-"})
	if !asked {
		if err := in.positional(args); err != nil {
			return nil, err
		}
	}
	if in.given.file != "" && in.given.file != "-" {
		if err := in.fromFile(in.given.file); err != nil {
			return nil, err
		}
	}
	switch {
	case in.given.dash(in.tool.Input), in.given.file == "-":
		raw, err := AwaitStdin(ctx, in.stdin, nil)
		if err == nil {
			err = in.whole(raw)
		}
		return in.given.Into([]byte("{}")), err
	case asked || in.given.empty() || len(in.missing()) > 0:
		return in.fromStdin(ctx, asked)
	}
	return in.given.Into([]byte("{}")), nil
}

// listed reports whether an argument is a list of one object with arguments of the tool.
func (in *Input) listed(arg string) bool {
	var list []json.RawMessage
	if !strings.HasPrefix(strings.TrimSpace(arg), "[") || json.Unmarshal([]byte(arg), &list) != nil || len(list) != 1 {
		return false
	}
	names, _ := in.names(list[0])
	return names
}

// positional takes the arguments that were given without their names.
func (in *Input) positional(args []string) error {
	names := append([]string{in.tool.DefaultArg}, in.tool.Further...)
	if in.tool.DefaultArg == "" {
		names = nil
	}
	if in.tool.Input != "" && in.tool.Input != in.tool.DefaultArg {
		names = append(names, in.tool.Input)
	}
	args = in.given.switched(args, len(names))
	if list := in.severalOf(names); list != "" && len(args) > 1 && len(in.given.switches) == 0 {
		return in.given.list(list, args)
	}
	for i, arg := range args {
		switch {
		case i == len(names) && i == 0:
			return fault.New(fault.Usage, fault.T("%s takes JSON or flags, not %s", in.tool.Name, arg)).
				WithHint(fault.T("helve %s --help lists the flags", in.tool.Name))
		case i == len(names) && i == 1:
			return fault.New(fault.Usage, fault.T("%s takes one argument, %d were given", in.tool.Name, len(args))).
				WithHint(oneByOne(in.tool, names, args))
		case i == len(names):
			return fault.New(fault.Usage, fault.T("%s takes at most %d arguments without names, %d were given", in.tool.Name, i, len(args))).
				WithHint(oneByOne(in.tool, names, args))
		case names[i] != in.tool.Input || arg == "-" || i == 0 && in.tool.Input == in.tool.DefaultArg:
			f, _ := in.tool.Schema().Field(names[i])
			if err := (&Argument{in.given, f}).Set(arg); err != nil {
				return err
			}
		case i > 0:
			return fault.New(fault.Usage, fault.T("%s takes %s from standard input, not as an argument", in.tool.Name, in.tool.Input)).
				WithHint(fault.T("write it to standard input, or pass --%s", flagName(in.tool.Input)))
		default:
			if err := in.fromFile(arg); err != nil {
				return err
			}
		}
	}
	return nil
}

// severalOf returns the argument that is the list of what the only one without a name is one
// of: paths for path. It is empty if the tool has none.
func (in *Input) severalOf(names []string) string {
	if len(names) != 1 {
		return ""
	}
	if f, is := in.tool.Schema().Field(names[0] + "s"); is && f.Name == names[0]+"s" && f.Type.Kind == schema.Array {
		return f.Name
	}
	return ""
}

// oneByOne returns the hint where too many words were given: a call for each of the last
// ones, where they are paths, else the words as one.
func oneByOne(t *tool.Tool, names, args []string) fault.Text {
	last := len(names) - 1
	if f, _ := t.Schema().Field(names[last]); f.Path == schema.NoPath || slices.Contains(names, "to") {
		args = append(slices.Clone(args[:last]), strings.Join(args[last:], " "))
		return fault.T("quote an argument that contains spaces: %s", "helve "+t.Command()+" "+quoteAll(args))
	}
	calls := make([]string, 0, len(args))
	for _, arg := range args[last:] {
		calls = append(calls, "helve "+t.Command()+" "+quoteAll(append(slices.Clone(args[:last]), arg)))
	}
	return fault.T("type: %s", strings.Join(calls, " && "))
}

// fromFile takes the text of a file as that of [tool.Tool.Input].
func (in *Input) fromFile(path string) error {
	s, err := in.file(path)
	if err != nil {
		return err
	}
	return in.given.text(in.tool.Input, s)
}

// missing returns the required arguments that were not given.
func (in *Input) missing() []string {
	missing := slices.DeleteFunc(in.tool.Schema().Required(), in.given.has)
	if one := in.tool.OneOf; len(one) > 0 && !slices.ContainsFunc(one, in.given.has) {
		missing = append(missing, one[0])
	}
	return missing
}

// fromStdin reads what is missing from standard input. What asked for it by "-" gets it,
// whatever it is; else only what is a text for [tool.Tool.Input] may be no object.
func (in *Input) fromStdin(ctx context.Context, asked bool) ([]byte, error) {
	missing := in.missing()
	if !asked && (in.tool.Input == "" || !slices.Contains(missing, in.tool.Input)) {
		raw, err := in.object(ctx, len(missing) > 0)
		return in.given.Into(raw), err
	}
	inputOnly := slices.Equal(missing, []string{in.tool.Input})
	pathGiven := inputOnly && len(in.tool.Schema().Required()) > 1
	enough := oneObject
	if pathGiven { // an object may be the beginning of a text
		enough = nil
	}
	raw, err := AwaitStdin(ctx, in.stdin, enough)
	if err != nil {
		return nil, err
	}
	said := asUTF8(raw)
	text := trimmed(said)
	switch {
	case len(text) == 0 && pathGiven && in.makes():
		err := in.nothing()
		return in.given.Into([]byte("{}")), err
	case len(text) == 0:
		// A closed standard input is no text: who forgot it did not mean to empty a file.
		said = []byte("{}")
	case pathGiven, inputOnly && text[0] != '{':
		err := in.whole(raw)
		return in.given.Into([]byte("{}")), err
	}
	return in.given.Into(said), nil
}

// makes reports whether an empty text makes a file and replaces none: the tool has a mode for
// that, and an empty pipe or file is standard input.
func (in *Input) makes() bool {
	f, ok := in.tool.Schema().Field(modeArgument)
	return ok && slices.Contains(f.Type.Enum, createMode) && !in.given.has(modeArgument) && process.Piped(in.stdin)
}

// The argument and the value of it that make a new file alone.
const modeArgument, createMode = "mode", "create"

// nothing takes an empty standard input as an empty text, for a new file alone: who writes to
// the pipe may have failed.
func (in *Input) nothing() error {
	in.warnings = append(in.warnings, fault.T("standard input was empty: an empty file was asked for, and an existing one is not replaced"))
	if err := in.given.text(modeArgument, createMode); err != nil {
		return err
	}
	return in.given.text(in.tool.Input, "")
}

// whole takes all of standard input as the text of [tool.Tool.Input].
func (in *Input) whole(raw []byte) error {
	s := string(raw)
	if !utf8.Valid(raw) {
		d, err := encoded.Decode(raw, "")
		if err != nil {
			return err
		}
		if s = d.Text; d.Encoding == encoded.Raw8Bit {
			return fault.New(fault.EncodingUnsupported, fault.T("the encoding of standard input is not known")).
				WithHint(fault.T("convert it to UTF-8"))
		}
		in.warnings = append(in.warnings, fault.T("standard input is %s and was converted to UTF-8", d.Encoding))
	}
	return in.given.text(in.tool.Input, s)
}
