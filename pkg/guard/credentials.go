package guard

import "strings"

// withoutCredentials hides who is named before the host of the addresses in a
// text: what was refused as an address with a password is not written down with
// it, either.
func withoutCredentials(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "://")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteString("://")
		end := strings.IndexAny(after, "/?# \t\r\n\"'<>")
		if end < 0 {
			end = len(after)
		}
		if at := strings.LastIndexByte(after[:end], '@'); at >= 0 {
			b.WriteString("***")
			after = after[at:]
		}
		text = after
	}
}
