package readability

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// verdict is a set of guesses about an element from the words of its class or id.
type verdict uint8

const (
	unlikely verdict = 1 << iota // holds no article
	maybe                        // may hold one although it is unlikely
	positive
	negative
	author
	sharing
	placed // unlikely, but for its place alone, which may be one in an entry of a list
)

// vocabulary returns the words of the original, which are parts of classes and ids.
func vocabulary(v verdict) []string {
	switch v {
	case unlikely:
		return []string{
			"-ad-", "ai2html", "banner", "breadcrumbs", "combx", "comment", "community", "cover-wrap", "disqus", "extra",
			"gdpr", "legends", "menu", "related", "remark", "replies", "rss", "shoutbox", "sidebar",
			"skyscraper", "social", "sponsor", "supplemental", "ad-break", "agegate", "pagination", "pager", "popup", "yom-remote",
		}
	case placed:
		return []string{"footer", "header"}
	case maybe:
		return []string{"and", "article", "body", "column", "content", "main", "mathjax", "shadow"}
	case positive:
		return []string{"article", "body", "content", "entry", "main", "page", "post", "text", "blog", "story"}
	case negative:
		return []string{
			"-ad-", "hidden", "banner", "combx", "comment", "com-", "contact", "footer", "gdpr", "masthead", "media", "meta",
			"outbrain", "promo", "related", "scroll", "share", "shoutbox", "sidebar", "skyscraper", "sponsor", "shopping",
			"tags", "widget",
		}
	case author:
		return []string{"byline", "author", "dateline", "writtenby"}
	}
	return nil
}

// judge returns the verdict for a class or an id.
func (r *run) judge(s string) verdict {
	if s == "" {
		return 0
	}
	v, ok := r.verdicts[s]
	if ok {
		return v
	}
	low := strings.ToLower(s)
	for _, kind := range [...]verdict{unlikely, placed, maybe, positive, negative, author} {
		for _, w := range vocabulary(kind) {
			if strings.Contains(low, w) && !(r.Remarks && isRemark(w)) {
				v |= kind
				break
			}
		}
	}
	for part := range strings.FieldsFuncSeq(low, func(c rune) bool { return c == '-' || c == '_' || c == ' ' }) {
		switch part {
		case "hid":
			v |= negative
		case "share", "sharedaddy":
			v |= sharing
		}
	}
	r.verdicts[s] = v
	return v
}

// isRemark reports whether a word of the vocabulary is one of what readers wrote.
func isRemark(word string) bool {
	switch word {
	case "comment", "combx", "remark", "replies":
		return true
	}
	return false
}

// mark returns the verdict for class and id together.
func (r *run) mark(n *html.Node) verdict {
	return r.judge(dom.Attr(n, "class")) | r.judge(dom.Attr(n, "id"))
}

// weight returns the score for class and id.
func (r *run) weight(n *html.Node) float64 {
	if !r.weighClasses {
		return 0
	}
	w := 0.0
	for _, s := range [...]string{dom.Attr(n, "class"), dom.Attr(n, "id")} {
		v := r.judge(s)
		if v&negative != 0 {
			w -= 25
		}
		if v&positive != 0 {
			w += 25
		}
	}
	return w
}
