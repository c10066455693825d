package xls

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/document/officecrypt"
)

// Records by their numbers (MS-XLS 2.3.1; for BIFF2 to BIFF7 the OpenOffice.org
// documentation of the format). Where versions differ, the number is the newest's and
// the older ones are beside it.
const (
	recFormula     = 0x0006
	recFormula3    = 0x0206
	recFormula4    = 0x0406
	recEOF         = 0x000A
	recExternSheet = 0x0017
	recName        = 0x0018
	recName3       = 0x0218
	recNote        = 0x001C
	recArray       = 0x0221
	recArray2      = 0x0021
	recDate1904    = 0x0022
	recExternName  = 0x0023
	recExternName3 = 0x0223
	recFilePass    = 0x002F
	recContinue    = 0x003C
	recCodePage    = 0x0042
	recIXFE        = 0x0044
	recOBJ         = 0x005D
	recColInfo     = 0x007D
	recBoundSheet  = 0x0085
	recSheetHeader = 0x008F
	recCountry     = 0x008C
	recSharedOld   = 0x00BC
	recMulRK       = 0x00BD
	recRString     = 0x00D6
	recXF          = 0x00E0
	recXF2         = 0x0043
	recXF3         = 0x0243
	recXF4         = 0x0443
	recMergeCells  = 0x00E5
	recDrawGroup   = 0x00EB
	recDrawing     = 0x00EC
	recSST         = 0x00FC
	recLabelSST    = 0x00FD
	recSupBook     = 0x01AE
	recTXO         = 0x01B6
	recTable       = 0x0236
	recTable2      = 0x0036 // with one input cell
	recTable2Two   = 0x0037 // with two
	recHLink       = 0x01B8
	recNumber      = 0x0203
	recNumber2     = 0x0003
	recInteger2    = 0x0002
	recLabel       = 0x0204
	recLabel2      = 0x0004
	recBoolErr     = 0x0205
	recBoolErr2    = 0x0005
	recString      = 0x0207
	recString2     = 0x0007
	recRow         = 0x0208
	recRow2        = 0x0008
	recRK          = 0x027E
	recFormat      = 0x041E
	recFormat2     = 0x001E
	recSharedFmla  = 0x04BC
	recBOF2        = 0x0009
	recBOF3        = 0x0209
	recBOF4        = 0x0409
	recBOF         = 0x0809
)

// le16 and le32 read numbers at the beginning of b.
func le16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

// bufferSize is the number of bytes of the stream read at once. A record has at most 64 KiB.
const bufferSize = 1 << 16

// A scanner reads records one after the other.
type scanner struct {
	r      io.ReaderAt
	cipher officecrypt.Records // nil where nothing is encrypted

	id   int
	data []byte // valid until the next call
	at   int64  // where data begins in the stream

	pos    int64 // of the next record
	buffer []byte
	base   int64  // where the buffer begins in the stream
	plain  []byte // decrypted data
	err    error  // of the reader; the end of the stream is none
	cut    bool   // the stream ended within a record
}

// seek goes on at a position of the stream.
func (s *scanner) seek(pos int64) { s.pos, s.cut = pos, false }

// have returns n bytes at the position of the next record, or fewer at the end.
func (s *scanner) have(n int) []byte {
	if off := s.pos - s.base; off >= 0 && off+int64(n) <= int64(len(s.buffer)) {
		return s.buffer[off : off+int64(n)]
	}
	if cap(s.buffer) < bufferSize+4 {
		s.buffer = make([]byte, bufferSize+4)
	}
	s.buffer, s.base = s.buffer[:cap(s.buffer)], s.pos
	got, err := s.r.ReadAt(s.buffer, s.pos)
	if err != nil && !errors.Is(err, io.EOF) && s.err == nil {
		s.err = err
	}
	s.buffer = s.buffer[:got]
	return s.buffer[:min(n, got)]
}

// next reads a record. It returns false at the end of the stream.
func (s *scanner) next() bool {
	head := s.have(4)
	if len(head) < 4 || s.err != nil {
		s.cut = true
		return false
	}
	size := le16(head[2:])
	s.id = le16(head)
	whole := s.have(4 + size)
	if len(whole) < 4+size {
		s.cut = true
		return false
	}
	s.at, s.data = s.pos+4, whole[4:]
	s.pos += int64(4 + size)
	if s.cipher != nil && encrypted(s.id) {
		s.plain = append(s.plain[:0], s.data...)
		s.cipher.Decrypt(s.plain, s.at)
		if s.id == recBoundSheet && size >= 4 {
			copy(s.plain, s.data[:4]) // the position is not encrypted
		}
		s.data = s.plain
	}
	return true
}

// peek returns the number of the next record, or -1.
func (s *scanner) peek() int {
	if head := s.have(4); len(head) == 4 {
		return le16(head)
	}
	return -1
}

// encrypted reports whether a record is encrypted in an encrypted workbook (MS-XLS
// 2.2.10).
func encrypted(id int) bool {
	switch id {
	case recBOF, recFilePass, 0x0194, 0x0195, 0x00E1, 0x0196, 0x0138: // USREXCL, FILELOCK, INTERFACEHDR, RRDINFO, RRDHEAD
		return false
	}
	return true
}

// isBOF reports whether a record begins a substream.
func isBOF(id int) bool {
	return id == recBOF || id == recBOF4 || id == recBOF3 || id == recBOF2
}

// A continued reads the data of a record and of those that continue it.
type continued struct {
	s    *scanner
	data []byte
	cut  bool // there was less than was asked for
}

// more goes on to the next CONTINUE.
func (c *continued) more() bool {
	if c.s.peek() != recContinue || !c.s.next() {
		c.cut = true
		return false
	}
	c.data = c.s.data
	return true
}

// bytes returns n bytes; they are copied if they are in several records.
func (c *continued) bytes(n int) []byte {
	if len(c.data) >= n {
		b := c.data[:n]
		c.data = c.data[n:]
		return b
	}
	b := make([]byte, 0, n)
	for len(b) < n {
		if len(c.data) == 0 && !c.more() {
			return make([]byte, n)
		}
		k := min(n-len(b), len(c.data))
		b = append(b, c.data[:k]...)
		c.data = c.data[k:]
	}
	return b
}

// skip leaves n bytes out.
func (c *continued) skip(n int64) {
	for n > int64(len(c.data)) {
		n -= int64(len(c.data))
		if !c.more() {
			c.data = nil
			return
		}
	}
	c.data = c.data[n:]
}
