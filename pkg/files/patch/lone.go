package patch

import (
	"sort"
	"strings"

	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/edit"
)

// applyLone applies a patch to a text in which a "\r" ends some lines and others end in
// "\n": the patch of a model that saw them as lines. ok is false if that is not so, or if
// it does not help.
func applyLone(src string, f File) (r Result, ok bool) {
	if !strings.Contains(strings.ReplaceAll(src, "\r\n", "\n"), "\r") || !strings.Contains(src, "\n") || hasCR(f.Hunks) {
		return Result{}, false
	}
	t := newTarget("", f.Path, false)
	t.splitAtAll(src)
	numbers := t.numbers()
	for i := range f.Hunks {
		f.Hunks[i] = renumbered(f.Hunks[i], numbers)
	}
	r, all, err := t.apply(f, false)
	if err != nil || !certainWithoutNumbers(all, numbers) {
		return Result{}, false
	}
	after := newTarget("", f.Path, false)
	after.splitAtAll(r.Text)
	lines := len(t.lines)
	for _, h := range r.Hunks {
		lines += h.New.End - h.New.Start - (h.Old.End - h.Old.Start)
	}
	if len(after.lines) != lines {
		return Result{}, false // a blank line below a "\r" would make a "\r\n" of both
	}
	for i, h := range all {
		a := &r.Hunks[i]
		if t.endsInCR(h.at, h.at+len(h.old)) {
			a.Strategy = edit.LoneCR
		}
		a.Offset = moved(h, numbers)
		a.Old, a.New = counted(t, a.Old, after, a.New)
	}
	d := diff.FromSplices(diff.Modified(f.Path), src, r.Splices, diff.Limit{})
	r.Added, r.Removed = d.Added, d.Removed
	return r, true
}

// certainWithoutNumbers reports whether the places of all hunks are certain without the
// line numbers in their headers, which count other lines: each hunk has a single place,
// and all are equally far from those numbers.
func certainWithoutNumbers(all []*finding, numbers []int) bool {
	far, known := 0, false
	for _, h := range all {
		switch n := moved(h, numbers); {
		case len(h.old) == 0 && h.hunk.Numbered, len(h.old) > 0 && len(h.places) != 1:
			return false
		case !h.hunk.Numbered:
		case known && n != far:
			return false
		default:
			far, known = n, true
		}
	}
	return true
}

// moved returns how many lines, as other tools count them, a hunk is from where its
// header says.
func moved(h *finding, numbers []int) int {
	return numbers[h.at] - numbers[min(max(0, h.at-h.offset()), len(numbers)-1)]
}

// hasCR reports whether a line of a hunk has a "\r": then the patch says itself where
// there are any.
func hasCR(hunks []Hunk) bool {
	for _, h := range hunks {
		for _, l := range h.Lines {
			if strings.Contains(l.Text, "\r") {
				return true
			}
		}
	}
	return false
}

// splitAtAll makes src the text, with lines that end in "\n", "\r\n" or "\r".
func (t *target) splitAtAll(src string) {
	t.src, t.lines, t.starts = src, nil, nil
	for at := 0; at < len(src); {
		t.starts = append(t.starts, at)
		end := len(src)
		if i := strings.IndexAny(src[at:], "\r\n"); i >= 0 {
			end = at + i
		}
		t.lines = append(t.lines, src[at:end])
		at = end
		for _, eol := range []string{"\r\n", "\r", "\n"} {
			if strings.HasPrefix(src[at:], eol) {
				at += len(eol)
				break
			}
		}
	}
	t.starts = append(t.starts, len(src))
}

// numbers returns for each line how many line endings with a "\n" are before it, as
// other tools and the header of a hunk count. The last one is for the end of the text.
func (t *target) numbers() []int {
	all := make([]int, 1, len(t.starts))
	for i := range t.lines {
		n := all[i]
		if strings.HasSuffix(t.eol(i), "\n") {
			n++
		}
		all = append(all, n)
	}
	return all
}

// renumbered returns a hunk whose header counts all lines, given one that counts only
// those that end in a "\n".
func renumbered(h Hunk, numbers []int) Hunk {
	if !h.Numbered || h.OldStart == 0 {
		return h
	}
	h.OldStart = 1 + sort.SearchInts(numbers, h.OldStart-1)
	return h
}

// endsInCR reports whether one of some lines, from 0 and half open, ends in a "\r" alone.
func (t *target) endsInCR(from, to int) bool {
	for i := from; i < to; i++ {
		if t.eol(i) == "\r" {
			return true
		}
	}
	return false
}

// counted returns a range of lines before a change, and the one that replaces it, as other
// tools count them. A line counts even if only a part of it changes.
func counted(t *target, was edit.LineRange, now *target, is edit.LineRange) (old, new edit.LineRange) {
	whole := t.atLine(t.starts[was.End]) && now.atLine(now.starts[is.End])
	return t.linesOf(was, whole), now.linesOf(is, whole)
}

// atLine reports whether a line of other tools begins at an offset, or the text ends.
func (t *target) atLine(at int) bool {
	return at == 0 || at == len(t.src) || t.src[at-1] == '\n'
}

// linesOf returns the lines of other tools that some lines are part of. whole says that
// the last one ends with them.
func (t *target) linesOf(l edit.LineRange, whole bool) edit.LineRange {
	start, end := t.starts[l.Start-1], t.starts[l.End]
	first, n := 1+strings.Count(t.src[:start], "\n"), strings.Count(t.src[start:end], "\n")
	if !whole || end > start && t.src[end-1] != '\n' {
		n++
	}
	return edit.LineRange{Start: first, End: first + n - 1}
}
