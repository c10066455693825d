package output

import "strings"

// Alarming reports whether a line looks like a failure: by a word such as error, failed
// or panic, also as the end of a name such as TypeError, or by a mark such as ✗.
func Alarming(line string) bool {
	for i := 0; i < len(line); {
		c := line[i]
		if !letter(c) {
			if c >= 0x80 && mark(line[i:]) {
				return true
			}
			i++
			continue
		}
		j := i + 1
		for j < len(line) && letter(line[j]) {
			j++
		}
		if alarm(line[i:j]) {
			return true
		}
		i = j
	}
	return false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// mark reports whether text begins with a sign for a failure.
func mark(text string) bool {
	for _, m := range [...]string{"✗", "✘", "✕", "✖", "×", "●", "❌", "⨯", "🔴"} {
		if strings.HasPrefix(text, m) {
			return true
		}
	}
	return false
}

// alarm reports whether a word of ASCII letters names a failure.
func alarm(word string) bool {
	if len(word) < 4 {
		return false
	}
	var buf [24]byte
	if len(word) > len(buf) {
		word = word[len(word)-len(buf):] // the end of a long name says what it is
	}
	for i := range len(word) {
		buf[i] = word[i] | 0x20
	}
	low := buf[:len(word)]
	switch string(low) {
	case "fail", "fails", "failed", "failing", "failure", "failures", "failedtests",
		"error", "errors", "errored", "erred", "fatal", "panic", "panicked", "abort", "aborted", "aborting",
		"exception", "exceptions", "traceback", "assert", "assertion", "assertions", "segfault", "segmentation", "crash", "crashed",
		"undefined", "unresolved", "cannot", "could", "couldn", "unable", "invalid", "denied", "refused", "unexpected", "expected",
		"mismatch", "missing", "conflict", "conflicts", "killed", "timeout", "deadlock", "overflow", "corrupt", "corrupted",
		"unreachable", "rejected", "vulnerabilities", "warning", "warnings", "deprecated", "race", "leaked", "incompatible", "broken":
		return true
	}
	for _, end := range [...]string{"error", "exception", "failure", "failed"} {
		if strings.HasSuffix(string(low), end) {
			return true
		}
	}
	return false
}

// placed reports whether a line names a place in a file, as in main.go:12 or
// main.ts(3,5).
func placed(line string) bool {
	for i := 1; i+1 < len(line); i++ {
		if (line[i] == ':' || line[i] == '(') && digit(line[i+1]) && letter(line[i-1]) {
			name := line[:i]
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 && dot > len(name)-8 && dot > 0 && name[dot-1] > ' ' {
				return true
			}
		}
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
