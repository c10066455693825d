package program

import (
	"slices"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/shell/classify/finding"
	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// Row is a row of the table: the knowledge about one or more programs.
//
// A call is judged by what its program does whatever it is given, then by the
// options it has, then by its operands. If the operands are words and no option
// is listed as harmless, the arguments are not looked at.
type Row struct {
	names string // separated by spaces
	does  effects

	harmless options // change nothing; a value with a slash is a file that is read
	values   options // the same, and the value names no file
	writes   options // the value is a path that is written
	runs     options // run another program, or do other harm
	others   others  // every other option

	// alone are the arguments with which, if there is no other one, it only reports
	// something of itself, such as its version.
	alone string

	// obeys are the files of a project that may make the program run code before it
	// reports its version, "*" if that depends on more. It is only of use to programs
	// that hide what they run.
	obeys string

	// asks are the options with which it changes nothing but prints, if every other
	// option is harmless: then its operands are read.
	asks options
	// checks are such options, too, unless one of modes is given: of several modes the
	// program takes the last.
	checks, modes options

	operands operands
	skip     int // how many operands come before the command that is started

	// commands are the rows of subcommands, chosen by the first operand. The one
	// without a name is for every other operand. Before it, one that only reads may
	// have the options in before.
	commands []Row
	before   options
	// judge, if there is one, judges the arguments in place of the columns above,
	// and may use them: arguments reads the options, behindOptions those of a
	// wrapper.
	judge func(Call) findings

	// shows, if there is one, reports whether a call only shows something. Every other
	// call does what the row says; the arguments mean nothing else.
	shows func(Call) bool

	// loopback, if it is there, reports whether a call reaches nothing but the loopback.
	loopback func(Call) bool

	builtin  bool // the shell itself does it, so that no file is looked up
	versions bool // a version may follow the name, as in python3.12
}

// options are written as getopt takes them: the short ones as letters, with ":"
// behind one that has a value; the long ones as names, with "=" behind one that
// has a value and "?" behind one that may have one after "=".
type options struct{ short, long string }

// others judges the options that a row does not list.
type others int

const (
	suspect others = iota // may do anything: at least write
	ignored               // makes nothing worse than what the program does anyway
)

// operands judges the arguments that are no options.
type operands int

const (
	inputs      operands = iota // files that are read
	words                       // text, not files
	outputs                     // files that are written
	outputLast                  // the last one is written, or what an option names; the others are read
	outputRest                  // the first one is a mode, an owner or the like, the others are written
	outputFirst                 // the first one is written, the others are read
	outputTwo                   // the first one is read, a second one is written
	none                        // there may not be any
)

// table finds the rows of programs by their names. It is built when it is first used, as
// nothing is paid at the start of a process that judges no command.
type table struct {
	once sync.Once
	rows map[string]*Row
}

func (t *table) find(name string, families ...func() []Row) *Row {
	t.once.Do(func() { t.rows = index(families) })
	return t.rows[name]
}

func index(families []func() []Row) map[string]*Row {
	all := make(map[string]*Row, 36*len(families))
	for _, family := range families {
		rows := family()
		for i := range rows {
			for name := range strings.FieldsSeq(rows[i].names) {
				all[name] = &rows[i]
			}
		}
	}
	return all
}

// everywhere has the programs of all systems. Of what cmd, PowerShell and Windows bring
// along, several names are other programs elsewhere.
var everywhere, ofCmd, ofPowerShell, ofWindows table

var families = []func() []Row{
	builtins, listings, textTools, searchers, byteTools, statusTools, fileTools, archivers,
	wrappers, shells, languages, editors, databases, buildTools, packageManagers, networkTools, systemTools, versionControl,
}

// Lookup returns the row of a program, nil if there is none.
func Lookup(name string) *Row {
	if p := everywhere.find(name, families...); p != nil {
		return p
	}
	if strings.HasPrefix(name, "mkfs.") {
		return everywhere.rows["mkfs"]
	}
	for end := len(name); end > 0 && strings.IndexByte("0123456789.", name[end-1]) >= 0; end-- {
		if p := everywhere.rows[name[:end-1]]; p != nil && p.versions {
			return p
		}
	}
	return nil
}

// LookupOnWindows returns the row that a name in lower case has only on Windows where a
// shell runs it, nil if there is none.
func LookupOnWindows(name string, d finding.Dialect) *Row {
	var p *Row
	if d == finding.PowerShell {
		p = ofPowerShell.find(name, cmdlets)
	} else {
		p = ofCmd.find(name, cmdBuiltins)
	}
	if p == nil {
		p = ofWindows.find(name, windowsPrograms)
	}
	return p
}

// Builtin reports whether the shell itself does it, so that no file is looked up.
func (p *Row) Builtin() bool { return p.builtin }

// Judge returns what a call of the program does.
func (p *Row) Judge(name string, args []word.Word, c Context) []finding.Finding {
	return Call{Row: p, Name: name, Args: args, Context: c}.findings()
}

// JudgeUnknown returns what a call of a program without a row does.
func JudgeUnknown(name string, args []word.Word, c Context) []finding.Finding {
	if (Call{Row: &Row{does: hidden}, Args: args, Context: c}).about() {
		return nil
	}
	var f findings
	f.opaque(name)
	return f
}

// JudgeOnWindows returns what a call of a program of Windows does.
func (p *Row) JudgeOnWindows(name string, args []word.Word, c Context) []finding.Finding {
	call := Call{Row: p, Name: name, Args: args, Context: c}
	f := call.unlessShown()
	if p.judge == nil {
		return f
	}
	return f.followedBy(p.judge(call))
}

// unlessShown returns what the program does whatever it is given, unless the call only
// shows something.
func (c Call) unlessShown() (f findings) {
	if c.shows == nil || !c.shows(c) {
		f.effects(c.does, c.Name)
	}
	return f
}

// findings judges a call by the row of its program.
func (c Call) findings() (f findings) {
	if c.does&processes != 0 && c.Files.OwnProcesses() {
		row := *c.Row
		row.does = row.does&^processes | ownProcesses
		c.Row = &row
	}
	switch {
	case c.about():
		if c.does&hidden != 0 && strings.Contains(c.Name, " ") || c.configured(c.obeys) {
			f.opaque(c.Name)
		}
		return f
	case c.onlyAsks():
		for _, w := range c.Args {
			if !strings.HasPrefix(w.Text, "-") {
				f.reads(w)
			}
		}
		return f
	}
	if c.shows != nil && (c.judge == nil || c.shows(c)) {
		f = c.unlessShown()
		if c.judge != nil {
			f.arguments(Call{Row: &Row{others: ignored}, Args: c.Args})
		}
		return f
	}
	does := c.does
	if c.onlyLoopback() {
		does &^= reaches | remote
		f.raise(policy.Write, "", fault.T("%s talks to servers of its own sandbox", c.Name))
	}
	f.effects(does, c.Name)
	switch {
	case c.judge != nil:
		return f.followedBy(c.judge(c))
	case c.commands != nil:
		return f.followedBy(c.subcommand())
	}
	f.arguments(c)
	return f
}

// about reports whether a call is for the version or the help of a program only.
func (c Call) about() bool {
	if c.builtin || c.Appended || len(c.Args) != 1 || !c.Args[0].Known() || c.does&disks != 0 || c.does&hidden != 0 && c.In.Kind != NoInput {
		return false
	}
	text := c.Args[0].Text
	return text == "--version" || text == "--help" || text == "-V" && c.does&^(hidden|connects|changesFiles) == 0 && c.judge == nil || word.Listed(c.alone, text)
}

// configured reports whether a project may have one of some files, in a directory
// where the shell may be or in one above it.
func (c Call) configured(files string) bool {
	if files == "*" {
		return true
	}
	for name := range strings.FieldsSeq(files) {
		if found, known := c.Files.Finds(name); found || !known {
			return true
		}
	}
	return false
}

// onlyAsks reports whether an option makes the call one that prints.
func (c Call) onlyAsks() bool {
	given := func(o options) bool { return slices.ContainsFunc(c.Args, o.oneOf) }
	if !given(c.asks) && (!given(c.checks) || given(c.modes)) {
		return false
	}
	known := options{c.asks.short + c.checks.short + c.modes.short + c.harmless.short, strings.Join([]string{c.asks.long, c.checks.long, c.modes.long, c.harmless.long}, " ")}
	return !slices.ContainsFunc(c.Args, func(w word.Word) bool {
		_, ok := known.all(w.Text)
		return w.MayBeOption() || len(w.Text) > 1 && w.Text[0] == '-' && !ok
	})
}

// subcommand judges a call by the row of its subcommand.
func (c Call) subcommand() findings {
	at, strange := 0, false
	for at < len(c.Args) {
		w := c.Args[at]
		if w.Known() && !strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "+") {
			break
		}
		takes, harmless := c.before.all(w.Text)
		if strange = strange || !harmless || !w.Known(); takes {
			at++
		}
		at++
	}
	sub := ""
	if at < len(c.Args) {
		sub = c.Args[at].Text
	}
	for i := range c.commands {
		p := &c.commands[i]
		if p.names == "" || sub != "" && word.Listed(p.names, sub) && (!strange || p.does&^connects != 0) {
			args := c.Args[min(at+1, len(c.Args)):]
			return Call{Row: p, Name: c.Name + " " + sub, Args: args, Context: c.Context}.findings()
		}
	}
	return nil
}
