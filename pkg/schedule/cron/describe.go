package cron

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/fault"
)

// mostClocks is how many times of the day are listed before they are described.
const mostClocks = 6

// Describe says in words when the expression runs, such as "every weekday at 09:30". It is
// made from what was understood, not from what was written: whoever reads it sees a
// misunderstanding.
func (e *Expression) Describe() fault.Text {
	clocks := e.clocks()
	dayEn, dayZh, plain := e.days.describe(clocks != nil)
	var en, zh string
	switch {
	case clocks == nil:
		en, zh = e.interval()
		if dayEn != "" {
			en, zh = en+" on "+dayEn, dayZh+"，"+zh
		}
	case plain:
		en, zh = dayEn+" at "+list(clocks, "and"), dayZh+" "+strings.Join(clocks, "、")
	default:
		en, zh = "at "+list(clocks, "and")+" on "+dayEn, dayZh+" "+strings.Join(clocks, "、")
	}
	if bits.OnesCount64(e.month) < 12 {
		var months, monthsZh []string
		for m := range values(e.month) {
			months, monthsZh = append(months, time.Month(m).String()), append(monthsZh, fmt.Sprintf("%d 月", m))
		}
		en, zh = en+" in "+list(months, "and"), strings.Join(monthsZh, "、")+"，"+zh
	}
	return fault.Verbatim(en, zh)
}

// clocks returns the times of the day, or nil if they are better described.
func (e *Expression) clocks() []string {
	n := bits.OnesCount64(e.hour) * bits.OnesCount64(e.minute) * bits.OnesCount64(e.second)
	if n > mostClocks || bits.OnesCount64(e.hour) == 24 {
		return nil
	}
	var out []string
	for h := range values(e.hour) {
		for m := range values(e.minute) {
			for s := range values(e.second) {
				clock := fmt.Sprintf("%02d:%02d", h, m)
				if e.second != 1 {
					clock += fmt.Sprintf(":%02d", s)
				}
				out = append(out, clock)
			}
		}
	}
	return out
}

// interval describes times of the day that are too many to list.
func (e *Expression) interval() (en, zh string) {
	allMinutes, allHours := e.minute == 1<<60-1, e.hour == 1<<24-1
	hours, hoursZh := " of hours "+ranges(e.hour, " and "), "每天 "+ranges(e.hour, "、")+" 时的"
	if bits.OnesCount64(e.hour) == 1 {
		hours = " of hour " + ranges(e.hour, "")
	}
	if allHours {
		hours, hoursZh = " of every hour", "每小时的"
	}
	minutes, minutesZh := "minutes "+ranges(e.minute, " and "), "第 "+ranges(e.minute, "、")+" 分"
	if bits.OnesCount64(e.minute) == 1 {
		minutes = "minute " + ranges(e.minute, "")
	}
	if e.second != 1 {
		switch n := every(e.second, 60); {
		case n == 1:
			en, zh = "every second", "每秒"
		case n > 1:
			en, zh = fmt.Sprintf("every %d seconds", n), fmt.Sprintf("每 %d 秒", n)
		case bits.OnesCount64(e.second) == 1:
			en, zh = "at second "+ranges(e.second, ""), "第 "+ranges(e.second, "")+" 秒"
		default:
			en, zh = "at seconds "+ranges(e.second, " and "), "第 "+ranges(e.second, "、")+" 秒"
		}
		switch {
		case allMinutes && allHours && every(e.second, 60) > 0:
			return en, zh
		case allMinutes && allHours:
			return en + " of every minute", "每分钟的" + zh
		case allMinutes:
			return en + " of every minute" + hours, hoursZh + "每分钟，" + zh
		}
		return en + " of " + minutes + hours, hoursZh + minutesZh + "，" + zh
	}
	n := every(e.minute, 60)
	switch {
	case n > 0:
		en, zh = fmt.Sprintf("every %d minutes", n), fmt.Sprintf("每 %d 分钟", n)
		if n == 1 {
			en, zh = "every minute", "每分钟"
		}
		if !allHours {
			en, zh = en+hours, hoursZh+zh
		}
		return en, zh
	case e.minute == 1 && allHours:
		return "every hour", "每小时整点"
	case e.minute == 1 && every(e.hour, 24) > 0:
		return fmt.Sprintf("every %d hours from 00:00", every(e.hour, 24)), fmt.Sprintf("从 00:00 起每 %d 小时", every(e.hour, 24))
	}
	return "at " + minutes + hours, hoursZh + minutesZh
}

// describe says which days match; it is empty if all do and no times are listed. plain is
// a sentence that begins with every.
func (s *daySet) describe(times bool) (en, zh string, plain bool) {
	allDOM, allDOW := s.dom == 1<<32-2, s.dow == 1<<7-1
	switch {
	case s.both && allDOM && allDOW, !s.both && (allDOM || allDOW):
		if times {
			return "every day", "每天", true
		}
		return "", "", false
	case s.both && allDOM:
		return s.weekly(times)
	case s.both && allDOW:
		en, zh = s.monthly("and")
		return en, zh, false
	}
	dom, domZh := s.monthly("or")
	dow, dowZh := s.weekdays("or", "a ")
	if s.both {
		return "days that are " + dom + " and also " + dow, "同时为" + domZh + "且为" + dowZh + "的日子", false
	}
	return "days that are " + dom + " or " + dow, "为" + domZh + "或为" + dowZh + "的日子", false
}

// weekly describes days of the week alone.
func (s *daySet) weekly(times bool) (en, zh string, plain bool) {
	special := s.nth != [7]uint8{}
	working := s.dow == 0b0111110
	switch {
	case special:
		en, zh = s.weekdays("and", "every ")
		return en, zh, false
	case working && times:
		return "every weekday", "每个工作日（周一至周五）", true
	case working:
		return "weekdays", "每个工作日（周一至周五）", false
	case times:
		en, zh = s.weekdays("and", "")
		return "every " + en, "每" + zh, true
	}
	var days []string
	for d := range s.week() {
		days = append(days, d.String()+"s")
	}
	_, zh = s.weekdays("and", "")
	return list(days, "and"), "每" + zh, false
}

// monthly describes days of the month.
func (s *daySet) monthly(and string) (en, zh string) {
	var out, outZh []string
	if n := bits.OnesCount64(s.dom); n > 0 {
		days := "day "
		if n > 1 {
			days = "days "
		}
		out, outZh = append(out, days+ranges(s.dom, " "+and+" ")+" of the month"), append(outZh, "每月 "+ranges(s.dom, "、")+" 日")
	}
	if s.last {
		out, outZh = append(out, "the last day of the month"), append(outZh, "每月最后一天")
	}
	if s.lastWD {
		out, outZh = append(out, "the last weekday of the month"), append(outZh, "每月最后一个工作日（周一至周五）")
	}
	for d := range values(s.nearest) {
		out, outZh = append(out, fmt.Sprintf("the weekday nearest to day %d of the month", d)), append(outZh, fmt.Sprintf("离每月 %d 日最近的工作日（周一至周五）", d))
	}
	return list(out, and), strings.Join(outZh, "、")
}

// weekdays describes days of the week. one comes before a day that is each of the month's.
func (s *daySet) weekdays(and, one string) (en, zh string) {
	var out, outZh []string
	for d := range s.week() {
		name, nameZh := d.String(), "周"+string([]rune("日一二三四五六")[d])
		if s.dow>>d&1 == 1 {
			out, outZh = append(out, one+name), append(outZh, nameZh)
		}
		for n, word := range [6]string{"last", "first", "second", "third", "fourth", "fifth"} {
			if s.nth[d]>>n&1 == 1 {
				out = append(out, "the "+word+" "+name+" of the month")
				outZh = append(outZh, "每月"+[6]string{"最后一个", "第一个", "第二个", "第三个", "第四个", "第五个"}[n]+nameZh)
			}
		}
	}
	return list(out, and), strings.Join(outZh, "、")
}

// week returns the days of the week that are named, Monday first.
func (s *daySet) week() func(func(time.Weekday) bool) {
	return func(yield func(time.Weekday) bool) {
		for i := range 7 {
			d := time.Weekday((i + 1) % 7)
			if (s.dow>>d&1 == 1 || s.nth[d] != 0) && !yield(d) {
				return
			}
		}
	}
}

// every returns n if a set is each nth value of so many from 0 on, and they come evenly in
// each round; else 0.
func every(set uint64, count int) int {
	n := bits.TrailingZeros64(set &^ 1)
	if set&1 == 0 || n >= count || count%n != 0 {
		return 0
	}
	for v := range count {
		if (set>>v&1 == 1) != (v%n == 0) {
			return 0
		}
	}
	return n
}

// values returns the members of a set.
func values(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}

// ranges writes a set such as 0-5, 10 and 30.
func ranges(set uint64, and string) string {
	var out []string
	for set != 0 {
		first := bits.TrailingZeros64(set)
		n := bits.TrailingZeros64(^(set >> first))
		if n < 3 { // two neighbours are no range
			n = 1
			out = append(out, fmt.Sprint(first))
		} else {
			out = append(out, fmt.Sprintf("%d-%d", first, first+n-1))
		}
		set &^= (1<<n - 1) << first
	}
	if and == "、" {
		return strings.Join(out, and)
	}
	return list(out, strings.TrimSpace(and))
}

// list joins words as in "a, b and c".
func list(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}
