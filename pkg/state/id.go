package state

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"sync"
	"time"
)

// ids makes ULIDs (github.com/ulid/spec): 48 bits of milliseconds since 1970 and
// 80 random bits, as 26 digits of Crockford's base 32. It holds the last one made.
// The zero value is ready.
type ids struct {
	mu       sync.Mutex
	high, lo uint64
}

var process ids

const (
	digits   = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	idLength = 26
)

// NewID returns a ULID of the time now. Within a process each is greater than the
// one before, also if the clock steps back.
func NewID(now time.Time) string { return process.next(now) }

// FirstID returns what is not greater than any ULID of a time, or of a later one.
func FirstID(t time.Time) string { return encode(uint64(max(0, t.UnixMilli()))<<16, 0) }

// IsID reports whether NewID can have returned s.
func IsID(s string) bool {
	return len(s) == idLength && s[0] <= '7' && strings.Trim(s, digits) == ""
}

func (i *ids) next(now time.Time) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if at := uint64(max(0, now.UnixMilli())); at > i.high>>16 {
		var random [10]byte
		_, _ = rand.Read(random[:]) // never fails
		i.high = at<<16 | uint64(binary.BigEndian.Uint16(random[:]))
		i.lo = binary.BigEndian.Uint64(random[2:])
	} else if i.lo++; i.lo == 0 {
		i.high++
	}
	return encode(i.high, i.lo)
}

func encode(high, lo uint64) string {
	var text [idLength]byte
	for at := len(text) - 1; at >= 0; at-- {
		text[at] = digits[lo&31]
		high, lo = high>>5, high<<59|lo>>5
	}
	return string(text[:])
}
