// Package cron reads cron expressions and says when they run next. It runs nothing and
// looks at no clock.
//
// # Expressions
//
// Five fields, or six with the seconds first:
//
//	second        0-59   (only with six fields; 0 with five)
//	minute        0-59
//	hour          0-23
//	day of month  1-31   L last day, LW last Monday to Friday, 15W the one nearest to the 15th
//	month         1-12   or JAN-DEC
//	day of week   0-7    or SUN-SAT; 0 and 7 are Sunday; FRI#2 the second Friday, FRI#L or 5L the last
//
// A field is a list of *, values and ranges, each but a lone value with a step: */15, 9-17/2.
// Beyond crontab(5), 5/15 means 5-59/15, ? is * in the two day fields, and names may be
// used wherever numbers may. @yearly, @annually, @monthly, @weekly, @daily, @midnight and
// @hourly stand for their expressions.
//
// # Days
//
// The two day fields are joined as cron(8) by Paul Vixie joins them, which tests whether
// the first character of a field is a star (DOM_STAR and DOW_STAR in its entry.c): if both
// fields are without, a day matches that matches either; else it must match both. So "0 0 13 * FRI"
// runs on each 13th and on each Friday, and "0 0 */2 * FRI" on Fridays with an odd date.
// A + before the day of week demands both: "0 0 13 * +FRI" is Friday the 13th.
//
// # Changes of the clock
//
// An expression without wildcards and steps in seconds, minutes and hours has fixed times,
// and runs once for each of them: in the first pass where the clock shows the time twice,
// and at the end of the gap where the clock leaps over it. A gap of more than three
// hours, such as Samoa's 30 December 2011, is a day that did not happen: nothing runs for it.
//
// Any other expression follows the clock: it runs in both passes, and leaps with it.
package cron
