package line

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/syntax"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
)

// AsTyped reads a command line as a person types one to a shell: ls -la, find . -name '*.go',
// exec ls -la. args are those of helve, and root has the flags of every command. What can mean
// one thing alone is returned as helve takes it, and any other line as it is, unless a flag of
// helve would hide what was meant: then the error has the line to type.
func AsTyped(root *cobra.Command, args []string) ([]string, error) {
	at := afterGlobal(root, args)
	if at == len(args) {
		return args, nil
	}
	name, words := args[at], args[at+1:]
	if name == "messages" && slices.Equal(words, []string{"list"}) {
		words = nil
	}
	typed, err := words, error(nil)
	switch list := listOf(name); {
	case slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(strings.TrimSpace(w), "{") }):
	case list != "":
		typed = listing(list, words)
	case name == "checkpoint" && slices.Equal(bareWords(root, words), []string{"list"}):
		typed = append(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "list" }), "--list")
	case name == ExecTool || name == "risk":
		typed, err = commandLine(root, name, words)
	case name == "message" && len(words) > 0 && slices.Contains(aboutMessages[:], words[0]):
		err = fault.New(fault.Usage, fault.T("message sends one; %q may not be meant as its text", words[0])).
			WithHint(fault.T("type helve messages %[1]s; a text of one word follows --, as in helve message -- %[1]s", words[0]))
	case name == "find":
		typed, err = findLine(root, words)
	default:
		if o := programOf(name); o != nil {
			typed, err = o.line(root, Builtin(name), words)
		}
	}
	if err != nil || slices.Equal(typed, words) {
		return args, err
	}
	return slices.Concat(args[:at+1], typed), nil
}

// listOf names, for a group of commands, the one that lists what the group is about.
func listOf(group string) string {
	switch group {
	case "approvals", "cron", "tools":
		return "list"
	case "config":
		return "show"
	case "messages":
		return "tail"
	}
	return ""
}

// aboutMessages are words with which messages are looked at.
var aboutMessages = [...]string{"list", "recv", "tail", "sent", "channels", "dead", "ack"}

// listing inserts the command that lists, where a group of commands is alone.
func listing(list string, words []string) []string {
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") || slices.Contains(words, "-h") || slices.Contains(words, "--help") {
		return words
	}
	return slices.Insert(slices.Clone(words), 0, list)
}

// afterGlobal returns where the first word of args is that is no flag of every command, nor
// the value of one.
func afterGlobal(root *cobra.Command, args []string) int {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") || args[i] == "--" {
			return i
		}
		f, joined := flagOf(root.PersistentFlags(), args[i])
		if f != nil && f.NoOptDefVal == "" && !joined {
			i++
		}
	}
	return len(args)
}

// flagOf returns the flag of set that a word is, and whether its value is part of the word.
func flagOf(set *pflag.FlagSet, word string) (f *pflag.Flag, joined bool) {
	if long, is := strings.CutPrefix(word, "--"); is {
		name, _, joined := strings.Cut(long, "=")
		return set.Lookup(name), joined
	}
	if len(word) == 2 && word[0] == '-' {
		return set.ShorthandLookup(word[1:]), false
	}
	return nil, false
}

// bareWords returns the words that are neither flags of every command nor their values.
func bareWords(root *cobra.Command, words []string) []string {
	var all []string
	for rest := words; ; {
		at := afterGlobal(root, rest)
		if at == len(rest) {
			return all
		}
		all = append(all, rest[at])
		rest = rest[at+1:]
	}
}

// own returns how many of the words are a flag of helve for a call of t, with its value: one
// that its schema or the root has under a long name, or -o with a format.
func own(root *cobra.Command, t *tool.Tool, words []string) int {
	if words[0] == "-o" && len(words) > 1 && slices.Contains([]string{"json", "pretty", "text"}, words[1]) {
		return 2
	}
	long, is := strings.CutPrefix(words[0], "--")
	if !is || long == "" {
		return 0
	}
	name, _, joined := strings.Cut(long, "=")
	valued := false
	if f := root.PersistentFlags().Lookup(name); f != nil {
		valued = f.NoOptDefVal == ""
	} else if f, is := t.Schema().Field(strings.ReplaceAll(name, "-", "_")); is {
		valued = f.Type.Kind != schema.Boolean
	} else if !slices.Contains([]string{"help", streamFlag, "exit-status"}, name) {
		return 0
	}
	if valued && !joined && len(words) > 1 {
		return 2
	}
	return 1
}

// operators are the words that only a shell gives a meaning.
var operators = [...]string{"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "&>"}

// commandLine reads the words of a command that were not quoted: exec ls -la is exec -- ls -la.
// A command in one word keeps the flags that follow it, which are helve's.
func commandLine(root *cobra.Command, name string, words []string) ([]string, error) {
	t := Builtin(ExecTool)
	at := 0
	for at < len(words) && strings.HasPrefix(words[at], "-") {
		n := own(root, t, words[at:])
		if n == 0 {
			return words, nil // "--" among them
		}
		at += n
	}
	if at == len(words) || slices.Contains(words, "--") {
		return words, nil
	}
	assigned := assignment(words[at]) && at+1 < len(words)
	if strings.ContainsAny(words[at], " \t\n{}'\"") && !assigned { // all of a command
		return words, nil
	}
	command, ours := []string{words[at]}, slices.Clone(words[:at])
	for i := at + 1; i < len(words); {
		if n := own(root, t, words[i:]); n > 0 {
			ours = append(ours, words[i:min(i+n, len(words))]...)
			i += n
			continue
		}
		command = append(command, words[i])
		i++
	}
	flags := ""
	if len(ours) > 0 {
		flags = quoteAll(ours) + " "
	}
	switch shell := slices.ContainsFunc(command, func(w string) bool { return slices.Contains(operators[:], w) }) || assignment(words[at]); {
	case len(command) == 1 && (!shell || assigned):
		return words, nil
	case shell:
		return words, fault.New(fault.Usage, fault.T("the command is in several words, and a shell is to read it")).
			WithHint(fault.T("type: %s", "helve "+name+" "+flags+quoted(joinCommand(command))))
	case len(ours) > at: // helve's flags among those of the command
		return words, fault.New(fault.Usage, fault.T("some of the flags may be those of %[1]s or those of helve %[2]s", words[at], name)).
			WithHint(fault.T("type: %s", "helve "+name+" "+flags+"-- "+quoteAll(command)))
	}
	return slices.Concat(ours, []string{"--"}, command), nil
}

// joinCommand returns a command line of words, with the operators of the shell as they are.
func joinCommand(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		switch name, value, _ := strings.Cut(w, "="); {
		case slices.Contains(operators[:], w):
			all[i] = w
		case assignment(w):
			all[i] = name + "=" + quoted(value)
		default:
			all[i] = quoted(w)
		}
	}
	return strings.Join(all, " ")
}

// assignment reports whether a word sets a variable of a shell.
func assignment(word string) bool {
	name, _, assigned := strings.Cut(word, "=")
	return assigned && syntax.ValidName(name)
}

// program describes the letters that a program of the shell has, for the tool of its name.
type program struct {
	name string // of the program
	// letters are flags of one letter, each with helve's flag; "" where the tool does it anyway.
	letters map[rune]string
	valued  map[rune]string   // letters with a value
	long    map[string]string // longer flags without a value, or with one that is joined to them
}

// programOf returns the program whose flags a person types to the tool of a name; nil if there
// is none.
func programOf(tool string) *program {
	switch tool {
	case "ls":
		return &program{name: "ls", letters: map[rune]string{
			'a': "--all", 'A': "--all", 'R': "--depth=32", 'l': "", '1': "", 'h': "", 'F': "", 'p': "", 'G': "", 'C': "",
		}, long: map[string]string{"--color": "", "--almost-all": "--all", "--recursive": "--depth=32", "--human-readable": ""}}
	case "grep":
		return &program{name: "grep", letters: map[rune]string{
			'l': "--mode=files", 'c': "--mode=count", 'F': "--literal", 'w': "--word", 'i': "-i", 'n': "-n", 'r': "-r", 'R': "-R", 'H': "-H",
			'E': "", 'P': "", 'I': "", 's': "", 'h': "",
		}, valued: map[rune]string{'e': "--pattern", 'm': "--per-file", 'A': "-A", 'B': "-B", 'C': "-C"}, long: map[string]string{
			"--color": "", "--files-with-matches": "--mode=files", "--count": "--mode=count", "--line-number": "", "--recursive": "",
			"--extended-regexp": "", "--exclude-dir": "--exclude",
		}}
	case "mkdir":
		return &program{name: "mkdir", letters: map[rune]string{'p': ""}, long: map[string]string{"--parents": ""}}
	case "copy":
		return &program{name: "cp", letters: map[rune]string{'r': "", 'R': "", 'a': "", 'p': "", 'n': "", 'f': "--overwrite"}, long: map[string]string{"--recursive": ""}}
	case "move":
		return &program{name: "mv", letters: map[rune]string{'n': "", 'f': "--overwrite"}}
	case "delete":
		return &program{name: "rm"}
	case "read":
		return &program{name: "cat"}
	}
	return nil
}

// line reads the words of a program as those of the tool t. A word with a letter that is not
// known is left with all the others, for the tool to refuse.
func (p *program) line(root *cobra.Command, t *tool.Tool, words []string) ([]string, error) {
	typed, patterned := make([]string, 0, len(words)), false
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			return append(typed, words[i:]...), nil
		}
		if n := own(root, t, words[i:]); n > 0 && p.long[strings.SplitN(w, "=", 2)[0]] == "" {
			typed = append(typed, words[i:i+n]...)
			i += n - 1
			continue
		}
		name, value, joined := strings.Cut(w, "=")
		switch as, is := p.long[name]; {
		case is && as == "":
		case is && joined && !strings.Contains(as, "="):
			typed = append(typed, as+"="+value)
		case is:
			typed = append(typed, as)
		case t.Name == "read" && (w == "-n" || strings.HasPrefix(w, "-n") && number(w[2:]) || len(w) > 1 && number(w[1:]) && w[0] == '-'):
			var n int
			typed, n = linesOf(typed, words[i:])
			i += n
		case patterned && !strings.HasPrefix(w, "-"): // grep -e PATTERN PATH
			typed = append(typed, "--path="+w)
		case !clustered(w) && !(len(w) == 2 && w[0] == '-') || strings.HasPrefix(w, "--") || w == "-h":
			typed = append(typed, w)
		default:
			as, takes, known := p.cluster(w[1:])
			switch {
			case !known && (len(w) > 2 && strings.ContainsAny(w, "hvo") && !strings.ContainsAny(w, " \t\n") || t.Name == "grep" && (w == "-v" || w == "-o")):
				return words, p.unknown(t, w, words) // helve would take these letters for its own
			case !known:
				return words, nil
			}
			typed, patterned = append(typed, as...), patterned || slices.Contains(as, "--pattern")
			if takes && i+1 < len(words) {
				i++
				typed = append(typed, words[i])
			}
		}
	}
	return typed, nil
}

// unknown says of a flag of the program that the tool has none like it.
func (p *program) unknown(t *tool.Tool, flag string, words []string) error {
	return fault.New(fault.Usage, fault.T("%[1]s of helve has no flag %[2]s", t.Name, flag)).
		WithHint(fault.T("as %[1]s does it: %[2]s", p.name, asProgram(p.name, words)))
}

// asProgram returns the call that runs a program of the shell.
func asProgram(name string, words []string) string {
	return "helve exec -- " + name + " " + quoteAll(words)
}

// cluster reads the letters of one word. takes says that the next word is the value of the
// last one.
func (p *program) cluster(letters string) (as []string, takes, known bool) {
	for i, letter := range letters {
		if one, is := p.letters[letter]; is {
			if one != "" && !slices.Contains(as, one) {
				as = append(as, one)
			}
			continue
		}
		one, is := p.valued[letter]
		if !is {
			return nil, false, false
		}
		as = append(as, one)
		if rest := letters[i+1:]; rest != "" {
			return append(as, rest), false, true
		}
		return as, true, true
	}
	return as, false, true
}

// linesOf reads -n 3, -n3 and -3, as head has them, and -n alone, as cat has it. It returns how
// many of the words after the first it took.
func linesOf(typed, words []string) ([]string, int) {
	if n := strings.TrimPrefix(strings.TrimPrefix(words[0], "-"), "n"); n != "" {
		return append(typed, "--limit="+n), 0
	}
	if len(words) > 2 && number(words[1]) {
		return append(typed, "--limit="+words[1]), 1
	}
	return append(typed, "--numbered"), 0
}

func number(word string) bool {
	_, err := strconv.ParseUint(word, 10, 31)
	return err == nil
}

// findLine reads the line of a program find: directories, and tests that are flags here.
// A line without any test is helve's own.
func findLine(root *cobra.Command, words []string) ([]string, error) {
	test := slices.IndexFunc(words, func(w string) bool {
		return len(w) > 2 && w[0] == '-' && w[1] >= 'a' && w[1] <= 'z' || w == "!" || w == "("
	})
	if test < 0 || slices.Contains(words[:test], "--") || slices.ContainsFunc(words[:test], func(w string) bool { return strings.HasPrefix(w, "-") }) {
		return words, nil
	}
	typed := []string{}
	for i := test; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch kind := map[string]string{"f": "file", "d": "dir"}[value]; {
		case words[i] == "-name" && value != "":
			typed = append(typed, "--glob="+value)
		case words[i] == "-type" && kind != "":
			typed = append(typed, "--type="+kind)
		case words[i] == "-maxdepth" && number(value) && value != "0":
			typed = append(typed, "--depth="+value)
		case words[i] == "-print":
			continue
		case own(root, Builtin("find"), words[i:]) > 0:
			n := own(root, Builtin("find"), words[i:])
			typed = append(typed, words[i:i+n]...)
			i += n - 1
			continue
		default:
			test = len(words)
		}
		i++
	}
	names := map[string]int{}
	for _, flag := range typed {
		name, _, _ := strings.Cut(flag, "=")
		names[name]++
	}
	if test == len(words) || test > 1 || names["--glob"] > 1 || names["--type"] > 1 {
		return words, fault.New(fault.Usage, fault.T("find of helve has not all the tests of the program find")).
			WithHint(fault.T("as %[1]s does it: %[2]s", "find", asProgram("find", words)))
	}
	if test == 1 {
		typed = append([]string{"--path=" + words[0]}, typed...)
	}
	return typed, nil
}

// OtherNumber returns args with the command that they mean where they name it in the singular
// or the plural, and there is only the other: tool list, jobs. It is nil where they do not.
func OtherNumber(root *cobra.Command, args []string) []string {
	at := afterGlobal(root, args)
	if at == len(args) {
		return nil
	}
	name := args[at]
	if c, _, err := root.Find(args); err != nil || c != root {
		return nil
	}
	for _, c := range root.Commands() {
		if c.Name()+"s" == name || c.Name() == name+"s" {
			return slices.Concat(args[:at], []string{c.Name()}, args[at+1:])
		}
	}
	return nil
}
