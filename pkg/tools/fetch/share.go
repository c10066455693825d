package fetch

import (
	"slices"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/files/tokens"
	"github.com/helve-dev/helve/pkg/html/page"
)

// leastShare is the least share of the budget that one of several pages gets, in
// characters and in tokens.
const leastShare = 100

// share shortens pages to a budget of characters and, if it is not 0, of tokens.
func share(pages []*Page, chars, most int) {
	sizes, counts := make([]int, len(pages)), make([]int, len(pages))
	for i, p := range pages {
		sizes[i] = utf8.RuneCountInString(p.Content)
		if most > 0 {
			counts[i] = tokens.Estimate(p.Content)
		}
	}
	sizes, counts = fill(sizes, chars), fill(counts, most)
	for i, p := range pages {
		whole := *p
		_ = tokens.Fit(sizes[i], counts[i], func(chars int) (string, error) { // shorten does not fail
			*p = whole.shortened(chars)
			return p.Content, nil
		})
	}
}

// fill divides a budget: each gets what it wants if that is at most an equal share of
// what the smaller ones leave, else that share.
func fill(wanted []int, budget int) []int {
	order := make([]int, len(wanted))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return wanted[a] - wanted[b] })
	shares := make([]int, len(wanted))
	for n, i := range order {
		if budget == 0 && wanted[i] == 0 {
			continue
		}
		shares[i] = max(min(wanted[i], budget/(len(order)-n)), leastShare)
		budget = max(budget-min(wanted[i], shares[i]), 0)
	}
	return shares
}

// shortened returns the page with at most so many characters of its content.
func (p *Page) shortened(chars int) Page {
	short := *p
	if len(p.Passages) > 0 {
		short.pass(chars)
		return short
	}
	part, err := (&page.Document{Content: p.Content, Format: p.Format}).Part(0, chars)
	if err != nil || part.Next == 0 {
		return short
	}
	short.Content = part.Content
	short.NextStart, short.Truncated = p.Start+part.Next, true
	return short
}

// pass leaves as many of the passages as fit; the first is cut if it has to be.
func (p *Page) pass(chars int) {
	if utf8.RuneCountInString(p.Content) <= chars {
		return
	}
	n, size := 0, utf8.RuneCountInString(page.Ellipsis)
	for n < len(p.Passages) && size+p.Passages[n].Size <= chars {
		size += p.Passages[n].Size
		n++
	}
	if n > 0 {
		if n < len(p.Passages) {
			p.NextStart = p.Passages[n].Start
		}
		p.Passages = p.Passages[:n:n]
		p.Content = cutAt(p.Content, size-utf8.RuneCountInString(page.Ellipsis)) + page.Ellipsis
	} else {
		first := p.Passages[0]
		room := max(chars-first.Lead-utf8.RuneCountInString(page.Ellipsis), 1)
		text := cutAt(p.Content, first.Size)
		lead := cutAt(text, first.Lead)
		part, err := (&page.Document{Content: text[len(lead):], Format: p.Format}).Part(0, room)
		if err != nil {
			return
		}
		first.End = first.Start + utf8.RuneCountInString(part.Content)
		first.Size = first.Lead + first.End - first.Start
		p.Content, p.NextStart, p.Passages = lead+part.Content+page.Ellipsis, first.End, []page.Passage{first}
	}
	p.Truncated = p.NextStart > 0
}

// cutAt returns the first n characters of s.
func cutAt(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
