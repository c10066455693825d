package output

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// note is about how many bytes it takes to say that something is left out.
const note = 48

// cut leaves out lines so that at most that many bytes stay, and the notes about what is
// missing: the beginning, the end, and of what is between them the lines that a rule
// kept or that look like failures, with the lines around them as far as there is room.
func cut(lines []line, most int) string {
	wanted := make([]bool, len(lines))
	important := 0
	for i := range lines {
		if lines[i].kept || Alarming(lines[i].text) || placed(lines[i].text) {
			lines[i].kept = true
			important++
			if i > 0 && lines[i-1].lead && !lines[i-1].kept {
				lines[i-1].kept = true
				important++
			}
		}
	}
	head, tail := most/4, most-most/4
	if important > 0 {
		head, tail = most/5, most*2/5
	}
	left := most
	take := func(i int) bool {
		need := len(lines[i].text) + 1
		if i > 0 && !wanted[i-1] && i+1 < len(lines) && !wanted[i+1] { // another gap
			need += note
		}
		if need > left || wanted[i] {
			return wanted[i]
		}
		wanted[i], left = true, left-need
		return true
	}
	first, last := 0, len(lines)
	for used := 0; first < len(lines) && used+len(lines[first].text)+1 <= head && take(first); first++ {
		used += len(lines[first].text) + 1
	}
	for used := 0; last > first && used+len(lines[last-1].text)+1 <= tail && take(last-1); last-- {
		used += len(lines[last-1].text) + 1
	}
	missed := 0
	for i := first; i < last; i++ {
		if lines[i].kept && !take(i) {
			missed++
		}
	}
	for distance := 1; distance <= 3 && missed == 0; distance++ { // the lines around them
		for i := first; i < last; i++ {
			if lines[i].kept && i+distance < last {
				take(i + distance)
			}
		}
	}
	for i := last - 1; i >= first && take(i); i-- { // what room is left is the end's
	}
	return show(lines, wanted, most, left, missed)
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
