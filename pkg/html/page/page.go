// Package page turns what a web server sent into a document for a model: Markdown,
// text or HTML, with the metadata of the page. It cuts documents into parts at the
// ends of blocks. It does not fetch, and does not choose the size of a part.
package page

import (
	"math"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/extract"
	"github.com/helve-dev/helve/pkg/html/markdown"
	"github.com/helve-dev/helve/pkg/html/metadata"
)

// Format is an output format of a document.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	Text     Format = "text"
	HTML     Format = "html"
	Raw      Format = "raw" // as the server sent it
)

// How the content of a document was found, besides those of package extract.
const (
	ByFeed = "feed" // the entries of a feed
	ByForm = "form" // the plain form of a site
	AsSent = "none" // as the server sent it
)

// Source is the response of a server.
type Source struct {
	Text string // decoded, UTF-8
	MIME string // lower case, without parameters; "" where the server did not say
	URL  *url.URL
	// Refresh is the value of the Refresh header, which redirects like the meta element.
	Refresh string
	// Literal says that the server insists on its type (X-Content-Type-Options: nosniff):
	// markup under text/plain is then source, to be shown as it is.
	Literal bool
	// Ran says that the scripts of the page have run, in a browser.
	Ran bool
}

// Options say how to show a document.
type Options struct {
	Format Format
	Whole  bool // all that is visible, not the content alone
	Links  bool // list the links of the content
	Images bool // list the images of the content
}

// Document is a page in the form in which it is shown.
type Document struct {
	Title, Byline, Site, Published, Modified, Language, Excerpt string

	Content   string
	Format    Format // of Content; documents other than HTML may keep their own
	Extractor string // readability, main, data, article, full, feed or none
	// Kept is the share of the visible text that Content has, 0..1, in characters
	// without the white space between words. What the page shows twice counts once.
	// It is 1 for all of the page, for what is not HTML, and for texts that the page
	// does not show but carries as data.
	Kept float64
	// Partial is set if what was left out may be content. A warning says so. Lost counts
	// it, in characters.
	Partial bool
	Lost    int

	Wall   extract.Wall // the wall in front of the page
	Links  []Link
	Images []Image

	Alternates Alternates // other forms of the page that it names

	// Outline are the headings of a page, with their ids; see [Document.Section]. Other
	// documents have those in their content.
	Outline []Heading

	Warnings []fault.Text
}

// Link is a link of a document.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Image is an image of a document.
type Image struct {
	Alt string `json:"alt"`
	URL string `json:"url"`
}

// Read makes a document of a response. The fault is bad_document.
func Read(s Source, o Options) (*Document, error) {
	if o.Format == Raw {
		return &Document{Content: s.Text, Format: Raw, Extractor: AsSent, Kept: 1}, nil
	}
	what := classify(s)
	if what == htmlPage {
		return readHTML(s, o)
	}
	d := readText(s, o, what)
	d.Kept = 1
	if _, odd := extract.StripInvisible(d.Content, true); odd > 0 {
		d.Warnings = append(d.Warnings, fault.T("%d characters of the text are invisible; they can hide instructions", odd))
	}
	return d, nil
}

// readText makes a document of anything but HTML.
func readText(s Source, o Options, what class) *Document {
	switch what {
	case jsonData:
		d := &Document{Content: s.Text, Format: Text, Extractor: AsSent}
		if o.Format != Text {
			d.Content = indented(s.Text)
		}
		return d
	case xmlFeed:
		if d, ok := readFeed(s, o); ok {
			return d
		}
		if d, ok := readList(s, o); ok {
			return d
		}
	case markdownText:
		return &Document{Title: firstHeading(s.Text), Content: s.Text, Format: Markdown, Extractor: AsSent}
	}
	return &Document{Content: s.Text, Format: Text, Extractor: AsSent}
}

// readHTML makes a document of a page.
func readHTML(s Source, o Options) (*Document, error) {
	text := s.Text
	if head, _ := opening(text); s.MIME == "application/xhtml+xml" || strings.HasPrefix(head, "<?xml") {
		text = extract.CloseTags(text)
	}
	doc, cut := extract.Parse(text)
	base := baseOf(doc, s.URL)
	m := metadata.Of(doc, s.URL, base)
	var err error
	d := &Document{Title: m.Title, Byline: m.Byline, Site: m.Site, Published: m.Published, Modified: m.Modified, Language: m.Language, Excerpt: m.Excerpt, Format: o.Format}
	d.Alternates.linked(doc, base)
	c := extract.Find(doc, &m, s.URL, o.Whole)
	d.Extractor, d.Wall, d.Kept, d.Partial, d.Lost = c.By, c.Wall, c.Kept, c.Partial, c.Lost
	d.Warnings = warnings(&c, &m, s.Ran, cut || c.Cut)
	images := len(dom.All(c.Node, atom.Img))
	d.Outline = outline(c.Node)
	if o.Format == HTML {
		absolute(c.Node, base)
		d.list(c.Node, o)
		d.Content, err = markup(c.Node)
	} else {
		markdown.Normalize(c.Node, base)
		d.list(c.Node, o)
		if o.Format == Text {
			d.Content = markdown.Text(c.Node)
		} else {
			d.Content, err = markdown.Of(c.Node)
		}
	}
	if err != nil {
		return nil, fault.New(fault.BadDocument, fault.T("the page cannot be converted to %s", o.Format)).
			WithHint(fault.T("try format=text, or format=raw")).Because(err)
	}
	if d.Excerpt == "" {
		d.Excerpt = excerpt(c.Node)
	}
	d.Warnings = append(d.Warnings, d.leads(s, &c, m.Refresh, base)...)
	if w := d.blank(s, &c, images); !w.IsZero() {
		d.Warnings = append(d.Warnings, w)
	}
	return d, nil
}

// baseOf returns the address that relative ones in the page refer to.
func baseOf(doc *html.Node, address *url.URL) *url.URL {
	b := dom.First(doc, atom.Base)
	if b == nil {
		return address
	}
	u, err := address.Parse(strings.TrimSpace(dom.Attr(b, "href")))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return address
	}
	return u
}

// excerptChars is the longest excerpt, in characters.
const excerptChars = 300

// excerpt returns the first longer paragraph.
func excerpt(n *html.Node) string {
	for _, p := range dom.All(n, atom.P) {
		text := dom.Text(p)
		if runes := []rune(text); len(runes) >= 60 {
			if len(runes) > excerptChars {
				return strings.TrimSpace(string(runes[:excerptChars])) + "…"
			}
			return text
		}
	}
	return ""
}

// firstHeading returns the first title in Markdown.
func firstHeading(text string) string {
	for line := range strings.Lines(text[:min(len(text), 8<<10)]) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// leftOut returns the per cent of a page that are not kept, at least 1.
func leftOut(kept float64) int { return max(int(math.Round(100*(1-kept))), 1) }

// hiddenWarned is the least hidden text, in characters, that a warning is given for.
const hiddenWarned = 100

// remarksWarned is the least text of readers' comments, in characters, whose omission a
// warning is given for: a comment form has less.
const remarksWarned = 300

// warnings returns what a reader should know about the content.
func warnings(c *extract.Content, m *metadata.Metadata, ran, cut bool) []fault.Text {
	var all []fault.Text
	switch w := barrier(c.Wall); {
	case ran && c.Wall == extract.ScriptWall:
		all = append(all, fault.T("the page shows almost nothing even after its scripts ran in a browser: call again with a longer timeout, or look for an API, a feed or another source"))
	case !w.IsZero() && c.By != extract.ByData:
		all = append(all, w)
	}
	switch c.Complaint {
	case extract.Missing:
		all = append(all, fault.T("the server reports success, but the page says that it does not exist: the address is probably wrong or outdated"))
	case extract.Failed:
		all = append(all, fault.T("the server reports success, but the page says that an error occurred: try again later, or use another source"))
	}
	switch {
	case c.By == extract.ByData && ran:
		all = append(all, fault.T("this is text from the data of the page, in no particular order"))
	case c.By == extract.ByData:
		all = append(all, fault.T("the page shows almost nothing without scripts; this is text from its data, in no particular order; render=always shows the page if a browser is configured, see web.browser"))
	}
	switch {
	case c.By == extract.ByArticle:
		all = append(all, fault.T("this is the article from the data of the page, which shows a part of it alone"))
	case c.Withheld:
		all = append(all, fault.T("the page says that the rest is for subscribers: the content may be only its beginning; use another source, or ask the person, who can set the headers of a subscription for this host in web.headers"))
	}
	if c.Partial {
		all = append(all, partial(c))
	}
	if c.Remarks >= remarksWarned {
		all = append(all, fault.T("comments of %d characters are left out; main=false shows all of the page", c.Remarks))
	}
	if c.Invisible > 0 {
		all = append(all, fault.T("%d invisible characters were removed from the text; they can hide instructions", c.Invisible))
	}
	if c.Hidden >= hiddenWarned {
		all = append(all, fault.T("hidden text of %d characters was removed; it can hide instructions", c.Hidden))
	}
	if cut {
		all = append(all, fault.T("the page is too large or nests too deeply; a part of it is left out"))
	}
	if m.Markdown != "" {
		all = append(all, fault.T("the page has a Markdown form: %s", m.Markdown))
	}
	return all
}
