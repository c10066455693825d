package edit

import (
	"github.com/helve-dev/helve/pkg/files/diff"
)

// FindLines is where a block of lines stands in a file: the index, from 0, of
// the first line of every place, in order, overlapping ones included and at
// most 10,001 of them. Lines come without their endings.
//
// The strategy is one that compares whole lines in their number and order:
// Exact, Rtrim, Unicode or Indent. A block that holds too little for a tolerant
// strategy is not found by it.
func FindLines(file, block []string, s Strategy) []int {
	key, ok := lineKey(block, s)
	if !ok || len(block) == 0 || len(block) > len(file) {
		return nil
	}
	m := newMatcher(block, key)
	var found []int
	for i, l := range file {
		if start := i + 1 - len(block); m.next(l) && (s != Indent || consistent(block, file[start:i+1])) {
			if found = append(found, start); len(found) > maxBlocks {
				break
			}
		}
	}
	return found
}

// lineKey is what equal lines have in common, if the strategy fits the block.
func lineKey(block []string, s Strategy) (key func(string) string, ok bool) {
	switch n := solid(block...); s {
	case Exact:
		return func(line string) string { return line }, true
	case Rtrim:
		return rtrim, n > 0
	case Unicode:
		return foldKey, n > 0
	case Indent:
		return trim, Telling(block...)
	}
	return nil, false
}

// Rewrite gives new lines the form that a file has them in, for a block that
// was found by one of the strategies of [FindLines]: old are the lines as they
// were looked for, file the same ones as they stand there, and changes, in
// order, say which of the new lines take the place of which old ones. Lines
// outside of changes are not looked at. text is the whole file.
//
// With Indent, lines get the file's indentation; with Unicode, the words that
// they share with the lines they replace keep the file's characters. It fails
// with indent_ambiguous.
func Rewrite(s Strategy, old, file, new []string, changes []diff.Region, text string) ([]string, error) {
	out := append([]string(nil), new...)
	switch s {
	case Unicode:
		for _, r := range changes {
			if n := r.NewEnd - r.NewStart; n > 0 && n == r.OldEnd-r.OldStart {
				for k := range n {
					o, f := old[r.OldStart+k], file[r.OldStart+k]
					out[r.NewStart+k] = mergeRunes(o, f, new[r.NewStart+k])
				}
			}
		}
	case Indent:
		t := newIndenter(old, file, new, widthOf(text))
		for _, r := range changes {
			for j := r.NewStart; j < r.NewEnd; j++ {
				body, ok := t.line(j, r)
				if !ok {
					return nil, indentUnknown(new[j])
				}
				out[j] = body
			}
		}
	case Rtrim:
		if allTrailing(old) && !anyTrailing(file) {
			// White space at the end of every line was not put there on purpose.
			out = mapped(new, rtrim)
		}
	}
	return out, nil
}

// Closest are the places of a file that are most like a block of lines, best
// first. Their ids may be accepted by an [Edit] of the same file.
func Closest(path, src, block string) []Candidate {
	d := newDocument(src, Options{Path: path})
	return d.candidates(d.normal(block))
}
