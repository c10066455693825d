package output

import (
	"cmp"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
)

// action is the treatment of a line by a rule.
type action int

const (
	keep action = iota
	drop
	fold
	once
	lead
)

// when is for which end of the command a rule holds.
type when int

const (
	always when = iota
	onSuccess
	onFailure
)

// rules describe the output of one program.
type rules struct {
	name   string // of the file, without its suffix
	unwrap string // field of JSON lines; "" if there are none
	list   []*rule
}

// rule is one line of a file.
type rule struct {
	do    action
	when  when
	force bool     // also for lines that look like failures
	first *pattern // of a line, or of the first line of a span
	last  *pattern // what ends a span; nil for a rule about single lines
	ends  end
	text  string // of a fold; of the copies that once leaves out
}

// end is the meaning of the second pattern of a span.
type end int

const (
	to    end = iota // the last line
	until            // the line after the last
	while            // each line but the first
)

// pattern is a regular expression that is compiled when a line may match it.
type pattern struct {
	expr string
	must string // a text that is in all that match; "" if that is not known
	head bool   // they begin with it
	re   func() *regexp.Regexp
}

func (p *pattern) match(line string) bool {
	switch {
	case p.must == "":
	case p.head:
		if !strings.HasPrefix(line, p.must) {
			return false
		}
	case !strings.Contains(line, p.must):
		return false
	}
	return p.re().MatchString(line)
}

// newPattern checks an expression without compiling it.
func newPattern(expr string) (*pattern, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	p := &pattern{expr: expr, re: sync.OnceValue(func() *regexp.Regexp {
		re, err := regexp.Compile(expr)
		if err != nil { // too large, which the parser does not see
			re, _ = regexp.Compile(`$^.`) // matches nothing
		}
		return re
	})}
	p.must, p.head = required(tree)
	return p, nil
}

// required returns the longest text that is in every match of an expression, as far as
// that is easily seen, and whether a match begins with it.
func required(tree *syntax.Regexp) (text string, head bool) {
	parts := []*syntax.Regexp{tree}
	if tree.Op == syntax.OpConcat {
		parts = tree.Sub
	}
	anchored := false
	for i, part := range parts {
		if part.Op == syntax.OpBeginText && i == 0 {
			anchored = true
		}
		if part.Op != syntax.OpLiteral || part.Flags&syntax.FoldCase != 0 {
			continue
		}
		if s := string(part.Rune); i == 1 && anchored {
			return s, true
		} else if len(s) > len(text) {
			text = s
		}
	}
	return text, false
}

// parse reads a file of rules.
func (f File) parse() (*rules, error) {
	r := &rules{name: f.Name}
	now := always
	for n, line := range strings.Split(f.Text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		wrong := ""
		switch word {
		case "program":
			if rest == "" {
				wrong = "it names no program"
			}
		case "sign":
			if rest == "" {
				wrong = "it names no text"
			}
		case "unwrap":
			r.unwrap = rest
		case "always":
			now = always
		case "on":
			switch rest {
			case "success":
				now = onSuccess
			case "failure":
				now = onFailure
			default:
				wrong = "on success or on failure"
			}
		default:
			one, why := parseRule(word, rest)
			if why != "" {
				wrong = why
				break
			}
			one.when = now
			r.list = append(r.list, one)
		}
		if wrong != "" {
			return nil, bad(cmp.Or(f.Path, f.Name+suffix), n+1, wrong)
		}
	}
	return r, nil
}

// parseRule reads a rule about lines; why says what is wrong with it.
func parseRule(word, rest string) (one *rule, why string) {
	one = &rule{}
	word, one.force = strings.CutSuffix(word, "!")
	switch word {
	case "keep":
	case "drop":
		one.do = drop
	case "lead":
		one.do = lead
	case "fold", "once":
		one.do = fold
		if word == "once" {
			one.do = once
		}
		pattern, text, ok := strings.Cut(rest, " => ")
		if !ok {
			return nil, word + " needs => and a text"
		}
		rest, one.text = strings.TrimSpace(pattern), strings.TrimSpace(text)
	default:
		return nil, "unknown word " + word
	}
	first, last := rest, ""
	if span, ok := strings.CutPrefix(rest, "from "); ok {
		found := false
		for ends, word := range [...]string{to: " to ", until: " until ", while: " while "} {
			if first, last, found = strings.Cut(span, word); found {
				one.ends = end(ends)
				break
			}
		}
		if !found {
			return nil, "from needs to, until or while"
		}
	}
	if rest == "" {
		return nil, "it has no pattern"
	}
	var err error
	if one.first, err = newPattern(strings.TrimSpace(first)); err == nil && last != "" {
		one.last, err = newPattern(strings.TrimSpace(last))
	}
	if err != nil {
		return nil, err.Error()
	}
	return one, ""
}

// holds reports whether the rule counts for a command that ended so.
func (r *rule) holds(e End) bool {
	switch r.when {
	case onSuccess:
		return e == Succeeded
	case onFailure:
		return e != Succeeded
	}
	return true
}

func bad(file string, line int, why string) error {
	return fault.New(fault.BadDocument, fault.T("%s, line %d: %s", file, line, why)).
		WithHint(fault.T("see the section on output in the README for the form of a rule"))
}
