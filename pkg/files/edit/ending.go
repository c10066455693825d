package edit

import "strings"

// withEndings lets an edit that deletes whole lines delete the ending of the last one
// as well, which its old text need not have: otherwise an empty line would be left
// behind. The replacements are in order and do not overlap. An edit of many places
// does so in all of them or in none.
func withEndings(src string, all []replacement) {
	partial := map[int]bool{} // by edit
	for i, p := range all {
		if eol := endingAt(src, p); eol == 0 || i+1 < len(all) && all[i+1].start < p.end+eol {
			partial[p.edit] = true
		}
	}
	for i, p := range all {
		if !partial[p.edit] {
			all[i].end += endingAt(src, p)
			all[i].lines = 0
		}
	}
}

// endingAt returns how many bytes the ending has that is left over when a replacement
// deletes whole lines; 0 if it does not.
func endingAt(src string, p replacement) int {
	if p.text != "" || p.start == p.end || p.start > 0 && !strings.ContainsAny(src[p.start-1:p.start], "\r\n") {
		return 0
	}
	if last := src[p.end-1]; last == '\n' || last == '\r' {
		return 0 // it is deleted already
	}
	switch rest := src[p.end:]; {
	case strings.HasPrefix(rest, "\r\n"):
		return 2
	case strings.HasPrefix(rest, "\n"), strings.HasPrefix(rest, "\r") && !strings.Contains(src, "\n"):
		return 1
	}
	return 0
}
