// Package glob matches paths with wildcard patterns: [Glob] for those that a caller
// writes and [Wild] for those of gitignore files. It does not read the file system.
//
// The path rules of package policy have a grammar of their own. The type glob there
// explains why.
package glob

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/workspace"
)

// Wild is a compiled pattern in the grammar of git's wildmatch: "*" and "?" match
// within one component, "**" between slashes matches any number of components,
// brackets are sets with ranges and POSIX classes, and a backslash escapes. The
// grammar is described in gitignore(5) and glob(7).
type Wild struct {
	tokens []token
	runes  bool
	needs  string // every name that matches holds this text
}

type kind uint8

const (
	single    kind = iota // one literal byte
	question              // any one character but "/"
	set                   // one of a set of characters, never "/"
	star                  // any run of characters without "/"
	globstar              // any run of characters
	globslash             // nothing, or any run that ends in "/"
	never                 // a malformed set: nothing matches it
)

type token struct {
	kind    kind
	char    byte
	negated bool
	ranges  []span
}

type span struct{ lo, hi rune }

// CompileBytes compiles a pattern whose "?" and sets match single bytes, as in git.
func CompileBytes(pattern string) *Wild { return compile(pattern, false) }

// compile compiles a pattern whose "?" and sets match characters, if runes is
// true, or bytes. With characters, \xHH outside of sets is the byte that it is in the
// names that callers see; git knows no such escape.
func compile(p string, runes bool) *Wild {
	w := &Wild{runes: runes}
	for i := 0; i < len(p); {
		switch c := p[i]; c {
		case '?':
			w.tokens = append(w.tokens, token{kind: question})
			i++
		case '*':
			start := i
			for i < len(p) && p[i] == '*' {
				i++
			}
			opens := start == 0 || p[start-1] == '/'
			closes := i == len(p) || p[i] == '/' || strings.HasPrefix(p[i:], `\/`)
			switch {
			case i-start == 1 || !opens || !closes:
				w.tokens = append(w.tokens, token{kind: star})
			case i < len(p) && p[i] == '/':
				w.tokens = append(w.tokens, token{kind: globslash})
				i++
			default:
				w.tokens = append(w.tokens, token{kind: globstar})
			}
		case '[':
			t, n := parseSet(p[i:], runes)
			w.tokens = append(w.tokens, t)
			i += n
		case '\\':
			if i+1 == len(p) {
				w.tokens = append(w.tokens, token{kind: never})
				i++
				break
			}
			if b, ok := escaped(p[i:]); ok && runes {
				w.tokens = append(w.tokens, token{kind: single, char: b})
				i += 4
				break
			}
			w.tokens = append(w.tokens, token{kind: single, char: p[i+1]})
			i += 2
		default:
			w.tokens = append(w.tokens, token{kind: single, char: c})
			i++
		}
	}
	w.needs = w.longest()
	return w
}

// escaped returns the byte that an escape at the start of p stands for, as names that
// are not UTF-8 are shown and given; see package workspace.
func escaped(p string) (b byte, ok bool) {
	if len(p) < 4 {
		return 0, false
	}
	raw := workspace.Unescape(p[:4])
	return raw[0], len(raw) == 1
}

// Folded returns the pattern as git matches it if core.ignorecase is set: with names
// whose ASCII letters are in lower case. (In a set, git folds ranges only.)
func (w *Wild) Folded() *Wild {
	f := &Wild{runes: w.runes, needs: Lower(w.needs)}
	for _, t := range w.tokens {
		t.char = lower(t.char)
		var more []span
		for _, s := range t.ranges {
			if lo, hi := max(s.lo, 'A'), min(s.hi, 'Z'); lo <= hi && s.lo < s.hi {
				more = append(more, span{lo + 'a' - 'A', hi + 'a' - 'A'})
			}
		}
		t.ranges = slices.Concat(t.ranges, more)
		f.tokens = append(f.tokens, t)
	}
	return f
}

// Lower returns a text with its ASCII letters in lower case.
func Lower(s string) string {
	for i := range len(s) {
		if lower(s[i]) != s[i] {
			low := []byte(s)
			for ; i < len(low); i++ {
				low[i] = lower(low[i])
			}
			return string(low)
		}
	}
	return s
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// longest returns the longest literal text of the pattern.
func (w *Wild) longest() string {
	var best, run []byte
	for _, t := range w.tokens {
		if t.kind != single {
			run = run[:0]
			continue
		}
		if run = append(run, t.char); len(run) > len(best) {
			best = append(best[:0], run...)
		}
	}
	return string(best)
}

// parseSet reads the set that starts at p[0] == '[' and returns its length in
// bytes. An unfinished or malformed set extends to the end of the pattern and
// matches nothing.
func parseSet(p string, runes bool) (token, int) {
	bad := token{kind: never}
	t := token{kind: set}
	i := 1
	if i < len(p) && (p[i] == '!' || p[i] == '^') {
		t.negated = true
		i++
	}
	next := func() rune {
		if runes {
			r, n := utf8.DecodeRuneInString(p[i:])
			i += n
			return r
		}
		i++
		return rune(p[i-1])
	}
	last := rune(-1) // the character before, which a "-" makes the start of a range
	for first := true; ; first = false {
		if i >= len(p) {
			return bad, len(p)
		}
		switch c := p[i]; {
		case c == ']' && !first:
			return t, i + 1
		case c == '\\':
			if i++; i >= len(p) {
				return bad, len(p)
			}
			last = next()
			t.ranges = append(t.ranges, span{last, last})
		case c == '-' && last >= 0 && i+1 < len(p) && p[i+1] != ']':
			if i++; p[i] == '\\' {
				if i++; i >= len(p) {
					return bad, len(p)
				}
			}
			t.ranges = append(t.ranges, span{last, next()})
			last = -1
		case strings.HasPrefix(p[i:], "[:"):
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return bad, len(p)
			}
			name, closed := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !closed {
				last = '['
				t.ranges = append(t.ranges, span{last, last})
				i++
				break
			}
			ranges := posix(name)
			if ranges == nil {
				return bad, len(p)
			}
			t.ranges = append(t.ranges, ranges...)
			last = -1
			i += 2 + end + 1
		default:
			last = next()
			t.ranges = append(t.ranges, span{last, last})
		}
	}
}

// posix returns the members of a POSIX class in the C locale, or nil if there is no
// such class.
func posix(name string) []span {
	switch name {
	case "alnum":
		return []span{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}
	case "alpha":
		return []span{{'A', 'Z'}, {'a', 'z'}}
	case "blank":
		return []span{{' ', ' '}, {'\t', '\t'}}
	case "cntrl":
		return []span{{0, 0x1f}, {0x7f, 0x7f}}
	case "digit":
		return []span{{'0', '9'}}
	case "graph":
		return []span{{'!', '~'}}
	case "lower":
		return []span{{'a', 'z'}}
	case "print":
		return []span{{' ', '~'}}
	case "punct":
		return []span{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}
	case "space":
		return []span{{'\t', '\r'}, {' ', ' '}}
	case "upper":
		return []span{{'A', 'Z'}}
	case "xdigit":
		return []span{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}
	}
	return nil
}

func (t *token) has(r rune) bool {
	for _, s := range t.ranges {
		if s.lo <= r && r <= s.hi {
			return !t.negated
		}
	}
	return t.negated
}

// Match reports whether the pattern matches the complete name.
//
// Only the last star and the last globstar are retried: if an earlier one could
// match more, a later one can match it as well. The time is bounded by the product
// of both lengths and the number of components.
func (w *Wild) Match(name string) bool {
	if !strings.Contains(name, w.needs) {
		return false
	}
	type mark struct{ token, text int }
	var (
		t, i       int
		afterStar  = mark{token: -1}
		afterGlobs = mark{token: -1}
	)
	for {
		if t < len(w.tokens) {
			switch w.tokens[t].kind {
			case star:
				t++
				afterStar = mark{t, i}
				continue
			case globstar, globslash:
				t++
				afterGlobs = mark{t, i}
				afterStar.token = -1
				continue
			}
			if n := w.step(&w.tokens[t], name[i:]); n > 0 {
				t++
				i += n
				continue
			}
		} else if i == len(name) {
			return true
		}
		switch {
		case afterStar.token >= 0 && afterStar.text < len(name) && name[afterStar.text] != '/':
			afterStar.text += w.width(name[afterStar.text:])
			t, i = afterStar.token, afterStar.text
		case afterGlobs.token >= 0 && afterGlobs.text < len(name):
			afterStar.token = -1
			if w.tokens[afterGlobs.token-1].kind == globslash {
				slash := strings.IndexByte(name[afterGlobs.text:], '/')
				if slash < 0 {
					return false
				}
				afterGlobs.text += slash + 1
			} else {
				afterGlobs.text++
			}
			t, i = afterGlobs.token, afterGlobs.text
		default:
			return false
		}
	}
}

func (w *Wild) width(s string) int {
	if !w.runes {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// step returns how many bytes of s a token for one character matches, or 0 if it
// does not match.
func (w *Wild) step(t *token, s string) int {
	if s == "" {
		return 0
	}
	switch t.kind {
	case single:
		if s[0] == t.char {
			return 1
		}
	case question:
		if s[0] != '/' {
			return w.width(s)
		}
	case set:
		if s[0] == '/' {
			return 0
		}
		r, n := rune(s[0]), 1
		if w.runes {
			r, n = utf8.DecodeRuneInString(s)
		}
		if t.has(r) {
			return n
		}
	}
	return 0
}
