package xlsx

import (
	"bytes"
	"slices"
	"strings"

	"github.com/helve-dev/helve/pkg/document/sheet"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// Limits of comments.
const (
	maxAuthors  = 2_000
	maxThreads  = 2_000
	maxComments = 20_000  // of these sheet.MaxExtras are shown
	maxRemarks  = 8 << 20 // bytes of their texts
)

// person is an author of threaded comments ([MS-XLSX] 2.6.203).
type person struct{ id, name string }

// thread is a comment of a thread.
type thread struct {
	sheet.Comment
	id, parent string
}

// comments returns the comments on the cells of a window in the order of the cells, and
// how many more there are.
func (b *Book) comments(index int, w sheet.Range) (all []sheet.Comment, more int) {
	var threads []thread
	for _, part := range b.related(index, "threadedComment") {
		threads = b.readThreads(part, w, threads)
	}
	for i := range threads {
		t := &threads[i]
		if t.Reply = t.parent != ""; t.Reply {
			continue
		}
		all = append(all, t.Comment)
		for _, answer := range threads[i+1:] { // they follow in the order of time
			if answer.parent == t.id {
				answer.Reply = true
				all = append(all, answer.Comment)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b sheet.Comment) int { return compareCells(a.Cell, b.Cell) })
	threaded := make([]sheet.Address, len(all))
	for i, c := range all {
		threaded[i] = c.Cell
	}
	for _, part := range b.related(index, "comments") {
		for _, c := range b.readComments(part, w) {
			// For programs that know no threads, a copy of each is among the plain ones.
			if _, found := slices.BinarySearchFunc(threaded, c.Cell, compareCells); !found {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b sheet.Comment) int { return compareCells(a.Cell, b.Cell) })
	if more = max(0, len(all)-sheet.MaxExtras); more > 0 {
		all = all[:sheet.MaxExtras]
	}
	return all, more
}

// readComments reads plain comments (18.7.6).
func (b *Book) readComments(part string, w sheet.Range) (all []sheet.Comment) {
	s, closer, err := b.scan(part)
	if err != nil {
		return nil
	}
	defer closer.Close()
	var authors []string
	used := 0
	for kind := s.Next(); kind != xmlscan.EOF && len(all) < maxComments && used < maxRemarks; kind = s.Next() {
		if kind != xmlscan.Start {
			continue
		}
		switch s.Local() {
		case "author":
			if len(authors) < maxAuthors {
				authors = append(authors, strings.TrimSpace(string(s.All(maxName))))
			}
		case "comment":
			at, ok := sheet.ParseAddress(s.String("ref"))
			if !ok || !w.Contains(at) {
				continue
			}
			c := sheet.Comment{Cell: at}
			if i, ok := s.Int("authorId"); ok && i >= 0 && i < len(authors) {
				c.Author = authors[i]
			}
			text := bytes.TrimSpace(unescape(readRich(s, nil)))
			// Programs begin the text with the author, who is named already.
			if c.Author != "" {
				if rest, ok := bytes.CutPrefix(text, []byte(c.Author+":")); ok {
					text = bytes.TrimSpace(rest)
				}
			}
			used += len(text)
			if c.Text = string(text); c.Text != "" {
				all = append(all, c)
			}
		}
	}
	return all
}

// readThreads appends threaded comments ([MS-XLSX] 2.6.205).
func (b *Book) readThreads(part string, w sheet.Range, all []thread) []thread {
	s, closer, err := b.scan(part)
	if err != nil {
		return all
	}
	defer closer.Close()
	used := 0
	for kind := s.Next(); kind != xmlscan.EOF && len(all) < maxThreads && used < maxRemarks; kind = s.Next() {
		if kind != xmlscan.Start || s.Local() != "threadedComment" {
			continue
		}
		at, ok := sheet.ParseAddress(s.String("ref"))
		if !ok || !w.Contains(at) {
			continue
		}
		t := thread{Comment: sheet.Comment{Cell: at, Author: b.author(s.String("personId")), Done: s.Bool("done", false)}}
		t.id, t.parent = clip(s.String("id"), maxName), clip(s.String("parentId"), maxName)
		t.Text = readThread(s)
		if used += len(t.Text); t.Text != "" {
			all = append(all, t)
		}
	}
	return all
}

// readThread reads the text of a threaded comment, without whom it mentions.
func readThread(s *xmlscan.Scanner) string {
	var text []byte
	for depth := s.Depth(); ; {
		switch s.Next() {
		case xmlscan.Start:
			if s.Local() != "text" {
				s.Skip()
				continue
			}
			text = appendText(s, text, sheet.MaxText)
		case xmlscan.End:
			if s.Depth() < depth {
				return string(bytes.TrimSpace(unescape(text)))
			}
		case xmlscan.EOF:
			return string(bytes.TrimSpace(unescape(text)))
		}
	}
}

// author returns the name of a person.
func (b *Book) author(id string) string {
	if b.people == nil {
		b.people = &[]person{}
		if r, ok := b.rels.Of("person"); ok && !r.External {
			*b.people = b.readPeople(r.Target)
		}
	}
	for _, p := range *b.people {
		if p.id == id {
			return p.name
		}
	}
	return ""
}

func (b *Book) readPeople(part string) (all []person) {
	s, closer, err := b.scan(part)
	if err != nil {
		return nil
	}
	defer closer.Close()
	for kind := s.Next(); kind != xmlscan.EOF && len(all) < maxAuthors; kind = s.Next() {
		if kind == xmlscan.Start && s.Local() == "person" {
			all = append(all, person{clip(s.String("id"), maxName), clip(s.String("displayName"), maxName)})
		}
	}
	return all
}
