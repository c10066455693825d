package docx

import (
	"bufio"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"path"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/document/markdown"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/html/dom"
	"github.com/helve-dev/helve/pkg/html/extract"
	webmarkdown "github.com/helve-dev/helve/pkg/html/markdown"
)

// Limits of files within a document.
const (
	maxChunks = 50
	maxChunk  = 2 << 20 // bytes of one
)

// altChunk shows a file that Word would import when it opens the document (17.17.2.1): a page,
// with or without its pictures in MIME, or plain text. Another kind is mentioned, not shown.
func (r *renderer) altChunk(id string, f *flow) {
	part := r.rels[id].Target
	if part == "" {
		return
	}
	r.end(f)
	f.items = f.items[:0]
	if r.chunks++; r.chunks <= maxChunks {
		if text, ok := r.chunk(part); ok {
			f.to.Block(text)
			return
		}
	}
	r.warn(importedPart, fault.T("the document contains another file (%s), which is not shown", part))
}

// chunk returns such a file as Markdown, and whether it is of a kind that is read.
func (r *renderer) chunk(part string) (string, bool) {
	file, err := r.parts.Open(part)
	if err != nil {
		return "", false
	}
	defer file.Close()
	text := io.LimitReader(file, maxChunk)
	kind := r.parts.ContentType(part)
	switch extension := strings.ToLower(path.Ext(part)); {
	case extension == ".mht", extension == ".mhtml", strings.Contains(kind, "rfc822"):
		text = pageOf(text)
	case extension == ".txt", kind == "text/plain":
		plain, err := io.ReadAll(text)
		lines := strings.Split(string(plain), "\n")
		for i := range lines {
			lines[i] = markdown.Escape(lines[i])
		}
		return markdown.Lines(lines), err == nil
	case !strings.HasPrefix(extension, ".htm") && extension != ".xhtml" && !strings.Contains(kind, "html"):
		return "", false
	}
	if text, err = xmlscan.Decoded(text); err != nil {
		return "", false
	}
	page, err := io.ReadAll(text)
	if err != nil && len(page) == 0 {
		return "", false
	}
	doc, _ := extract.Parse(string(page))
	body := dom.Body(doc)
	for _, image := range dom.All(body, atom.Img) {
		if strings.HasPrefix(dom.Attr(image, "src"), "data:") {
			dom.Remove(image) // is not text
		}
	}
	webmarkdown.Normalize(body, nil)
	shown, err := webmarkdown.Of(body)
	return shown, err == nil
}

// pageOf returns the page of a MIME document (RFC 2557): its first part that is HTML.
// Without one, there is nothing to read.
func pageOf(file io.Reader) io.Reader {
	in := bufio.NewReader(file)
	header, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		return strings.NewReader("")
	}
	kind, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case err != nil:
		return strings.NewReader("")
	case !strings.HasPrefix(kind, "multipart/"):
		return decoded(in, header)
	}
	parts := multipart.NewReader(in, parameters["boundary"])
	for range maxChunks {
		p, err := parts.NextRawPart()
		if err != nil {
			break
		}
		if strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
			return decoded(p, p.Header)
		}
	}
	return strings.NewReader("")
}

// decoded returns the decoded content of a part of MIME.
func decoded(part io.Reader, header textproto.MIMEHeader) io.Reader {
	switch strings.ToLower(header.Get("Content-Transfer-Encoding")) {
	case "quoted-printable":
		return quotedprintable.NewReader(part)
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, part)
	}
	return part
}
