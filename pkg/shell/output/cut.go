package output

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// note is about how many bytes it takes to say that something is left out.
const note = 48

// cut leaves out lines so that at most that many bytes stay, and the notes about what is
// missing: the beginning, the end, and of what is between them first the lines that a
// rule kept or that look like failures, then those that are like few others, with the
// lines around them as far as there is room.
func cut(lines []line, most int) string {
	lines, need := important(lines, most)
	c := &cutter{lines: lines, wanted: make([]bool, len(lines)), left: most}
	rare := seldom(lines)
	head, tail := most/4, most-most/4
	switch {
	case need > most*2/5 && need <= most:
		head, tail = most/10, most/5
	case need > 0 || rare != nil:
		head, tail = most/5, most*2/5
	}
	first, last := 0, len(lines)
	for used := 0; first < len(lines) && used+len(lines[first].text)+1 <= head && c.take(first); first++ {
		used += len(lines[first].text) + 1
	}
	for used := 0; last > first && used+len(lines[last-1].text)+1 <= tail && c.take(last-1); last-- {
		used += len(lines[last-1].text) + 1
	}
	missed := 0
	for i := first; i < last; i++ {
		if lines[i].kept && !c.take(i) {
			missed++
		}
	}
	if missed == 0 {
		for i := first; i < last && rare != nil; i++ {
			if rare[i] {
				c.take(i)
			}
		}
		for distance := 1; distance <= 3; distance++ { // the lines around them
			for i := first; i < last; i++ {
				if lines[i].kept && i+distance < last {
					c.take(i + distance)
				}
			}
		}
	}
	for i := last - 1; i >= first && c.take(i); i-- { // what room is left is the end's
	}
	return show(lines, c.wanted, most, c.left, missed)
}

// cutter chooses the lines that stay.
type cutter struct {
	lines  []line
	wanted []bool
	left   int // the bytes for which there is room
}

// take chooses a line if there is room for it, and reports whether it stays.
func (c *cutter) take(i int) bool {
	need := len(c.lines[i].text) + 1
	if i > 0 && !c.wanted[i-1] && i+1 < len(c.lines) && !c.wanted[i+1] { // another gap
		need += note
	}
	if need > c.left || c.wanted[i] {
		return c.wanted[i]
	}
	c.wanted[i], c.left = true, c.left-need
	return true
}

// important marks the lines that are to stay first as kept, and returns the size of them
// with notes between them. If they are too many, it folds those that are alike, but for
// messages that would lose the names above them.
func important(lines []line, most int) (_ []line, size int) {
	leads := false
	for i := range lines {
		l := &lines[i]
		if l.kept = l.important(); l.kept {
			size += len(l.text) + note
			if i > 0 && lines[i-1].lead {
				lines[i-1].kept, leads = true, true
			}
		}
	}
	if leads || size <= most*7/10 {
		return lines, size
	}
	folded, left := alike(lines, true)
	if left == 0 {
		return lines, size
	}
	return folded, size
}

// seldom returns which lines have a shape that few lines have; nil if so many are that it
// says nothing.
func seldom(lines []line) []bool {
	const few = 2
	shapes, counts := make([]string, len(lines)), map[string]int{}
	for i, l := range lines {
		if !blank(l) {
			shapes[i], _ = shapeOf(l.text)
			counts[shapes[i]]++
		}
	}
	rare, n := make([]bool, len(lines)), 0
	for i, l := range lines {
		if !blank(l) && counts[shapes[i]] <= few {
			rare[i] = true
			n++
		}
	}
	if n == 0 || n*4 > len(lines) {
		return nil
	}
	return rare
}

// show writes the wanted lines, and a note for each gap. Of a line that is too long for
// the whole, and for which there is room left, it shows the beginning and the end.
func show(lines []line, wanted []bool, most, left, missed int) string {
	var b strings.Builder
	b.Grow(max(0, most-left))
	for i := 0; i < len(lines); {
		if wanted[i] {
			b.WriteString(lines[i].text)
			b.WriteByte('\n')
			i++
			continue
		}
		bytes, n := 0, 0
		var long string
		for ; i < len(lines) && !wanted[i]; i++ {
			bytes += len(lines[i].text) + 1
			n++
			if long == "" && left > note && len(lines[i].text) > most/2 {
				long = lines[i].text
			}
		}
		if bytes <= note && missed == 0 { // shorter than what would say that it is missing
			for _, l := range lines[i-n : i] {
				b.WriteString(l.text)
				b.WriteByte('\n')
			}
			continue
		}
		if long != "" {
			begin, end := ends(long, left)
			left = 0
			b.WriteString(begin)
			fmt.Fprintf(&b, "\n[… %d bytes, %d lines left out …]\n", bytes-len(begin)-len(end)-1, n-1)
			b.WriteString(end)
			b.WriteByte('\n')
			continue
		}
		fmt.Fprintf(&b, "[… %d bytes, %d lines left out …]\n", bytes, n)
	}
	if missed > 0 {
		fmt.Fprintf(&b, "[… %d of the lines left out look like failures …]\n", missed)
	}
	return b.String()
}

// ends returns the beginning and the end of a text, together at most that many bytes.
func ends(text string, most int) (begin, end string) {
	n := most / 4
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	m := len(text) - (most - most/4)
	for m < len(text) && (m < n || !utf8.RuneStart(text[m])) {
		m++
	}
	return text[:n], text[m:]
}
