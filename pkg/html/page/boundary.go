package page

import (
	"strings"

	"github.com/helve-dev/helve/pkg/html/markdown"
)

// level rates an offset as a place to cut a document, best first.
type level uint8

const (
	betweenBlocks level = iota // paragraphs, items, tables, code
	betweenItems               // parts of a long item, rows of a table
	betweenLines               // of code
	betweenTags
)

// boundaries calls yield with the offsets where a document may be cut, in order,
// until yield returns false. fence is the code fence that is open at the beginning.
func boundaries(text string, format Format, fence string, yield func(at int, l level) bool) {
	switch format {
	case Markdown:
		inMarkdown(text, fence, yield)
	case HTML:
		inHTML(text, yield)
	default:
		inLines(text, yield)
	}
}

// inMarkdown yields the beginnings of lines. A block begins at a line without
// indent after a blank line or at an item. The line after a heading belongs to it.
func inMarkdown(text, fence string, yield func(int, level) bool) {
	at, blank, heading := 0, true, false
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		l := betweenItems
		switch {
		case fence != "":
			l = betweenLines
		case bare == "":
		case heading:
			l = betweenLines
		case bare[0] == ' ' || bare[0] == '\t': // continues an item
			if !blank && !isItem(strings.TrimLeft(bare, " \t")) {
				l = betweenLines
			}
		case blank, isItem(bare):
			l = betweenBlocks
		}
		if bare != "" || fence != "" {
			if at > 0 && !yield(at, l) {
				return
			}
			heading = fence == "" && strings.HasPrefix(bare, "#")
		}
		fence = markdown.Fence(fence, bare)
		blank = bare == "" && fence == ""
		at += len(line)
	}
}

// isItem reports whether a line begins an item of a list.
func isItem(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ") {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < 10 && (strings.HasPrefix(line[digits:], ". ") || strings.HasPrefix(line[digits:], ") "))
}

// inLines yields the beginnings of lines. Blank lines separate blocks.
func inLines(text string, yield func(int, level) bool) {
	at, blank := 0, false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		l := betweenItems
		if blank && bare != "" {
			l = betweenBlocks
		}
		if at > 0 && bare != "" && !yield(at, l) {
			return
		}
		blank = bare == ""
		at += len(line)
	}
}

// inHTML yields the ends of tags and lines. A line break before a tag, outside pre
// elements, is between blocks.
func inHTML(text string, yield func(int, level) bool) {
	pre, start := false, -1 // start is the offset of the tag
	for i := range len(text) {
		switch text[i] {
		case '<':
			start = i
			switch {
			case strings.HasPrefix(text[i:], "<pre"):
				pre = true
			case strings.HasPrefix(text[i:], "</pre"):
				pre = false
			}
		case '>':
			if start < 0 {
				continue
			}
			l := betweenTags
			switch tag := text[start:i]; {
			case pre:
			case tag == "</p", tag == "</li", tag == "</tr", tag == "</pre", tag == "</div", tag == "</section", tag == "</ul", tag == "</table", tag == "</blockquote":
				l = betweenItems
			}
			if !strings.HasPrefix(text[i+1:], "\n") && i+1 < len(text) && !yield(i+1, l) {
				return
			}
		case '\n':
			if i+1 < len(text) {
				l := betweenLines
				if !pre && text[i+1] == '<' {
					l = betweenBlocks
				}
				if !yield(i+1, l) {
					return
				}
			}
		}
	}
}

// openAt returns the block that an offset is in the middle of, "" between blocks,
// and the code fence that is open there.
func openAt(text string, format Format, at int) (in Inside, fence string) {
	l := betweenTags + 1
	boundaries(text, format, "", func(b int, found level) bool {
		if b == at {
			l = found
		}
		return b < at
	})
	if l == betweenBlocks {
		return "", ""
	}
	if format != Markdown {
		if format != HTML && l <= betweenLines {
			return "", ""
		}
		return InText, ""
	}
	last := ""
	for line := range strings.Lines(text[:at]) {
		fence = markdown.Fence(fence, strings.TrimRight(line, "\r\n"))
		if strings.TrimSpace(line) != "" {
			last = line
		}
	}
	switch {
	case fence != "":
		return InCode, fence
	case strings.HasPrefix(last, "|") && strings.HasPrefix(text[at:], "|"):
		return InTable, ""
	case strings.HasPrefix(text[at:], " "):
		return InItem, ""
	}
	return InText, ""
}
