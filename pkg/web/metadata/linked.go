package metadata

import (
	"encoding/json"
	"html"
	"strings"

	"github.com/helve-dev/helve/pkg/web/dom"
)

const (
	linkedDepth = 12 // depth to which linked data is read
	linkedTexts = 50 // texts that are taken from it
)

// linked reads a block of JSON-LD. A broken one is ignored.
func (m *Metadata) linked(script string) {
	script = strings.TrimSpace(script)
	script = strings.TrimSuffix(strings.TrimPrefix(script, "<![CDATA["), "]]>")
	var v any
	if json.Unmarshal([]byte(script), &v) != nil {
		return
	}
	m.thing(v, 0)
}

// thing reads a value and the values in it.
func (m *Metadata) thing(v any, depth int) {
	if depth > linkedDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			m.thing(e, depth+1)
		}
	case map[string]any:
		m.described(v)
		for _, key := range [...]string{"@graph", "mainEntity", "mainEntityOfPage", "acceptedAnswer", "suggestedAnswer", "itemListElement", "item", "hasPart"} {
			if inner, ok := v[key]; ok {
				m.thing(inner, depth+1)
			}
		}
	}
}

// described reads the properties of one thing.
func (m *Metadata) described(v map[string]any) {
	for _, t := range texts(v["@type"]) {
		switch {
		case strings.HasSuffix(t, "Article"), t == "BlogPosting", t == "LiveBlogPosting", t == "Report", t == "Recipe":
			m.is(Article)
			m.written(v)
		case t == "DiscussionForumPosting", t == "QAPage", t == "SocialMediaPosting":
			m.Kind = Discussion
			m.written(v)
		case t == "Question", t == "Answer", t == "HowTo", t == "JobPosting", t == "Event", t == "Course", t == "SoftwareApplication", t == "Book":
			m.text(first(one(v["name"]), one(v["title"])), first(one(v["text"]), one(v["description"])))
		case t == "Product", t == "ProductGroup":
			m.is(Product)
			m.text(one(v["name"]), one(v["description"]))
		case t == "CollectionPage", t == "ItemList", t == "SearchResultsPage":
			m.is(Listing)
		case t == "WebSite":
			m.Site = first(m.Site, plain(one(v["name"])))
		case t == "WebPage":
			m.Language = first(m.Language, one(v["inLanguage"]))
			m.Published = first(m.Published, one(v["datePublished"]))
			m.Excerpt = first(m.Excerpt, plain(one(v["description"])))
		}
	}
}

// is sets the kind. The first one counts, except that a listing may become
// another kind.
func (m *Metadata) is(k Kind) {
	if m.Kind == Unknown || m.Kind == Listing {
		m.Kind = k
	}
}

// written reads the properties of an article.
func (m *Metadata) written(v map[string]any) {
	headline := plain(first(one(v["headline"]), one(v["name"])))
	m.Title = first(m.Title, headline)
	m.Byline = first(m.Byline, names(v["author"]), names(v["creator"]))
	m.Published = first(m.Published, one(v["datePublished"]), one(v["dateCreated"]))
	m.Language = first(m.Language, one(v["inLanguage"]))
	m.Excerpt = first(m.Excerpt, plain(one(v["description"])))
	if p, ok := v["publisher"].(map[string]any); ok {
		m.Site = first(m.Site, plain(one(p["name"])))
	}
	for _, key := range [...]string{"articleBody", "text", "description"} {
		if body, ok := v[key].(string); ok && strings.TrimSpace(body) != "" { // with its line breaks
			m.text(headline, body)
			return
		}
	}
}

func (m *Metadata) text(title, body string) {
	if strings.TrimSpace(body) != "" && len(m.Texts) < linkedTexts {
		m.Texts = append(m.Texts, Text{Title: plain(title), Body: body})
	}
}

// names returns the names of persons, joined.
func names(v any) string {
	var all []string
	switch v := v.(type) {
	case string:
		return plain(v)
	case []any:
		for _, e := range v {
			if n := names(e); n != "" {
				all = append(all, n)
			}
		}
	case map[string]any:
		return plain(one(v["name"]))
	}
	return strings.Join(all, ", ")
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
