package find

import "strings"

// wildcards returns a query with wildcards as globs, and "" for one without. It also
// takes the regular expressions that callers write for a name: anchors, .* and \. in
// them.
func wildcards(query string) string {
	if !strings.ContainsAny(query, "*?") && !expression(query) {
		return ""
	}
	var globs []string
	for one := range strings.SplitSeq(strings.Trim(query, "()"), "|") {
		if one = strings.Trim(one, " ()"); one != "" {
			globs = append(globs, wildcard(one))
		}
	}
	return strings.Join(globs, " ")
}

func wildcard(text string) string {
	switch {
	case expression(text):
	case strings.ContainsAny(text, "*?"):
		return text
	}
	text, starts := strings.CutPrefix(text, "^")
	text, ends := strings.CutSuffix(text, "$")
	text = strings.NewReplacer(`\.`, ".", ".*", "*", ".+", "*").Replace(text)
	if !starts {
		text = "*" + strings.TrimLeft(text, "*")
	}
	if !ends {
		text = strings.TrimRight(text, "*") + "*"
	}
	return text
}

// expression reports whether a text is a regular expression rather than a glob: foo.*
// and *.test.* are globs, foo.*bar is not.
func expression(text string) bool {
	if strings.HasPrefix(text, "^") || strings.HasSuffix(text, "$") || strings.Contains(text, `\.`) {
		return true
	}
	at := strings.Index(text, ".*")
	return at >= 0 && at+2 < len(text) && !strings.ContainsRune("*./{", rune(text[at+2])) && (at == 0 || text[at-1] != '*')
}
