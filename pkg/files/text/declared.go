package text

import "strings"

// declared returns the encoding that a text names in its first lines: in the
// declaration of XML, the meta element of HTML, @charset of CSS, or the cookie that
// Python, Ruby, Emacs and Vim read. It returns "" if there is none.
func declared(sample []byte) string {
	head := strings.ToLower(string(sample[:min(len(sample), 1<<10)]))
	markup := strings.HasPrefix(strings.TrimSpace(head), "<") || strings.HasPrefix(head, "@charset")
	if !markup {
		// Cookies count in the first two lines only.
		lines := strings.SplitN(head, "\n", 3)
		head = strings.Join(lines[:min(len(lines), 2)], "\n")
	}
	for _, word := range []string{"encoding", "charset", "coding", "@charset"} {
		for rest := head; ; {
			_, after, found := strings.Cut(rest, word)
			if !found {
				break
			}
			rest = after
			after = strings.TrimLeft(after, " ")
			if after != "" && (after[0] == '=' || after[0] == ':') {
				after = strings.TrimLeft(after[1:], " \"'")
			} else if word != "@charset" {
				continue
			}
			after = strings.TrimLeft(after, "\"")
			if name := label(after); name != "" {
				return name
			}
		}
	}
	return ""
}

// label returns the name of an encoding that s begins with.
func label(s string) string {
	end := 0
	for end < len(s) && end < 40 && (s[end] >= 'a' && s[end] <= 'z' || s[end] >= '0' && s[end] <= '9' || strings.IndexByte("-_:.", s[end]) >= 0) {
		end++
	}
	// Emacs adds the line ending to the name.
	name := strings.TrimSuffix(s[:end], "-unix")
	return strings.TrimSuffix(name, "-dos")
}
