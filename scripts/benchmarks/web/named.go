package main

import "strings"

// named counts the dates and authors of the labels that an extractor names rightly.
type named struct{ date, dates, author, authors int }

// add counts a page. A date is right if it is the same day. An author is right if the
// words of the names agree, by an F1 of at least .8: a middle initial more is no fault.
func (t *named) add(s *sample, out output) {
	if s.published != "" {
		t.dates++
		if strings.HasPrefix(out.published, s.published) {
			t.date++
		}
	}
	if s.author != "" {
		t.authors++
		if f1(tokens(out.author), tokens(s.author)) >= 0.8 {
			t.author++
		}
	}
}
