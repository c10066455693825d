package pattern

import (
	"strings"
	"sync"
	"unicode"
)

// words returns the characters of \w: letters, marks, decimal digits, connectors
// and joiners (Unicode Technical Standard 18, annex C).
var words = sync.OnceValue(func() runes {
	return table(unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
})

func isASCIIWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}

// perl returns the class \d, \s or \w.
func perl(c byte, ascii bool) runes {
	switch {
	case c == 'd' && ascii:
		return runes{'0', '9'}
	case c == 'd':
		return table(unicode.Nd)
	case c == 's' && ascii:
		return runes{'\t', '\r', ' ', ' '}
	case c == 's':
		return table(unicode.White_Space)
	case ascii:
		return runes{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	}
	return words()
}

// posix returns the class [:name:], or nil if there is none.
func posix(name string) runes {
	switch name {
	case "alnum":
		return runes{'0', '9', 'A', 'Z', 'a', 'z'}
	case "alpha":
		return runes{'A', 'Z', 'a', 'z'}
	case "ascii":
		return runes{0, 0x7f}
	case "blank":
		return runes{'\t', '\t', ' ', ' '}
	case "cntrl":
		return runes{0, 0x1f, 0x7f, 0x7f}
	case "digit":
		return runes{'0', '9'}
	case "graph":
		return runes{'!', '~'}
	case "lower":
		return runes{'a', 'z'}
	case "print":
		return runes{' ', '~'}
	case "punct":
		return runes{'!', '/', ':', '@', '[', '`', '{', '~'}
	case "space":
		return runes{'\t', '\r', ' ', ' '}
	case "upper":
		return runes{'A', 'Z'}
	case "word":
		return runes{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	case "xdigit":
		return runes{'0', '9', 'A', 'F', 'a', 'f'}
	}
	return nil
}

// property returns the class \p{name}: a general category, a script or a binary
// property. Case, spaces, "_" and "-" in a name do not matter.
func property(name string) (runes, bool) {
	if kind, value, ok := strings.Cut(name, "="); ok {
		switch loose(kind) {
		case "gc", "generalcategory":
			return category(value)
		case "sc", "script":
			return script(value)
		}
		return nil, false
	}
	switch loose(name) {
	case "any":
		return runes{0, unicode.MaxRune}, true
	case "ascii":
		return runes{0, 0x7f}, true
	case "assigned":
		s, _ := category("Cn")
		return s.negate(), true
	case "alphabetic", "alpha":
		return table(unicode.L, unicode.Nl, unicode.Other_Alphabetic), true
	case "uppercase", "upper":
		return table(unicode.Lu, unicode.Other_Uppercase), true
	case "lowercase", "lower":
		return table(unicode.Ll, unicode.Other_Lowercase), true
	case "whitespace", "space", "wspace":
		return table(unicode.White_Space), true
	}
	if s, ok := category(name); ok {
		return s, true
	}
	if s, ok := script(name); ok {
		return s, true
	}
	for known, t := range unicode.Properties {
		if loose(known) == loose(name) {
			return table(t), true
		}
	}
	return nil, false
}

func category(name string) (runes, bool) {
	want := loose(name)
	for alias, short := range unicode.CategoryAliases {
		if loose(alias) == want {
			want = loose(short)
			break
		}
	}
	if want == "cn" || want == "unassigned" {
		var all []*unicode.RangeTable
		for _, t := range unicode.Categories {
			if t != unicode.Cn && t != unicode.C {
				all = append(all, t)
			}
		}
		return table(append(all, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)...).negate(), true
	}
	for known, t := range unicode.Categories {
		if loose(known) == want {
			return table(t), true
		}
	}
	return nil, false
}

func script(name string) (runes, bool) {
	for known, t := range unicode.Scripts {
		if loose(known) == loose(name) {
			return table(t), true
		}
	}
	return nil, false
}

// loose returns a name without what does not matter in it.
func loose(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '_' || r == '-':
			return -1
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return r
	}, name)
}
