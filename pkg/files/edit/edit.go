// Package edit is the engine that finds the place a replacement means and puts
// the new text there without touching any other byte. It opens no file, and
// where it is not sure, it refuses and says what it saw instead.
package edit

import (
	"math"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// Edit is one replacement.
type Edit struct {
	Old string // the text to find; any line endings
	New string // what stands there instead; any line endings

	ReplaceAll bool   // replace every place, not the only one
	Occurrence int    // replace the n-th place, from 1; 0 means the only one
	LineHint   int    // of several places, the one that covers this line
	Expected   int    // how many places there must be; more than 1 means all of them
	After      string // look only behind this text, which must be there once; the first place counts
	Within     string // look only inside this text, which must be there once

	// Accept is the id of a [Candidate] of an earlier failure: New replaces
	// exactly its lines, provided the file has not changed since. Old is then
	// not looked for.
	Accept string
}

// Options are what holds for all edits of one text.
type Options struct {
	// Path is shown in messages; its name tells in which files indentation has a
	// meaning of its own.
	Path string
	// Sequential lets every edit see the text that the edits before it made.
	// Otherwise all of them are looked for in the original.
	Sequential bool
	// Snapshot is the text as it was last served to the caller, if it is known:
	// an edit of lines that have changed since is refused.
	Snapshot *string
	// AllowPlaceholder lets new text stand that looks like an omission.
	AllowPlaceholder bool
}

// Result is a text with its edits made.
type Result struct {
	Text         string
	Replacements int       // places that were replaced
	Edits        []Applied // the first of them, in the order of the file
	// Splices are all replacements as bytes of the original, for a diff; with
	// Options.Sequential a single one that spans everything that changed.
	Splices []diff.Splice
	// AlsoSimilarAt has the first lines, in Text, of blocks that differed from a
	// replaced one in white space only.
	AlsoSimilarAt []int
	// ChangedElsewhere tells that the text differs from the snapshot, but not
	// where it was edited.
	ChangedElsewhere bool
	Warnings         []fault.Text
}

// Applied is one place that was replaced.
type Applied struct {
	Index      int       `json:"index"` // of the edit, from 0
	Strategy   Strategy  `json:"strategy"`
	Reindented bool      `json:"reindented"` // new lines got the file's indentation instead of the caller's
	Old        LineRange `json:"old"`        // in the text that the edit was made in
	New        LineRange `json:"new"`        // in the final text
}

// LineRange is a range of lines, from 1 and inclusive. An empty range ends one
// line before it starts.
type LineRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Strategy is the name of the way in which a place was found.
type Strategy string

// The strategies, in the order in which they are tried. The first that finds
// any place decides, even when it finds too many.
const (
	Exact       Strategy = "exact"        // byte for byte
	Rtrim       Strategy = "rtrim"        // lines that differ in trailing white space
	Unicode     Strategy = "unicode"      // typographic quotes, dashes, spaces, composed characters
	Indent      Strategy = "indent"       // lines that are indented otherwise, consistently
	IndentLoose Strategy = "indent_loose" // lines that are indented otherwise, in any way
	Whitespace  Strategy = "whitespace"   // lines that differ in runs of spaces and tabs
	LineNumbers Strategy = "line_numbers" // copied with the line numbers of a listing
	EdgeBlank   Strategy = "edge_blank"   // blank lines too many at either end
	Unescape    Strategy = "unescape"     // written with \n and \" for the characters themselves
	Accepted    Strategy = "accepted"     // a candidate the caller agreed to
)

// Apply makes all edits or none. Bytes outside the replaced places stay as they
// are, line endings included; new lines get the endings of their neighbours.
//
// The error is a *fault.Error: text_not_found, text_ambiguous, no_change,
// already_applied, overlap, placeholder, indent_ambiguous, stale, out_of_range,
// too_large or invalid_arguments. It tells of every edit that failed, not of
// the first alone; its details are a [Failure] or, for several edits,
// [Failures].
func Apply(src string, edits []Edit, o Options) (Result, error) {
	if err := validate(edits, o); err != nil {
		return Result{Text: src}, err
	}
	if len(src) > math.MaxInt32 {
		return Result{Text: src}, fault.New(fault.TooLarge, fault.T("%s is too large to edit", "%s 过大，无法编辑", o.Path))
	}
	var r Result
	var failed []failure
	if o.Sequential {
		r, failed = applyInTurn(src, edits, o)
	} else {
		r, failed = applyAtOnce(src, edits, o)
	}
	if len(failed) > 0 {
		return Result{Text: src}, report(failed, len(edits))
	}
	r.Warnings = append(r.Warnings, warnings(src, edits)...)
	return r, nil
}

// replacement is one place of the original and what comes there.
type replacement struct {
	edit       int
	strategy   Strategy
	reindented bool
	start, end int // bytes of the original
	text       string
	old        LineRange
	lines      int // lines that text makes at this place
}

// applyAtOnce looks for every edit in the original.
func applyAtOnce(src string, edits []Edit, o Options) (Result, []failure) {
	d := newDocument(src, o)
	var all []replacement
	var failed []failure
	for i, e := range edits {
		found, err := d.resolve(e)
		if err != nil {
			failed = append(failed, failure{i, err})
			continue
		}
		for k := range found {
			found[k].edit = i
		}
		if all == nil {
			all = found
		} else {
			all = append(all, found...)
		}
	}
	slices.SortStableFunc(all, func(a, b replacement) int { return a.start - b.start })
	failed = append(failed, overlaps(all)...)
	if len(failed) > 0 {
		return Result{}, failed
	}
	r := Result{AlsoSimilarAt: shifted(d.similar, all), ChangedElsewhere: d.changed, Warnings: d.notes}
	r.Text, r.Splices = splice(src, all)
	r.Replacements = len(all)
	r.Edits = listed(all)
	return r, nil
}

// splice puts the replacements, which are in order, into src.
func splice(src string, all []replacement) (string, []diff.Splice) {
	size := len(src)
	for _, p := range all {
		size += len(p.text) - (p.end - p.start)
	}
	splices := make([]diff.Splice, len(all))
	var b strings.Builder
	b.Grow(size)
	at := 0
	for i, p := range all {
		b.WriteString(src[at:p.start])
		b.WriteString(p.text)
		at = p.end
		splices[i] = diff.Splice{Start: p.start, End: p.end, Text: p.text}
	}
	b.WriteString(src[at:])
	return b.String(), splices
}

// editsListed is how many replaced places a result lists.
const editsListed = 200

// listed is what a result lists of the replacements, with the lines they have
// in the final text.
func listed(all []replacement) []Applied {
	shown := all[:min(len(all), editsListed)]
	list := make([]Applied, len(shown))
	delta := 0
	for i, p := range shown {
		start := p.old.Start + delta
		list[i] = Applied{
			Index: p.edit, Strategy: p.strategy, Reindented: p.reindented,
			Old: p.old, New: LineRange{start, start + p.lines - 1},
		}
		delta += p.grown()
	}
	return list
}

// overlaps are the edits whose places are not apart from those of another.
func overlaps(all []replacement) []failure {
	var failed []failure
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if b.start < a.end {
			failed = append(failed, failure{b.edit, fault.New(fault.Overlap,
				fault.T("edits %d and %d replace the same text, lines %s and %s",
					"第 %d 处与第 %d 处编辑修改了同一段文本，分别为第 %s 行和第 %s 行",
					a.edit+1, b.edit+1, a.old, b.old)).
				WithHint(fault.T("make one edit of the two", "请把这两处编辑合并为一处"))})
		}
	}
	return failed
}
