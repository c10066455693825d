package officecrypt

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/document/compound"
)

// Names of the streams of an encrypted package (MS-OFFCRYPTO 2.3).
const (
	packageStream = "EncryptedPackage"
	infoStream    = "EncryptionInfo"
)

const (
	maxInfo     = 1 << 20 // of the stream that describes the encryption
	segmentSize = 4096    // what agile encryption chains
)

// Decrypt returns the package that a compound file holds encrypted, and its size.
// It reads and decrypts piece by piece. The default password is tried before the
// given one. It fails with encrypted_document without the right password.
func Decrypt(file *compound.File, password string) (io.ReaderAt, int64, error) {
	encrypted, err := file.Open(packageStream)
	if err != nil {
		return nil, 0, damaged(packageStream)
	}
	stream, err := file.Open(infoStream)
	if err != nil {
		return nil, 0, unsupported("rights management")
	}
	info, err := io.ReadAll(io.LimitReader(stream, maxInfo))
	if err != nil {
		return nil, 0, err
	}
	if len(info) < 8 {
		return nil, 0, damaged(infoStream)
	}
	major, minor := binary.LittleEndian.Uint16(info), binary.LittleEndian.Uint16(info[2:])
	var c segments
	switch {
	case minor == 2 && major >= 2 && major <= 4:
		c, err = standard(info[8:], password)
	case minor == 4 && major == 4:
		c, err = agile(info[8:], password)
	default:
		err = unsupported("extensible encryption")
	}
	if err != nil {
		return nil, 0, err
	}

	var claimed [8]byte
	if _, err := encrypted.ReadAt(claimed[:], 0); err != nil {
		return nil, 0, damaged(packageStream)
	}
	size := int64(min(binary.LittleEndian.Uint64(claimed[:]), uint64(encrypted.Size()-8)))
	return &plain{from: encrypted, size: size, segments: c, at: -1}, size, nil
}

// segments decrypts a segment of the package, a multiple of 16 bytes, in place.
type segments interface {
	decrypt(segment int64, data []byte)
}

// plain is the decrypted package. It keeps the segment that was read last, so it
// is not safe for concurrent use.
type plain struct {
	segments
	from   *io.SectionReader
	size   int64
	at     int64 // the segment in buffer; -1 for none
	length int
	buffer [segmentSize]byte
}

// ReadAt implements [io.ReaderAt].
func (p *plain) ReadAt(b []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errors.New("officecrypt: negative offset")
	}
	done := 0
	for done < len(b) && off < p.size {
		if err := p.load(off / segmentSize); err != nil {
			return done, err
		}
		from := int(off % segmentSize)
		if from >= p.length {
			return done, io.ErrUnexpectedEOF
		}
		n := copy(b[done:], p.buffer[from:p.length])
		n = int(min(int64(n), p.size-off))
		done += n
		off += int64(n)
	}
	if done < len(b) {
		return done, io.EOF
	}
	return done, nil
}

// load decrypts a segment into the buffer.
func (p *plain) load(segment int64) error {
	if segment == p.at {
		return nil
	}
	p.at = -1
	n, err := p.from.ReadAt(p.buffer[:], 8+segment*segmentSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	n -= n % 16
	p.decrypt(segment, p.buffer[:n])
	p.at, p.length = segment, n
	return nil
}
