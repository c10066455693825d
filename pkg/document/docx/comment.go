package docx

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/markdown"
)

// Limits of comments.
const (
	maxOpenComments = 64  // that are about one piece of text
	maxQuote        = 120 // bytes of the text that a comment is about
)

// comments are those that the text refers to, in its order.
type comments struct {
	ids    []string
	seen   map[string]bool
	open   []quoted
	quotes map[string]string // the quoted texts, by the ID of the comment
}

// quoted is the text that a comment is about, as far as it was read.
type quoted struct {
	id   string
	text []byte
}

// commentRange reads where the text that a comment is about begins or ends (17.13.4.3).
func (r *renderer) commentRange(name, id string) {
	c := &r.comments
	if name == "w:commentRangeStart" {
		if len(c.open) < maxOpenComments && len(c.quotes) < maxNotes {
			c.open = append(c.open, quoted{id: id})
		}
		return
	}
	for i := range c.open {
		if c.open[i].id == id {
			if c.quotes == nil {
				c.quotes = map[string]string{}
			}
			c.quotes[id] = string(c.open[i].text)
			c.open = append(c.open[:i], c.open[i+1:]...)
			return
		}
	}
}

// quote adds text to what the open comments are about.
func (c *comments) quote(text []byte) {
	for i := range c.open {
		o := &c.open[i]
		if len(o.text) <= maxQuote {
			o.text = append(o.text, text[:min(len(text), 2*maxQuote)]...)
		}
	}
}

// refer notes that the text refers to a comment.
func (c *comments) refer(id string) {
	if c.seen[id] || len(c.ids) == maxNotes {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[id] = true
	c.ids = append(c.ids, id)
}

// writeComments writes the comments at the end: who made it, about what, and what it says.
func (r *renderer) writeComments(w *markdown.Writer) {
	c := r.comments // comments have no comments
	if len(c.ids) == 0 || r.stopped {
		return
	}
	authors := r.commentAuthors(c.seen)
	texts := r.texts("comments", "w:comment", func(id string) bool { return c.seen[id] })
	w.Paragraph("**Comments**")
	for _, id := range c.ids {
		if w.Full() {
			return
		}
		about := authors[id]
		if about == "" {
			about = "?"
		}
		about = "**" + markdown.Escape(about) + "**"
		if text := shortened(c.quotes[id]); text != "" {
			about += " on “" + markdown.Escape(text) + "”"
		}
		w.Item(0, "-", about+": "+strings.Join(strings.Fields(texts[id]), " "))
	}
}

// commentAuthors returns the authors of the comments by their IDs.
func (r *renderer) commentAuthors(wanted map[string]bool) map[string]string {
	authors := map[string]string{}
	rel, ok := r.parts.Relations(r.main).Of("comments")
	if !ok {
		return authors
	}
	s, closer, err := r.parts.Scan(rel.Target)
	if err != nil {
		return authors // reading the texts reports the error
	}
	defer closer.Close()
	for r.find(s, "w:comment") {
		if id := s.String("w:id"); wanted[id] {
			author := s.String("w:author")
			authors[id] = strings.TrimSpace(author[:min(len(author), maxName)])
		}
		s.Skip()
	}
	return authors
}

// shortened returns the beginning of a text in one line.
func shortened(text string) string {
	text = string(bytes.Join(bytes.Fields([]byte(text)), []byte{' '}))
	if len(text) <= maxQuote {
		return text
	}
	cut := maxQuote
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.TrimSpace(text[:cut]) + "…"
}
