package extract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/limit"
)

// Parse reads a page as browsers do, except that it is parsed as if scripts were
// off, so that what stands in noscript is part of the tree. cut reports that the
// page is larger than what is looked at.
//
// A page can ask for far more memory than it takes itself: elements that nest
// without end, and marks such as b that the parser opens again in each block
// behind a block that was closed too early. Pages that might are thinned out
// first.
func Parse(text string) (doc *html.Node, cut bool, err error) {
	text = mend(text)
	if strings.Count(text, "<") > limit.PageTags || formatting(text) || endless(text) {
		text, cut = thin(text)
	}
	doc, err = parse(text)
	if err != nil && !cut {
		text, cut = thin(text)
		doc, err = parse(text)
	}
	if err != nil {
		return nil, false, fmt.Errorf("parsing the page: %w", err)
	}
	return doc, cut, nil
}

// mend closes the frames that noscript elements leave open. Where scripts run,
// noscript is text and such a frame ends with it; here it would swallow the page.
func mend(text string) string {
	const open, end = "<noscript", "</noscript"
	var b strings.Builder
	rest := text
	for {
		i := strings.Index(rest, open)
		if i < 0 {
			break
		}
		j := strings.Index(rest[i:], end)
		if j < 0 {
			break
		}
		j += i
		b.WriteString(rest[:j])
		if inner := rest[i:j]; strings.LastIndex(inner, "<iframe") > strings.LastIndex(inner, "</iframe") {
			b.WriteString("</iframe>")
		}
		b.WriteString(end)
		rest = rest[j+len(end):]
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(rest)
	return b.String()
}

func parse(text string) (*html.Node, error) {
	return html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
}

// formatting reports whether so many marks may be left open that it is worth
// counting them.
func formatting(text string) bool {
	opened, closed := 0, 0
	for _, name := range [...]string{"b", "i", "u", "s", "em", "tt", "big", "font", "nobr", "small", "strike", "strong", "code"} {
		opened += strings.Count(text, "<"+name+" ") + strings.Count(text, "<"+name+">")
		closed += strings.Count(text, "</"+name+">")
	}
	return opened > closed+limit.PageMarks
}

// endless reports whether there is a tag with more attributes than anybody means;
// they are compared each with each.
func endless(text string) bool {
	for {
		open := strings.IndexByte(text, '<')
		if open < 0 {
			return false
		}
		text = text[open:]
		end := strings.IndexByte(text, '>')
		if end < 0 {
			end = len(text)
		}
		if end > limit.PageTag && text[1:2] != "!" {
			return true
		}
		text = text[min(end+1, len(text)):]
	}
}

// thin copies a page without the tags that nest deeper than the parser takes,
// without marks beyond those that anybody needs open at once, without attributes
// that do not end, and up to where the tree grows too large.
func thin(text string) (thinner string, cut bool) {
	var b bytes.Buffer
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(limit.PageText)
	nodes, marks := 0, 0
	open := map[atom.Atom]int{} // by kind; the parser is the judge of what closes what
	depth := 0
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if !errors.Is(z.Err(), io.EOF) {
				cut = true
			}
			return b.String(), cut
		}
		raw := z.Raw()
		switch kind {
		case html.StartTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			nodes++
			if len(raw) > limit.PageTag {
				raw = []byte("<" + string(name) + ">")
			}
			switch {
			case isMark(a):
				if marks >= limit.PageMarks {
					continue
				}
				marks++
			case isVoid(a):
			case depth >= limit.PageDepth:
				open[a]++ // its end is dropped, too
				continue
			default:
				depth++
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			nodes += 1 + marks // which are opened again
			switch {
			case isMark(a):
				marks = max(marks-1, 0)
			case open[a] > 0:
				open[a]--
				continue
			default:
				depth = max(depth-1, 0)
			}
		default:
			nodes++
		}
		if nodes > limit.PageTags {
			return b.String(), true
		}
		b.Write(raw)
	}
}

func isMark(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
