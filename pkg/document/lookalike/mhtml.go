package lookalike

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

// maxParts limits the parts of a web archive that are read.
const maxParts = 4096

// readMHTML reads a web archive (RFC 2557): each of its pages with a table is a sheet.
// Their names are in the first page, in the order of the pages.
func (b *Book) readMHTML(ctx context.Context, raw []byte) error {
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(raw, "\r\n\t ")))).ReadMIMEHeader()
	if err != nil && len(header) == 0 {
		return badArchive()
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil && kind == "" {
		return badArchive()
	}
	if !strings.HasPrefix(kind, "multipart/") || params["boundary"] == "" {
		_, body, _ := bytes.Cut(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
		page, err := decodePart(header, bytes.NewReader(body))
		if err != nil {
			return err
		}
		return b.readHTML(ctx, page)
	}
	count := 0
	var names []string
	parts := multipart.NewReader(bytes.NewReader(raw), params["boundary"])
	for range maxParts {
		part, err := parts.NextRawPart()
		if err != nil {
			if errors.Is(err, io.EOF) || len(b.tables) > 0 {
				break
			}
			return badArchive()
		}
		if kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type")); kind != "text/html" {
			continue
		}
		page, err := decodePart(part.Header, part)
		if err != nil {
			return err
		}
		text, err := decode(page)
		if err != nil {
			continue // a page in no encoding has no table
		}
		if names == nil {
			names = sheetNames(text)
		}
		name := ""
		if n := len(b.tables); n < len(names) {
			name = names[n]
		}
		if err := b.addPage(ctx, text, name, &count); err != nil {
			return err
		}
	}
	return nil
}

// decodePart returns the content of a part. One that is damaged is given up to there.
func decodePart(header textproto.MIMEHeader, r io.Reader) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(header.Get("Content-Transfer-Encoding"))) {
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxBytes))
	if err != nil && len(data) == 0 {
		return nil, badArchive()
	}
	return data, nil
}

func badArchive() error {
	return fault.New(fault.BadDocument, fault.T("the web archive (MHTML) is damaged"))
}
