package text

import (
	"bytes"
	"context"
	"io"
	"strings"
)

const (
	// inMemory is the largest file, in bytes, that is read into memory; a larger
	// one is streamed in blocks of blockBytes.
	inMemory   = 8 << 20
	blockBytes = 1 << 20
)

// Read reads a page of a text file of the given size. Files up to 8 MiB are read
// once, so that the page and its sum are of the same bytes. Larger files are
// streamed in memory that grows neither with their size nor with the length of
// their lines. Of a file above [WholeBytes] only a part is read; see [Page]. What is
// appended to a file meanwhile is left out. A size of 0 is not trusted, because the
// files of /proc report it.
//
// The faults are those of [Decode], out_of_range, invalid_arguments, too_large (for
// an endless file), and unavailable if the file changed meanwhile; see [IsChanged].
// Errors of r are returned as they are.
func Read(ctx context.Context, r io.ReaderAt, size int64, q Request) (*Page, error) {
	spans, err := q.spans()
	if err != nil {
		return nil, err
	}
	if size > WholeBytes {
		if page, err := glance(ctx, r, size, q, spans, glanceBytes); page != nil || err != nil {
			return page, err
		}
	}
	var page *Page
	var src lineSource
	if size <= inMemory {
		page, src, err = load(r, size, q.Encoding)
	} else {
		page, src, err = survey(ctx, r, size, q.Encoding, blockBytes)
	}
	if err != nil {
		return nil, err
	}
	return page, page.fill(src, spans, q)
}

// fill puts the windows on the page.
func (p *Page) fill(src lineSource, spans []span, q Request) error {
	for i, s := range spans {
		var err error
		if spans[i], err = s.resolve(p.TotalLines); err != nil {
			return err
		}
	}
	lines, bytes := q.limits()
	return p.take(&pager{src: src, lines: lines, max: bytes}, spans)
}

// take takes what a pager reads of the spans, which are fitted to the text.
func (p *Page) take(pg *pager, spans []span) error {
	rest, err := pg.fill(spans)
	if err != nil {
		return err
	}
	p.Windows, p.TruncatedBy = pg.windows, pg.truncated
	if len(rest) == 1 && !rest[0].chars {
		p.NextOffset = rest[0].from
	}
	names := make([]string, len(rest))
	for i, s := range rest {
		names[i] = s.String()
	}
	p.Rest = strings.Join(names, ",")
	for _, w := range p.Windows {
		for _, l := range w.lines {
			if l.mark == "" {
				continue
			}
			left := span{from: l.number, chars: true, firstChar: l.cut + 1, lastChar: l.chars}
			p.LinesCut = append(p.LinesCut, CutLine{Line: l.number, Chars: l.chars, Shown: l.cut, Rest: left.String()})
		}
	}
	if len(p.LinesCut) > 0 && p.TruncatedBy == "" {
		p.TruncatedBy = "line"
	}
	return nil
}

// load reads a file into memory.
func load(r io.ReaderAt, size int64, hint string) (*Page, lineSource, error) {
	var buf bytes.Buffer
	buf.Grow(int(size) + bytes.MinRead)
	if _, err := buf.ReadFrom(io.NewSectionReader(r, 0, inMemory+1)); err != nil {
		return nil, nil, err
	}
	raw := buf.Bytes()
	switch {
	case len(raw) <= inMemory:
	case size == 0:
		return nil, nil, noSize()
	default:
		return nil, nil, changedFault()
	}
	d, err := Decode(raw, hint)
	if err != nil {
		return nil, nil, err
	}
	page := d.page()
	return page, whole{d.Text, page.Profile}, nil
}

// page returns the page of the document, still without windows.
func (d *Document) page() *Page {
	return &Page{
		Profile: Describe(d.Text), Encoding: d.Encoding, BOM: d.BOM, Sum: Sum(d.Raw()), Bytes: int64(len(d.mark) + len(d.body)),
		Damaged: d.Damaged, Declined: d.Declined, Document: d,
	}
}

// whole is a text in memory as a lineSource.
type whole struct {
	text    string
	profile Profile
}

func (w whole) at(cur *cursor, line int) (*cursor, error) {
	if !cur.before(line) {
		cur = newCursor(strings.NewReader(w.text), w.profile.separator(), 1, min(len(w.text), blockBytes))
	}
	return cur, cur.skip(line)
}

// separator returns the byte that ends lines.
func (p Profile) separator() byte {
	if p.EOL == "cr" {
		return '\r'
	}
	return '\n'
}
