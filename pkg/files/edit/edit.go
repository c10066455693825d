package edit

import (
	"math"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
	"github.com/helve-dev/helve/pkg/files/shown"
)

// Edit is one replacement.
type Edit struct {
	Old string // the text to find; any line endings; "" fills an empty text
	New string // its replacement; any line endings

	ReplaceAll bool   // replace every place instead of the only one
	Occurrence int    // replace the n-th place, from 1; 0 means the only one
	LineHint   int    // of several places, take the one that covers this line
	Expected   int    // how many places there must be; more than 1 replaces all of them
	After      string // search only after this text, which must occur once; take the first place
	Within     string // search only inside this text, which must occur once

	// Insert puts New after this line as lines of its own, 0 is before the first. Old is
	// not used.
	Insert *int

	// Accept is the id of a [Candidate] of an earlier failure. New replaces exactly
	// the candidate's lines, if the file has not changed since. Old is not used.
	Accept string
}

// Options apply to all edits of one text.
type Options struct {
	// Path is shown in messages. Its name shows whether indentation is significant.
	Path string
	// Sequential makes every edit see the text that the edits before it made.
	// Otherwise all edits are looked for in the original.
	Sequential bool
	// Shown is the text as it was when parts of it were shown to the caller, the
	// newest version first. An edit of a place that has changed since is refused.
	Shown []shown.Version
	// All returns all versions that the caller was shown, also those of which newer ones
	// tell all. It is called when one of them decides, and may be nil.
	All func() []shown.Version
	// AllowPlaceholder accepts new text that looks like an omission.
	AllowPlaceholder bool
}

// Result is a text after its edits.
type Result struct {
	Text         string
	Replacements int       // how many places were replaced
	Edits        []Applied // the first 200 of them, in the order of the file
	// Splices are all replacements as bytes of the original, for a diff. With
	// Options.Sequential it is a single one that spans everything that changed.
	Splices []diff.Splice
	// AlsoSimilarAt has the first lines, in Text, of blocks that differ from a
	// replaced one only in white space.
	AlsoSimilarAt []int
	// ChangedElsewhere says that the text has changed since it was shown, but not in
	// the lines that were edited.
	ChangedElsewhere bool
	Warnings         []fault.Text
}

// Applied is a replaced place.
type Applied struct {
	Index      int       `json:"index"` // of the edit, from 0
	Strategy   Strategy  `json:"strategy"`
	Reindented bool      `json:"reindented"` // new lines have the file's indentation, not the caller's
	Old        LineRange `json:"old"`        // in the text that the edit was made in
	New        LineRange `json:"new"`        // in the final text
}

// LineRange is a range of lines, from 1, both ends included. An empty range ends
// one line before it starts.
type LineRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Strategy names how a place was found.
type Strategy string

// The strategies, in the order in which they are tried. The first one that finds
// any place decides, even if it finds too many.
const (
	Exact       Strategy = "exact"        // byte for byte
	Rtrim       Strategy = "rtrim"        // lines that differ in trailing white space
	Unicode     Strategy = "unicode"      // typographic quotes, dashes, spaces, composed characters
	Indent      Strategy = "indent"       // lines with another indentation, consistently
	IndentLoose Strategy = "indent_loose" // lines with another indentation, in any way
	Whitespace  Strategy = "whitespace"   // lines that differ in runs of spaces and tabs
	LineNumbers Strategy = "line_numbers" // copied together with line numbers
	EdgeBlank   Strategy = "edge_blank"   // too many blank lines at either end
	BlankLines  Strategy = "blank_lines"  // other blank lines in between
	Unescape    Strategy = "unescape"     // written with \n and \" for the characters themselves
	Entities    Strategy = "entities"     // written with &lt; and &amp; for the characters themselves
	Quoted      Strategy = "quoted"       // in quotation marks or a fence
	LoneCR      Strategy = "lone_cr"      // lines that end in a carriage return among others
	Accepted    Strategy = "accepted"     // a candidate that the caller accepted
	Inserted    Strategy = "inserted"     // after a line that the caller named
)

// Apply makes all edits or none. Bytes outside the replaced places stay as they
// are, line endings included. New lines get the endings of their neighbours.
//
// The error is a *fault.Error: text_not_found, text_ambiguous, no_change,
// already_applied, overlap, placeholder, indent_ambiguous, stale, out_of_range,
// too_large or invalid_arguments. It reports every edit that failed. Its details
// are a [Failure] or, for several edits, [Failures].
func Apply(src string, edits []Edit, o Options) (Result, error) {
	if err := validate(src, edits, o); err != nil {
		return Result{Text: src}, err
	}
	if len(src) > math.MaxInt32 {
		return Result{Text: src}, tooLarge(o.Path)
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

// replacement is a place of the original and the text that replaces it.
type replacement struct {
	edit       int
	strategy   Strategy
	reindented bool
	start, end int // bytes of the original
	text       string
	old        LineRange
	lines      int // how many lines replace those of old
}

// applyAtOnce looks for all edits in the original.
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
	withEndings(src, all)
	r := Result{AlsoSimilarAt: shifted(d.similar, all), ChangedElsewhere: d.changedElsewhere(all), Warnings: d.notes}
	r.Text, r.Splices = splice(src, all)
	r.Replacements = len(all)
	r.Edits = listed(all)
	return r, nil
}

// splice makes the replacements, which are in order, in src.
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

// editsListed limits the replaced places that a result lists.
const editsListed = 200

// listed returns the replacements that a result lists, with their lines in the
// final text.
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

// overlaps returns a failure for every place that overlaps the one before.
func overlaps(all []replacement) []failure {
	var failed []failure
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		if b.start < a.end {
			failed = append(failed, failure{b.edit, overlapping(a, b)})
		}
	}
	return failed
}
