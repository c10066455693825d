package zone

import (
	"encoding/binary"
	"strings"
	"time"
)

// unread is the abbreviation of a clock whose rule the library could not read.
const unread = "unread"

// posix returns the zone of a rule as POSIX writes it for the variable TZ, such as CST-8 or
// CET-1CEST,M3.5.0,M10.5.0/3. Its name is its offset if that is always the same, else the
// rule.
func posix(rule string) (*time.Location, bool) {
	clock, _, _ := strings.Cut(rule, ",")
	if len(rule) > 100 || strings.ContainsAny(rule, "\n\x00") || strings.ContainsAny(clock, "/_ .") {
		return nil, false
	}
	// The library reads such rules at the end of the file of a zone.
	loc, err := time.LoadLocationFromTZData(rule, zoneOf(rule))
	if err != nil {
		return nil, false
	}
	winter, summer := time.Date(2026, 1, 15, 0, 0, 0, 0, loc), time.Date(2026, 7, 15, 0, 0, 0, 0, loc)
	name, east := winter.Zone()
	if name == unread {
		return nil, false
	}
	switch _, other := summer.Zone(); {
	case strings.Contains(rule, ","):
		return loc, true
	case other != east: // by the usual rule, with a name of its own
		return posix(rule + ",M3.2.0,M11.1.0")
	}
	return offset(winter.Format("-07:00"))
}

// zoneOf returns the file of a zone (RFC 9636) that has nothing but a rule.
func zoneOf(rule string) []byte {
	head := func(types, letters uint32) []byte {
		b := append([]byte("TZif2"), make([]byte, 15)...)
		for _, n := range []uint32{0, 0, 0, 0, types, letters} {
			b = binary.BigEndian.AppendUint32(b, n)
		}
		return b
	}
	b := append(head(0, 0), head(1, uint32(len(unread)+1))...)
	b = append(b, 0, 0, 0, 0, 0, 0) // its one type: no offset, no summer time, the first abbreviation
	b = append(b, unread+"\x00"...)
	return append(b, "\n"+rule+"\n"...)
}
