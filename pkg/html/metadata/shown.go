package metadata

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// How far from its title a page names its date and author, in characters of text.
const (
	charsAfter  = 1500
	charsBefore = 300
	lineBytes   = 4 << 10 // most of a line that is kept
	lineRunes   = 160     // longest line that is read for a date or an author
	listDates   = 6       // so many dates near the title are those of a list of other texts
	briefNodes  = 200     // nodes of an element that is read as one text
	walkNodes   = 200000  // nodes that are looked at
)

// shown holds the metadata that a page shows near its title. Missing fields are "" or nil.
type shown struct {
	marked    string // date of publication in an element that is marked as such
	published string // any other date
	modified  string
	authors   []string
}

// show looks for dates and authors near the title of a page.
// A thread has many dates; the first is its own.
func show(doc *html.Node, m *Metadata, thread bool, o order, now time.Time) shown {
	v := view{order: o, now: now, kind: m.Kind, thread: thread, declared: m.Byline, heading: headline(doc, m.Title)}
	v.walk(dom.Body(doc))
	return v.choose()
}

// view collects what stands before and after the title.
type view struct {
	order   order
	now     time.Time
	kind    Kind
	thread  bool
	heading *html.Node // nil for none

	declared string // the authors that the page declares; "" for none

	chars      int // text so far, in characters
	begin, end int // of the title, in chars; end is 0 before it
	line       strings.Builder
	rest       int // bytes of the line that were left out
	times      []sight
	authors    []sight
}

// sight is a date or an author, with its position in the page.
type sight struct {
	text     string
	at       int  // in characters of the page's text
	before   bool // the title
	marked   bool
	modified bool
}

// headline returns the element that holds the title: the first main heading with the
// same words, else the first line that is the title, else the first main heading.
func headline(doc *html.Node, title string) *html.Node {
	want := letters(title)
	var first, line *html.Node
	for n := range doc.Descendants() {
		switch {
		case dom.Is(n, atom.H1, atom.H2):
			text := letters(brief(n))
			if utf8.RuneCountInString(text) >= 4 && want != "" && (strings.Contains(want, text) || strings.Contains(text, want)) {
				return n
			}
			if first == nil && n.DataAtom == atom.H1 {
				first = n
			}
		case line == nil && want != "" && n.Type == html.TextNode && len(n.Data) < 2*len(title)+50 && letters(n.Data) == want && !dom.Inside(n, atom.Title, atom.Script, atom.Svg):
			line = n.Parent
		}
	}
	return cmp.Or(line, first)
}

// brief returns the text of a small element; "" for a large one.
func brief(n *html.Node) string {
	size, nodes := 0, 0
	for c := range n.Descendants() {
		if nodes++; c.Type == html.TextNode {
			size += len(c.Data)
		}
		if size > lineBytes || nodes > briefNodes {
			return ""
		}
	}
	return dom.Text(n)
}

// letters returns the letters and digits of a text, in lower case.
func letters(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if isNameRune(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// walk goes through the nodes in the order of the page.
func (v *view) walk(root *html.Node) {
	n := root
	for range walkNodes {
		down := v.enter(n) && (v.end == 0 && v.heading != nil || v.chars-v.end <= charsAfter)
		switch {
		case down && n.FirstChild != nil:
			n = n.FirstChild
			continue
		case n == root:
			return
		}
		v.leave(n)
		for n.NextSibling == nil {
			if n = n.Parent; n == nil || n == root {
				v.flush()
				return
			}
			v.leave(n)
		}
		n = n.NextSibling
	}
}

// enter reads a node and reports whether to go on with the nodes below it.
func (v *view) enter(n *html.Node) bool {
	if n.Type == html.TextNode {
		if v.line.Len() < lineBytes {
			v.line.WriteString(n.Data[:min(len(n.Data), lineBytes)])
		}
		v.rest += max(0, len(n.Data)-lineBytes)
		return false
	}
	if dom.Silent(n) || dom.Is(n, atom.Svg, atom.Select, atom.Button, atom.Textarea) || v.beside(n) {
		return false
	}
	if dom.IsBlock(n) {
		v.flush()
	}
	if n == v.heading {
		v.flush()
		v.begin = v.chars
	}
	prop := strings.ToLower(dom.Attr(n, "itemprop"))
	if n.DataAtom == atom.Time || strings.Contains(prop, "date") || dom.HasClass(n, "dt-published", "dt-updated") || isDate(n) {
		v.time(n, prop)
	}
	if n.DataAtom != atom.Body && isAuthor(n, prop, v.kind) && n.DataAtom != atom.Meta {
		v.author(n)
	}
	return true
}

func (v *view) leave(n *html.Node) {
	if n.Type == html.ElementNode && (dom.IsBlock(n) || n.DataAtom == atom.Br) {
		v.flush()
	}
	if n == v.heading && v.end == 0 {
		v.flush()
		v.end = max(v.chars, 1)
	}
}

// beside reports whether an element belongs neither to the text nor to its head:
// navigation, comments, other texts.
func (v *view) beside(n *html.Node) bool {
	if n.Type != html.ElementNode || v.heading != nil && dom.Contains(n, v.heading) {
		return false
	}
	if dom.Is(n, atom.Nav, atom.Aside) || n.DataAtom == atom.Footer && !dom.Inside(n, atom.Article) { // an article's footer may name its author
		return true
	}
	if n.DataAtom == atom.Body {
		return false
	}
	mark := dom.Mark(n)
	if mark == "" {
		return false
	}
	if v.kind != Discussion && dom.HasMark(n, "comments", "comment", "comment-list", "respond", "disqus_thread") {
		return true
	}
	return dom.ContainsAny(mark, "related", "recommend", "sidebar", "breadcrumb", "popular", "trending", "most-read", "latest-", "ticker", "cookie", "copyright", "newsletter")
}

// isDate reports whether an element is marked as a date by its class.
func isDate(n *html.Node) bool {
	return dom.HasClass(n, "date", "published", "publish-date", "published-date", "post-date", "entry-date", "article-date", "posted-on", "pubdate", "pub-date", "post-time", "timestamp", "dateline")
}

// isAuthor reports whether an element is marked as the name of an author.
func isAuthor(n *html.Node, prop string, kind Kind) bool {
	if strings.Contains(" "+strings.ToLower(dom.Attr(n, "rel"))+" ", " author ") || prop == "author" || prop == "creator" {
		return true
	}
	if kind == Discussion && dom.HasClass(n, "username", "poster", "postauthor", "author-name", "creator", "names") {
		return true
	}
	return dom.HasMark(n, "byline", "author", "author-name", "post-author", "entry-author", "article-author", "p-author", "byline-name", "article__author", "author__name", "author_name",
		"byline__name", "byline-author", "post__author", "meta-author", "article-byline", "posted-by", "contributor", "authors", "writer")
}

// time reads an element that holds a time.
func (v *view) time(n *html.Node, prop string) {
	text := first(dom.Attr(n, "datetime"), dom.Attr(n, "content"), dom.Attr(n, "data-time"))
	if n.DataAtom != atom.Time && prop == "" && text == "" {
		text = dom.Attr(n, "title")
	}
	if text == "" {
		if text = brief(n); utf8.RuneCountInString(text) > lineRunes {
			return
		}
	}
	iso := date(text, v.order)
	if iso == "" || len(iso) < len("2006-01") || !plausible(iso, v.now) {
		return
	}
	mark := dom.Mark(n)
	label := v.line.String()
	modified := strings.Contains(prop, "modified") || !dom.ContainsAny(mark, "publish", "entry-date") && dom.ContainsAny(mark, "updated", "modified") || isChange(label)
	if isOther(label) {
		return
	}
	marked := strings.Contains(prop, "datepublished") || strings.Contains(prop, "datecreated") || dom.Has(n, "pubdate") || dom.HasClass(n, "dt-published")
	v.times = append(v.times, sight{iso, v.chars + dom.Length(label), v.end == 0, marked, modified})
}

// author reads an element that is marked as the name of an author.
func (v *view) author(n *html.Node) {
	text := ""
	nodes := 0
	for c := range n.Descendants() { // the name within it, without a picture's or a profile's text
		if c.Type == html.ElementNode && (strings.EqualFold(dom.Attr(c, "itemprop"), "name") || dom.HasClass(c, "fn", "p-name")) {
			text = first(brief(c), dom.Attr(c, "content"))
			break
		}
		if nodes++; nodes > briefNodes {
			return
		}
	}
	if text == "" {
		text = brief(n)
	}
	if text != "" && utf8.RuneCountInString(text) <= 100 {
		v.authors = append(v.authors, sight{text: text, at: v.chars, before: v.end == 0, marked: true})
	}
}

// flush ends a line, and reads the dates and the author in it.
func (v *view) flush() {
	line := dom.Collapse(v.line.String())
	v.line.Reset()
	if line == "" {
		return
	}
	at, n := v.chars, utf8.RuneCountInString(line)
	v.chars += n + 1 + v.rest
	v.rest = 0
	if n > lineRunes {
		return
	}
	from := 0
	line = digits(line)
	dates := datesIn(line, v.order)
	for _, d := range dates {
		label := line[from:d.start]
		from = d.end
		if plausible(d.iso, v.now) && !isOther(label) {
			v.times = append(v.times, sight{text: d.iso, at: at, before: v.end == 0, modified: isChange(label)})
		}
	}
	if name := labelled(line); name != "" {
		v.authors = append(v.authors, sight{text: name, at: at, before: v.end == 0})
		return
	}
	if len(dates) > 0 {
		line = strings.TrimRight(line[:dates[0].start], " ,|·•–—-(")
		for _, on := range [...]string{" on", " am", " le", " el", " il", " em", " op", " published", " posted"} {
			line = strings.TrimSuffix(line, on)
		}
	}
	if rest, ok := afterBy(line); ok && utf8.RuneCountInString(rest) < nameRunes && len(strings.Fields(rest)) <= 12 && startsLikeName(rest) {
		v.authors = append(v.authors, sight{text: rest, at: at, before: v.end == 0})
	}
}

// startsLikeName reports whether a text begins with a capital, or a letter that has no
// case.
func startsLikeName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isNameRune(r) && strings.ToUpper(string(r)) == string(r)
}

// isChange reports whether the words before a date say that it is one of a change.
func isChange(label string) bool {
	return dom.ContainsAny(strings.ToLower(label), "updat", "modif", "edited", "revised", "reviewed", "aktualis", "geändert", "mis à jour", "mise à jour", "actualiz", "aggiornat", "atualiz", "bijgewerkt", "обновл", "изменен",
		"zaktualiz", "aktualiz", "güncel", "diperbarui", "uppdater", "oppdater", "opdater", "更新", "修改", "编辑", "수정", "업데이트", "تحديث")
}

// isOther reports whether the words before a date say that it is neither that of
// publication nor of a change.
func isOther(label string) bool {
	return dom.ContainsAny(strings.ToLower(label), "joined", "join date", "registered", "member since", "©", "copyright", "expire", "born", "last visit", "last seen", "last activity", "last post", "last reply", "mitglied seit", "registriert")
}

// choose returns what stands nearest to the title.
func (v *view) choose() shown {
	var s shown
	distance := func(p sight) (int, bool) {
		switch {
		case v.end == 0:
			return p.at, p.at <= charsAfter
		case !p.before:
			return max(p.at-v.end, 0), p.at-v.end <= charsAfter
		}
		return 2*(v.begin-p.at) + lineRunes, v.begin-p.at <= charsBefore // it may belong to what stands before
	}
	byDistance := func(a, b sight) int {
		x, _ := distance(a)
		y, _ := distance(b)
		return cmp.Compare(x, y)
	}
	far := func(p sight) bool { _, ok := distance(p); return !ok }
	for _, p := range v.times {
		if p.marked && !p.modified && !(p.before && far(p)) {
			s.marked = p.text
			break
		}
	}
	times := slices.DeleteFunc(v.times, far)
	slices.SortStableFunc(times, byDistance)
	list := !v.thread && len(slices.CompactFunc(slices.Clone(times), func(a, b sight) bool { return a.at == b.at })) >= listDates
	for _, p := range times {
		if list && !p.modified {
			continue
		}
		if p.modified {
			s.modified = first(s.modified, p.text)
		} else {
			s.published = first(s.published, p.text)
		}
	}
	near := slices.DeleteFunc(v.authors, func(p sight) bool { return far(p) || authors([]string{p.text}, "") == "" })
	slices.SortStableFunc(near, byDistance)
	s.authors = v.named(near)
	return s
}

// named returns which of the names, the nearest first, are those of the authors: the
// first or, if the page declares one author, the first that has this one. Beside it in
// the same line may stand that line, with the names of all.
func (v *view) named(near []sight) []string {
	one := slices.IndexFunc(near, func(p sight) bool {
		all := names([]string{p.text}, "")
		return v.declared == "" || strings.EqualFold(strings.Join(all, ", "), v.declared) || withOthers(all, v.declared)
	})
	if one < 0 {
		return nil
	}
	best := near[one].text
	name := cmp.Or(v.declared, authors([]string{best}, ""))
	for _, p := range near[one+1:] {
		if all := names([]string{p.text}, ""); p.at == near[one].at && withOthers(all, name) && len(all) > len(names([]string{best}, "")) {
			best = p.text
		}
	}
	return []string{best}
}
