package page

import (
	"crypto/sha256"
	"encoding/hex"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// Part is a piece of a document. The first part and those that begin at the Next
// of the part before are the whole document.
type Part struct {
	Content string
	Start   int    // characters before it
	Next    int    // where the next part begins; 0 after the last
	Total   int    // characters of the document
	Inside  Inside // the block in whose middle the part begins
}

// Inside is the kind of a block that was cut because it is longer than a part.
type Inside string

// The blocks.
const (
	InCode  Inside = "code"
	InTable Inside = "table"
	InItem  Inside = "item"
	InText  Inside = "text"
)

// Part returns the piece that begins at start and has at most so many characters.
// It ends at the end of a block: a paragraph, item, table or code. A block that is
// longer than a part is cut between lines, else between sentences. The fault is
// out_of_range.
func (d *Document) Part(start, most int) (Part, error) {
	total := utf8.RuneCountInString(d.Content)
	if start < 0 || start > total || start == total && start > 0 {
		return Part{}, fault.New(fault.OutOfRange, fault.T("start is %d; the document has %d characters", start, total)).
			WithHint(fault.T("begin at 0, and continue at the next_start of each result")).
			WithDetails(map[string]any{"total_chars": total})
	}
	from := byteAt(d.Content, start)
	p := Part{Start: start, Total: total}
	fence := ""
	if start > 0 {
		p.Inside, fence = openAt(d.Content, d.Format, from)
	}
	if total-start <= most {
		p.Content = d.Content[from:]
		return p, nil
	}
	to := from + byteAt(d.Content[from:], most)
	to = from + cut(d.Content[from:], d.Format, to-from, fence)
	p.Content = d.Content[from:to]
	p.Next = start + utf8.RuneCountInString(p.Content)
	return p, nil
}

// Sum returns the first 16 hex digits of the SHA-256 of the content.
func (d *Document) Sum() string {
	sum := sha256.Sum256([]byte(d.Content))
	return hex.EncodeToString(sum[:8])
}

// byteAt returns the offset of the nth character of s.
func byteAt(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// cut returns the best offset to cut a text, more than 0 and at most most.
func cut(text string, format Format, most int, fence string) int {
	best := [...]int{0, 0, 0, 0}
	boundaries(text, format, fence, func(at int, l level) bool {
		if at > most {
			return false
		}
		if at > 0 {
			best[l] = at
		}
		return true
	})
	for _, at := range best {
		if at > 0 {
			return at
		}
	}
	if at := sentence(text[:most]); at > 0 {
		return at
	}
	return most
}

// sentence returns the end of the last sentence in the second half of a text, else
// of its last word; 0 for none.
func sentence(text string) int {
	word := 0
	for i := len(text) - 1; i > len(text)/2; i-- {
		switch text[i] {
		case ' ', '\n', '\t', '>':
			if word == 0 {
				word = i + 1
			}
			if i > 0 && (text[i-1] == '.' || text[i-1] == '!' || text[i-1] == '?') {
				return i + 1
			}
		case 0x82: // the last byte of an ideographic full stop
			if i >= 2 && text[i-2:i+1] == "。" {
				return i + 1
			}
		}
	}
	return word
}
