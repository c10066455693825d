package store

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	maxPart  = 128 // characters of a part of a key
	maxParts = 8   // of a key
)

// CheckKey checks the name of a key.
func CheckKey(key string) error {
	parts := 0
	for part := range strings.SplitSeq(key, "/") {
		if parts++; !plain(part) || parts > maxParts {
			return badName(key)
		}
	}
	return nil
}

// CheckPrefix checks a prefix of keys: "" or parts that each end with a slash.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	whole, ok := strings.CutSuffix(prefix, "/")
	if !ok {
		return badName(prefix)
	}
	return CheckKey(whole)
}

// CheckName checks the name of a stream, or the id of a message.
func CheckName(name string) error {
	if !plain(name) {
		return badName(name)
	}
	return nil
}

// CheckData checks the length of a value or a message.
func CheckData(data []byte) error {
	if len(data) <= MaxData {
		return nil
	}
	return fault.New(fault.TooLarge, fault.T("too large for the store: %d bytes, at most %d", len(data), MaxData)).
		WithHint(fault.T("write it to a file and name the file"))
}

func plain(part string) bool {
	if part == "" || len(part) > maxPart || part[0] == '.' {
		return false
	}
	for i := range len(part) {
		switch c := part[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("._-+@:", c) >= 0:
		default:
			return false
		}
	}
	return true
}

func badName(name string) error {
	return fault.New(fault.InvalidArguments, fault.T("not a name that the store takes: %q", name)).
		WithHint(fault.T("use 1 to 128 of a-z A-Z 0-9 . _ - + @ and :"))
}
