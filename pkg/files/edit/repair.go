package edit

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// The last stages look for a repaired text: without line numbers, extra blank
// lines or escapes that copying added.

// findStripped looks for the block without the line numbers of a listing.
func (d *document) findStripped(b *block) (hit, bool) {
	for _, loose := range []bool{false, true} {
		o, ok := stripNumbers(b.o, loose)
		if !ok {
			return hit{}, false
		}
		n, ok := stripNumbers(b.n, loose)
		if !ok {
			n = b.n
		}
		if h, ok := d.findOnce(b, o, n, LineNumbers); ok {
			return h, true
		}
	}
	return hit{}, false
}

// stripNumbers removes "12|", "12→", "12:" or "12\t", and with loose a space
// after it, from lines that all have it and are numbered consecutively.
func stripNumbers(lines []string, loose bool) ([]string, bool) {
	stripped := make([]string, len(lines))
	mark, before := "", 0
	for i, l := range lines {
		l = strings.TrimLeft(l, blank)
		digits := 0
		number := 0
		for digits < len(l) && digits < 9 && l[digits] >= '0' && l[digits] <= '9' {
			number = number*10 + int(l[digits]-'0')
			digits++
		}
		if digits == 0 || i > 0 && number != before+1 {
			return nil, false
		}
		before = number
		l = l[digits:]
		if i == 0 {
			for _, m := range []string{"|", "→", "\t", ":"} {
				if strings.HasPrefix(l, m) {
					mark = m
				}
			}
		}
		l, ok := strings.CutPrefix(l, mark)
		if mark == "" || !ok {
			return nil, false
		}
		if loose {
			l = strings.TrimPrefix(l, " ")
		}
		stripped[i] = l
	}
	return stripped, len(lines) > 0
}

// findOnce looks for repaired lines as exact text that occurs once.
func (d *document) findOnce(b *block, o, n []string, as Strategy) (hit, bool) {
	other := rejoin(b, o, n)
	if solid(other.o...) == 0 {
		return hit{}, false
	}
	places, err := d.exact(other.old)
	return hit{block: other, strategy: as, how: Exact, places: places}, err == nil && len(places) == 1
}

// findTrimmed looks for the block without blank lines at its ends, leaving out as
// few as possible. The indentation may differ, but only consistently.
func (d *document) findTrimmed(b *block) (hit, *fault.Error) {
	head, tail := 0, 0
	for head < len(b.o) && trim(b.o[head]) == "" {
		head++
	}
	for tail < len(b.o)-head && trim(b.o[len(b.o)-1-tail]) == "" {
		tail++
	}
	if head == len(b.o) {
		return hit{}, nil
	}
	const most = 12 // lines at either end
	for less := 1; less <= min(head, most)+min(tail, most); less++ {
		for first := max(0, less-min(tail, most)); first <= min(less, head, most); first++ {
			last := less - first
			n := dropBlank(b.n, first, last)
			h, err := d.findAs(rejoin(b, b.o[first:len(b.o)-last], n), lineStages[:3])
			if err != nil || len(h.places) > 0 {
				h.strategy = EdgeBlank
				return h, err
			}
		}
	}
	return hit{}, nil
}

// dropBlank returns the lines without up to so many blank lines at either end.
func dropBlank(lines []string, first, last int) []string {
	for ; first > 0 && len(lines) > 0 && trim(lines[0]) == ""; first-- {
		lines = lines[1:]
	}
	for ; last > 0 && len(lines) > 0 && trim(lines[len(lines)-1]) == ""; last-- {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// rejoin returns a block of other lines that ends as b does.
func rejoin(b *block, o, n []string) *block {
	old, new := strings.Join(o, "\n"), strings.Join(n, "\n")
	if b.term {
		old += "\n"
		if len(n) > 0 {
			new += "\n"
		}
	}
	return newBlock(old, new)
}

// findUnescaped looks for the block with its escapes decoded, as exact text that
// occurs once. A text with real line endings was not escaped by mistake.
func (d *document) findUnescaped(b *block) (hit, bool) {
	old, decoded := unescape(b.old)
	if !decoded || strings.Contains(b.old, "\n") && strings.Contains(b.old, `\n`) || solid(old) == 0 {
		return hit{}, false
	}
	new, _ := unescape(b.new)
	places, err := d.exact(old)
	if err != nil || len(places) != 1 {
		return hit{}, false
	}
	return hit{block: newBlock(old, new), strategy: Unescape, how: Exact, places: places}, true
}

// unescape decodes \n \t \" \' \\ \$ and \`.
func unescape(s string) (decoded string, changed bool) {
	if !strings.Contains(s, `\`) {
		return s, false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			c := s[i+1]
			switch c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '"', '\'', '\\', '$', '`':
			default:
				b.WriteByte(s[i])
				continue
			}
			b.WriteByte(c)
			i++
			changed = true
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String(), changed
}
