package parse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// traits are the properties of elements that the rules distinguish.
type traits uint16

const (
	special      traits = 1 << iota // section 13.2.4.2
	boundary                        // ends the scope of an element
	list                            // ends the scope of an item
	button                          // ends the scope of p
	table                           // ends the scope of parts of a table
	implied                         // end tag may be left out
	fosters                         // table or part of one that contains no text
	foreign                         // of SVG or MathML
	mathText                        // MathML text integration point
	htmlPoint                       // HTML integration point
	anyScope     traits = 0         // no boundary at all
	elementScope        = boundary
	itemScope           = boundary | list
	buttonScope         = boundary | button
	tableScope          = table
)

// of returns the traits of an element.
func of(n *html.Node) traits {
	switch n.Namespace {
	case "math":
		return ofMath(n)
	case "svg":
		switch n.DataAtom {
		case atom.ForeignObject, atom.Desc, atom.Title:
			return foreign | special | boundary | htmlPoint
		}
		return foreign
	}
	switch n.DataAtom {
	case atom.Html, atom.Template:
		return special | boundary | table
	case atom.Table:
		return special | boundary | table | fosters
	case atom.Caption, atom.Td, atom.Th:
		return special | boundary
	case atom.Tbody, atom.Tfoot, atom.Thead, atom.Tr:
		return special | fosters
	case atom.Colgroup:
		return special
	case atom.Applet, atom.Marquee, atom.Object, atom.Select:
		return special | boundary
	case atom.Ol, atom.Ul:
		return special | list
	case atom.Button:
		return special | button
	case atom.Dd, atom.Dt, atom.Li, atom.P:
		return special | implied
	case atom.Optgroup, atom.Option, atom.Rb, atom.Rp, atom.Rt, atom.Rtc:
		return implied
	case atom.Address, atom.Area, atom.Article, atom.Aside, atom.Base, atom.Basefont, atom.Bgsound, atom.Blockquote, atom.Body, atom.Br,
		atom.Center, atom.Col, atom.Details, atom.Dir, atom.Div, atom.Dl, atom.Embed, atom.Fieldset, atom.Figcaption, atom.Figure,
		atom.Footer, atom.Form, atom.Frame, atom.Frameset, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Header,
		atom.Hgroup, atom.Hr, atom.Iframe, atom.Img, atom.Input, atom.Keygen, atom.Link, atom.Listing, atom.Main, atom.Menu, atom.Meta,
		atom.Nav, atom.Noembed, atom.Noframes, atom.Noscript, atom.Param, atom.Plaintext, atom.Pre, atom.Script, atom.Search, atom.Section,
		atom.Source, atom.Style, atom.Summary, atom.Textarea, atom.Title, atom.Track, atom.Wbr, atom.Xmp:
		return special
	}
	return 0
}

func ofMath(n *html.Node) traits {
	switch n.DataAtom {
	case atom.Mi, atom.Mo, atom.Mn, atom.Ms, atom.Mtext:
		return foreign | special | boundary | mathText
	case atom.AnnotationXml:
		t := foreign | special | boundary
		for _, a := range n.Attr {
			if a.Key == "encoding" && (equalFold(a.Val, "text/html") || equalFold(a.Val, "application/xhtml+xml")) {
				t |= htmlPoint
			}
		}
		return t
	}
	return foreign
}

func equalFold(s, lower string) bool { return len(s) == len(lower) && hasPrefixFold(s, lower) }

// isFormatting reports whether an element is in the formatting category, except a
// and nobr, which do not nest.
func isFormatting(a atom.Atom) bool {
	switch a {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Image, atom.Img,
		atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

// isRaw reports whether an element contains text only.
func isRaw(a atom.Atom) bool {
	switch a {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		return true
	}
	return false
}

func isHeading(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
