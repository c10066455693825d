package output

import (
	"slices"
	"strconv"
)

// Folded is a text in which lines that are alike are shown once.
type Folded struct {
	Text string
	Left int  // lines that are like those shown, and are not
	Cut  bool // more was left out for its length; notes in the text say where
}

// Fold shows lines of a log that are alike once, as the first and the last of them with a
// note that counts the others, and lines that look like failures always. It then cuts the
// text to so many bytes and lines. numbers, if there are any, are those of the lines, which
// are put before them; a line with the number 0 has none.
func Fold(text string, mostBytes, mostLines int, numbers []int) Folded {
	lines, whole := split(text)
	for i := range lines {
		at := i
		if i > maxLines/4 && !whole { // behind the note that some are left out
			at = len(numbers) - len(lines) + i
		}
		if at < len(numbers) {
			lines[i].number = numbers[max(at, 0)]
		}
	}
	short, left := alike(lines, false)
	for i := range short {
		if l := &short[i]; l.number != 0 && !l.note {
			l.kept = l.important() // a number before the text would hide what it says
			l.text = strconv.Itoa(l.number) + "|" + l.text
		}
	}
	f := Folded{Text: join(short), Left: left, Cut: !whole}
	for most := mostBytes; len(f.Text) > mostBytes || count(f.Text) > mostLines; most = most * 3 / 4 {
		f.Text, f.Cut = cut(slices.Clone(short), most), true
		if most < note {
			break
		}
	}
	return f
}
