package glob

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// mostAlternatives limits the alternatives in the braces of one pattern.
const mostAlternatives = 1000

// Glob is a pattern that a caller wrote: the grammar of [Wild] and braces with
// alternatives, and \xHH for a byte of a name that is not UTF-8. A pattern without a slash is matched with the name, any other
// with the path. A slash at the end matches everything below.
type Glob struct{ shapes []shape }

// shape is one alternative. Most are only a name or a suffix, which is compared
// directly.
type shape struct {
	path   bool   // match the path, not the name
	name   string // the complete name or path
	suffix string // what the name ends in
	wild   *Wild
}

// Compile compiles a pattern. Its errors have the code invalid_arguments and say
// where in the pattern they are.
func Compile(pattern string) (*Glob, error) {
	p := strings.TrimPrefix(pattern, "./")
	if p == "" {
		return nil, bad(pattern, 0, fault.T("it is empty"))
	}
	alternatives, err := expand(pattern, p, len(pattern)-len(p))
	if err != nil {
		return nil, err
	}
	g := &Glob{shapes: make([]shape, 0, len(alternatives))}
	for _, a := range alternatives {
		g.shapes = append(g.shapes, shapeOf(a))
	}
	return g, nil
}

// bad returns the error for what is wrong at an offset of a pattern.
func bad(pattern string, at int, what fault.Text) error {
	return fault.New(fault.InvalidArguments,
		fault.T("glob %q, at character %d: %s", pattern, utf8.RuneCountInString(pattern[:at])+1, what)).
		WithHint(fault.T(`use *, ?, **, [a-z] and {a,b}, with a backslash before a character that is meant literally`)).
		WithDetails(map[string]any{"pointer": "/glob", "offset": at})
}

func shapeOf(p string) shape {
	if strings.HasSuffix(p, "/") {
		p += "**"
	}
	s := shape{path: strings.Contains(p, "/")}
	p = strings.TrimPrefix(p, "/")
	if rest, ok := strings.CutPrefix(p, "**/"); ok && !strings.Contains(rest, "/") {
		s.path, p = false, rest
	}
	const special = `*?[\`
	switch {
	case !strings.ContainsAny(p, special):
		s.name = p
	case !s.path && p[0] == '*' && len(p) > 1 && !strings.ContainsAny(p[1:], special):
		s.suffix = p[1:]
	default:
		s.wild = compile(p, true)
	}
	return s
}

// Match reports whether a path matches.
func (g *Glob) Match(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	for i := range g.shapes {
		if g.shapes[i].match(path, name) {
			return true
		}
	}
	return false
}

func (s *shape) match(path, name string) bool {
	if s.path {
		name = path
	}
	switch {
	case s.name != "":
		return name == s.name
	case s.suffix != "":
		return strings.HasSuffix(name, s.suffix)
	}
	return s.wild != nil && s.wild.Match(name) // an empty alternative matches nothing
}

// expand replaces braces by their alternatives. p is the part of pattern at
// offset.
func expand(pattern, p string, offset int) ([]string, error) {
	done := []string{""}
	appendAll := func(s string) {
		for i := range done {
			done[i] += s
		}
	}
	for i := 0; i < len(p); {
		switch p[i] {
		case '\\':
			if i+1 == len(p) {
				return nil, bad(pattern, offset+i, fault.T("nothing follows the backslash"))
			}
			appendAll(p[i : i+2])
			i += 2
		case '[':
			n := setLength(p[i:])
			if n == 0 {
				return nil, bad(pattern, offset+i, fault.T("the set is not closed by ]"))
			}
			appendAll(p[i : i+n])
			i += n
		case '}':
			return nil, bad(pattern, offset+i, fault.T("this } closes nothing"))
		case '{':
			parts, n, err := braces(pattern, p[i:], offset+i)
			if err != nil {
				return nil, err
			}
			if len(done)*len(parts) > mostAlternatives {
				return nil, bad(pattern, offset+i, fault.T("more than %d alternatives", mostAlternatives))
			}
			all := make([]string, 0, len(done)*len(parts))
			for _, d := range done {
				for _, part := range parts {
					all = append(all, d+part)
				}
			}
			done = all
			i += n
		default:
			appendAll(p[i : i+1])
			i++
		}
	}
	return done, nil
}

// braces reads {a,b,…} at the start of p. The alternatives may hold braces. p is
// the part of pattern at offset.
func braces(pattern, p string, offset int) (parts []string, length int, err error) {
	depth, start := 0, 1
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
			continue
		case '[':
			i += max(setLength(p[i:])-1, 0)
			continue
		case '{':
			if depth++; depth > 32 {
				return nil, 0, bad(pattern, offset, fault.T("braces nest too deeply"))
			}
			continue
		case '}':
			depth--
		case ',':
		default:
			continue
		}
		if depth > 1 || depth == 1 && p[i] == '}' {
			continue
		}
		inner, err := expand(pattern, p[start:i], offset+start)
		if err != nil {
			return nil, 0, err
		}
		if parts = append(parts, inner...); len(parts) > mostAlternatives {
			return nil, 0, bad(pattern, offset, fault.T("more than %d alternatives", mostAlternatives))
		}
		start = i + 1
		if depth == 0 {
			if len(parts) == 1 && !strings.Contains(p[1:i], ",") { // or a name with braces
				parts = append(parts, `\{`+parts[0]+`\}`)
			}
			return parts, i + 1, nil
		}
	}
	return nil, 0, bad(pattern, offset, fault.T("the { is not closed"))
}

// setLength returns the length of the set at the start of p, or 0 if it has no end.
func setLength(p string) int {
	i := 1
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		i++
	}
	if i < len(p) && p[i] == ']' {
		i++
	}
	for ; i < len(p); i++ {
		switch {
		case p[i] == ']':
			return i + 1
		case p[i] == '\\':
			i++
		case strings.HasPrefix(p[i:], "[:"):
			if end := strings.Index(p[i:], ":]"); end > 0 {
				i += end + 1
			}
		}
	}
	return 0
}
