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
	begun
	log
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
	// signs and bounds are in the first and in the last of the lines that the rules are
	// for, if the program is known by its signs alone.
	signs  []string
	bounds []*pattern
}

// rule is one line of a file.
type rule struct {
	do     action
	when   when
	within *span // the lines that it is for; nil for all
	force  bool  // what the pattern matches is no failure, whatever it looks like
	span
	text string // of a fold; of the copies that once leaves out
}

// span is a pattern of a line, or two of lines that follow each other.
type span struct {
	first *pattern // of a line, or of the first line
	last  *pattern // what ends a span; nil for a single line
	ends  end
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

// without returns a line that matches without the text that matches, but for a word of
// which that is a part.
func (p *pattern) without(line string) string {
	at := p.re().FindStringIndex(line)
	if at == nil {
		return line
	}
	begin, end := at[0], at[1]
	for end < len(line) && end > begin && letter(line[end]) && letter(line[end-1]) {
		end--
	}
	return line[:begin] + " " + line[end:]
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
	var within *span
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
			r.signs = append(r.signs, rest)
		case "unwrap":
			r.unwrap = rest
		case "part":
			p, err := newPattern(rest)
			if err != nil {
				wrong = err.Error()
			}
			r.bounds = append(r.bounds, p)
		case "always":
			now, within = always, nil
		case "within":
			within = &span{}
			if wrong = within.parse(rest); wrong == "" && within.last == nil {
				wrong = "within needs from"
			}
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
			one.when, one.within = now, within
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
	case "begun":
		one.do = begun
		return one, one.pair(rest, " ended ")
	case "log":
		one.do = log
		return one, one.pair(rest, " passed ")
	default:
		return nil, "unknown word " + word
	}
	return one, one.parse(rest)
}

// parse reads a pattern or a span; why says what is wrong with it.
func (s *span) parse(text string) (why string) {
	if rest, ok := strings.CutPrefix(text, "from "); ok {
		for ends, word := range [...]string{to: " to ", until: " until ", while: " while "} {
			if strings.Contains(rest, word) {
				s.ends = end(ends)
				return s.pair(rest, word)
			}
		}
		return "from needs to, until or while"
	}
	if text == "" {
		return "it has no pattern"
	}
	var err error
	if s.first, err = newPattern(text); err != nil {
		return err.Error()
	}
	return ""
}

// pair reads two patterns with a word between them.
func (s *span) pair(text, word string) (why string) {
	first, last, ok := strings.Cut(text, word)
	if !ok {
		return "it needs" + strings.TrimRight(word, " ") + " and a second pattern"
	}
	var err error
	if s.first, err = newPattern(strings.TrimSpace(first)); err == nil {
		s.last, err = newPattern(strings.TrimSpace(last))
	}
	if err != nil {
		return err.Error()
	}
	return ""
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
