package pptx

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of the comments on a slide.
const (
	maxComments    = 10_000
	maxCommentText = 1 << 20 // bytes
)

// comment is a comment or a reply to one.
type comment struct {
	about   string // who wrote it, and when
	text    string // inline Markdown
	replies []comment
}

// comments writes the comments on a slide, those of before 2018 (19.4) and the threads
// that came then ([MS-PPTX] 2.1.39).
func (r *renderer) comments() {
	for _, rel := range r.rels {
		if rel.Type != "comments" || rel.External || r.w.Full() {
			continue
		}
		if r.d.authors == nil {
			r.d.readAuthors()
		}
		s, file, err := r.d.parts.Scan(rel.Target)
		if err != nil {
			r.failed(err)
			continue
		}
		left := maxComments
		for range rooted(s) {
			if left > 0 && s.Local() == "cm" {
				c := r.comment(s, &left)
				r.quote("Comment", c)
				for _, c := range c.replies {
					r.quote("Reply", c)
				}
			}
		}
		if err := s.Err(); err != nil {
			r.failed(err)
		}
		file.Close()
	}
}

func (r *renderer) quote(word string, c comment) {
	if c.about != "" {
		word += " (" + markdown.Escape(c.about) + ")"
	}
	if c.text != "" {
		r.w.Quote(word + ": " + c.text)
	}
}

// comment reads a p:cm, p188:cm or p188:reply. The replies stand before the text.
func (r *renderer) comment(s *xmlscan.Scanner, left *int) (c comment) {
	*left--
	about := []string{r.d.authors[s.String("authorId")]}
	created := s.String("dt")
	if created == "" {
		created = s.String("created")
	}
	day, _, _ := strings.Cut(created, "T")
	about = append(about, day)
	if status := s.String("status"); status != "active" {
		about = append(about, status)
	}
	for _, a := range about {
		if a != "" && c.about != "" {
			c.about += ", "
		}
		c.about += a
	}
	text := ooxml.TextReader{Relations: r.rels}
	var body markdown.Inline
	for range s.Children {
		switch s.Local() {
		case "text":
			body.Text(string(s.All(maxCommentText)), 0, "")
		case "txBody":
			for _, p := range text.Body(s) {
				if !body.Empty() && !p.Text.Empty() {
					body.Break()
				}
				body.Raw(p.Text.String())
			}
		case "replyLst":
			for range s.Children {
				if s.Local() == "reply" && *left > 0 {
					c.replies = append(c.replies, r.comment(s, left))
				}
			}
		}
	}
	c.text = strings.TrimSpace(body.String())
	return c
}
