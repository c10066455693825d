// Package ignore decides which paths gitignore-like files exclude. It reads no
// files: callers pass their content.
package ignore

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/search/glob"
)

// Verdict is the decision of rules about a path.
type Verdict uint8

// The verdicts.
const (
	None     Verdict = iota // no rule matches the path
	Ignored                 // the last rule that matches excludes it
	Included                // the last rule that matches includes it again
)

// Rules are the compiled patterns of one file, in the grammar of gitignore(5).
// They are immutable and safe for concurrent use.
type Rules struct {
	folded  bool   // the texts of rules are in lower case, and names are folded
	negated []bool // by rule
	// The last rule for a name, for the extension of a name, and for a path from the
	// directory of the file. Most rules are one of these and are found by a look-up.
	names, exts, paths map[string]last
	others             []other // in the order of the file
}

// last is 1 + the number of the last rule, or 0 if there is none: any among the
// rules for all entries, dir among those for directories only.
type last struct{ any, dir int32 }

// other is a rule with wildcards.
type other struct {
	rule    int32
	dirOnly bool
	base    bool   // match the name, not the path
	suffix  string // if wild is nil, what the name ends in
	prefix  string // what the path starts with; wild matches the rest
	wild    *glob.Wild
}

// Parse compiles the content of a file. It returns nil if it has no rules.
func Parse(content []byte) *Rules {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))
	var r Rules
	for len(content) > 0 {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte{'\n'})
		r.add(string(bytes.TrimSuffix(line, []byte{'\r'})))
	}
	if len(r.negated) == 0 {
		return nil
	}
	return &r
}

func (r *Rules) add(line string) {
	if line == "" || line[0] == '#' {
		return
	}
	// A NUL ends a line: git reads it as the end of a string.
	line, _, _ = strings.Cut(line, "\x00")
	p := trimSpaces(line)
	p, negated := strings.CutPrefix(p, "!")
	if p == "" {
		return
	}
	p, dirOnly := strings.CutSuffix(p, "/")
	rule := int32(len(r.negated))
	r.negated = append(r.negated, negated)

	base := !strings.Contains(p, "/")
	if !base {
		p = strings.TrimPrefix(p, "/")
	}
	text, plain := literal(p)
	switch {
	case plain && base:
		put(&r.names, text, rule, dirOnly)
	case plain:
		put(&r.paths, text, rule, dirOnly)
	case base && p[0] == '*' && isPlain(p[1:]):
		suffix := p[1:]
		if strings.LastIndexByte(suffix, '.') == 0 {
			put(&r.exts, suffix, rule, dirOnly)
			break
		}
		r.others = append(r.others, other{rule: rule, dirOnly: dirOnly, base: true, suffix: suffix})
	case base:
		r.others = append(r.others, other{rule: rule, dirOnly: dirOnly, base: true, wild: glob.CompileBytes(p)})
	default:
		// git compares the text before the first wildcard and matches the rest as
		// a separate pattern. So the "**" of "a**/b" matches several components
		// although it does not follow a slash.
		n := strings.IndexAny(p, `*?[\`)
		r.others = append(r.others, other{
			rule: rule, dirOnly: dirOnly, prefix: p[:n], wild: glob.CompileBytes(p[n:]),
		})
	}
}

// trimSpaces removes the spaces at the end that are not escaped.
func trimSpaces(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(s) {
				return s // git does not change such a line
			}
		}
		end = i + 1
	}
	return s[:end]
}

func isPlain(s string) bool { return !strings.ContainsAny(s, `*?[\`) }

// literal returns the text that a pattern without wildcards matches.
func literal(p string) (string, bool) {
	if isPlain(p) {
		return p, true
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '*', '?', '[':
			return "", false
		case '\\':
			if i++; i == len(p) {
				return "", false
			}
		}
		b.WriteByte(p[i])
	}
	return b.String(), true
}

// put records a rule as the last one for a key.
func put(m *map[string]last, key string, rule int32, dirOnly bool) {
	if *m == nil {
		*m = map[string]last{}
	}
	l := (*m)[key]
	if dirOnly {
		l.dir = rule + 1
	} else {
		l.any = rule + 1
	}
	(*m)[key] = l
}

// Match returns the verdict on a path relative to the directory of the file.
func (r *Rules) Match(rel string, dir bool) Verdict {
	if r.folded {
		rel = glob.Lower(rel)
	}
	name := rel[strings.LastIndexByte(rel, '/')+1:]
	best := int32(0)
	best = r.look(r.names, name, dir, best)
	best = r.look(r.paths, rel, dir, best)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		best = r.look(r.exts, name[dot:], dir, best)
	}
	for i := len(r.others) - 1; i >= 0; i-- {
		o := &r.others[i]
		if o.rule < best {
			break
		}
		if (dir || !o.dirOnly) && o.match(rel, name) {
			best = o.rule + 1
			break
		}
	}
	switch {
	case best == 0:
		return None
	case r.negated[best-1]:
		return Included
	}
	return Ignored
}

// Folded returns the rules for a repository in which core.ignorecase is set: ASCII
// letters match in either case. It returns nil for nil.
func (r *Rules) Folded() *Rules {
	if r == nil || r.folded {
		return r
	}
	f := &Rules{folded: true, negated: r.negated, names: folded(r.names), exts: folded(r.exts), paths: folded(r.paths)}
	for _, o := range r.others {
		o.suffix, o.prefix = glob.Lower(o.suffix), glob.Lower(o.prefix)
		if o.wild != nil {
			o.wild = o.wild.Folded()
		}
		f.others = append(f.others, o)
	}
	return f
}

func folded(m map[string]last) map[string]last {
	f := make(map[string]last, len(m))
	for text, l := range m {
		text = glob.Lower(text)
		f[text] = last{max(l.any, f[text].any), max(l.dir, f[text].dir)}
	}
	return f
}

// look returns the later of best and the rules for a key.
func (r *Rules) look(m map[string]last, key string, dir bool, best int32) int32 {
	l, ok := m[key]
	if !ok {
		return best
	}
	if dir {
		best = max(best, l.dir)
	}
	return max(best, l.any)
}

func (o *other) match(rel, name string) bool {
	switch {
	case o.wild == nil:
		return strings.HasSuffix(name, o.suffix)
	case o.base:
		return o.wild.Match(name)
	}
	rest, ok := strings.CutPrefix(rel, o.prefix)
	return ok && o.wild.Match(rest)
}
