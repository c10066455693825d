package timing

import (
	"strings"
	"time"
	"unicode"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
)

// parseWait reads a while: numbers, each with a unit of time.
func parseWait(text string) (time.Duration, error) {
	bad := func(what fault.Text) (time.Duration, error) {
		return 0, schema.Invalid("/in", fault.T("%q: %s", clip(text), what)).
			WithHint(fault.T("pass numbers with units from s, m, h, d and w, such as \"20m\", \"1h30m\", \"90s\" or \"2 days\"; for a date use at"))
	}
	rest := strings.ToLower(strings.TrimSpace(text))
	if len(rest) > 100 {
		return bad(fault.T("it is too long"))
	}
	rest = strings.TrimSpace(strings.TrimPrefix(rest, "in "))
	var sum time.Duration
	for parts := 0; rest != "" || parts == 0; parts++ {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		number, ok := decimal(rest[:digits])
		if !ok {
			return bad(fault.T("a number is missing or wrong before %q", clip(rest)))
		}
		rest = strings.TrimLeft(rest[digits:], " ")
		letters := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
		if letters < 0 {
			letters = len(rest)
		}
		unit := unitOf(rest[:letters])
		if unit == 0 {
			return bad(fault.T("%q is no unit of time with a fixed length", clip(rest[:letters])))
		}
		if number > float64(longestPeriod*time.Second)/float64(unit) {
			return bad(tooLong())
		}
		sum += time.Duration(number * float64(unit)).Round(time.Millisecond)
		if sum > longestPeriod*time.Second {
			return bad(tooLong())
		}
		rest = strings.TrimLeft(rest[letters:], " ,")
		rest = strings.TrimLeft(strings.TrimPrefix(rest, "and "), " ")
	}
	if sum < time.Second {
		return bad(fault.T("at least a second is allowed"))
	}
	return sum, nil
}

// tooLong describes the fault of a duration that is too long.
func tooLong() fault.Text { return fault.T("at most ten years are allowed") }

// decimal returns the value of digits with at most one point among them.
func decimal(text string) (value float64, ok bool) {
	whole, part, point := strings.Cut(text, ".")
	if whole == "" || point && part == "" || strings.Contains(part, ".") || len(text) > 20 {
		return 0, false
	}
	for _, digit := range whole {
		value = value*10 + float64(digit-'0')
	}
	for i, scale := 0, .1; i < len(part); i, scale = i+1, scale/10 {
		value += float64(part[i]-'0') * scale
	}
	return value, true
}

// unitOf returns the length of a unit, or 0. Months and years have none.
func unitOf(name string) time.Duration {
	switch name {
	case "s", "sec", "secs", "second", "seconds", "秒", "秒钟":
		return time.Second
	case "m", "min", "mins", "minute", "minutes", "分", "分钟":
		return time.Minute
	case "h", "hr", "hrs", "hour", "hours", "小时", "个小时", "钟头":
		return time.Hour
	case "d", "day", "days", "天", "日":
		return 24 * time.Hour
	case "w", "wk", "week", "weeks", "周", "星期", "个星期":
		return 7 * 24 * time.Hour
	}
	return 0
}
