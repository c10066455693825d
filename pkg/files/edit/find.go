package edit

import (
	"strings"
	"sync"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/shown"
)

const (
	// maxMatches limits the places of one edit that are found by exact text.
	maxMatches = 1_000_000
	// maxBlocks limits the places of one edit that are found by similar lines.
	maxBlocks = 10_000
)

// document is a text to which edits apply.
type document struct {
	view
	path      string
	shown     *shown.Record        // nil if nothing shown to the caller has changed
	before    func() *shown.Record // all that it was shown; nil if that is not kept
	sensitive bool                 // indentation is significant in this kind of file
	permit    bool                 // placeholders may be written

	// For the result.
	similar []int
	notes   []fault.Text

	lineFrom, lineTo int // what lineEnd found last
}

func newDocument(src string, o Options) *document {
	d := &document{view: newView(src), path: o.Path, sensitive: indentMatters(o.Path), permit: o.AllowPlaceholder}
	d.shown = witness(d.text, o)
	if o.All != nil {
		d.before = sync.OnceValue(func() *shown.Record { return shown.Against(d.text, viewed(o.all())) })
	}
	return d
}

// place is a range of the view that holds a block: text[start:end]. Stages that compare
// lines find places that begin with a line and end before a line ending.
type place struct {
	start, end int
	line       int // from 1; 0 until it has been counted
}

// hit is a match of the stage that decided.
type hit struct {
	*block            // the block searched for; a repaired one differs from the caller's
	strategy Strategy // the reported strategy
	how      Strategy // how lines compared equal, which decides how they are merged
	inside   bool     // the places are parts of lines, though the stage compares lines
	places   []place  // in order; they may overlap
}

// find runs the stages up to the first one that finds anything.
func (d *document) find(old, new string) (hit, *fault.Error) {
	b := newBlock(old, new)
	if h, err := d.findAs(b, lineStages); err != nil || len(h.places) > 0 {
		return h, err
	}
	if h, err := d.findRead(b, numbered(b.o, b.n)); err != nil || len(h.places) > 0 {
		return h, err
	}
	if h, err := d.findTrimmed(b); err != nil || len(h.places) > 0 {
		return h, err
	}
	if h, err := d.findSpaced(b); err != nil || len(h.places) > 0 {
		return h, err
	}
	return d.findRead(b, decoded(d.text, b.o, b.n))
}

// findAs looks for the exact text, then runs the stages that compare lines.
func (d *document) findAs(b *block, stages []stage) (hit, *fault.Error) {
	places, err := d.exact(b.old)
	if err != nil || len(places) > 0 {
		return hit{block: b, strategy: Exact, how: Exact, places: places}, err
	}
	for _, s := range stages {
		if s.unless != nil && s.unless(d, b) {
			continue
		}
		places, err := d.lines(b, s)
		if err != nil {
			return hit{}, err
		}
		inside := false
		if len(places) == 0 && s.inside != nil {
			places, inside = s.inside(d, b), true
		}
		if len(places) > 0 {
			return hit{b, s.strategy, s.strategy, inside, places}, nil
		}
	}
	return hit{}, nil
}

// exact finds every place of a text, without overlaps. If that is a single one it
// also looks for a second that overlaps it: then it is unknown which is meant.
func (d *document) exact(old string) ([]place, *fault.Error) {
	var places []place
	for at := 0; ; {
		i := strings.Index(d.text[at:], old)
		if i < 0 {
			break
		}
		if len(places) == maxMatches {
			return nil, d.tooManyMatches()
		}
		places = append(places, place{start: at + i, end: at + i + len(old)})
		at += i + len(old)
	}
	if len(places) == 1 {
		p := places[0]
		window := d.text[p.start+1 : min(len(d.text), p.end+len(old)-1)]
		if i := strings.Index(window, old); i >= 0 {
			start := p.start + 1 + i
			places = append(places, place{start: start, end: start + len(old)})
		}
	}
	return places, nil
}

// stage is a way in which lines may compare equal.
type stage struct {
	strategy Strategy
	key      func(line string) string            // equal lines have equal keys
	unless   func(*document, *block) bool        // whether to skip the stage for a block
	accept   func(o, f []string) bool            // a further condition on the lines of a place
	inside   func(d *document, b *block) []place // searches within lines if no whole lines match
}

// lineStages are the stages that compare whole lines, from strict to loose. All of
// them need every line to be there. None skips a line or accepts one that is only
// similar: that would overwrite lines the caller never saw.
var lineStages = []stage{
	{strategy: Rtrim, key: rtrim, unless: nothingSolid},
	{strategy: Unicode, key: foldKey, unless: nothingToFold, inside: (*document).insideFolded},
	{strategy: Indent, key: trim, unless: tooShortToIndent, accept: consistent},
	{strategy: IndentLoose, key: trim, unless: tooShortToLoosen},
	{strategy: Whitespace, key: collapse, unless: tooShortToIndent},
}

func nothingSolid(_ *document, b *block) bool { return solid(b.o...) == 0 }

func nothingToFold(d *document, b *block) bool {
	return nothingSolid(d, b) || isASCII(b.old) && isASCII(d.text)
}

func tooShortToIndent(_ *document, b *block) bool { return !Telling(b.o...) }

func tooShortToLoosen(_ *document, b *block) bool { return !loosens(b.o) }

// loosens reports whether lines are enough to be found with any indentation; that of a
// single line is always consistent.
func loosens(lines []string) bool { return Filled(lines) >= 2 }

// lines finds every run of lines that equals the block in a stage.
func (d *document) lines(b *block, s stage) ([]place, *fault.Error) {
	m := newMatcher(b.o, s.key)
	starts := make([]int, len(b.o)) // where the last lines began, as a ring
	var places []place
	for at, number := 0, 0; at < len(d.text); number++ {
		end := lineEnd(d.text, at)
		starts[number%len(starts)] = at
		if m.next(d.text[at:end]) {
			p := place{start: starts[(number+1)%len(starts)], end: end, line: number + 2 - len(b.o)}
			if s.accept == nil || s.accept(b.o, strings.Split(d.text[p.start:p.end], "\n")) {
				if len(places) == maxBlocks {
					return nil, d.tooManyBlocks()
				}
				places = append(places, p)
			}
		}
		at = end + 1
	}
	return places, nil
}

// apart returns the places without those that overlap the one before.
func apart(places []place) []place {
	kept := places[:0:0]
	for _, p := range places {
		if n := len(kept); n == 0 || p.start >= kept[n-1].end {
			kept = append(kept, p)
		}
	}
	return kept
}

// number sets the lines of places, which are in order.
func (d *document) number(places []place) {
	at, line := 0, 1
	for i := range places {
		line += strings.Count(d.text[at:places[i].start], "\n")
		at = places[i].start
		places[i].line = line
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
