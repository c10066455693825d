package sheet

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// table writes the block's rows as a Markdown table: the letters of the columns are its
// head, the first column has the numbers of the rows. picture returns what is shown for a
// picture.
func (k *block) table(b *strings.Builder, picture func(*Picture) string) {
	columns := make([]int, 0, k.width) // those with content
	for i, first := range k.first {
		if first > 0 {
			columns = append(columns, k.Left+i)
		}
	}
	b.Grow(k.needs().bytes)
	var buffer []byte
	buffer = append(buffer, "|   |"...)
	for _, c := range columns {
		buffer = append(buffer, ' ')
		buffer = appendColumn(buffer, c)
		buffer = append(buffer, " |"...)
	}
	buffer = append(buffer, "\n|---|"...)
	for range columns {
		buffer = append(buffer, "---|"...)
	}
	b.Write(append(buffer, '\n'))

	last, chunk, at := k.Top-1, 0, 0
	for i := range k.rows {
		l := &k.rows[i]
		if at >= len(k.chunks[chunk]) {
			k.chunks[chunk] = nil // it may be large, and is not needed again
			chunk, at = chunk+1, 0
		}
		row := k.chunks[chunk][at : at+int(l.length)]
		at += int(l.length)
		if number := int(l.number); number > last+1 {
			buffer = appendGap(buffer[:0], last+1, number-1, len(columns))
			b.Write(buffer)
		}
		last = int(l.number)
		buffer = append(buffer[:0], "| "...)
		buffer = strconv.AppendInt(buffer, int64(last), 10)
		buffer = append(buffer, " |"...)
		column, next := k.Left-1, 0
		for len(row) > 0 {
			delta, n := binary.Uvarint(row)
			row = row[n:]
			size, n := binary.Uvarint(row)
			text := row[n : n+int(size)]
			row = row[n+int(size):]
			for column += int(delta); columns[next] < column; next++ {
				buffer = append(buffer, " |"...)
			}
			next++
			buffer = append(buffer, ' ')
			if text[0] == pictureMark {
				index, _ := binary.Uvarint(text[1:])
				buffer = appendCell(buffer, []byte(picture(&k.images[index])))
			} else {
				buffer = append(buffer, text...)
			}
			buffer = append(buffer, " |"...)
		}
		for ; next < len(columns); next++ {
			buffer = append(buffer, " |"...)
		}
		b.Write(append(buffer, '\n'))
	}
}

// appendGap appends the line that stands for empty rows.
func appendGap(dst []byte, first, last, columns int) []byte {
	dst = append(dst, "| "...)
	dst = strconv.AppendInt(dst, int64(first), 10)
	if last > first {
		dst = append(dst, "–"...)
		dst = strconv.AppendInt(dst, int64(last), 10)
		dst = append(dst, " | *("...)
		dst = strconv.AppendInt(dst, int64(last-first+1), 10)
		dst = append(dst, " empty rows)* |"...)
	} else {
		dst = append(dst, " | |"...)
	}
	for range columns - 1 {
		dst = append(dst, " |"...)
	}
	return append(dst, '\n')
}

// gaps returns the columns without content between those that have some.
func (k *block) gaps() []Span {
	var gaps []Span
	last := -1
	for i, first := range k.first {
		if first == 0 {
			continue
		}
		if last >= 0 && i > last+1 {
			gaps = append(gaps, Span{k.Left + last + 1, k.Left + i - 1})
		}
		last = i
	}
	return gaps
}
