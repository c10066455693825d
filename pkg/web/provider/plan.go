package provider

import (
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// plan maps a query to the pages of a search engine.
type plan struct {
	page  int  // the first of its pages to ask for, from 1
	count int  // results to ask for
	skip  int  // of the results that come, those of the pages before
	walk  bool // ask for its next pages until there are enough results
	// warnings are about what it leaves out.
	warnings []fault.Text
}

// maxPages limits the pages of a search engine that one search asks for.
const maxPages = 5

// start returns the number of results on the pages before.
func (q Query) start() int { return (max(q.Page, 1) - 1) * q.Limit }

// straight is the plan for an engine that pages by any number of results.
func (q Query) straight() plan { return plan{page: max(q.Page, 1), count: q.Limit} }

// ahead is the plan for an engine that has no pages: ask for those before, too.
func (q Query) ahead() plan { return plan{page: 1, count: q.start() + q.Limit, skip: q.start()} }

// walking is the plan for an engine whose pages have their own, unknown size: read
// them from the first one on.
func (q Query) walking() plan {
	return plan{page: 1, count: q.Limit, skip: q.start(), walk: q.start() > 0}
}

// within returns the fault of an engine that lists at most so many results or takes
// at most so many characters and words, and is asked for more; nil if it is not. A
// limit of 0 is none.
func (q Query) within(p provider, results, chars, words int) *fault.Error {
	text := q.operators()
	switch {
	case results > 0 && q.start()+q.Limit > results:
		return fault.New(fault.Unsupported, fault.T("%s lists only the first %d results; page %d lies beyond", p.name(), results, q.Page)).
			WithHint(fault.T("narrow the query, by site or freshness for example, or use another provider"))
	case chars > 0 && utf8.RuneCountInString(text) > chars:
		return fault.New(fault.Unsupported, fault.T("%s takes queries of up to %d characters", p.name(), chars)).WithHint(fewerWords())
	case words > 0 && len(strings.Fields(text)) > words:
		return fault.New(fault.Unsupported, fault.T("%s takes queries of up to %d words", p.name(), words)).WithHint(fewerWords())
	}
	return nil
}

// fewerWords is the hint about a query that is too long for an engine.
func fewerWords() fault.Text {
	return fault.T("pass a few keywords, or use another provider")
}
