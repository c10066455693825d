package policy

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/workspace"
)

const (
	// maxGlob is the longest path glob, in bytes.
	maxGlob = 1024
	// maxParts limits the names of a glob.
	maxParts = 64
	// maxAlternatives limits the globs that the braces of one expand to.
	maxAlternatives = 64
)

// glob is the path pattern of a rule: each alternative as its names, where "**"
// stands for any number of them. The folded names find every spelling that some
// file system takes for the same file, for rules that narrow; the exact ones find
// only what is written, for rules that widen.
//
// There are three grammars of patterns for paths, and each must be what its readers
// expect. This one is about who may do what: a pattern starts at the root of the
// workspace, so that a rule for SOUL.md says nothing about docs/SOUL.md, and can be
// asked whether anything below a directory may match. That of package search/glob
// is about finding: as in other search tools, a pattern without a slash finds names
// at any depth. That of .gitignore files, in package search/ignore, is git's. They
// also have different costs: a policy matches few patterns with few paths and needs
// no compiled form, a search matches every file of a tree.
type glob struct{ exact, folded [][]string }

// parseGlob reads a pattern in the syntax of github.com/bmatcuk/doublestar; bad describes
// the problem, if there is one.
func parseGlob(pattern string) (g glob, bad fault.Text) {
	switch {
	case len(pattern) > maxGlob:
		return glob{}, fault.T("longer than %d bytes", maxGlob)
	case strings.HasPrefix(pattern, "/"):
		return glob{}, fault.T("must be relative to the workspace")
	case strings.ContainsRune(pattern, 0):
		return glob{}, fault.T("must not hold a NUL")
	}
	unfolded, ok := unfold(pattern)
	if !ok {
		return glob{}, fault.T("unbalanced braces, or more than %d alternatives", maxAlternatives)
	}
	for _, one := range unfolded {
		names := split(one)
		if strings.HasSuffix(one, "/") {
			names = append(names, "**")
		}
		switch {
		case len(names) == 0:
			return glob{}, fault.T("matches nothing")
		case len(names) > maxParts:
			return glob{}, fault.T("has more than %d parts", maxParts)
		case slices.Contains(names, ".."):
			return glob{}, fault.T(`must not hold ".."`)
		}
		exact, folded := make([]string, len(names)), make([]string, len(names))
		for i, name := range names {
			exact[i], folded[i] = literal(name, `\\`), fold(literal(name, shownByte))
			for _, form := range []string{exact[i], folded[i]} {
				if _, err := path.Match(form, ""); err != nil {
					return glob{}, fault.T("%q is not a pattern", name)
				}
			}
		}
		g.exact, g.folded = append(g.exact, exact), append(g.folded, folded)
	}
	return g, fault.Text{}
}

// shownByte stands in folded names for the backslash of \xHH, as which paths show a
// byte that is not UTF-8. It separates no names, as other backslashes do.
const shownByte = "\x00"

// literal replaces the backslashes of such bytes in a pattern. Other backslashes belong
// to the character that follows.
func literal(pattern, with string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch {
		case pattern[i] != '\\':
			b.WriteByte(pattern[i])
		case len(shown(pattern[i:])) == 1:
			b.WriteString(with)
		default:
			end := min(i+2, len(pattern))
			b.WriteString(pattern[i:end])
			i = end - 1
		}
	}
	return b.String()
}

// shown returns the byte that an escape at the start of s stands for, or nothing.
func shown(s string) string {
	if len(s) < 4 {
		return ""
	}
	if raw := workspace.Unescape(s[:4]); len(raw) == 1 {
		return raw
	}
	return ""
}

// separated returns a path with slashes for the backslashes that some file system takes
// for separators.
func separated(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch raw := shown(p[i:]); {
		case p[i] != '\\':
			b.WriteByte(p[i])
		case raw == `\`:
			b.WriteByte('/')
			i += 3
		case raw != "":
			b.WriteString(shownByte)
		default:
			b.WriteByte('/')
		}
	}
	return b.String()
}

// split returns the names of a slash-separated path, without "." and empty ones.
func split(p string) []string {
	var names []string
	for name := range strings.SplitSeq(p, "/") {
		if name != "" && name != "." {
			names = append(names, name)
		}
	}
	return names
}

// unfold expands braces: a{b,c}d becomes abd and acd.
func unfold(pattern string) ([]string, bool) {
	todo, done := []string{pattern}, []string(nil)
	for len(todo) > 0 {
		one := todo[0]
		todo = todo[1:]
		open, choices, end, ok := braces(one)
		if !ok || len(todo)+len(done)+len(choices) > maxAlternatives {
			return nil, false
		}
		if open < 0 {
			done = append(done, one)
		}
		for _, choice := range choices {
			todo = append(todo, one[:open]+choice+one[end:])
		}
	}
	return done, true
}

// braces finds the first braces of a pattern: where they open, the choices between
// their commas, and where they end. open is -1 if there are none.
func braces(s string) (open int, choices []string, end int, ok bool) {
	open = -1
	depth, from, class := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			if depth++; depth == 1 {
				open, from = i, i+1
			}
		case c == '}' && depth == 0:
			return 0, nil, 0, false
		case c == ',' && depth == 1:
			choices = append(choices, s[from:i])
			from = i + 1
		case c == '}':
			if depth--; depth == 0 {
				return open, append(choices, s[from:i]), i + 1, true
			}
		}
	}
	return open, nil, len(s), depth == 0
}

// pathNames is a path ready to be matched.
type pathNames struct{ exact, folded []string }

func namesOf(p string) pathNames {
	names := split(path.Clean("/" + separated(p)))
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = fold(name)
	}
	return pathNames{split(path.Clean("/" + p)), folded}
}

// match reports whether the glob matches the exact path.
func (g glob) match(p pathNames) bool {
	return slices.ContainsFunc(g.exact, func(names []string) bool { return matchNames(names, p.exact, false) })
}

// matchFolded reports whether the glob matches any spelling of the path or, with
// below, something that may be below it.
func (g glob) matchFolded(p pathNames, below bool) bool {
	return slices.ContainsFunc(g.folded, func(names []string) bool { return matchNames(names, p.folded, below) })
}

// matchNames goes through both lists once. On a mismatch it goes back to the last
// "**" alone, which is enough: what comes before was matched as early as possible.
func matchNames(pattern, names []string, below bool) bool {
	i, j, star, resume := 0, 0, -1, 0
	for j < len(names) {
		switch {
		case i < len(pattern) && pattern[i] == "**":
			star, resume = i, j
			i++
		case i < len(pattern) && matchName(pattern[i], names[j]):
			i, j = i+1, j+1
		case star >= 0:
			resume++
			i, j = star+1, resume
		default:
			return false
		}
	}
	if below && (star >= 0 || i < len(pattern)) {
		return true
	}
	for i < len(pattern) && pattern[i] == "**" {
		i++
	}
	return i == len(pattern)
}

func matchName(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// fold maps the spellings under which some file system finds the same entry to one:
// case, composed and decomposed letters, the characters that HFS+ ignores (Apple
// TN1150), and dots and spaces at the end, which Windows drops.
func fold(name string) string {
	folded := strings.Map(func(c rune) rune {
		switch {
		case c >= 0x200c && c <= 0x200f, c >= 0x202a && c <= 0x202e, c >= 0x206a && c <= 0x206f, c == 0xfeff:
			return -1
		}
		least := c
		for o := unicode.SimpleFold(c); o != c; o = unicode.SimpleFold(o) {
			least = min(least, o)
		}
		return unicode.ToLower(least)
	}, norm.NFC.String(name))
	folded = norm.NFC.String(folded) // a dropped character may have kept two apart
	if trimmed := strings.TrimRight(folded, ". "); trimmed != "" {
		return trimmed
	}
	return folded
}
