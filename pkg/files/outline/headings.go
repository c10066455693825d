package outline

import (
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/files/text"
)

// heading is the kind of headings.
const heading = "heading"

// byHeadings reads a document. It has none if the language is no document's.
func byHeadings(language, source string) (defs []Definition, ok bool) {
	var find func([]text.Line) []nested
	switch language {
	case "Markdown", "RMarkdown", "MDX":
		find = markdown
	case "reStructuredText":
		find = restructured
	case "AsciiDoc":
		find = asciidoc
	case "HTML":
		find = html
	case "JSON", "JSON with Comments":
		return keys(source), true
	default:
		return nil, false
	}
	lines := text.Lines(source)
	return nest(find(lines), lines), true
}

func headingAt(level int, title string, line int) nested {
	return nested{Definition{Name: strings.TrimSpace(title), Kind: heading, Line: line}, level}
}

// markdown finds the headings of CommonMark, of both forms.
func markdown(lines []text.Line) (found []nested) {
	fence := ""
	paragraph := false // the line before may be the text of a heading that is underlined
	start := 0
	if len(lines) > 0 && strings.TrimRight(lines[0].Body, " ") == "---" { // metadata
		for i, l := range lines[1:] {
			if l := strings.TrimRight(l.Body, " "); l == "---" || l == "..." {
				start = i + 2
				break
			}
		}
	}
	for i, l := range lines {
		line := strings.TrimLeft(l.Body, " ")
		indented := len(l.Body)-len(line) > 3 || strings.HasPrefix(line, "\t")
		was := paragraph
		paragraph = false
		switch {
		case i < start:
		case fence != "":
			if !indented && strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]+" \t") == "" {
				fence = ""
			}
		case indented:
			paragraph = was
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			n := len(line) - len(strings.TrimLeft(line, line[:1]))
			if line[0] == '~' || !strings.Contains(line[n:], "`") {
				fence = line[:n]
			}
		case strings.HasPrefix(line, "#"):
			title := strings.TrimLeft(line, "#")
			level := len(line) - len(title)
			if trimmed := strings.TrimRight(strings.TrimRight(title, " \t"), "#"); trimmed == "" || strings.HasSuffix(trimmed, " ") {
				title = trimmed
			}
			if level <= 6 && (title == "" || title[0] == ' ' || title[0] == '\t') && strings.TrimSpace(title) != "" {
				found = append(found, headingAt(level, title, i+1))
			}
		case was && strings.Trim(strings.TrimRight(line, " \t"), "=") == "" && line != "":
			found = append(found, headingAt(1, lines[i-1].Body, i))
		case was && strings.Trim(strings.TrimRight(line, " \t"), "-") == "" && line != "":
			found = append(found, headingAt(2, lines[i-1].Body, i))
		default:
			paragraph = strings.TrimSpace(line) != "" && strings.IndexByte(">|", line[0]) < 0 && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* ")
		}
	}
	return found
}

// restructured finds the titles of reStructuredText, whose levels are in the order in
// which their ornaments first appear.
func restructured(lines []text.Line) (found []nested) {
	var ornaments []string
	for i := 1; i < len(lines); i++ {
		under, title := strings.TrimRight(lines[i].Body, " \t"), strings.TrimRight(lines[i-1].Body, " \t")
		if !isOrnament(under) || title == "" || isOrnament(title) || title[0] == ' ' || len([]rune(title)) > len(under) {
			if !(isOrnament(under) && len(title) > 1 && title[0] == ' ' && i > 1 && strings.TrimRight(lines[i-2].Body, " \t") == under) {
				continue
			}
		}
		ornament := under[:1]
		if i > 1 && strings.TrimRight(lines[i-2].Body, " \t") == under {
			ornament += under[:1] // above too
		}
		level := slices.Index(ornaments, ornament)
		if level < 0 {
			level = len(ornaments)
			ornaments = append(ornaments, ornament)
		}
		found = append(found, headingAt(level+1, title, i))
	}
	return found
}

func isOrnament(line string) bool {
	return len(line) > 1 && strings.IndexByte("=-~^\"'`#*+:._<>!$%&(),/;?@[\\]{|}", line[0]) >= 0 && strings.Trim(line, line[:1]) == ""
}

// asciidoc finds the section titles of AsciiDoc with equals signs.
func asciidoc(lines []text.Line) (found []nested) {
	block := ""
	for i, l := range lines {
		line := strings.TrimRight(l.Body, " \t")
		if block != "" {
			if line == block {
				block = ""
			}
			continue
		}
		if len(line) >= 4 && strings.IndexByte("-.+/=_*", line[0]) >= 0 && strings.Trim(line, line[:1]) == "" {
			block = line
			continue
		}
		title := strings.TrimLeft(line, "=")
		if level := len(line) - len(title); level > 0 && level <= 6 && strings.HasPrefix(title, " ") {
			found = append(found, headingAt(level, title, i+1))
		}
	}
	return found
}

// html finds the headings of HTML that are in one line.
func html(lines []text.Line) (found []nested) {
	comment := false
	for i, l := range lines {
		line := l.Body
		if comment {
			_, rest, closed := strings.Cut(line, "-->")
			if !closed {
				continue
			}
			line, comment = rest, false
		}
		if before, rest, opened := strings.Cut(line, "<!--"); opened && !strings.Contains(rest, "-->") {
			line, comment = before, true
		}
		for {
			at := strings.Index(line, "<h")
			if at < 0 {
				at = strings.Index(line, "<H")
			}
			if at < 0 || at+3 >= len(line) {
				break
			}
			level := int(line[at+2]) - '0'
			line = line[at+3:]
			if level < 1 || level > 6 || line[0] != '>' && line[0] != ' ' {
				continue
			}
			_, content, _ := strings.Cut(line, ">")
			if end := strings.Index(strings.ToLower(content), "</h"); end >= 0 {
				content = content[:end]
			}
			if title := withoutTags(content); title != "" {
				found = append(found, headingAt(level, title, i+1))
			}
		}
	}
	return found
}

func withoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, tag := strings.Cut(s, "<")
		b.WriteString(before)
		if !tag {
			break
		}
		_, s, _ = strings.Cut(rest, ">")
	}
	return strings.TrimSpace(b.String())
}

// keys finds the keys of the outermost object of JSON.
func keys(source string) (defs []Definition) {
	depth, line := 0, 1
	for i := 0; i < len(source); i++ {
		switch source[i] {
		case '\n':
			line++
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if n := len(defs); depth == 1 && n > 0 {
				defs[n-1].End = line
			}
		case '/':
			if end := strings.IndexByte(source[i:], '\n'); strings.HasPrefix(source[i:], "//") && end > 0 {
				i += end - 1
			}
		case '"':
			from := i + 1
			for i++; i < len(source) && source[i] != '"' && source[i] != '\n'; i++ {
				if source[i] == '\\' {
					i++
				}
			}
			rest := strings.TrimLeft(source[min(i+1, len(source)):], " \t")
			if depth == 1 && strings.HasPrefix(rest, ":") && i <= len(source) {
				defs = append(defs, Definition{Name: source[from:min(i, len(source))], Kind: "key", Line: line, End: line})
			}
			if i < len(source) && source[i] == '\n' {
				line++
			}
		}
	}
	return defs
}
