package odf

import (
	"bytes"
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// maxQuote limits the bytes quoted of the text that a comment is about.
const maxQuote = 120

// comment is an annotation (part 3, 14.1).
type comment struct {
	name, author string
	about        []byte
	open         bool // its text goes on
	body         string
}

// text returns who made the comment, about what, and what it says.
func (c *comment) text() string {
	author := c.author
	if author == "" {
		author = "?"
	}
	text := "**" + markdown.Escape(author) + "**"
	if about := oneLine(bytes.ToValidUTF8(c.about, nil)); about != "" {
		if len(c.about) >= maxQuote {
			about += "…"
		}
		text += " on “" + markdown.Escape(about) + "”"
	}
	return text + ": " + c.body
}

// readComment reads the comment that just began.
func (r *reader) readComment(shown bool) {
	c := &comment{name: r.s.String("office:name")}
	c.author = r.s.String("office:author") // before OpenDocument
	c.open = c.name != ""
	var body collected
	inserted, removed, code := r.inserted, r.removed, r.codeLines
	r.inserted, r.removed, r.codeLines = 0, 0, nil
	for depth := r.s.Depth(); !r.done(); {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			break
		}
		if k != xmlscan.Start {
			continue
		}
		switch r.s.Name() {
		case "dc:creator":
			c.author = strings.TrimSpace(string(r.s.All(200)))
		case "dc:date", "text:sender-initials", "loext:sender-initials", "meta:creator-initials", "meta:date-string":
			r.s.Skip()
		default:
			r.block(place{sink: &body, flat: true})
		}
	}
	r.inserted, r.removed, r.codeLines = inserted, removed, code
	c.body = body.lines(" ")
	if !shown || c.body == "" {
		return
	}
	r.comments = append(r.comments, c)
	r.held += 256
}

// endComment ends the text that a comment is about.
func (r *reader) endComment(name string) {
	for _, c := range r.openComments() {
		if c.name == name {
			c.open = false
		}
	}
	r.s.Skip()
}

// openComments returns the last comments: of those before, none goes on any more.
func (r *reader) openComments() []*comment {
	const most = 16
	return r.comments[max(0, len(r.comments)-most):]
}

// quote adds text to the comments that are about it.
func (r *reader) quote(b []byte) {
	for _, c := range r.openComments() {
		if c.open && len(c.about) < maxQuote {
			c.about = append(c.about, b[:min(len(b), maxQuote-len(c.about))]...)
		}
	}
}
