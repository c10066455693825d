package meta

import (
	"slices"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// Labels are the labels of pages, such as "iv" and "A-3", by ranges: 12.4.2.
type Labels []labelRange

// labelRange is how the pages from one on are labelled.
type labelRange struct {
	first  int // page, from 1
	style  object.Name
	prefix string
	start  int
}

// maxLabelRanges bounds how many ranges are read.
const maxLabelRanges = 10_000

// PageLabels returns the labels of a file's pages; nil if they have none.
func PageLabels(f *object.File) Labels {
	var l Labels
	tree(f, root(f)["PageLabels"], "Nums", func(key, value object.Value) bool {
		index, ok := f.Int(key)
		d := f.Dict(value)
		if !ok || d == nil || index < 0 || index >= int64(f.PageCount()) {
			return true
		}
		start, ok := f.Int(d["St"])
		if !ok || start < 1 || start > 1<<30 {
			start = 1
		}
		l = append(l, labelRange{int(index) + 1, f.Name(d["S"]), line(f.Text(d["P"])), int(start)})
		return len(l) < maxLabelRanges
	})
	slices.SortStableFunc(l, func(a, b labelRange) int { return a.first - b.first })
	return l
}

// Of returns the label of a page; "" if it has none, or if that is its number.
func (l Labels) Of(page int) string {
	i, found := slices.BinarySearchFunc(l, page, func(r labelRange, page int) int { return r.first - page })
	if !found {
		i--
	}
	if i < 0 {
		return ""
	}
	label := l[i].prefix + numeral(l[i].style, l[i].start+page-l[i].first)
	if label == strconv.Itoa(page) {
		return ""
	}
	return label
}

// numeral writes a number in a style: table 161.
func numeral(style object.Name, n int) string {
	switch style {
	case "D":
		return strconv.Itoa(n)
	case "R":
		return roman(n)
	case "r":
		return strings.ToLower(roman(n))
	case "A", "a":
		return strings.Repeat(string(rune(string(style)[0])+rune((n-1)%26)), min((n-1)/26+1, maxNumeral))
	}
	return ""
}

// maxNumeral is how long a numeral becomes.
const maxNumeral = 20

// roman writes a number in Roman numerals, as digits if that were long.
func roman(n int) string {
	if n >= maxNumeral*1000/2 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, digit := range [...]struct {
		value int
		text  string
	}{
		{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"},
		{50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
	} {
		for ; n >= digit.value; n -= digit.value {
			b.WriteString(digit.text)
		}
	}
	return b.String()
}
