package classify

import (
	"path"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/shell/classify/word"
)

// program is a row of the table: what is known of one or more programs.
//
// A call is judged by what its program does whatever it is given, then by the
// options it has, then by its operands. If the operands are words and no option
// is listed as harmless, the arguments are not looked at.
type program struct {
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

	operands operands
	skip     int // how many operands come before the command that is started

	// commands are the rows of subcommands, chosen by the first operand. The one
	// without a name is for every other operand. Before it, one that only reads may
	// have the options in before.
	commands []program
	before   options
	// judge, if there is one, judges the arguments in place of the columns above,
	// and may use them: arguments reads the options, behindOptions those of a
	// wrapper.
	judge func(*analysis, call)

	// loopback, if it is there, reports whether a call reaches nothing but the loopback.
	loopback func(call) bool

	builtin  bool // the shell itself does it, so that no file is looked up
	versions bool // a version may follow the name, as in python3.12
}

// options are written as getopt takes them: the short ones as letters, with ":"
// behind one that has a value; the long ones as names, with "=" behind one that
// has a value and "?" behind one that may have one after "=".
type options struct{ short, long string }

// others says what an option is that a row does not list.
type others int

const (
	suspect others = iota // may do anything: at least write
	ignored               // makes nothing worse than what the program does anyway
)

// operands says what the arguments are that are no options.
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

// call is a simple command whose program is known.
type call struct {
	*program
	name string      // by which it was called, without its directory
	args []word.Word // behind the name
	context
}

// table finds the row of a program by its name. It is built when it is first
// used: rows refer to functions that look up other programs, and nothing is paid
// at the start of a process that judges no command.
var table struct {
	once sync.Once
	rows map[string]*program
}

// families are the functions that return the rows, in files of their own.
func families() []func() []program {
	return []func() []program{
		builtins, listings, textTools, searchers, byteTools, statusTools, fileTools, archivers,
		wrappers, shells, languages, editors, databases, buildTools, packageManagers, networkTools, systemTools, versionControl,
	}
}

func build() map[string]*program {
	all := make(map[string]*program, 640)
	for _, family := range families() {
		rows := family()
		for i := range rows {
			for name := range strings.FieldsSeq(rows[i].names) {
				all[name] = &rows[i]
			}
		}
	}
	return all
}

// lookup returns the row of a program, nil if there is none.
func lookup(name string) *program {
	table.once.Do(func() { table.rows = build() })
	if p := table.rows[name]; p != nil {
		return p
	}
	if strings.HasPrefix(name, "mkfs.") {
		return table.rows["mkfs"]
	}
	for end := len(name); end > 0 && strings.IndexByte("0123456789.", name[end-1]) >= 0; end-- {
		if p := table.rows[name[:end-1]]; p != nil && p.versions {
			return p
		}
	}
	return nil
}

// row judges a call by the row of its program.
func (a *analysis) row(c call) {
	switch {
	case c.about():
		if c.does&hidden != 0 && strings.Contains(c.name, " ") || a.configured(c.obeys) {
			a.opaque(c.name)
		}
		return
	case c.onlyAsks():
		for _, w := range c.args {
			if !strings.HasPrefix(w.Text, "-") {
				a.reads(w)
			}
		}
		return
	}
	does := c.does
	if a.loops(c) {
		does &^= reaches | remote
		a.atHome(c.name)
	}
	a.effects(does, c.name)
	switch {
	case c.judge != nil:
		c.judge(a, c)
	case c.commands != nil:
		a.subcommand(c)
	default:
		a.arguments(c)
	}
}

// about reports whether a call is for the version or the help of a program only.
func (c call) about() bool {
	if c.builtin || c.appended || len(c.args) != 1 || !c.args[0].Known() || c.does&disks != 0 || c.does&hidden != 0 && c.in.kind != fromNothing {
		return false
	}
	text := c.args[0].Text
	return text == "--version" || text == "--help" || text == "-V" && c.does&^(hidden|connects|changesFiles) == 0 && c.judge == nil || hasField(c.alone, text)
}

// configured reports whether a project may have one of some files, in a directory
// where the shell may be or in one above it.
func (a *analysis) configured(files string) bool {
	if files == "" {
		return false
	}
	if a.o.Exists == nil || a.lost || files == "*" {
		return true
	}
	for name := range strings.FieldsSeq(files) {
		if a.finds(name) {
			return true
		}
	}
	return false
}

// finds reports whether there is a file of the workspace by a relative path from a
// directory where the shell may be, or from one above it.
func (a *analysis) finds(rel string) bool {
	for _, dir := range a.cwds {
		for ; ; dir = path.Dir(dir) {
			if a.o.Exists(path.Join(dir, rel)) {
				return true
			}
			if !a.within(dir) || dir == a.o.Root || dir == path.Dir(dir) {
				break
			}
		}
	}
	return false
}

// onlyAsks reports whether an option makes the call one that prints.
func (c call) onlyAsks() bool {
	asked := false
	for _, w := range c.args {
		switch {
		case !w.Known():
			return false
		case strings.HasPrefix(w.Text, "--"):
			asks := hasField(c.asks.long, w.Text[2:])
			if !asks && !hasField(c.harmless.long, w.Text[2:]) {
				return false
			}
			asked = asked || asks
		case len(w.Text) > 1 && w.Text[0] == '-':
			if strings.Trim(w.Text[1:], c.asks.short+c.harmless.short) != "" {
				return false
			}
			asked = asked || strings.ContainsAny(w.Text, c.asks.short)
		}
	}
	return asked
}

// subcommand judges a call by the row of its subcommand.
func (a *analysis) subcommand(c call) {
	at, strange := 0, false
	for at < len(c.args) {
		w := c.args[at]
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
	if at < len(c.args) {
		sub = c.args[at].Text
	}
	for i := range c.commands {
		p := &c.commands[i]
		if p.names == "" || sub != "" && hasField(p.names, sub) && (!strange || p.does&^connects != 0) {
			args := c.args[min(at+1, len(c.args)):]
			a.row(call{program: p, name: c.name + " " + sub, args: args, context: c.context})
			return
		}
	}
}
