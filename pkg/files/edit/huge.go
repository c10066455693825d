package edit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// A file that is too large for memory is searched in windows, for exact text alone: any
// line ending counts as "\n". A place that is to change is then edited as the small text
// around it, so that its line endings and the guards are the same as in [Apply].
const (
	hugeWindow = 4 << 20  // bytes that are searched at once
	hugeOld    = 1 << 20  // longest text to search for
	hugePlaces = 100_000  // most places of one text
	hugeAround = 16 << 10 // bytes on either side of a place that are looked at
	hugeShown  = 8 << 10  // bytes of all excerpts for the diff
	hugeEdits  = 20       // most places that a result lists
)

// HugeSplice replaces bytes of a large file.
type HugeSplice struct {
	At       int64  // offset of Old in the file as it is
	Old, New []byte // what is there, and what takes its place
}

// HugeResult is [Result] for a large file.
type HugeResult struct {
	Splices      []HugeSplice // in the order of the file
	Edits        []Applied    // of the first hugeEdits places
	Replacements int
	Diff         diff.Diff
	Added        int // lines
	Removed      int
	Warnings     []fault.Text
}

// spot is a place in a large file.
type spot struct {
	at, end int64
	line    int // of its first byte, from 1
	last    int // of its last byte
}

// ApplyHuge makes edits in a file of size bytes that is text in UTF-8. read is called
// with each chunk of the file, in order.
//
// The faults are those of [Apply], and too_large for what needs more than exact text:
// text_not_found has no candidates, and neither accept nor after, within and sequential
// edits are possible.
func ApplyHuge(ctx context.Context, r io.ReaderAt, size int64, edits []Edit, o Options, read func([]byte)) (HugeResult, error) {
	return applyHuge(ctx, huge{r: r, size: size, path: o.Path, window: hugeWindow}, edits, o, read)
}

func applyHuge(ctx context.Context, h huge, edits []Edit, o Options, read func([]byte)) (HugeResult, error) {
	if err := checkHuge(edits, o); err != nil {
		return HugeResult{}, err
	}
	for _, e := range edits {
		h.texts = append(h.texts, newPattern(e.Old))
	}
	if err := h.search(ctx, read); err != nil {
		return HugeResult{}, err
	}
	var res HugeResult
	for i, e := range edits {
		chosen, err := h.choose(i, e)
		if err != nil {
			return HugeResult{}, err
		}
		for _, s := range chosen {
			one, a, warnings, err := h.edit(s, e)
			if err != nil {
				return HugeResult{}, err
			}
			a.Index = i
			res.Splices, res.Edits = append(res.Splices, one), append(res.Edits, a)
			res.Warnings = append(res.Warnings, warnings...)
		}
	}
	res.Replacements = len(res.Splices)
	return res, h.finish(&res)
}

func checkHuge(edits []Edit, o Options) error {
	if err := validate("x", edits, o); err != nil {
		return err
	}
	for _, e := range edits {
		switch {
		case e.Insert != nil || e.Accept != "" || e.After != "" || e.Within != "" || o.Sequential && len(edits) > 1:
			return hugeOnlyExact(o.Path, fault.T("accept, after, within, insert_line and sequential edits")).
				WithHint(fault.T("pass old_text exactly as it is in the file, with line_hint or occurrence if it is there more than once"))
		case len(e.Old) > hugeOld:
			return fault.New(fault.TooLarge, fault.T("old_text has %d bytes; in a file as large as %s it may have %d", len(e.Old), o.Path, hugeOld)).
				WithHint(fault.T("pass fewer lines"))
		}
	}
	return nil
}

func hugeOnlyExact(path string, what fault.Text) *fault.Error {
	return fault.New(fault.TooLarge, fault.T("%s is too large for %s: only exact text is found in it", path, what))
}

// huge is a search in a large file.
type huge struct {
	r      io.ReaderAt
	size   int64
	path   string
	window int // bytes that are read at once
	texts  []pattern
	found  [][]spot // by edit
}

// pattern is a text to search for: its longest part within a line, and what is before
// and after that.
type pattern struct{ before, key, after []byte }

func newPattern(old string) pattern {
	old = strings.ReplaceAll(old, "\r\n", "\n")
	best, at := "", 0
	for start := 0; start <= len(old); {
		end := start + strings.IndexByte(old[start:]+"\n", '\n')
		if end-start > len(best) {
			best, at = old[start:end], start
		}
		start = end + 1
	}
	if best == "" {
		best = "\n"
	}
	return pattern{[]byte(old[:at]), []byte(best), []byte(old[at+len(best):])}
}

// size returns the most bytes that the text can have, with "\r\n" for each "\n".
func (p pattern) size() int { return 2 * (len(p.before) + len(p.key) + len(p.after)) }

// match returns the range of b that the pattern matches if its key is at an offset.
func (p pattern) match(b []byte, at int) (start, end int, ok bool) {
	start, end = at, at+len(p.key)
	for _, c := range p.after {
		if c == '\n' && end+1 < len(b) && b[end] == '\r' && b[end+1] == '\n' {
			end++
		}
		if end >= len(b) || b[end] != c {
			return 0, 0, false
		}
		end++
	}
	before := p.before
	if p.key[0] == '\n' && start > 0 && b[start-1] == '\r' {
		start--
	}
	for _, c := range slices.Backward(before) {
		if start == 0 || b[start-1] != c {
			return 0, 0, false
		}
		if start--; c == '\n' && start > 0 && b[start-1] == '\r' {
			start--
		}
	}
	return start, end, true
}

// search finds all places of all texts.
func (h *huge) search(ctx context.Context, read func([]byte)) error {
	h.found = make([][]spot, len(h.texts))
	margin := 2
	for _, t := range h.texts {
		margin = max(margin, t.size()+2)
	}
	b := make([]byte, 0, h.window+3*margin)
	var base int64                      // of b in the file
	next := make([]int64, len(h.texts)) // where the next place may begin
	lines, counted := 1, int64(0)       // the line at an offset
	in := io.NewSectionReader(h.r, 0, h.size)
	for done := false; !done; {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := io.ReadFull(in, b[len(b):min(len(b)+h.window, cap(b))])
		done = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !done {
			return fault.System(err, h.path)
		}
		read(b[len(b) : len(b)+n])
		b = b[:len(b)+n]
		sure := len(b) - margin // keys before it have their whole text in b
		if done {
			sure = len(b)
		}
		var spots []*spot
		for i, t := range h.texts {
			first := len(h.found[i])
			if err := h.within(i, t, b, base, sure, next); err != nil {
				return err
			}
			for k := first; k < len(h.found[i]); k++ {
				spots = append(spots, &h.found[i][k])
			}
		}
		slices.SortFunc(spots, func(x, y *spot) int { return int(x.at - y.at) })
		for _, s := range spots {
			// A text may begin before what was counted, by the length of one.
			if s.at >= counted {
				lines += bytes.Count(b[counted-base:s.at-base], []byte{'\n'})
				counted = s.at
				s.line = lines
			} else {
				s.line = lines - bytes.Count(b[s.at-base:counted-base], []byte{'\n'})
			}
			s.last = s.line + bytes.Count(b[s.at-base:max(s.at, s.end-1)-base], []byte{'\n'})
		}
		if keep := sure - margin; !done && keep > 0 {
			if end := base + int64(keep); end > counted {
				lines += bytes.Count(b[counted-base:keep], []byte{'\n'})
				counted = end
			}
			b = b[:copy(b, b[keep:])]
			base += int64(keep)
		}
	}
	return nil
}

// within finds the places of one text whose key is in b before an offset.
func (h *huge) within(i int, t pattern, b []byte, base int64, sure int, next []int64) error {
	at := int(max(0, next[i]-base))
	for at < sure {
		k := bytes.Index(b[at:min(len(b), sure+len(t.key)-1)], t.key)
		if k < 0 {
			next[i] = max(next[i], base+int64(sure))
			break
		}
		at += k
		start, end, ok := t.match(b, at)
		last := int64(-1)
		if n := len(h.found[i]); n > 0 {
			last = h.found[i][n-1].end
		}
		if !ok || base+int64(start) < last {
			at++
			next[i] = base + int64(at)
			continue
		}
		if len(h.found[i]) == hugePlaces {
			return fault.New(fault.TooLarge, fault.T("old_text is in %s more than %d times", h.path, hugePlaces)).
				WithHint(fault.T("pass a longer old_text"))
		}
		h.found[i] = append(h.found[i], spot{at: base + int64(start), end: base + int64(end)})
		at = max(end, at+1)
		next[i] = base + int64(at)
	}
	return nil
}

// choose returns the places that an edit means.
func (h *huge) choose(i int, e Edit) ([]spot, error) {
	all := h.found[i]
	if len(all) == 0 {
		return nil, fault.New(fault.TextNotFound, fault.T("cannot find old_text in %s; in a file of this size (%d bytes) it must match exactly", h.path, h.size)).
			WithHint(fault.T("find the place with grep, read its lines, and copy old_text from there without line numbers"))
	}
	if e.Expected > 0 && e.Expected != len(all) {
		return nil, h.matches(all, fault.New(fault.TextAmbiguous, fault.T("matches for old_text: found %d, at %s; expected %d",
			len(all), spotLines(all), e.Expected)).
			WithHint(fault.T("pass expected_replacements %d to replace all of them", len(all))))
	}
	if e.ReplaceAll || e.Expected > 1 {
		return all, nil
	}
	chosen := all
	if e.Occurrence > 0 {
		if e.Occurrence > len(all) {
			return nil, h.matches(all, fault.New(fault.OutOfRange, fault.T("there is no occurrence %d of old_text; found %d, at %s",
				e.Occurrence, len(all), spotLines(all))))
		}
		chosen = all[e.Occurrence-1 : e.Occurrence]
	}
	if e.LineHint > 0 {
		var on []spot
		for _, s := range chosen {
			if s.line <= e.LineHint && e.LineHint <= s.last {
				on = append(on, s)
			}
		}
		if len(on) == 0 {
			return nil, h.matches(all, fault.New(fault.OutOfRange, fault.T("old_text is not at line_hint %d of %s; it is at %s",
				e.LineHint, h.path, spotLines(chosen))).
				WithHint(fault.T("pass one of these lines as line_hint, or leave it out")))
		}
		chosen = on
	}
	if len(chosen) > 1 {
		return nil, h.matches(chosen, fault.New(fault.TextAmbiguous, fault.T("found %d matches for old_text, at %s; give more context to make it unique", len(chosen), spotLines(chosen))).
			WithHint(fault.T("add a neighbouring line to old_text, or pass line_hint, occurrence or replace_all")))
	}
	return chosen, nil
}

// spotLines lists the lines of places, not too many.
func spotLines(all []spot) fault.Text {
	lines := make([]int, 0, len(all))
	for _, s := range all {
		lines = append(lines, s.line)
	}
	return LinesText(lines)
}

// matches adds what is at the first places to an error.
func (h *huge) matches(all []spot, err *fault.Error) error {
	f := Failure{Total: len(all)}
	shown := NewExcerpts()
	for _, s := range all[:min(len(all), MatchesShown)] {
		w, readErr := h.around(s.at, s.end, 1)
		if readErr != nil {
			return readErr
		}
		start := s.line - strings.Count(w.text[:s.at-w.at], "\n")
		f.Matches = append(f.Matches, Match{Start: s.line, End: s.last, TextStart: start, Text: shown.Take(w.text)})
	}
	return err.WithDetails(f)
}

// excerpt is a part of the file: whole lines, unless these are very long.
type excerpt struct {
	at   int64
	text string
}

// around reads a part of the file with some lines on either side.
func (h *huge) around(at, end int64, lines int) (excerpt, error) {
	from, to := max(0, at-hugeAround), min(h.size, end+hugeAround)
	raw := make([]byte, to-from)
	if n, err := h.r.ReadAt(raw, from); n < len(raw) {
		return excerpt{}, fault.System(errors.Join(err, io.ErrUnexpectedEOF), h.path)
	}
	first, last := int(at-from), int(end-from)
	start := bytes.LastIndexByte(raw[:first], '\n') + 1
	for range lines {
		start = bytes.LastIndexByte(raw[:max(0, start-1)], '\n') + 1
	}
	for start == 0 && from > 0 && start < first && !utf8.RuneStart(raw[start]) {
		start++ // a part of a character
	}
	stop := last
	if last == first || raw[last-1] != '\n' {
		stop = nextLine(raw, stop)
	}
	for range lines {
		stop = nextLine(raw, stop)
	}
	for stop == len(raw) && to < h.size && stop > last && (raw[stop-1] >= utf8.RuneSelf || raw[stop-1] == '\r') {
		stop--
	}
	return excerpt{from + int64(start), string(raw[start:stop])}, nil
}

// nextLine returns where the line after an offset begins.
func nextLine(raw []byte, at int) int {
	if i := bytes.IndexByte(raw[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(raw)
}

// edit makes an edit at one place.
func (h *huge) edit(s spot, e Edit) (HugeSplice, Applied, []fault.Text, error) {
	w, err := h.around(s.at, s.end, 1)
	if err != nil {
		return HugeSplice{}, Applied{}, nil, err
	}
	at := int(s.at - w.at)
	before := strings.Count(w.text[:at], "\n") // lines
	nth := newPattern(e.Old).count([]byte(w.text), at)
	one, err := Apply(w.text, []Edit{{Old: e.Old, New: e.New, Occurrence: nth}}, Options{Path: h.path})
	if fault.Is(err, fault.AlreadyApplied) {
		return HugeSplice{}, Applied{}, nil, fault.New(fault.AlreadyApplied, fault.T("the new text is already at line %d of %s", s.line, h.path)).
			WithHint(fault.T("nothing was changed and nothing is left to do; to repeat the text, pass more context"))
	}
	if err != nil {
		return HugeSplice{}, Applied{}, nil, err
	}
	first := one.Edits[0].Old.Start - 1
	kept := first == before+1 && strings.HasPrefix(e.Old, "\n") // the break that the new text lacks
	if len(one.Splices) != 1 || one.Edits[0].Strategy != Exact || first != before && !kept {
		return HugeSplice{}, Applied{}, nil, hugeOnlyExact(h.path, fault.T("this text, which overlaps itself")).
			WithHint(fault.T("add a neighbouring line to old_text"))
	}
	p, a, shift := one.Splices[0], one.Edits[0], s.line-1-before
	a.Old = LineRange{a.Old.Start + shift, a.Old.End + shift}
	a.New = LineRange{a.New.Start + shift, a.New.End + shift}
	return HugeSplice{At: w.at + int64(p.Start), Old: []byte(w.text[p.Start:p.End]), New: []byte(p.Text)}, a, one.Warnings, nil
}

// count returns which of the places of the text in b begins at an offset.
func (p pattern) count(b []byte, at int) int {
	n, last := 0, 0
	for i := 0; i < len(b); {
		k := bytes.Index(b[i:], p.key)
		if k < 0 {
			break
		}
		i += k
		start, end, ok := p.match(b, i)
		if !ok || start < last || start > at {
			i++
			continue
		}
		n++
		last = end
		i = max(end, i+1)
	}
	return n
}

// finish puts the splices in order and shows the first ones.
func (h *huge) finish(res *HugeResult) error {
	order := make([]int, len(res.Splices))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(res.Splices[a].At, res.Splices[b].At) })
	splices := make([]HugeSplice, len(order))
	shift := 0
	for i, k := range order {
		s := res.Splices[k]
		if i > 0 && s.At < splices[i-1].At+int64(len(splices[i-1].Old)) {
			a, b := res.Edits[order[i-1]], res.Edits[k]
			return overlapping(replacement{edit: a.Index, old: a.Old}, replacement{edit: b.Index, old: b.Old})
		}
		splices[i] = s
		e := &res.Edits[k]
		e.New = LineRange{e.New.Start + shift, e.New.End + shift}
		shift += bytes.Count(s.New, []byte{'\n'}) - bytes.Count(s.Old, []byte{'\n'})
		res.Added += bytes.Count(s.New, []byte{'\n'})
		res.Removed += bytes.Count(s.Old, []byte{'\n'})
	}
	res.Splices = splices
	parts, further, err := h.excerpts(res, order)
	if err != nil {
		return err
	}
	res.Diff = diff.FromExcerpts(diff.Modified(h.path), parts, further, diff.ResultLimit())
	if further == 0 {
		res.Added, res.Removed = res.Diff.Added, res.Diff.Removed
	}
	res.Edits = res.Edits[:min(len(res.Edits), hugeEdits)]
	return nil
}

// excerpts returns the parts of the file that the first splices are in.
func (h *huge) excerpts(res *HugeResult, order []int) (parts []diff.Excerpt, further int, err error) {
	var from, end int64 // of the last part
	shown := 0
	for i, s := range res.Splices {
		w, err := h.around(s.At, s.At+int64(len(s.Old)), 3)
		if err != nil {
			return nil, 0, err
		}
		stop := w.at + int64(len(w.text))
		if shown += len(w.text); shown > hugeShown && i > 0 {
			return parts, len(res.Splices) - i, nil
		}
		if len(parts) > 0 && w.at <= end {
			last := &parts[len(parts)-1]
			last.Old += w.text[min(int64(len(w.text)), max(0, end-w.at)):]
			end = max(end, stop)
			last.Splices = append(last.Splices, diff.Splice{Start: int(s.At - from), End: int(s.At-from) + len(s.Old), Text: string(s.New)})
			continue
		}
		from, end = w.at, stop
		lines := res.Edits[order[i]].Old.Start - 1 - strings.Count(w.text[:s.At-from], "\n")
		parts = append(parts, diff.Excerpt{
			Before: lines, Old: w.text,
			Splices: []diff.Splice{{Start: int(s.At - from), End: int(s.At-from) + len(s.Old), Text: string(s.New)}},
		})
	}
	return parts, 0, nil
}
