package xlsx

import (
	"strconv"
	"strings"
)

// maxRow and maxCol are the last row and column of a sheet, counted from 1.
const (
	maxRow = 1 << 20
	maxCol = 1 << 14
)

// shift returns a formula as it stands in a cell so many rows and columns away: relative
// references move along, "$" holds them. Cells that share a formula are read so (ECMA-376
// part 1, 18.3.1.40). Texts, names of sheets and of functions stay as they are. A
// reference that leaves the sheet comes back on the other side, as in Excel.
func shift(formula string, rows, cols int) string {
	if rows == 0 && cols == 0 {
		return formula
	}
	b := make([]byte, 0, len(formula)+8)
	for i := 0; i < len(formula); {
		n := 1
		switch c := formula[i]; {
		case c == '"' || c == '\'':
			n = quoted(formula[i:])
		case c == '[': // another workbook, or columns of a table
			n = bracketed(formula[i:])
		case isWord(c):
			for n < len(formula)-i && isWord(formula[i+n]) {
				n++
			}
			next := byte(0)
			if i+n < len(formula) {
				next = formula[i+n]
			}
			b = appendMoved(b, formula[i:i+n], next, rows, cols)
			i += n
			continue
		}
		b = append(b, formula[i:i+n]...)
		i += n
	}
	return string(b)
}

// isWord reports whether a byte belongs to a reference, name, number or function. ":" does,
// as it distinguishes rows, such as 1:3, from numbers.
func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ||
		c == '$' || c == '_' || c == '.' || c == ':' || c == '\\' || c >= 0x80
}

// quoted returns the length of the text or name that s begins with. A doubled quote in it
// is taken for the beginning of another one.
func quoted(s string) int {
	if i := strings.IndexByte(s[1:], s[0]); i >= 0 {
		return i + 2
	}
	return len(s)
}

// bracketed returns the length of what is in the brackets that s begins with.
func bracketed(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// appendMoved appends a word with the references in it moved. next is the character after it:
// "!" after the name of a sheet, "(" after that of a function, "[" after that of a table.
func appendMoved(b []byte, word string, next byte, rows, cols int) []byte {
	if next == '!' {
		return append(b, word...)
	}
	for first := true; ; first = false {
		part, rest, more := strings.Cut(word, ":")
		r, ok := parseReference(part)
		if !more && (next == '(' || next == '[') {
			ok = false
		}
		if ok && (r.row == 0 || r.col == 0) { // whole rows or columns need a partner of their kind
			other := rest
			if !first {
				ok = len(b) > 0 && b[len(b)-1] == ':'
			} else {
				o, valid := parseReference(other)
				ok = more && valid && (o.row == 0) == (r.row == 0) && (o.col == 0) == (r.col == 0)
			}
		}
		if ok {
			b = r.move(rows, cols).append(b)
		} else {
			b = append(b, part...)
		}
		if !more {
			return b
		}
		b = append(b, ':')
		word = rest
	}
}

// reference is a cell, a whole row or a whole column in a formula. Rows and columns count
// from 1; 0 stands for all.
type reference struct {
	row, col         int
	heldRow, heldCol bool // by "$"
}

func parseReference(s string) (r reference, ok bool) {
	i := 0
	dollar := func() bool {
		if i < len(s) && s[i] == '$' {
			i++
			return true
		}
		return false
	}
	r.heldCol = dollar()
	for ; i < len(s) && r.col <= maxCol; i++ {
		c := s[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		r.col = r.col*26 + int(c-'A') + 1
	}
	if r.col == 0 {
		r.heldRow, r.heldCol = r.heldCol, false
	} else {
		r.heldRow = dollar()
	}
	from := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9' && r.row <= maxRow; i++ {
		r.row = r.row*10 + int(s[i]-'0')
	}
	ok = i == len(s) && r.col <= maxCol && r.row <= maxRow && r.row+r.col > 0 &&
		(i == from || r.row > 0) && (i > from || !r.heldRow)
	return r, ok
}

func (r reference) move(rows, cols int) reference {
	if r.row > 0 && !r.heldRow {
		r.row = wrap(r.row+rows, maxRow)
	}
	if r.col > 0 && !r.heldCol {
		r.col = wrap(r.col+cols, maxCol)
	}
	return r
}

func wrap(n, most int) int { return ((n-1)%most+most)%most + 1 }

func (r reference) append(b []byte) []byte {
	if r.col > 0 {
		if r.heldCol {
			b = append(b, '$')
		}
		var letters [3]byte
		at := len(letters)
		for c := r.col; c > 0; c = (c - 1) / 26 {
			at--
			letters[at] = byte('A' + (c-1)%26)
		}
		b = append(b, letters[at:]...)
	}
	if r.row > 0 {
		if r.heldRow {
			b = append(b, '$')
		}
		b = strconv.AppendInt(b, int64(r.row), 10)
	}
	return b
}
