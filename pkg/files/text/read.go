package text

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
)

const (
	// inMemory is the largest file, in bytes, that is read into memory; a larger
	// one is streamed in blocks of blockBytes.
	inMemory   = 8 << 20
	blockBytes = 1 << 20
)

// Read reads a page of a text file of the given size. Files up to
// 8 MiB are read once, so that the page and its sum are of the
// same bytes; larger ones are streamed, in memory that does not grow with them
// nor with the length of their lines. What is added to a file while it is read
// is left out. A size of 0 is not believed, as the files of /proc have it.
//
// The faults are those of [Decode], out_of_range, invalid_arguments, too_large
// (for an endless file), and unavailable if the file changed meanwhile, which
// [IsChanged] tells. Errors of r are returned as they are.
func Read(ctx context.Context, r io.ReaderAt, size int64, q Request) (*Page, error) {
	spans, err := q.spans()
	if err != nil {
		return nil, err
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
	pg := pager{src: src, lines: lines, max: bytes}
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

// load reads a whole file.
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
		return nil, nil, fault.New(fault.TooLarge, fault.T("the file does not state its size and gives more than %d bytes", "该文件未声明大小，且内容超过 %d 字节", inMemory)).
			WithHint(fault.T("read the part you need with a command such as head", "请用 head 等命令读取需要的部分"))
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

// page describes the document, still without windows.
func (d *Document) page() *Page {
	return &Page{
		Profile: Describe(d.Text), Encoding: d.Encoding, BOM: d.BOM, Sum: Sum(d.Raw()), Bytes: int64(len(d.mark) + len(d.body)),
		Damaged: d.Damaged, Document: d,
	}
}

// Page is [Read] for a document that is in memory.
func (d *Document) Page(q Request) (*Page, error) {
	spans, err := q.spans()
	if err != nil {
		return nil, err
	}
	page := d.page()
	return page, page.fill(whole{d.Text, page.Profile}, spans, q)
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

// separator is the byte that ends the lines.
func (p Profile) separator() byte {
	if p.EOL == "cr" {
		return '\r'
	}
	return '\n'
}

// errChanged is the cause of the fault that a file changed while it was read.
type errChanged struct{}

func (errChanged) Error() string { return "changed while being read" }

func changedFault() error {
	return fault.New(fault.Unavailable, fault.T("the file changed while it was read", "读取过程中文件发生了变化")).
		WithHint(fault.T("call again", "请重试")).Because(errChanged{})
}

// IsChanged reports whether err says that a file changed while it was read, so
// that reading it again is likely to succeed.
func IsChanged(err error) bool { return errors.As(err, new(errChanged)) }
