package edit

import (
	"slices"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// FindLines returns where a file has a block of lines: the index, from 0, of the
// first line of every place, in order. Places may overlap; there are at most
// 10,001. Lines come without their endings.
//
// The strategy is one that compares whole lines, from Exact to Whitespace.
// A tolerant strategy does not find a block that is too short to be telling.
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

// FindLoose returns where a file has a block of lines with other white space, by the
// first of the strategies IndentLoose and Whitespace that finds any. In a file of
// which the path says that indentation is significant, it must differ consistently.
func FindLoose(path string, file, block []string) (s Strategy, found []int) {
	for _, s := range []Strategy{IndentLoose, Whitespace} {
		found := FindLines(file, block, s)
		if len(found) == 0 {
			continue
		}
		if indentMatters(path) && slices.ContainsFunc(found, func(at int) bool { return !consistent(block, file[at:at+len(block)]) }) {
			return s, nil
		}
		return s, found
	}
	return "", nil
}

// lineKey returns the key by which a strategy compares lines. ok says whether the
// strategy is good for the block.
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
	case IndentLoose:
		return trim, loosens(block)
	case Whitespace:
		return collapse, Telling(block...)
	}
	return nil, false
}

// Rewrite returns new lines in the form that suits a file, for a block that a
// strategy of [FindLines] found. old are the lines that were looked for, file the
// lines that were found, and changes say, in order, which new lines replace which
// old ones. Lines outside of changes stay as they are. text is the complete file.
//
// With Indent and the looser ones, lines get the file's indentation. With Unicode, the words that
// they share with the lines they replace keep the file's characters. The fault is
// indent_ambiguous.
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
	case Indent, IndentLoose, Whitespace:
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
			// White space at the end of every line is an accident of copying.
			out = mapped(new, rtrim)
		}
	}
	return out, nil
}

// Closest returns the places of a file that are most similar to a block of lines,
// best first. An [Edit] of the same file may accept one by its id.
func Closest(path, src, block string) []Candidate {
	d := newDocument(src, Options{Path: path})
	return d.candidates(d.normal(block), Edit{})
}
