package text

import (
	"bytes"
	"context"
	"crypto/sha256"
	"hash"
	"hash/maphash"
	"io"

	"golang.org/x/text/transform"

	"github.com/helve-dev/helve/pkg/fault"
)

// stream is a file that is too large for memory. The first pass over it records for
// every block what later passes need to seek to a line and to notice that the file
// has changed.
type stream struct {
	ctx     context.Context
	r       io.ReaderAt
	size    int64
	step    int // bytes in a block
	seed    maphash.Seed
	blocks  []block
	lf, cr  int       // in all blocks
	ascii   int64     // bytes before the first one beyond ASCII
	sum     hash.Hash // of the whole file; nil when the first pass is over
	charset charset
	bom     int
	direct  bool // the bytes are UTF-8 as they are
	profile Profile
}

// block describes stream.step bytes.
type block struct {
	hash   uint64
	lf, cr int // how many of them precede the block
}

// survey is [Decode] for a file that is read in blocks of step bytes, without keeping
// it.
func survey(ctx context.Context, r io.ReaderAt, size int64, hint string, step int) (*Page, lineSource, error) {
	named, known := lookup(hint)
	page, src, fits, err := pass(ctx, r, size, hint, step)
	if err != nil || !known || fits.clean() {
		return page, src, err
	}
	detected, other, again, err := pass(ctx, r, size, "", step)
	switch {
	case err == nil && declines(fits, detected.Encoding, again):
		detected.Declined = named.name
		return detected, other, nil
	case err != nil && !fault.Is(err, fault.BinaryFile):
		return nil, nil, err
	}
	return page, src, nil
}

// pass makes the first pass over a file, and further passes until the encoding is
// known.
func pass(ctx context.Context, r io.ReaderAt, size int64, hint string, step int) (*Page, lineSource, fit, error) {
	head, err := readAt(r, 0, min(size, HeadBytes))
	if err != nil {
		return nil, nil, fit{}, err
	}
	o, err := begin(head, hint)
	if err != nil {
		return nil, nil, fit{}, err
	}
	s := &stream{ctx: ctx, r: r, size: size, step: step, seed: maphash.MakeSeed(), charset: o.charset, bom: o.bom}
	page := &Page{BOM: o.bom > 0}
	seen, err := s.record(page)
	if err != nil {
		return nil, nil, fit{}, err
	}
	var t trial
	switch {
	case o.charset.name == UTF8 && seen.invalid == 0:
		t, err = s.ascii7(page, seen, o.settled)
	case o.charset.name == UTF8 && (o.settled || seen.mostlyUTF8()):
		page.Damaged, t.fit = seen.damage.lines, fit{lost: seen.invalid, kept: seen.multibyte}
	case o.settled:
		t, err = s.trial(page)
	case o.charset.name != UTF8:
		if t, err = s.trial(page); err == nil && !t.exact {
			err = binaryFault()
		}
	case likeBinary(head):
		err = binaryFault()
	default:
		t, err = s.guess(head, page)
	}
	if err != nil {
		return nil, nil, fit{}, err
	}
	page.Encoding, page.Bytes, s.profile = s.charset.name, s.size, page.Profile
	return page, s, t.fit, nil
}

// ascii7 decides about bytes that are valid UTF-8: they may be ISO-2022-JP.
func (s *stream) ascii7(page *Page, seen census, settled bool) (trial, error) {
	if !settled && seen.multibyte == 0 && seen.shifter.shifted {
		plain := page.Profile
		s.charset, _ = lookup(ISO2022JP)
		if t, err := s.trial(page); err != nil || t.fit.clean() && t.fit.kept > 0 {
			return t, err
		}
		s.charset, page.Profile, page.Damaged = utf8Charset(), plain, nil
	}
	s.direct = true
	return trial{exact: true}, nil
}

// readAt reads n bytes, or fewer if the file ends before.
func readAt(r io.ReaderAt, off, n int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(r, off, n))
}

// guess determines the encoding of bytes that are not UTF-8.
func (s *stream) guess(head []byte, page *Page) (trial, error) {
	sample, err := readAt(s.r, s.ascii, min(s.size-s.ascii, sampleBytes))
	if err != nil {
		return trial{}, err
	}
	for _, cs := range guesses(head, sample) {
		s.charset = cs
		t, err := s.trial(page)
		if err != nil || t.fit.clean() {
			return t, err
		}
	}
	s.charset = rawCharset()
	page.Damaged = nil
	return trial{exact: true}, nil
}

// record is the first pass. It determines the file's hash, whether it is UTF-8, and the
// profile of its bytes, which in most encodings equals that of its text.
func (s *stream) record(page *Page) (c census, err error) {
	s.sum = sha256.New()
	var p profiler
	err = pieces(s.reader(0, s.bom), s.step, func(b []byte) {
		p.add(b)
		c.count(b)
	})
	page.Profile, page.Sum = p.profile(), shortSum(s.sum.Sum(nil))
	s.sum = nil
	return c, err
}

// trial is the fit of an encoding to a file.
type trial struct {
	exact bool // encoding again gives the same bytes
	fit   fit
}

// trial decodes the file with s.charset, encodes it again, and sets the profile and
// the damaged lines of page.
func (s *stream) trial(page *Page) (trial, error) {
	var p profiler
	var lost damage
	given, back := sha256.New(), sha256.New()
	encoder := transform.NewWriter(back, s.charset.enc.NewEncoder())
	decoded := transform.NewReader(io.TeeReader(s.reader(0, s.bom), given), s.charset.enc.NewDecoder())
	exact := true
	err := pieces(decoded, s.step, func(text []byte) {
		p.add(text)
		lost.decoded(string(text))
		if exact {
			_, err := encoder.Write(text)
			exact = err == nil
		}
	})
	if err != nil {
		return trial{}, err
	}
	exact = exact && encoder.Close() == nil && bytes.Equal(given.Sum(nil), back.Sum(nil))
	page.Profile, page.Damaged = p.profile(), lost.lines
	if exact {
		page.Damaged, lost.fit.lost = nil, 0
	}
	return trial{exact: exact, fit: lost.fit}, nil
}

// reader returns a reader of the file from block n on, without the first skip bytes.
// In the first pass it records the blocks; later it fails if they have changed.
func (s *stream) reader(n, skip int) io.Reader { return &blockReader{stream: s, next: n, skip: skip} }

type blockReader struct {
	*stream
	next int
	skip int
	buf  []byte
	rest []byte
}

func (b *blockReader) Read(dst []byte) (int, error) {
	for len(b.rest) == 0 {
		raw, err := b.load()
		if err != nil {
			return 0, err
		}
		skip := min(b.skip, len(raw))
		b.rest, b.skip = raw[skip:], b.skip-skip
	}
	n := copy(dst, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// load reads the next block.
func (b *blockReader) load() ([]byte, error) {
	off := int64(b.next) * int64(b.step)
	if off >= b.size {
		return nil, io.EOF
	}
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	if b.buf == nil {
		b.buf = make([]byte, b.step)
	}
	raw := b.buf[:min(int64(b.step), b.size-off)]
	n, err := io.ReadFull(io.NewSectionReader(b.r, off, int64(len(raw))), raw)
	shrunk := err == io.EOF || err == io.ErrUnexpectedEOF
	if err != nil && !shrunk {
		return nil, err
	}
	raw = raw[:n]
	hash := maphash.Bytes(b.seed, raw)
	if b.sum != nil {
		b.sum.Write(raw)
		b.blocks = append(b.blocks, block{hash: hash, lf: b.lf, cr: b.cr})
		b.lf += bytes.Count(raw, []byte{'\n'})
		b.cr += bytes.Count(raw, []byte{'\r'})
		if b.ascii == off {
			b.ascii += int64(foreign(raw))
		}
		if shrunk {
			b.size = off + int64(n) // since it was measured
		}
	} else if hash != b.blocks[b.next].hash {
		return nil, changedFault()
	}
	b.next++
	return raw, nil
}

// at implements lineSource.
func (s *stream) at(cur *cursor, line int) (*cursor, error) {
	sep := s.profile.separator()
	if !s.direct {
		if !cur.before(line) {
			cur = newCursor(transform.NewReader(s.reader(0, s.bom), s.charset.enc.NewDecoder()), sep, 1, s.step)
		}
		return cur, cur.skip(line)
	}
	n, first := s.blockOf(line, sep)
	if !cur.before(line) || cur.line < first {
		skip := 0
		if n == 0 {
			skip = s.bom
		}
		cur = newCursor(s.reader(n, skip), sep, first, s.step)
	}
	return cur, cur.skip(line)
}

// blockOf returns the block in which a line begins, and the line in which the block
// itself begins.
func (s *stream) blockOf(line int, sep byte) (n, first int) {
	for i, b := range s.blocks {
		ended := b.lf
		if sep == '\r' {
			ended = b.cr
		}
		if i > 0 && ended >= line-1 {
			break
		}
		n, first = i, ended+1
	}
	return n, first
}
