package exec

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/files/shown"
	"github.com/helve-dev/helve/pkg/policy"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/shell/run"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
	"github.com/helve-dev/helve/pkg/workspace"
)

// remember writes into the session record which lines of a file the command showed, if
// it is one that shows a part of one file, such as sed -n 5,9p. What was printed has
// the last word: it must be those lines, whole and nothing else.
func (r *request) remember(call *tool.Call, result *Result, out *run.Result) {
	if out.Ended != run.NoReason || out.ExitCode != 0 || result.Truncated || result.Reduced != nil {
		return
	}
	printed := result.Output
	if result.Stdout != nil {
		printed = *result.Stdout
	}
	file, dir, show := shows(r.verdict.Commands)
	if show == nil || printed == "" {
		return
	}
	path, err := r.Root.Clean(workspace.Escape(from(from(r.dir, dir), file)))
	if err != nil {
		return // nothing outside the workspace can be edited
	}
	real, err := r.Root.Resolve(path, schema.ReadPath)
	if err != nil {
		return
	}
	textfile.RecordSeen(call, math.MaxInt, textfile.Output{Real: real.String(), Shows: func(lines []string) []int {
		numbers := show.lines(len(lines))
		if show.text(lines, numbers) != strings.TrimSuffix(shown.LF(printed), "\n") {
			return nil
		}
		return numbers
	}})
}

// from returns where a path leads in a directory.
func from(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// showing describes the part of a file that a command shows.
type showing struct {
	parts    []part
	numbered numbering
}

// numbering says which lines have numbers before them.
type numbering int

const (
	noLine numbering = iota
	everyLine
	filledLine // nl: those that are not empty
)

// part is a run of lines, from 1, both ends included. Numbers below 1 count from the
// last line, which is 0.
type part struct{ first, last int }

// whole is every line.
var whole = part{1, 0}

// lines returns the numbers of the lines that are shown of a number of lines.
func (s *showing) lines(total int) (numbers []int) {
	for _, p := range s.parts {
		if p.first < 1 {
			p.first = max(1, p.first+total)
		}
		if p.last < 1 {
			p.last += total
		}
		for n := p.first; n <= min(p.last, total); n++ {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// text returns lines as they are shown, without the last line break.
func (s *showing) text(lines []string, numbers []int) string {
	var b strings.Builder
	label := 0
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte('\n')
		}
		line := lines[n-1]
		switch {
		case s.numbered == everyLine || s.numbered == filledLine && line != "":
			label++
			fmt.Fprintf(&b, "%6d\t", label)
		case s.numbered == filledLine:
			b.WriteString("       ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// shows returns which file, in which directory, a command line shows, and what of it.
// It is nil if the line does something else, or more than change the directory first.
func shows(commands []policy.Command) (file, dir string, show *showing) {
	if len(commands) == 2 && len(commands[0].Argv) == 2 && commands[0].Argv[0] == "cd" {
		dir, commands = commands[0].Argv[1], commands[1:]
	}
	if len(commands) != 1 || len(commands[0].Argv) < 2 {
		return "", "", nil
	}
	argv := commands[0].Argv
	last := len(argv) - 1
	if file = argv[last]; file == "" || strings.HasPrefix(file, "-") {
		return "", "", nil
	}
	options := argv[1:last]
	if n := len(options); n > 0 && options[n-1] == "--" {
		options = options[:n-1]
	}
	switch filepath.Base(argv[0]) {
	case "cat":
		show = ofCat(options)
	case "nl":
		show = ofNl(options)
	case "head":
		show = ofEnd(options, func(n int) part { return part{1, n} })
	case "tail":
		show = ofEnd(options, func(n int) part { return part{1 - n, 0} })
	case "sed":
		show = ofSed(options)
	}
	return file, dir, show
}

func ofCat(options []string) *showing {
	switch {
	case len(options) == 0:
		return &showing{parts: []part{whole}}
	case len(options) == 1 && (options[0] == "-n" || options[0] == "--number"):
		return &showing{[]part{whole}, everyLine}
	}
	return nil
}

func ofNl(options []string) *showing {
	switch {
	case len(options) == 0:
		return &showing{[]part{whole}, filledLine}
	case slices.Equal(options, []string{"-ba"}), slices.Equal(options, []string{"-b", "a"}):
		return &showing{[]part{whole}, everyLine}
	}
	return nil
}

// ofEnd is for head and tail, whose number is 10 if there is none: -n 5, -n5, -5,
// --lines=5, and for tail -n +5, which is from the fifth line on.
func ofEnd(options []string, of func(n int) part) *showing {
	number := "10"
	switch {
	case len(options) == 0:
	case len(options) == 2 && options[0] == "-n":
		number = options[1]
	case len(options) == 1:
		number = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(options[0], "--lines="), "-n"), "-")
	default:
		return nil
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return nil
	}
	p := of(n)
	if number[0] == '+' {
		if p.last != 0 {
			return nil // of head it is the same as without the sign, which nobody writes
		}
		p = part{n, 0}
	}
	return &showing{parts: []part{p}}
}

// ofSed is for sed -n with a script of lines to print: 5p, 5,9p, 5,$p, several of them
// in rising order, and 9q, which ends it.
func ofSed(options []string) *showing {
	var script string
	switch {
	case len(options) == 2 && (options[0] == "-n" || options[0] == "-ne"):
		script = options[1]
	case len(options) == 3 && options[0] == "-n" && options[1] == "-e":
		script = options[2]
	default:
		return nil
	}
	s := &showing{}
	for command := range strings.SplitSeq(script, ";") {
		command = strings.TrimSpace(command)
		if address, ok := strings.CutSuffix(command, "q"); ok {
			if n, err := strconv.Atoi(address); err != nil || len(s.parts) == 0 || n < s.parts[len(s.parts)-1].last {
				return nil
			}
			continue
		}
		address, ok := strings.CutSuffix(command, "p")
		if !ok {
			return nil
		}
		from, to, two := strings.Cut(address, ",")
		first, err := strconv.Atoi(from)
		if err != nil || first < 1 {
			return nil
		}
		p := part{first, first}
		switch n, err := strconv.Atoi(to); {
		case !two:
		case to == "$":
			p.last = 0
		case err != nil || n < first:
			return nil
		default:
			p.last = n
		}
		if k := len(s.parts); k > 0 && (s.parts[k-1].last < 1 || p.first <= s.parts[k-1].last) {
			return nil
		}
		s.parts = append(s.parts, p)
	}
	return s
}
