package odf

import (
	"encoding/base64"
	"path"
	"strconv"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/zipped"
)

// maxObjects limits the nesting of embedded documents.
const maxObjects = 2

// frame is a shape or a frame with what it holds (part 3, 10.4). Images in it are forms of
// one picture.
type frame struct {
	images      []document.Image
	title, desc string
	math        string // inline Markdown
	box         collected
}

// shape reads a frame or shape that stands between paragraphs.
func (r *reader) shape(to place) {
	in := &paragraph{r: r}
	if r.s.Name() == "draw:a" {
		r.inlineElement(to, in)
	} else {
		r.frame(to, in)
	}
	in.end(to)
}

// frame reads the frame or shape that just began. Its picture stands in the paragraph,
// its text after it.
func (r *reader) frame(to place, p *paragraph) {
	var f frame
	code, item := r.codeLines, to.item
	r.codeLines = nil
	r.readFrame(&f)
	r.codeLines, to.item = code, item
	p.after = append(p.after, f.box.blocks...)
	switch {
	case f.math != "":
		p.raw(f.math)
		p.began = true
	case len(f.images) > 0 && len(f.box.blocks) == 0:
		p.raw(r.show(f.images[0], f.alt()))
		p.began = true
	}
}

func (f *frame) alt() string {
	switch {
	case f.title == "":
		return f.desc
	case f.desc == "" || f.desc == f.title:
		return f.title
	}
	return f.title + ": " + f.desc
}

// readFrame reads what is in the element that just began.
func (r *reader) readFrame(f *frame) {
	inner := place{sink: &f.box, flat: true}
	if r.s.Name() == "draw:control" {
		r.s.Skip()
		return
	}
	for depth := r.s.Depth(); !r.done(); {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			return
		}
		if k != xmlscan.Start {
			continue
		}
		switch name := r.s.Name(); name {
		case "svg:title":
			f.title = oneLine(r.s.All(2000))
		case "svg:desc":
			f.desc = oneLine(r.s.All(2000))
		case "draw:image":
			r.readImage(f)
		case "draw:object":
			r.readObject(f)
		case "draw:text-box":
			r.blocks(inner)
		case "draw:a":
			r.readFrame(f)
		case "text:p", "text:h", "text:list", "table:table":
			r.block(inner)
		case "draw:frame", "draw:g", "draw:custom-shape", "draw:rect", "draw:ellipse", "draw:circle", "draw:line", "draw:connector",
			"draw:path", "draw:polygon", "draw:polyline", "draw:regular-polygon", "draw:caption", "draw:measure":
			r.shape(inner)
		default:
			r.s.Skip()
		}
	}
}

func oneLine(b []byte) string { return strings.Join(strings.Fields(string(b)), " ") }

// readImage reads where an image is. One that every program can show is preferred.
func (r *reader) readImage(f *frame) {
	i := document.Image{MIME: r.s.String("draw:mime-type"), Link: r.s.String("xlink:href")}
	for depth := r.s.Depth(); ; {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			break
		}
		if k == xmlscan.Start && r.s.Name() == "office:binary-data" {
			if text := r.s.All(zipped.HeldBytes); r.q.Image != nil {
				i.Data = binaryData(text)
			}
			i.Link = ""
		}
	}
	if i.Link == "" && i.Data == nil && r.q.Image != nil {
		return
	}
	f.images = append(f.images, i)
	if n := len(f.images); n > 1 && isVector(f.images[0]) && !isVector(i) {
		f.images[0], f.images[n-1] = i, f.images[0]
	}
}

func binaryData(text []byte) []byte {
	n := 0
	for _, c := range text {
		if c > ' ' {
			text[n] = c
			n++
		}
	}
	data := make([]byte, base64.StdEncoding.DecodedLen(n))
	n, err := base64.StdEncoding.Decode(data, text[:n])
	if err != nil && n == 0 {
		return nil
	}
	return data[:n]
}

func isVector(i document.Image) bool {
	switch strings.ToLower(path.Ext(i.Link)) {
	case ".svg", ".emf", ".wmf", ".svm", ".pdf":
		return true
	}
	return strings.Contains(i.MIME, "svg") || strings.Contains(i.MIME, "emf") || strings.Contains(i.MIME, "wmf")
}

// show saves an image and returns the Markdown that shows it.
func (r *reader) show(i document.Image, alt string) string {
	if r.q.Image == nil {
		return ""
	}
	i.Alt = alt
	if r.slide > 0 {
		i.Anchor = "slide " + strconv.Itoa(r.slide)
	}
	if i.Data == nil {
		if strings.Contains(i.Link, "://") || strings.HasPrefix(i.Link, "file:") || r.parts.flat {
			return r.q.Show(i)
		}
		part := path.Join(r.folder, i.Link)
		data, err := r.parts.read(part)
		if err != nil {
			r.missing(part)
			if alt == "" {
				alt = path.Base(part)
			}
			return "[image: " + markdown.Escape(alt) + "]"
		}
		i.Data, i.Link = data, ""
		i.MIME = imageType(data, part, i.MIME)
		return r.q.Show(i)
	}
	i.MIME = imageType(i.Data, "", i.MIME)
	return r.q.Show(i)
}

// imageType returns the media type of an image: by its bytes, or else by its name or by
// the document.
func imageType(data []byte, name, said string) string {
	if k := kind.Of(data[:min(len(data), 8192)], path.Base(name), nil, int64(len(data))); k.Class == kind.Image || k.MIME == "image/svg+xml" {
		return k.MIME
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".emf":
		return "image/emf"
	case ".wmf":
		return "image/wmf"
	}
	if said == "" {
		return "application/octet-stream"
	}
	return said
}

// readObject reads an embedded document: a formula, the table of a chart, or text.
func (r *reader) readObject(f *frame) {
	href := r.s.String("xlink:href")
	inner := place{sink: &f.box, flat: true}
	if r.objects >= maxObjects || href != "" && (r.parts.flat || strings.Contains(href, "://")) {
		r.s.Skip()
		return
	}
	if href == "" { // it is here
		r.objects++
		for depth := r.s.Depth(); !r.done(); {
			k := r.s.Next()
			if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
				break
			}
			if k == xmlscan.Start {
				r.objectElement(f, inner)
			}
		}
		r.objects--
		return
	}
	r.s.Skip()
	folder := path.Join(r.folder, href)
	part, err := r.parts.open(folder + "/content.xml")
	if err != nil {
		return // its picture stands for it
	}
	defer part.Close()
	sub := newReader(r.ctx, r.parts, r.q)
	sub.full, sub.objects, sub.folder, sub.slide, sub.held = r.full, r.objects+1, folder, r.slide, r.held
	sub.s = xmlscan.New(part)
	for k := sub.s.Next(); k != xmlscan.EOF && !sub.done(); k = sub.s.Next() {
		if k == xmlscan.Start {
			sub.objectElement(f, inner)
		}
	}
	if r.held = sub.held; r.failed == nil {
		r.failed = sub.failed
	}
}

func (r *reader) objectElement(f *frame, to place) {
	switch r.s.Name() {
	case "math:math", "math":
		f.math = formula(r.s)
	case "office:body":
		r.blocks(to)
	case "office:automatic-styles", "office:styles", "office:font-face-decls":
		r.styles.read(r.s)
	case "office:document", "office:document-content":
	default:
		r.s.Skip()
	}
}
