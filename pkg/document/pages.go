package document

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// Pages are ranges of pages, in the requested order.
type Pages []PageRange

// PageRange is from First to Last page, counted from 1.
type PageRange struct{ First, Last int }

// maxPageRanges limits the ranges that one call names.
const maxPageRanges = 100

// ParsePages reads the pages that are wanted of a document with so many: "3", "1-5,9",
// "7-" (to the end), "-3" (the last three). Without any, it returns all of them. The
// faults are invalid_arguments and out_of_range.
func ParsePages(wanted string, total int) (Pages, error) {
	if strings.TrimSpace(wanted) == "" {
		return Pages{{1, total}}, nil
	}
	var pages Pages
	parts := strings.Split(wanted, ",")
	if len(parts) > maxPageRanges {
		return nil, badPages(wanted)
	}
	for _, part := range parts {
		part = strings.TrimSpace(strings.ReplaceAll(part, "–", "-"))
		first, last, isRange := strings.Cut(part, "-")
		a, errA := strconv.Atoi(strings.TrimSpace(first))
		b, errB := strconv.Atoi(strings.TrimSpace(last))
		var r PageRange
		switch {
		case !isRange && errA == nil && a > 0:
			r = PageRange{a, a}
		case isRange && first == "" && errB == nil && b > 0:
			r = PageRange{max(1, total-b+1), total}
		case isRange && last == "" && errA == nil && a > 0:
			r = PageRange{a, max(a, total)}
		case isRange && errA == nil && errB == nil && a > 0 && a <= b:
			r = PageRange{a, b}
		default:
			return nil, badPages(wanted)
		}
		if r.First > total {
			return nil, fault.New(fault.OutOfRange, fault.T("there is no page %d; the document has %d", r.First, total)).
				WithHint(fault.T("pass pages within 1-%d", total)).
				WithDetails(map[string]any{"pages": total})
		}
		r.Last = min(r.Last, total)
		pages = append(pages, r)
	}
	return pages, nil
}

// All iterates over the numbers of the pages.
func (p Pages) All(yield func(page int) bool) {
	for _, r := range p {
		for n := r.First; n <= r.Last; n++ {
			if !yield(n) {
				return
			}
		}
	}
}

// From returns the pages without the first n of them, as [ParsePages] takes them.
func (p Pages) From(n int) string {
	var rest []string
	for _, r := range p {
		skipped := min(n, r.Last-r.First+1)
		n -= skipped
		switch first := r.First + skipped; {
		case first > r.Last:
		case first == r.Last:
			rest = append(rest, strconv.Itoa(first))
		default:
			rest = append(rest, strconv.Itoa(first)+"-"+strconv.Itoa(r.Last))
		}
	}
	return strings.Join(rest, ",")
}

// Len returns the number of pages, each counted as often as it is named.
func (p Pages) Len() int {
	n := 0
	for _, r := range p {
		n += r.Last - r.First + 1
	}
	return n
}

// Has reports whether a page is wanted.
func (p Pages) Has(page int) bool {
	for _, r := range p {
		if r.First <= page && page <= r.Last {
			return true
		}
	}
	return false
}

func badPages(wanted string) error {
	return fault.New(fault.InvalidArguments, fault.T("pages %q is no list of pages", wanted)).
		WithHint(fault.T("pass such as '3', '1-5,9', '7-' or '-2' (the last two)"))
}
