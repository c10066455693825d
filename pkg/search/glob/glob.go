package glob

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// mostAlternatives bounds what the braces of one pattern may stand for.
const mostAlternatives = 1000

// Glob is a pattern as callers write it: what [Wild] knows, and braces with
// alternatives. One without a slash is matched against the name alone, any
// other against the path; a slash at the end stands for all that is below.
// Rules of the policy have a grammar of their own, for reasons that its type glob
// gives.
type Glob struct{ shapes []shape }

// shape is one alternative. Those that are only a name or an ending, as most
// are, take no automaton.
type shape struct {
	path   bool
	name   string // the whole of it
	suffix string // what it ends in
	wild   *Wild
}

// Compile reads a pattern. Its faults are of kind invalid_arguments and tell
// where in the pattern they are.
func Compile(pattern string) (*Glob, error) {
	p := strings.TrimPrefix(pattern, "./")
	if p == "" {
		return nil, bad(pattern, 0, fault.T("it is empty", "不能为空"))
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

func bad(pattern string, at int, what fault.Text) error {
	return fault.New(fault.InvalidArguments,
		fault.T("glob %q, at character %d: %s", "glob %q 第 %d 个字符处：%s", pattern, utf8.RuneCountInString(pattern[:at])+1, what)).
		WithHint(fault.T(`use *, ?, **, [a-z] and {a,b}, and a backslash before one that is meant as it stands`,
			`可用 *、?、**、[a-z] 和 {a,b}；按字面使用时在前面加反斜杠`)).
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
		s.wild = CompileRunes(p)
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

// expand replaces braces by their alternatives. p stands at offset in whole.
func expand(whole, p string, offset int) ([]string, error) {
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
				return nil, bad(whole, offset+i, fault.T("nothing follows the backslash", "反斜杠之后没有内容"))
			}
			appendAll(p[i : i+2])
			i += 2
		case '[':
			n := setLength(p[i:])
			if n == 0 {
				return nil, bad(whole, offset+i, fault.T("the set is not closed by ]", "字符集没有以 ] 闭合"))
			}
			appendAll(p[i : i+n])
			i += n
		case '}':
			return nil, bad(whole, offset+i, fault.T("a } that closes nothing", "多余的 }"))
		case '{':
			parts, n, err := braces(whole, p[i:], offset+i)
			if err != nil {
				return nil, err
			}
			if len(done)*len(parts) > mostAlternatives {
				return nil, bad(whole, offset+i, fault.T("more than %d alternatives", "备选项超过 %d 个", mostAlternatives))
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

// braces reads {a,b,…} at the start of p, whose alternatives may hold braces.
func braces(whole, p string, offset int) (parts []string, length int, err error) {
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
				return nil, 0, bad(whole, offset, fault.T("braces nest too deeply", "花括号嵌套过深"))
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
		inner, err := expand(whole, p[start:i], offset+start)
		if err != nil {
			return nil, 0, err
		}
		if parts = append(parts, inner...); len(parts) > mostAlternatives {
			return nil, 0, bad(whole, offset, fault.T("more than %d alternatives", "备选项超过 %d 个", mostAlternatives))
		}
		start = i + 1
		if depth == 0 {
			return parts, i + 1, nil
		}
	}
	return nil, 0, bad(whole, offset, fault.T("the { is not closed", "{ 没有闭合"))
}

// setLength is the length of the set at the start of p, 0 if it has no end.
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
