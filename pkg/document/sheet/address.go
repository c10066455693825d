package sheet

import "strconv"

// ColumnName returns the letters of a column: A is 0, AA is 26.
func ColumnName(column int) string { return string(appendColumn(nil, column)) }

func appendColumn(dst []byte, column int) []byte {
	var letters [8]byte
	i := len(letters)
	for column++; column > 0 && i > 0; column = (column - 1) / 26 {
		i--
		letters[i] = byte('A' + (column-1)%26)
	}
	return append(dst, letters[i:]...)
}

// String returns the address: "C7".
func (a Address) String() string {
	return string(strconv.AppendInt(appendColumn(nil, a.Column), int64(a.Row), 10))
}

// ParseAddress reads "C7" or "$C$7", in any case.
func ParseAddress(s string) (Address, bool) {
	column, rest := leadingColumn(s)
	row, rest := leadingRow(rest)
	return Address{row, column}, column >= 0 && row > 0 && rest == ""
}

// leadingColumn reads the letters that s begins with; column is -1 where there are none.
func leadingColumn(s string) (column int, rest string) {
	i := 0
	if i < len(s) && s[i] == '$' {
		i++
	}
	start, n := i, 0
	for ; i < len(s) && s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'; i++ {
		n = n*26 + int(s[i]|0x20-'a') + 1
		if n > MaxColumns {
			return -1, s
		}
	}
	if i == start {
		return -1, s
	}
	return n - 1, s[i:]
}

// leadingRow reads the digits that s begins with; row is 0 where there are none.
func leadingRow(s string) (row int, rest string) {
	i := 0
	if i < len(s) && s[i] == '$' {
		i++
	}
	start, n := i, 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		n = n*10 + int(s[i]-'0')
		if n > MaxRows {
			return 0, s
		}
	}
	if i == start || n == 0 {
		return 0, s
	}
	return n, s[i:]
}

// ParseRange reads the address of cells without a sheet: "B2:F40", "B2", "B:D", "5:20",
// "5", each with or without $.
func ParseRange(s string) (Range, bool) {
	first, rest, ok := corner(s)
	if !ok {
		return Range{}, false
	}
	if rest == "" {
		if first.Top == 0 { // "B" alone is rather a name
			return Range{}, false
		}
		return first.whole(), true
	}
	if rest[0] != ':' && rest[0] != '-' {
		return Range{}, false
	}
	second, rest, ok := corner(rest[1:])
	if !ok || rest != "" || (first.Top == 0) != (second.Top == 0) || (first.Left < 0) != (second.Left < 0) {
		return Range{}, false
	}
	return Range{
		Top: min(first.Top, second.Top), Left: min(first.Left, second.Left),
		Bottom: max(first.Top, second.Top), Right: max(first.Left, second.Left),
	}.whole(), true
}

// corner reads one side of a range. A row of 0 or a column of -1 stands for all.
func corner(s string) (r Range, rest string, ok bool) {
	column, rest := leadingColumn(s)
	row, rest := leadingRow(rest)
	return Range{row, column, row, column}, rest, column >= 0 || row > 0
}

// whole puts the edges of the grid where a range gives none.
func (r Range) whole() Range {
	if r.Top == 0 {
		r.Top, r.Bottom = 1, MaxRows
	}
	if r.Left < 0 {
		r.Left, r.Right = 0, MaxColumns-1
	}
	return r
}

// All is every cell of a sheet.
func All() Range { return Range{1, 0, MaxRows, MaxColumns - 1} }

// String returns the range's address: "A1:C9", "B:D", "5:20", "C7".
func (r Range) String() string {
	var b []byte
	switch {
	case r == Range{}:
		return ""
	case r.Left == 0 && r.Right >= MaxColumns-1:
		b = strconv.AppendInt(b, int64(r.Top), 10)
		b = append(b, ':')
		return string(strconv.AppendInt(b, int64(r.Bottom), 10))
	case r.Top <= 1 && r.Bottom >= MaxRows:
		b = append(appendColumn(b, r.Left), ':')
		return string(appendColumn(b, r.Right))
	}
	first := Address{r.Top, r.Left}.String()
	if r.Top == r.Bottom && r.Left == r.Right {
		return first
	}
	return first + ":" + Address{r.Bottom, r.Right}.String()
}

// Contains reports whether a cell is in the range.
func (r Range) Contains(a Address) bool {
	return a.Row >= r.Top && a.Row <= r.Bottom && a.Column >= r.Left && a.Column <= r.Right
}

// Overlaps reports whether two ranges have a cell in common.
func (r Range) Overlaps(o Range) bool {
	return r.Top <= o.Bottom && o.Top <= r.Bottom && r.Left <= o.Right && o.Left <= r.Right
}

// Rows returns how many rows the range has.
func (r Range) Rows() int { return r.size(r.Bottom - r.Top + 1) }

// Columns returns how many columns the range has.
func (r Range) Columns() int { return r.size(r.Right - r.Left + 1) }

func (r Range) size(n int) int {
	if r.Top == 0 {
		return 0
	}
	return n
}

// Union returns the smallest range that has both in it.
func (r Range) Union(o Range) Range {
	switch {
	case r.Top == 0:
		return o
	case o.Top == 0:
		return r
	}
	return Range{min(r.Top, o.Top), min(r.Left, o.Left), max(r.Bottom, o.Bottom), max(r.Right, o.Right)}
}

// Clip returns what both ranges have in common, or no range.
func (r Range) Clip(o Range) Range {
	if !r.Overlaps(o) {
		return Range{}
	}
	return Range{max(r.Top, o.Top), max(r.Left, o.Left), min(r.Bottom, o.Bottom), min(r.Right, o.Right)}
}
