package page

import (
	"strings"
	"unicode/utf8"
)

// unit is the smallest result of a search: a block, or a piece of a long one.
type unit struct {
	from, to int    // bytes
	heads    bool   // it begins with a heading
	text     string // as it is searched
	path     string // of the headings above it, as it is searched
}

const (
	longUnit  = 1500 // bytes of a block that is divided
	shortUnit = 500  // bytes of its pieces, at least
)

// units divides a range of the content.
func (d *Document) units(marks []mark, from, to int) []unit {
	content := d.Content[from:to]
	var cuts []int
	boundaries(content, d.Format, "", func(at int, l level) bool {
		if l == betweenBlocks {
			cuts = append(cuts, at)
		}
		return true
	})
	cuts = append(cuts, len(content))
	var all []unit
	last := 0
	for _, at := range cuts {
		for last < at {
			end := at
			if end-last > longUnit {
				end = last + d.piece(content[last:at])
			}
			all = append(all, unit{from: from + last, to: from + end})
			last = end
		}
	}
	next, path := 0, ""
	for i := range all {
		u := &all[i]
		for next < len(marks) && marks[next].at < u.to {
			if u.heads = u.heads || marks[next].at >= u.from; marks[next].at >= from {
				path = plain(pathTo(marks, next))
			}
			next++
		}
		u.path = path
		text := d.Content[u.from:u.to]
		if d.Format == HTML {
			text = untagged(text)
		}
		u.text = plain(text)
	}
	return all
}

// piece returns where a long block is divided first.
func (d *Document) piece(block string) int {
	block = block[:runeStart(block, min(len(block), 2*longUnit))] // no more is looked at for each
	found := 0
	boundaries(block, d.Format, "", func(at int, _ level) bool {
		if at <= longUnit {
			found = at
		}
		return at < shortUnit
	})
	if found > 0 && found <= longUnit {
		return found
	}
	most := runeStart(block, longUnit)
	if at := sentence(block[:most]); at > 0 && utf8.RuneStart(block[at]) {
		return at
	}
	return most
}

// untagged returns HTML without its tags.
func untagged(s string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		end := strings.IndexByte(s[at:], '>')
		if end < 0 {
			s = ""
			break
		}
		s = s[at+end+1:]
	}
	return b.String() + s
}
