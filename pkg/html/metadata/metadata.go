// Package metadata reads what a web page says about itself: title, author, date,
// language, kind. It does not judge the content.
package metadata

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Metadata describes a page in its own words; a field is "" if the page does not state it.
type Metadata struct {
	Title     string
	Byline    string // the authors' names, joined by ", "
	Site      string
	Published string // ISO 8601 as precise as known: 2021, 2021-09, 2021-09-08, 2021-09-08T10:00:00 or RFC 3339
	Modified  string // when the page says that it was changed; as Published
	Language  string // BCP 47
	Excerpt   string
	Refresh   string // absolute address that the page redirects to by itself; "" for none
	Markdown  string // absolute address of the page's Markdown form; "" for none
	Kind      Kind
	Paid      bool // the page says that not all may read all of it

	Texts []Text // texts in the page's data, for pages without visible text
}

// Kind is the kind of a page, if the page states it.
type Kind uint8

// The kinds.
const (
	Unknown Kind = iota
	Article
	Discussion // a thread of a forum, or questions and answers
	Product
	Listing
)

// Text is a text that the page carries as data.
type Text struct {
	Title, Body string // Body may hold HTML
	Article     bool   // the text of an article, and not its description
}

// Of reads the metadata of the page at an address, whose relative addresses refer to
// base. The page must still have its scripts.
func Of(doc *html.Node, address, base *url.URL) Metadata {
	r := reader{base: base, meta: map[string]string{}}
	r.linked.Metadata = &r.data
	r.read(doc)
	m := r.data
	m.Language = first(language(doc), dom.Collapse(r.meta["content-language"]), strings.ReplaceAll(r.meta["og:locale"], "_", "-"), m.Language)
	m.Site = first(r.meta["og:site_name"], m.Site, r.meta["application-name"])
	m.Title = first(r.meta["og:title"], m.Title, r.meta["twitter:title"], r.meta["citation_title"], r.meta["dc.title"], bare(r.title, m.Site), r.heading)
	m.Excerpt = first(r.meta["og:description"], r.meta["description"], m.Excerpt, r.meta["twitter:description"])
	m.Refresh = r.refresh(r.meta["refresh"])
	if m.Kind == Unknown && r.meta["og:type"] != "" {
		switch kind := strings.ToLower(r.meta["og:type"]); {
		case kind == "article":
			m.Kind = Article
		case strings.Contains(kind, "product"):
			m.Kind = Product
		}
	}
	if m.Kind != Product && (isDiscussion(r.meta["generator"]) || isThread(address)) {
		m.Kind = Discussion
	}
	if tier := strings.ToLower(r.meta["article:content_tier"]); tier == "locked" {
		m.Paid = true
	}
	r.data = m
	r.dateAndAuthor(doc, address)
	return r.data
}

// dateAndAuthor sets when and by whom the page was written, from what it declares,
// else from its address, else from what it shows near its title.
func (r *reader) dateAndAuthor(doc *html.Node, address *url.URL) {
	m := &r.data
	o := orderOf(m.Language, address.Hostname())
	m.Modified = r.declared(o, append([]string{m.Modified}, r.metas("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revised")...))
	m.Published = r.declared(o, append([]string{m.Published}, r.metas(
		"article:published_time", "og:published_time", "article:published", "og:article:published_time", "datepublished", "citation_publication_date", "citation_date", "citation_online_date",
		"dc.date.issued", "dcterms.issued", "dcterms.date", "dc.date", "dc.date.created", "dcterms.created", "parsely-pub-date", "sailthru.date", "pubdate", "publish-date", "publish_date",
		"publishdate", "published_time", "publication_date", "date_published", "news_publish_date", "original-publish-date", "article.published", "cxenseparse:recs:publishtime", "bt:pubdate",
		"article_date_original", "datecreated", "date", "created", "uploaddate", "og:video:release_date", "video:release_date", "release_date")...))
	if m.Published == "" {
		m.Published = r.declared(o, []string{r.linked.created, r.linked.uploaded})
	}
	m.Byline = r.firstAuthors(r.linked.names(r.linked.author), r.citationAuthors, r.metas("author"), r.metas("article:author"), r.metas("dc.creator"), r.metas("dcterms.creator"),
		r.metas("parsely-author"), r.metas("sailthru.author"), r.metas("byl"), r.metas("article:author_name"), r.metas("citation_author"), r.linked.names(r.linked.other))
	known := m.Published != "" && m.Byline != ""
	if known && strings.Contains(m.Byline, ", ") {
		return
	}
	s := show(doc, m, isThread(address), o, time.Now())
	if !known {
		m.Modified = first(m.Modified, s.modified)
		m.Published = first(m.Published, s.marked, inAddress(address, time.Now()), s.published, monthInAddress(address, time.Now()))
	}
	// Some programs declare the first author alone, who is in the line that names all.
	if all := names(s.authors, m.Site); m.Byline == "" || withOthers(all, m.Byline) {
		m.Byline = strings.Join(all, ", ")
	}
}

// metas returns the contents of the meta elements of these names.
func (r *reader) metas(names ...string) []string {
	var all []string
	for _, n := range names {
		if v := r.meta[n]; v != "" {
			all = append(all, v)
		}
	}
	return all
}

// declared returns the first of the texts that is a date.
func (r *reader) declared(o order, texts []string) string {
	for _, t := range texts {
		if d := date(t, o); d != "" {
			return d
		}
	}
	return ""
}

// firstAuthors returns the authors that the first of the lists names.
func (r *reader) firstAuthors(lists ...[]string) string {
	for _, l := range lists {
		if a := authors(l, r.data.Site); a != "" {
			return a
		}
	}
	return ""
}

// reader collects the metadata in the elements of a page.
type reader struct {
	base            *url.URL
	data            Metadata
	linked          linkedData
	meta            map[string]string // by name or property, lower case
	citationAuthors []string
	title, heading  string
}

func (r *reader) read(doc *html.Node) {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if strings.HasSuffix(dom.Attr(n, "itemtype"), "://schema.org/QAPage") { // Stack Exchange says it in this way only
			r.data.Kind = Discussion
		}
		switch n.DataAtom {
		case atom.Title:
			if r.title == "" && !dom.Inside(n, atom.Svg) {
				r.title = dom.RawText(n)
			}
		case atom.Meta:
			r.tag(n)
		case atom.Link:
			r.link(n)
		case atom.Script:
			if strings.HasPrefix(strings.ToLower(strings.TrimSpace(dom.Attr(n, "type"))), "application/ld+json") {
				r.linked.linked(dom.RawText(n))
			}
		case atom.H1:
			if r.heading == "" {
				r.heading = dom.Text(n)
			}
		}
	}
}

// tag reads a meta element. The first of each name counts.
func (r *reader) tag(n *html.Node) {
	content := dom.Collapse(dom.Attr(n, "content"))
	if content == "" {
		return
	}
	if name := strings.ToLower(dom.Attr(n, "name")); (name == "citation_author" || name == "dc.creator") && len(r.citationAuthors) < mostNames {
		r.citationAuthors = append(r.citationAuthors, content)
	}
	for _, key := range [...]string{"property", "name", "itemprop", "http-equiv"} {
		for name := range strings.FieldsSeq(strings.ToLower(dom.Attr(n, key))) {
			if r.meta[name] == "" {
				r.meta[name] = content
			}
		}
	}
}

// link reads a link element.
func (r *reader) link(n *html.Node) {
	href := dom.Attr(n, "href")
	target, err := r.base.Parse(strings.TrimSpace(href))
	if href == "" || err != nil {
		return
	}
	rel := strings.Fields(strings.ToLower(dom.Attr(n, "rel")))
	if r.data.Markdown == "" && slices.Contains(rel, "alternate") && strings.EqualFold(dom.Attr(n, "type"), "text/markdown") {
		r.data.Markdown = target.String()
	}
}

// refresh returns the target of <meta http-equiv=refresh content="0; url=/x">, if
// it is another page and the delay is short (HTML Standard, section 4.2.5.3).
func (r *reader) refresh(content string) string {
	wait, target, ok := strings.Cut(content, "=")
	if !ok {
		return ""
	}
	wait, found := strings.CutSuffix(strings.ToLower(strings.TrimSpace(wait)), "url")
	seconds, err := strconv.ParseFloat(strings.Trim(wait, " ;,"), 64)
	if !found || err != nil || seconds > 30 {
		return ""
	}
	u, err := r.base.Parse(strings.Trim(target, " \"'"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	if u.Scheme == r.base.Scheme && u.Host == r.base.Host && u.EscapedPath() == r.base.EscapedPath() && u.RawQuery == r.base.RawQuery {
		return "" // the page reloads itself
	}
	return u.String()
}

func language(doc *html.Node) string {
	n := dom.First(doc, atom.Html)
	if n == nil {
		return ""
	}
	return dom.Collapse(first(dom.Attr(n, "lang"), dom.Attr(n, "xml:lang")))
}

func isDiscussion(generator string) bool {
	return dom.ContainsAny(strings.ToLower(generator), "discourse", "phpbb", "vbulletin", "xenforo", "flarum", "nodebb", "mybb", "vanilla", "invision")
}

// isThread reports whether an address looks like that of a thread, as the common
// forum programs make it.
func isThread(address *url.URL) bool {
	path := strings.ToLower(address.Path)
	for _, program := range [...]string{"/showthread.php", "/viewtopic.php", "/viewthread.php", "/printthread.php"} {
		if strings.HasSuffix(path, program) {
			return true
		}
	}
	forum, thread := isForum(strings.SplitN(strings.ToLower(address.Hostname()), ".", 2)[0]), false
	for segment := range strings.SplitSeq(path, "/") {
		switch segment {
		case "threads", "thread", "topic", "topics", "t", "d", "discussion", "questions", "viewtopic", "showthread":
			thread = true
		default:
			forum = forum || isForum(segment)
		}
	}
	return forum && thread
}

// isForum reports whether a part of an address names a forum.
func isForum(name string) bool {
	switch name {
	case "forum", "forums", "community", "discuss", "discourse", "discussions", "bbs", "board", "boards", "talk", "answers":
		return true
	}
	return false
}

// first returns the first text that is not blank, collapsed.
func first(texts ...string) string {
	for _, t := range texts {
		if t = dom.Collapse(t); t != "" {
			return t
		}
	}
	return ""
}
