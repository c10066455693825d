// Package page turns what a web server sent into a document for a model: Markdown,
// text or HTML, with the metadata of the page. It cuts documents into parts at the
// ends of blocks. It does not fetch, and does not choose the size of a part.
package page

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/web/dom"
	"github.com/helve-dev/helve/pkg/web/extract"
	"github.com/helve-dev/helve/pkg/web/markdown"
	"github.com/helve-dev/helve/pkg/web/metadata"
)

// Format is how a document is written.
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
	AsSent = "none" // as the server sent it
)

// Source is what a server sent.
type Source struct {
	Text string // decoded, UTF-8
	MIME string // lower case, without parameters; "" where the server did not say
	URL  *url.URL
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
	Title, Byline, Site, Published, Language, Excerpt string

	Content   string
	Format    Format // of Content; documents other than HTML may keep their own
	Extractor string // readability, main, data, full, feed or none

	Wall   extract.Wall // what keeps the reader out
	Links  []Link
	Images []Image

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

// Read makes a document of what a server sent. The fault is bad_document.
func Read(s Source, o Options) (*Document, error) {
	if o.Format == Raw {
		return &Document{Content: s.Text, Format: Raw, Extractor: AsSent}, nil
	}
	what := classify(s)
	if what == htmlPage {
		return readHTML(s, o)
	}
	d := readText(s, o, what)
	if odd := extract.CountInvisible(d.Content); odd > 0 {
		d.Warnings = append(d.Warnings, fault.T("%d characters of the text are invisible; they can hide instructions", "文本中有 %d 个不可见字符；它们可能隐藏指令", odd))
	}
	return d, nil
}

// readText makes a document of anything but HTML.
func readText(s Source, o Options, what class) *Document {
	switch what {
	case jsonData:
		return &Document{Content: indented(s.Text), Format: Text, Extractor: AsSent}
	case xmlFeed:
		if d, ok := readFeed(s, o); ok {
			return d
		}
	case markdownText:
		return &Document{Title: firstHeading(s.Text), Content: s.Text, Format: Markdown, Extractor: AsSent}
	}
	return &Document{Content: s.Text, Format: Text, Extractor: AsSent}
}

// readHTML makes a document of a page.
func readHTML(s Source, o Options) (*Document, error) {
	doc, cut := extract.Parse(s.Text)
	base := baseOf(doc, s.URL)
	m := metadata.Of(doc, s.URL, base)
	var err error
	d := &Document{Title: m.Title, Byline: m.Byline, Site: m.Site, Published: m.Published, Language: m.Language, Excerpt: m.Excerpt, Format: o.Format}
	c := extract.Find(doc, &m, s.URL, o.Whole)
	d.Extractor, d.Wall = c.By, c.Wall
	d.Warnings = warnings(&c, &m, cut || c.Cut)
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
		return nil, fault.New(fault.BadDocument, fault.T("the page cannot be converted to %s", "无法将该页面转换为 %s", o.Format)).
			WithHint(fault.T("try format=text, or format=raw", "请尝试 format=text 或 format=raw")).Because(err)
	}
	if d.Excerpt == "" {
		d.Excerpt = excerpt(c.Node)
	}
	if m.Refresh != "" && len(m.Refresh) <= maxRefresh && len(d.Content) < leadBytes {
		d.Warnings = append(d.Warnings, fault.T("in a browser this page redirects to %s; fetch that", "在浏览器中该页面会跳转到 %s；请获取该地址", m.Refresh))
	}
	return d, nil
}

const (
	// leadBytes is the longest content, in bytes, of a page that only redirects to
	// another.
	leadBytes = 1500
	// maxRefresh is the longest address, in bytes, that such a page may redirect to.
	maxRefresh = 8 << 10
)

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

// warnings returns what a reader should know about the content.
func warnings(c *extract.Content, m *metadata.Metadata, cut bool) []fault.Text {
	var all []fault.Text
	switch c.Wall {
	case extract.BotWall:
		all = append(all, fault.T("this is a test for humans, not the page: the site blocks programs; use another source", "这是人机验证页而非正文：该网站拒绝程序访问；请使用其他来源"))
	case extract.ConsentWall:
		all = append(all, fault.T("this is a request to accept cookies, not the page; use another source", "这是 Cookie 同意页而非正文；请使用其他来源"))
	case extract.LoginWall:
		all = append(all, fault.T("the page requires a login; the content may be incomplete", "该页面需要登录；可见内容可能不完整"))
	case extract.ScriptWall:
		all = append(all, fault.T("the page is empty until its scripts run, and scripts are not run here; look for an API, a feed or another source", "该页面需运行脚本才能显示内容，而此处不运行脚本；请寻找 API、订阅源或其他来源"))
	}
	switch c.Complaint {
	case extract.Missing:
		all = append(all, fault.T("the server reports success, but the page says that it does not exist: the address is probably wrong or outdated", "服务器返回成功，但页面自称不存在：该地址可能有误或已失效"))
	case extract.Failed:
		all = append(all, fault.T("the server reports success, but the page says that an error occurred: try again later, or use another source", "服务器返回成功，但页面自称出错：请稍后重试或使用其他来源"))
	}
	if c.By == extract.ByData {
		all = append(all, fault.T("the page shows almost nothing without scripts; this is text from its data, in no particular order", "该页面在不运行脚本时几乎没有内容；以下为其内嵌数据中的文本，顺序不定"))
	}
	if c.Invisible > 0 {
		all = append(all, fault.T("%d invisible characters were removed from the text; they can hide instructions", "已从文本中移除 %d 个不可见字符；它们可能隐藏指令", c.Invisible))
	}
	if cut {
		all = append(all, fault.T("the page is too large or nests too deeply; a part of it is left out", "该页面过大或嵌套过深，部分内容未读取"))
	}
	if m.Markdown != "" {
		all = append(all, fault.T("the page has a Markdown form: %s", "该页面有 Markdown 版本：%s", m.Markdown))
	}
	return all
}
