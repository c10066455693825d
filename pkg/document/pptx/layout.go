package pptx

import (
	"github.com/helve-dev/helve/pkg/document/ooxml"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// listStyle is the bullets of the levels of a list.
type listStyle [9]ooxml.Bullet

// readListStyle reads an a:lstStyle, or what has the same content (21.1.2.4.12).
func readListStyle(s *xmlscan.Scanner) (l listStyle) {
	for name := range s.Children {
		// a:lvl1pPr to a:lvl9pPr
		if len(name) == len("a:lvl1pPr") && name[:5] == "a:lvl" && name[6:] == "pPr" && name[5] >= '1' && name[5] <= '9' {
			l[name[5]-'1'] = ooxml.ReadBullet(s)
		}
	}
	return l
}

// over returns the style with what it leaves open taken from another one.
func (l listStyle) over(under listStyle) listStyle {
	for i := range l {
		if l[i].Kind == ooxml.Inherited {
			l[i] = under[i]
		}
	}
	return l
}

// placeholder is a p:ph (19.3.1.36): the placeholder that a shape fills.
type placeholder struct {
	kind  string // title, body, …; "obj" if the file does not say
	index int
	is    bool // the shape is one
}

// base returns the kind that a master has for a kind of a slide.
func (p placeholder) base() string {
	switch p.kind {
	case "ctrTitle":
		return "title"
	case "title", "dt", "ftr", "sldNum", "hdr":
		return p.kind
	}
	return "body"
}

// isTitle reports whether a shape is the title of its slide.
func (p placeholder) isTitle() bool { return p.is && p.base() == "title" }

// isFooter reports whether a shape is the same on all slides.
func (p placeholder) isFooter() bool {
	switch p.base() {
	case "dt", "ftr", "sldNum", "hdr":
		return p.is
	}
	return false
}

// layout holds the properties that slides inherit from a layout or a master.
type layout struct {
	places             []place
	title, body, other listStyle // of a master
	master             *layout   // of a layout
}

// place is a shape of a layout.
type place struct {
	placeholder
	frame frame
	style listStyle
}

// maxPlaces limits the placeholders of a layout.
const maxPlaces = 1_000

// readLayout reads the layout or master that a part names by a relation. It is nil if
// there is none. A part is read once; one that leads back to itself has no master.
func (d *Document) readLayout(rels ooxml.Relations, kind string) *layout {
	part, ok := related(rels, kind)
	if !ok {
		return nil
	}
	if known, ok := d.layouts[part]; ok {
		return known
	}
	d.layouts[part] = nil
	s, file, err := d.parts.Scan(part)
	if err != nil {
		return nil // shapes are then placed by what they say themselves
	}
	defer file.Close()
	l := &layout{}
	for name := range rooted(s) {
		switch name {
		case "p:sp", "p:pic", "p:graphicFrame":
			p := place{}
			for name := range s.Children {
				switch name {
				case "p:nvSpPr", "p:nvPicPr", "p:nvGraphicFramePr":
					p.placeholder = readProperties(s).placeholder
				case "p:spPr", "p:xfrm":
					p.frame = readFrame(s)
				case "p:txBody":
					for name := range s.Children {
						if name == "a:lstStyle" {
							p.style = readListStyle(s)
						}
					}
				}
			}
			if p.is && len(l.places) < maxPlaces {
				l.places = append(l.places, p)
			}
		case "p:titleStyle":
			l.title = readListStyle(s)
		case "p:bodyStyle":
			l.body = readListStyle(s)
		case "p:otherStyle":
			l.other = readListStyle(s)
		}
	}
	if kind == "slideLayout" {
		l.master = d.readLayout(d.parts.Relations(part), "slideMaster")
	}
	d.layouts[part] = l
	return l
}

// find returns the placeholder of a shape: by its index, which decides in a layout, else
// by its kind.
func (l *layout) find(p placeholder) *place {
	if p.base() == "body" {
		for i := range l.places {
			if o := &l.places[i]; o.index == p.index && o.base() == "body" {
				return o
			}
		}
	}
	for i := range l.places {
		if o := &l.places[i]; o.base() == p.base() {
			return o
		}
	}
	return nil
}

// inherit returns the frame and the bullets of a shape with what it leaves open taken from
// its layout and its master (nil if there is none), and from the presentation's style for
// text in no placeholder.
func (l *layout) inherit(p placeholder, f frame, style, loose listStyle) (frame, listStyle) {
	if !p.is {
		return f, style.over(loose)
	}
	master := l
	if l != nil && l.master != nil {
		if o := l.find(p); o != nil {
			if !f.placed {
				f = o.frame
			}
			style = style.over(o.style)
		}
		master = l.master
	}
	if master == nil {
		return f, style
	}
	if o := master.find(p); o != nil {
		if !f.placed {
			f = o.frame
		}
		style = style.over(o.style)
	}
	switch p.base() {
	case "title":
		style = style.over(master.title)
	case "body":
		style = style.over(master.body)
	default:
		style = style.over(master.other)
	}
	return f, style
}
