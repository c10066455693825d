package main

import (
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/schedule/zone"
)

// class is a kind of question. One may be of several.
type class struct {
	name string
	has  func(q question, right []int64) bool
}

func classes() []class {
	day := func(n int) func(question) string {
		return func(q question) string {
			fields := strings.Fields(q.text)
			return fields[len(fields)-n]
		}
	}
	dom, month, dow := day(3), day(2), day(1)
	return []class{
		{"all", func(question, []int64) bool { return true }},
		{"a gap on the way", changes(func(c change) bool { return c.leap > 0 })},
		{"a gap at midnight", changes(func(c change) bool { return c.leap > 0 && c.clock%86400 == 0 })},
		{"a change of half an hour", changes(func(c change) bool { return c.leap == 1800 || c.leap == -1800 })},
		{"an overlap on the way", changes(func(c change) bool { return c.leap < 0 })},
		{"fixed times in a gap", func(q question, right []int64) bool {
			return len(right) > 0 && !strings.ContainsAny(times(q), "*/") && changes(func(c change) bool { return c.leap > 0 && (c.at == right[0] || len(right) > 1 && c.at == right[1]) })(q, right)
		}},
		{"both days", func(q question, _ []int64) bool {
			return dom(q) != "*" && dow(q) != "*" && dom(q) != "?" && dow(q) != "?"
		}},
		{"29 February", func(q question, _ []int64) bool { return dom(q) == "29" && month(q) == "2" }},
		{"7 is Sunday", func(q question, _ []int64) bool { return strings.Contains(dow(q), "7") }},
		{"L, W, # and +", func(q question, _ []int64) bool { return strings.ContainsAny(dom(q)+dow(q), "LW#+") }},
		{"seconds", func(q question, _ []int64) bool { return len(strings.Fields(q.text)) == 6 }},
		{"no change on the way", func(q question, right []int64) bool {
			return !changes(func(c change) bool { return c.leap != 0 })(q, right)
		}},
	}
}

// times returns the fields that are not of days.
func times(q question) string {
	fields := strings.Fields(q.text)
	return strings.Join(fields[:len(fields)-3], " ")
}

// change is a change of a clock.
type change struct {
	at    int64 // when, in seconds since 1970
	clock int64 // what the clock would have shown then
	leap  int64 // by how many seconds it was put forward
}

// changes reports whether a zone's clock has such a change in the two days after the
// question, and before the second run.
func changes(such func(change) bool) func(question, []int64) bool {
	return func(q question, right []int64) bool {
		loc, err := zone.Load(q.zone)
		if err != nil {
			return false
		}
		end := q.after + int64(48*time.Hour/time.Second)
		if len(right) > 1 {
			end = min(end, right[1])
		}
		for s := zone.StretchAt(q.after, loc); s.End <= end; {
			next := zone.StretchAt(s.End, loc)
			if such(change{s.End, s.Clock(s.End), next.Offset - s.Offset}) {
				return true
			}
			s = next
		}
		return false
	}
}
