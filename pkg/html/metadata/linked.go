package metadata

import (
	"bytes"
	"encoding/json"
	"html"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/html/dom"
)

const (
	linkedDepth = 12   // depth to which linked data is read
	linkedTexts = 50   // texts that are taken from it
	linkedNames = 1000 // things whose names are kept, for references
)

// linkedData holds the metadata in the JSON-LD blocks of a page.
type linkedData struct {
	*Metadata

	created  string           // when the text was made
	uploaded string           // when a film or a recording was
	author   any              // of the text
	other    any              // author of the page, or of something that is no text
	known    map[string]*name // by @id
}

// name is a thing that others may refer to.
type name struct {
	text   string
	person bool
}

// linked reads a block of JSON-LD. Of a broken one it reads what is whole.
func (l *linkedData) linked(script string) {
	script = strings.TrimSpace(script)
	script = strings.TrimSuffix(strings.TrimPrefix(script, "<![CDATA["), "]]>")
	var v any
	if json.Unmarshal([]byte(script), &v) == nil {
		l.thing(v, 0)
		return
	}
	d := json.NewDecoder(bytes.NewReader(repaired(script)))
	for range linkedTexts { // some pages put several values into one block
		v = nil
		if d.Decode(&v) != nil {
			return
		}
		l.thing(v, 0)
	}
}

// repaired returns JSON without the faults that pages often have: comments of HTML
// around it, line breaks in strings, escapes that JSON does not know, commas before a
// closing bracket, semicolons after the end.
func repaired(s string) []byte {
	s = strings.TrimPrefix(strings.TrimSpace(s), "<!--")
	out := make([]byte, 0, len(s))
	comma, quoted := -1, false // the last comma, if only white space followed it
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '\\' && i+1 < len(s):
			i++
			if strings.IndexByte(`"\/bfnrtu`, s[i]) >= 0 {
				out = append(out, c)
			}
			c = max(s[i], ' ')
		case quoted && c < ' ':
			c = ' '
		case c == '"':
			quoted, comma = !quoted, -1
		case quoted, c == ' ', c == '\n', c == '\r', c == '\t':
		case c == ';':
			continue
		case c == ',':
			comma = len(out)
		case (c == '}' || c == ']') && comma >= 0:
			out[comma], comma = ' ', -1
		default:
			comma = -1
		}
		out = append(out, c)
	}
	return out
}

// thing reads a value and the values in it.
func (l *linkedData) thing(v any, depth int) {
	if depth > linkedDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			l.thing(e, depth+1)
		}
	case map[string]any:
		l.name(v)
		l.described(v)
		for _, key := range [...]string{"@graph", "mainEntity", "mainEntityOfPage", "acceptedAnswer", "suggestedAnswer", "itemListElement", "item", "hasPart"} {
			if inner, ok := v[key]; ok {
				l.thing(inner, depth+1)
			}
		}
	}
}

// described reads the properties of one thing.
func (l *linkedData) described(v map[string]any) {
	if free, said := v["isAccessibleForFree"]; said && (free == false || strings.EqualFold(path.Base(one(free)), "false")) {
		l.Paid = true
	}
	for _, t := range texts(v["@type"]) {
		switch {
		case strings.HasSuffix(t, "Article"), t == "BlogPosting", t == "LiveBlogPosting", t == "Report", t == "Recipe":
			l.is(Article)
			l.written(v)
		case t == "DiscussionForumPosting", t == "QAPage", t == "SocialMediaPosting":
			l.Kind = Discussion
			l.written(v)
		case t == "Question", t == "Answer", t == "HowTo", t == "JobPosting", t == "Event", t == "Course", t == "SoftwareApplication", t == "Book":
			l.text(first(one(v["name"]), one(v["title"])), first(one(v["text"]), one(v["description"])))
		case t == "Product", t == "ProductGroup":
			l.is(Product)
			l.text(one(v["name"]), one(v["description"]))
		case t == "CollectionPage", t == "ItemList", t == "SearchResultsPage":
			l.is(Listing)
		case t == "VideoObject", t == "AudioObject", t == "PodcastEpisode", t == "Dataset", t == "Review", t == "CreativeWork", t == "MediaObject":
			l.times(v)
			l.uploaded = first(l.uploaded, one(v["uploadDate"]))
			if l.other == nil {
				l.other = either(v["author"], v["creator"])
			}
		case t == "WebSite":
			l.Site = first(l.Site, plain(one(v["name"])))
		case t == "WebPage":
			l.Language = first(l.Language, one(v["inLanguage"]))
			l.times(v)
			if l.other == nil {
				l.other = either(v["author"], v["creator"])
			}
			l.Excerpt = first(l.Excerpt, plain(one(v["description"])))
		}
	}
}

// is sets the kind. The first one counts, except that another kind may replace a listing.
func (m *Metadata) is(k Kind) {
	if m.Kind == Unknown || m.Kind == Listing {
		m.Kind = k
	}
}

// written reads the properties of an article.
func (l *linkedData) written(v map[string]any) {
	headline := plain(first(one(v["headline"]), one(v["name"])))
	l.Title = first(l.Title, headline)
	if l.author == nil {
		l.author = either(v["author"], v["creator"])
	}
	l.times(v)
	l.Language = first(l.Language, one(v["inLanguage"]))
	l.Excerpt = first(l.Excerpt, plain(one(v["description"])))
	if p, ok := v["publisher"].(map[string]any); ok {
		l.Site = first(l.Site, plain(one(p["name"])))
	}
	for _, key := range [...]string{"articleBody", "text", "description"} {
		if body, ok := v[key].(string); ok && strings.TrimSpace(body) != "" { // with its line breaks
			if l.text(headline, body); key == "articleBody" && len(l.Texts) > 0 {
				l.Texts[len(l.Texts)-1].Article = true
			}
			return
		}
	}
}

func (m *Metadata) text(title, body string) {
	if strings.TrimSpace(body) != "" && len(m.Texts) < linkedTexts {
		m.Texts = append(m.Texts, Text{Title: plain(title), Body: body})
	}
}

// times reads when a thing was published and changed.
func (l *linkedData) times(v map[string]any) {
	l.Published = first(l.Published, one(v["datePublished"]))
	l.created = first(l.created, one(v["dateCreated"]))
	l.Modified = first(l.Modified, one(v["dateModified"]))
}

// either returns the first value that is there.
func either(values ...any) any {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// name keeps the name of a thing that others may refer to.
func (l *linkedData) name(v map[string]any) {
	id, ok := v["@id"].(string)
	if n := plain(one(v["name"])); ok && n != "" && len(l.known) < linkedNames {
		if l.known == nil {
			l.known = map[string]*name{}
		}
		l.known[id] = &name{n, !isOrganization(v)}
	}
}

// names returns the names that a value gives, or that the things have that it refers
// to: those of persons, or if there are none those of organizations. It must be called
// when all blocks are read.
func (l *linkedData) names(v any) []string {
	var persons, others []string
	l.collect(v, 0, &persons, &others)
	if len(persons) > 0 {
		return persons
	}
	return others
}

func (l *linkedData) collect(v any, depth int, persons, others *[]string) {
	if depth > linkedDepth {
		return
	}
	switch v := v.(type) {
	case string:
		if n, ok := l.known[v]; ok {
			v = n.text
		}
		if v = plain(v); v != "" {
			*persons = append(*persons, v)
		}
	case []any:
		for _, e := range v {
			l.collect(e, depth+1, persons, others)
		}
	case map[string]any:
		n := &name{plain(first(one(v["name"]), one(v["@value"]))), !isOrganization(v)}
		if n.text == "" {
			n.text = dom.Collapse(plain(one(v["givenName"])) + " " + plain(one(v["familyName"])))
		}
		if id, ok := v["@id"].(string); ok && n.text == "" {
			if n = l.known[id]; n == nil {
				return
			}
		}
		switch {
		case n.text == "":
		case n.person:
			*persons = append(*persons, n.text)
		default:
			*others = append(*others, n.text)
		}
	}
}

func isOrganization(v map[string]any) bool {
	for _, t := range texts(v["@type"]) {
		if strings.HasSuffix(t, "Organization") || t == "Brand" || t == "WebSite" || t == "Corporation" {
			return true
		}
	}
	return false
}

// one returns the first text of a value that may be a list.
func one(v any) string {
	for _, t := range texts(v) {
		return t
	}
	return ""
}

// texts returns the texts of a value, which may be a list or an object.
func texts(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				all = append(all, s)
			}
		}
	case map[string]any:
		if s, ok := v["@value"].(string); ok {
			return []string{s}
		}
		if s, ok := v["name"].(string); ok {
			return []string{s}
		}
	}
	return all
}

// plain decodes entities, which many pages put into JSON-LD although it has none.
func plain(s string) string { return dom.Collapse(html.UnescapeString(s)) }
