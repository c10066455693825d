package forms

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/extract"
	"github.com/helve-dev/helve/pkg/html/markdown"
	"github.com/helve-dev/helve/pkg/html/page"
	"github.com/helve-dev/helve/pkg/web"
)

// Thread is the content of a form: a text, or posts in order.
type Thread struct {
	Title, Site, Author, Date string
	About                     []string // what else there is to say in a line: state, labels
	Posts                     []Post
	Left                      int  // posts that the site has beyond these
	Terse                     bool // the site's comments on these posts are not among them
}

// Post is a text of one author.
type Post struct {
	Title  string // instead of the author and the date
	Author string
	Date   string // RFC 3339, or a date
	Notes  []string
	Depth  int    // of a reply
	Body   string // Markdown, or HTML
	HTML   bool
}

const (
	// maxPosts limits the posts shown.
	maxPosts = 1000
	// maxLine is the longest line about a post, in characters.
	maxLine = 300
)

// document writes the thread: a heading and a text for each post, replies under a heading
// of a lower level.
func (t *Thread) document(base *url.URL, format page.Format) (*page.Document, error) {
	if len(t.Posts) == 0 {
		return nil, errEmpty
	}
	d := &page.Document{Title: t.Title, Site: t.Site, Byline: t.Author, Published: t.Date, Format: format, Extractor: page.ByForm}
	var b strings.Builder
	heading := func(level int, text string) {
		if text = escape(web.Shorten(web.OneLine(text), maxLine)); text == "" {
			return
		}
		if format == page.Markdown {
			text = strings.Repeat("#", level) + " " + text
		} else {
			d.Outline = append(d.Outline, page.Heading{Level: level, Text: text})
		}
		b.WriteString(text + "\n\n")
	}
	heading(1, t.Title)
	if about := join(append([]string{t.Author, t.Date}, t.About...)); about != "" {
		b.WriteString(escape(about) + "\n\n")
	}
	for i, p := range t.Posts[:min(len(t.Posts), maxPosts)] {
		title := cmp.Or(p.Title, join(append([]string{p.Author, p.Date}, p.Notes...)))
		if len(t.Posts) > 1 && p.Title == "" {
			title = fmt.Sprintf("%d. %s", i+1, title)
		}
		if i > 0 || len(t.Posts) > 1 || p.Title != "" {
			heading(min(2+p.Depth, 6), title)
		}
		body := strings.TrimSpace(p.Body)
		if p.HTML {
			var err error
			if body, err = converted(body, base, format); err != nil {
				return nil, err
			}
		}
		if body != "" {
			b.WriteString(strings.TrimSpace(body) + "\n\n")
		}
	}
	d.Content = strings.TrimRight(strings.ToValidUTF8(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\uFFFD"), "\n") + "\n"
	if left := t.Left + max(len(t.Posts)-maxPosts, 0); left > 0 {
		d.Warnings = append(d.Warnings, fault.T("%d posts more are not in this form of the page; main=false reads the page itself", left))
	}
	if t.Terse {
		d.Warnings = append(d.Warnings, fault.T("comments are not in this form of the page; main=false reads the page itself"))
	}
	if _, odd := extract.StripInvisible(d.Content, true); odd > 0 {
		d.Warnings = append(d.Warnings, fault.T("%d characters of the text are invisible; they can hide instructions", odd))
	}
	return d, nil
}

// converted returns the HTML of a post in a format.
func converted(body string, base *url.URL, format page.Format) (string, error) {
	doc, _ := extract.Parse(body)
	root := dom.Element(atom.Div)
	inner := dom.Body(doc)
	extract.Tidy(inner)
	dom.Adopt(root, inner)
	markdown.Normalize(root, base)
	if format == page.Text {
		return markdown.Text(root), nil
	}
	return markdown.Of(root)
}

// escape keeps a line of a site from being anything but text.
func escape(s string) string {
	return strings.NewReplacer("<", "\\<", "`", "\\`", "[", "\\[").Replace(s)
}

// join returns what is known in one line.
func join(parts []string) string {
	var all []string
	for _, p := range parts {
		if p = web.Shorten(web.OneLine(p), maxLine); p != "" {
			all = append(all, p)
		}
	}
	return strings.Join(all, " · ")
}

// epoch returns the date of seconds since 1970.
func epoch(seconds float64) string {
	if seconds <= 0 || seconds > 1e11 {
		return ""
	}
	return time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)
}

// counted returns "3 points", "1 point", or "" for none.
func counted(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
