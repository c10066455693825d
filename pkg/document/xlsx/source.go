package xlsx

import (
	"context"
	"io"
	"math"
	"strings"

	"github.com/helve-dev/helve/pkg/document/xlsx/biff12"
	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// maxPart limits the bytes read of a part that is neither a sheet nor the shared strings.
const maxPart = 64 << 20

// source is an open part of a workbook. It ends with the call that reads it.
type source struct {
	io.ReadCloser
	ctx  context.Context
	n    int64 // so much was read
	most int64
}

func (s *source) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if s.n >= s.most {
		return 0, damaged(fault.T("a part takes more than %d bytes", s.most))
	}
	n, err := s.ReadCloser.Read(b)
	s.n += int64(n)
	return n, err
}

// scan opens a part to be scanned. The caller closes it.
func (b *Book) scan(part string) (*xmlscan.Scanner, io.Closer, error) {
	src, err := b.source(part)
	if err != nil {
		return nil, nil, err
	}
	src.most = maxPart
	return xmlscan.New(src), src, nil
}

// source opens a part that may be as long as the package allows.
func (b *Book) source(part string) (*source, error) {
	r, err := b.pkg.Open(part)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(strings.ToLower(part), binaryEnd) {
		r = translated{biff12.NewReader(r), r}
	}
	return &source{ReadCloser: r, ctx: b.ctx, most: math.MaxInt64}, nil
}

// binaryEnd ends the names of the parts of a binary workbook.
const binaryEnd = ".bin"

// translated is a part of a binary workbook in the words of a plain one.
type translated struct {
	io.Reader
	io.Closer
}

// binary reports whether the workbook is a binary one.
func (b *Book) binary() bool {
	return strings.HasSuffix(strings.ToLower(b.pkg.Main()), binaryEnd)
}
