package cron

import (
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// item is one element of a field's list: the values from one to another by a step, or
// one of the special days.
type item struct {
	from, to, step int
	special        byte // of days of the month L, W or w (LW); of days of the week #; else 0
	nth            int  // of #: 1 to 5, or 0 for the last
}

// into adds the values to a set.
func (it item) into(set *uint64) {
	for n := it.from; n <= it.to; n += it.step {
		*set |= 1 << n
	}
}

// readField calls add for each element of a field's list.
func readField(f field, text string, add func(item)) error {
	for element := range strings.SplitSeq(text, ",") {
		it, err := f.read(element, text)
		if err != nil {
			return err
		}
		add(it)
	}
	return nil
}

// read returns one element. whole is the field that it is in.
func (f field) read(element, whole string) (item, error) {
	if element == "" {
		return item{}, f.fault(whole, fault.T("an element of the list is empty"))
	}
	for i := range len(element) {
		if c := element[i]; c < '!' || c > '~' {
			return item{}, f.fault(element, fault.T("%q is no character of a cron expression", clip(element[i:])))
		}
	}
	if it, ok, err := f.special(element); ok || err != nil {
		return it, err
	}
	values, stepText, stepped := strings.Cut(element, "/")
	it := item{step: 1}
	least, greatest := f.bounds()
	if f == dayOfWeek {
		greatest = 6 // where nobody wrote it, Sunday is 0
	}
	from, to, ranged := strings.Cut(values, "-")
	switch {
	case values == "*" || values == "?" && (f == dayOfMonth || f == dayOfWeek):
		it.from, it.to = least, greatest
	case ranged && (from == "" || to == ""):
		return item{}, f.fault(element, fault.T("a range has values on both sides of -"))
	case values == "?":
		return item{}, f.fault(element, fault.T("? is allowed in the fields of days only"))
	default:
		var err error
		if it.from, err = f.value(from, element); err != nil {
			return item{}, err
		}
		switch {
		case ranged:
			if it.to, err = f.value(to, element); err != nil {
				return item{}, err
			}
			if f == dayOfWeek && it.to == 0 && it.from > 0 {
				it.to = 7 // SAT-SUN and 6-0: Sunday ends a week, too
			}
			if it.from > it.to {
				return item{}, f.backwards(element, from, to)
			}
		case stepped:
			it.to = max(greatest, it.from)
		default:
			it.to = it.from
		}
	}
	if !stepped {
		return it, nil
	}
	count := greatest - least + 1
	step, ok := number(stepText)
	if !ok || step < 1 || step > count {
		e := f.fault(element, fault.T("the step %q must be a number from 1 to %d", clip(stepText), count))
		if ok && step > count && f <= hour {
			e.WithHint(fault.T("a step begins anew in each round of its field; for a period that is longer use every_seconds"))
		}
		return item{}, e
	}
	it.step = step
	return it, nil
}

// special reads the elements for days that are no ranges of values: L, LW, 15W, FRI#2, 5L.
func (f field) special(element string) (it item, ok bool, err error) {
	upper := strings.ToUpper(element)
	switch f {
	case dayOfMonth:
		switch {
		case upper == "L":
			return item{special: 'L'}, true, nil
		case upper == "LW" || upper == "WL":
			return item{special: 'w'}, true, nil
		case strings.HasPrefix(upper, "L-"):
			return item{}, false, f.fault(element, fault.T("days before the last are not supported"))
		case strings.HasSuffix(upper, "W"):
			day, err := f.value(element[:len(element)-1], element)
			return item{special: 'W', from: day}, err == nil, err
		}
	case dayOfWeek:
		days, nth, ok := strings.Cut(upper, "#")
		if !ok {
			if days, ok = strings.CutSuffix(upper, "L"); !ok {
				return item{}, false, nil
			}
			nth = "L"
		}
		if days == "" {
			return item{}, false, f.fault(element, fault.T("L and # need a day before them, such as FRIL for the last Friday or FRI#2 for the second; the last day of the week is SAT"))
		}
		n, numeric := number(nth)
		if nth != "L" && (!numeric || n < 1 || n > 5) {
			return item{}, false, f.fault(element, fault.T("after # comes a number from 1 to 5, or L for the last"))
		}
		it, err := f.read(days, element)
		if err == nil && (it.step != 1 || it.special != 0 || strings.ContainsAny(days, "*?")) {
			err = f.fault(element, fault.T("before L or # comes a day or a range of days"))
		}
		it.special, it.nth = '#', n
		return it, err == nil, err
	}
	return item{}, false, nil
}

// value returns the number that a number or a name of element stands for.
func (f field) value(text, element string) (int, error) {
	least, greatest := f.bounds()
	names := f.names()
	for i := 0; i < len(names); i += 3 {
		if strings.EqualFold(text, names[i:i+3]) {
			return least + i/3, nil
		}
	}
	n, ok := number(text)
	if !ok {
		return 0, f.fault(element, fault.T("%q is no value", clip(text)))
	}
	if n < least || n > greatest {
		return 0, f.fault(element, fault.T("%s is out of range", clip(text)))
	}
	return n, nil
}

// number returns a number of up to four digits; a longer one is 9999, which is in no range.
func number(text string) (int, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	if len(strings.TrimLeft(text, "0")) > 4 {
		return 9999, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// backwards is the fault of a range such as 22-6, which says what to write instead.
func (f field) backwards(element, from, to string) error {
	least, greatest := f.bounds()
	first, last := strconv.Itoa(least), strconv.Itoa(greatest)
	if f == dayOfWeek {
		last = "6"
	}
	return f.fault(element, fault.T("the range runs backwards")).
		WithHint(fault.T("write %s-%s,%s-%s", from, last, first, to))
}

// fault returns the fault of a value in a field.
func (f field) fault(value string, what fault.Text) *fault.Error {
	return fault.New(fault.InvalidArguments, fault.T("the %s field %q: %s; allowed are %s", f.name(), clip(value), what, f.allowed())).
		WithHint(shape())
}

// name returns what messages call the field.
func (f field) name() fault.Text {
	switch f {
	case second:
		return fault.T("second")
	case minute:
		return fault.T("minute")
	case hour:
		return fault.T("hour")
	case dayOfMonth:
		return fault.T("day of month")
	case month:
		return fault.T("month")
	default:
		return fault.T("day of week")
	}
}

// allowed returns what may be written in the field.
func (f field) allowed() fault.Text {
	switch f {
	case second, minute:
		return fault.T("0-59, lists, ranges and steps such as */15")
	case hour:
		return fault.T("0-23, lists, ranges and steps such as 9-17/2")
	case dayOfMonth:
		return fault.T("1-31, L, LW, 15W, lists, ranges and steps")
	case month:
		return fault.T("1-12, JAN-DEC, lists, ranges and steps")
	default:
		return fault.T("0-7, SUN-SAT, FRI#2, FRIL, lists, ranges and steps")
	}
}
