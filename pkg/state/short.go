package state

import (
	"crypto/rand"
	"strings"
)

const (
	// shortDigits are letters and digits that are not taken for others.
	shortDigits = "23456789abcdefghjkmnpqrstvwxyz"
	maxSlug     = 20
)

// ShortID returns an ID that a person can type, such as back-up-k3f9: of a name, or
// "job", and four random digits. Whoever keeps things by such IDs must see that each is
// free.
func ShortID(name string) string {
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	for i, b := range random {
		random[i] = shortDigits[int(b)%len(shortDigits)]
	}
	return slugOf(name) + string(random[:])
}

// slugOf returns what an ID begins with: up to maxSlug letters and digits of a name and
// a dash, or "job-".
func slugOf(name string) string {
	var slug strings.Builder
	for _, c := range strings.ToLower(name) {
		if slug.Len() == maxSlug {
			break
		}
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			slug.WriteRune(c)
		case slug.Len() > 0 && !strings.HasSuffix(slug.String(), "-"):
			slug.WriteByte('-')
		}
	}
	s := strings.Trim(slug.String(), "-")
	if s == "" {
		s = "job"
	}
	return s + "-"
}
