package metadata

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	nameRunes = 80 // longest name of an author, in characters
	mostNames = 30 // authors that are named
)

// authors returns the names in a text that names authors, without what stands around
// them, joined by ", "; "" for none. site is the name of the site, which is no author.
func authors(texts []string, site string) string { return strings.Join(names(texts, site), ", ") }

// names returns these names.
func names(texts []string, site string) []string {
	var all []string
	for _, s := range texts {
		for _, part := range parts(byline(s)) {
			name := author(part)
			if name == "" || site != "" && strings.EqualFold(name, site) || len(all) >= mostNames ||
				slices.ContainsFunc(all, func(n string) bool { return strings.EqualFold(n, name) }) {
				continue
			}
			all = append(all, name)
		}
	}
	return all
}

// withOthers reports whether names are of an author and others: each but the author must have two words, as a title after
// the name, such as Co-Founder & COO, seldom has.
func withOthers(all []string, author string) bool {
	found := false
	for _, name := range all {
		for part := range strings.SplitSeq(name, ", ") {
			switch {
			case strings.EqualFold(part, author):
				found = true
			case !strings.Contains(part, " "):
				return false
			}
		}
	}
	return found && len(all) > 1
}

// parts splits the names of several authors. A comma may stand within a name, as
// before a degree; it stays one, and joins as well as separates.
func parts(s string) []string {
	s = strings.NewReplacer(" and ", ";", " And ", ";", " und ", ";", " & ", ";", "、", ";", "；", ";", " | ", ";|", " · ", ";|", " • ", ";|", " — ", ";|", " – ", ";|").Replace(s)
	var all []string
	for p := range strings.SplitSeq(s, ";") {
		if strings.HasPrefix(p, "|") && len(all) > 0 {
			break // after the names follow a date, a place or a role
		}
		all = append(all, strings.TrimPrefix(p, "|"))
	}
	return all
}

// author cleans one name; "" if it is none.
func author(s string) string {
	s = byline(dom.Collapse(s))
	var kept []string
	for p := range strings.SplitSeq(s, ",") {
		p = strings.TrimSpace(p)
		if p == "" {
			continue
		}
		if isRole(p) || len(datesIn(p, dayFirst)) > 0 || month(strings.ToLower(first(strings.Fields(p)...))) > 0 && strings.ContainsAny(p, "0123456789") {
			if len(kept) > 0 {
				break
			}
			continue
		}
		kept = append(kept, p)
	}
	s = strings.Join(kept, ", ")
	low := strings.ToLower(s)
	for _, after := range [...]string{" published", " updated", " posted", " on ", " @", "(@", " | "} {
		if at := strings.Index(low, after); at > 0 && len(low) == len(s) {
			s, low = s[:at], low[:at]
		}
	}
	s = mailless(s)
	s = strings.Trim(s, " ,;:|·•–—-\"“”»«()[]")
	if s != "" && strings.HasSuffix(s, "Jr") || strings.HasSuffix(s, "Sr") {
		s += "."
	}
	switch strings.ToLower(s) {
	case "admin", "administrator", "author", "authors", "editor", "guest", "user", "null", "undefined", "none", "unknown", "anonymous", "website", "webmaster", "by", "root", "n/a":
		return ""
	}
	if strings.Contains(s, "://") || strings.HasPrefix(s, "www.") || strings.HasPrefix(s, "/") || utf8.RuneCountInString(s) > nameRunes || !strings.ContainsFunc(s, isNameRune) {
		return ""
	}
	return s
}

func isNameRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// mailless removes addresses of mail.
func mailless(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	fields := strings.Fields(s)
	return strings.Join(slices.DeleteFunc(fields, func(f string) bool {
		at := strings.IndexByte(f, '@')
		return at > 0 && strings.Contains(f[at:], ".")
	}), " ")
}

// isRole reports whether a text is a role or a job title.
func isRole(s string) bool {
	s = strings.ToLower(s)
	for _, role := range [...]string{
		"writer", "editor", "reporter", "correspondent", "contributor", "columnist", "journalist", "author", "staff", "producer", "photographer", "freelancer", "redakteur", "redakteurin", "autor", "autorin", "journaliste", "rédacteur", "redactor", "editor-in-chief", "contributors", //nolint:misspell // Spanish and German
	} {
		if s == role || strings.HasSuffix(s, " "+role) {
			return len(strings.Fields(s)) <= 5
		}
	}
	return starts(s, "editor ", "head of ", "director of ", "chief ", "special to ", "for ")
}

// byline returns a text without the words before the name of an author; "" for the
// address of a profile.
func byline(s string) string {
	s = dom.Collapse(s)
	if strings.Contains(s, "://") {
		return ""
	}
	for range 2 { // as in "Posted by: By Ann"
		rest, ok := afterBy(s)
		if !ok {
			break
		}
		s = rest
	}
	return s
}

// labelledRunes is the longest name after a label within a line, in characters.
const labelledRunes = 20

// labelled returns the name after a label within a line, as Chinese and Japanese pages
// write it after the date and the source; "" for none, and for a line of sentences.
func labelled(line string) string {
	if strings.ContainsAny(line, "。！？") {
		return ""
	}
	for _, label := range [...]string{"作者", "撰文", "记者", "記者", "著者", "執筆"} {
		_, rest, found := strings.Cut(line, label)
		if !found || !starts(rest, "：", ":") {
			continue
		}
		name := strings.TrimLeft(rest, "：: ")
		if end := strings.IndexFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("|｜,，；;（(", r) }); end >= 0 {
			name = name[:end]
		}
		if name != "" && utf8.RuneCountInString(name) <= labelledRunes {
			return name
		}
	}
	return ""
}

// saysBy reports whether a word stands before the name of an author, rather than being
// a part of it, as in Von Trier, or an author itself.
func saysBy(word, rest string) bool {
	switch word {
	case "author", "authors", "autor", "auteur", "autore": //nolint:misspell // Spanish and German
		return false
	case "von", "di", "av", "af", "par", "por", "door":
		return startsLikeName(rest) && strings.Contains(rest, " ")
	}
	return true
}

// afterBy cuts the words before the name of an author.
func afterBy(s string) (rest string, ok bool) {
	for _, by := range [...]string{
		"written by", "posted by", "published by", "article by", "story by", "words by", "text by", "reviewed by", "submitted by", "started by", "by", "author", "authors",
		"geschrieben von", "veröffentlicht von", "von", "autor", "autorin", "par", "écrit par", "publié par", "auteur", "por", "escrito por", "publicado por", "di", "scritto da", "a cura di", "autore", //nolint:misspell // Spanish and German
		"door", "geschreven door", "автор", "autorka", "yazan", "yazar", "oleh", "penulis", "av", "af", "skrevet av",
	} {
		if len(s) > len(by)+1 && strings.EqualFold(s[:len(by)], by) {
			switch rest = s[len(by):]; {
			case rest[0] == ':', starts(rest, " :"), rest[0] == ' ' && saysBy(by, rest[1:]):
				return strings.TrimLeft(rest, " :"), true
			}
		}
	}
	for _, by := range [...]string{"作者", "文", "撰文", "记者", "記者", "著者", "執筆", "글쓴이", "작성자", "بقلم", "الكاتب"} {
		if rest, ok := strings.CutPrefix(s, by); ok && starts(rest, "：", ":", " ") {
			return strings.TrimLeft(rest, "：: "), true
		}
	}
	return s, false
}
