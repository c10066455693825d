package page

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// Passage is a piece of a document that was searched for.
type Passage struct {
	Start   int    `json:"start"` // characters before it, in the document
	End     int    `json:"end"`
	Heading string `json:"heading,omitzero"` // it is under: "Guide > Install"

	// Lead and Size are the characters of the line before it, and of all that is shown of
	// it, that line included.
	Lead int `json:"-"`
	Size int `json:"-"`
}

// Search is a search of a document.
type Search struct {
	// Missing are the words, and phrases, that do not occur as they were asked for. Some
	// says that no passage has all of the others, either.
	Missing []string
	Some    bool

	d     *Document
	words string
	marks []mark
	spans []span
}

// Found is the result of a search from an offset on. Content holds the passages, in order:
// "[… start=N: heading]" marks text left out before one, and "[…]" after the last.
type Found struct {
	Content  string
	Passages []Passage
	Count    int // passages there are, with those that are not shown
	Next     int // where the search continues; 0 after the last passage
	Total    int // characters of the document
}

// Search finds the passages of a section that have all the words, or where there are none
// those that have the most; a phrase in quotes counts as a word. Case, accents and width do
// not matter, and a word may go on: "config" finds "configuration". A passage is the blocks
// with the words, with a short block before and behind.
//
// The faults are text_not_found, with the nearest words and the headings, and
// invalid_arguments if there is no word.
func (d *Document) Search(words string, within Section) (*Search, error) {
	q := asked(words)
	if len(q) == 0 {
		return nil, fault.New(fault.InvalidArguments, fault.T("/find has no words")).
			WithHint(fault.T("pass a few words of what the page should say"))
	}
	from := byteAt(d.Content, within.Start)
	to := from + byteAt(d.Content[from:], within.End-within.Start)
	s := &Search{d: d, words: words, marks: d.marks()}
	units := d.units(s.marks, from, to)
	q, s.Missing = q.occurring(units)
	if len(q) == 0 {
		return nil, d.notFound(words, s.Missing, units, s.marks)
	}
	hits, all := q.hits(units)
	s.Some, s.spans = !all, spans(units, hits)
	return s, nil
}

// From returns the passages from an offset on, at most so many characters of them. The fault
// is out_of_range if there are no more.
func (s *Search) From(start, most int) (*Found, error) {
	f := &Found{Total: utf8.RuneCountInString(s.d.Content)}
	s.show(f, start, most)
	if len(f.Passages) == 0 {
		return nil, fault.New(fault.OutOfRange, fault.T("there is no further passage with %q from %d on", s.words, start)).
			WithHint(fault.T("leave start out to begin with the first passage"))
	}
	return f, nil
}

// Whole returns the section that is the whole document.
func (d *Document) Whole() Section {
	return Section{End: utf8.RuneCountInString(d.Content)}
}

// Ellipsis follows the last passage if the document goes on.
const Ellipsis = "\n[…]\n"

// span is a range of the content, in bytes.
type span struct{ from, to int }

const (
	// nearBytes is the longest block that is shown because a block beside it is.
	nearBytes = 500
	// leastPassage is the least room that a passage is begun in, in characters.
	leastPassage = 60
)

// spans returns the units that were hit with their neighbours in the same section, joined
// where they touch.
func spans(units []unit, hits []bool) []span {
	var all []span
	for i, hit := range hits {
		if !hit {
			continue
		}
		first, last := i, i
		if i > 0 && !units[i].heads && units[i-1].to-units[i-1].from <= nearBytes {
			first--
		}
		if i+1 < len(units) && !units[i+1].heads && units[i+1].to-units[i+1].from <= nearBytes {
			last++
		}
		s := span{units[first].from, units[last].to}
		if n := len(all); n > 0 && (all[n-1].to > s.from || all[n-1].to == s.from && !units[first].heads) {
			all[n-1].to = s.to
		} else {
			all = append(all, s)
		}
	}
	return all
}

// show writes as many passages as there is room for.
func (s *Search) show(f *Found, start, most int) {
	d, marks := s.d, s.marks
	var b strings.Builder
	at, chars, left := 0, 0, most
	heading, shownTo, end := -1, 0, 0
	for _, s := range s.spans {
		text := strings.TrimRight(d.Content[s.from:s.to], " \t\r\n")
		chars += utf8.RuneCountInString(d.Content[at:s.from])
		at = s.from
		p := Passage{Start: chars, End: chars + utf8.RuneCountInString(text)}
		if p.End <= start {
			continue
		}
		f.Count++
		if f.Next > 0 { // counted only
			continue
		}
		if p.Start < start {
			s.from += byteAt(text, start-p.Start)
			text, p.Start = text[byteAt(text, start-p.Start):], start
		}
		for heading+1 < len(marks) && marks[heading+1].at <= s.from {
			heading++
		}
		if heading >= 0 {
			p.Heading = pathTo(marks, heading)
		}
		lead := leadOf(p, left)
		if s.from == end && (s.from == 0 || len(f.Passages) > 0) {
			lead = "" // nothing is left out
		}
		end = s.to
		room := left - utf8.RuneCountInString(lead) - utf8.RuneCountInString(Ellipsis) - 2
		if p.End-p.Start > room {
			if len(f.Passages) > 0 {
				f.Next = p.Start
				continue
			}
			part, err := (&Document{Content: text, Format: d.Format}).Part(0, max(room, leastPassage/2))
			if err == nil && part.Next > 0 {
				text, p.End = part.Content, p.Start+part.Next
				f.Next = p.End
			}
		}
		if b.Len() > 0 {
			lead = "\n" + lead
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		b.WriteString(lead + text)
		p.Lead = utf8.RuneCountInString(lead)
		p.Size = p.Lead + utf8.RuneCountInString(text)
		left -= p.Size
		f.Passages = append(f.Passages, p)
		shownTo = p.End
	}
	if len(f.Passages) > 0 && strings.TrimSpace(d.Content[byteAt(d.Content, shownTo):]) != "" {
		b.WriteString(Ellipsis)
	}
	f.Content = b.String()
}

// leadOf is the line before a passage, if text is left out there.
func leadOf(p Passage, room int) string {
	lead := fmt.Sprintf("[… start=%d: %s]\n\n", p.Start, p.Heading)
	if p.Heading == "" || utf8.RuneCountInString(lead) > room-leastPassage {
		lead = fmt.Sprintf("[… start=%d]\n\n", p.Start)
	}
	return lead
}
