package cron

import "math/bits"

// Expression is a cron expression that was understood. Make one with [Parse].
type Expression struct {
	text   string // as given, without surrounding and repeated space
	fields [6]string

	second, minute, hour, month uint64 // bit n is the value n
	days                        daySet

	// fixed says that second, minute and hour have no wildcard or step, which decides what
	// happens where the clock is changed; see the package's documentation.
	fixed bool
}

// String returns the expression as it was given, its fields one space apart.
func (e *Expression) String() string { return e.text }

const secondsOfDay = 24 * 60 * 60

// timeOfDay returns the first matching time at or after from, in seconds since midnight.
func (e *Expression) timeOfDay(from int64) (int64, bool) {
	h, m, s := int(from/3600), int(from/60%60), int(from%60)
	if hour, ok := next(e.hour, h); !ok {
		return 0, false
	} else if hour > h {
		h, m, s = hour, 0, 0
	}
	second, ok := next(e.second, s)
	if !ok {
		m, second = m+1, bits.TrailingZeros64(e.second)
	}
	minute, ok := next(e.minute, m)
	if ok && minute > m {
		second = bits.TrailingZeros64(e.second)
	}
	if !ok {
		if h, ok = next(e.hour, h+1); !ok {
			return 0, false
		}
		minute, second = bits.TrailingZeros64(e.minute), bits.TrailingZeros64(e.second)
	}
	return int64(h*3600 + minute*60 + second), true
}

// next returns the first value of a set that is at least from.
func next(set uint64, from int) (int, bool) {
	if set = set >> from << from; set == 0 {
		return 0, false
	}
	return bits.TrailingZeros64(set), true
}
