package bolt

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"time"

	"github.com/helve-dev/helve/pkg/state/store"
)

// The file has one bucket. The keys of its records say all about them, so that a page
// that was cut off from the others can be read alone:
//
//	f                       the version of this layout
//	k<key>                  revision, value
//	l<stream>               the sequence number of the newest message it ever had
//	m<stream>\0<sequence>   time, length of the id, the id, data
//	n<stream>\0<id>         the sequence number of the message
//
// Numbers have 8 bytes, the first one first; times are nanoseconds since 1970; the length of
// an id has one byte. Before each value are 4 bytes, the CRC-32C of the record's key and the value,
// as bbolt has no checksum for what it keeps.
//
// Revisions and sequence numbers are drawn from one counter, which is the sequence of
// the bucket.
const (
	bucketName = "helve"
	version    = 1

	formatTag  = 'f'
	keyTag     = 'k'
	newestTag  = 'l'
	messageTag = 'm'
	nameTag    = 'n'

	checksumLen = 4
	numberLen   = 8
)

// errRecord is the error of a record that is not what was written.
var errRecord = errors.New("a record is damaged")

func formatKey() []byte              { return []byte{formatTag} }
func entryKey(key string) []byte     { return append([]byte{keyTag}, key...) }
func newestKey(stream string) []byte { return append([]byte{newestTag}, stream...) }

// streamKey begins the keys of the messages of a stream, or of their names.
func streamKey(tag byte, stream string) []byte {
	return append(append([]byte{tag}, stream...), 0)
}

func messageKey(stream string, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(streamKey(messageTag, stream), seq)
}

func nameKey(stream, id string) []byte {
	return append(streamKey(nameTag, stream), id...)
}

// seal returns a value with the checksum before it.
func seal(key, value []byte) []byte {
	sum := crc32.Update(0, castagnoli(), key)
	sum = crc32.Update(sum, castagnoli(), value)
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, checksumLen+len(value)), sum), value...)
}

// unseal checks a value and returns it without the checksum. It is a part of sealed.
func unseal(key, sealed []byte) ([]byte, error) {
	if len(sealed) < checksumLen {
		return nil, errRecord
	}
	value := sealed[checksumLen:]
	sum := crc32.Update(0, castagnoli(), key)
	if crc32.Update(sum, castagnoli(), value) != binary.BigEndian.Uint32(sealed) {
		return nil, errRecord
	}
	return value, nil
}

// castagnoli returns the table, which the package crc32 makes once.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func sealNumber(key []byte, n uint64) []byte {
	return seal(key, binary.BigEndian.AppendUint64(nil, n))
}

func unsealNumber(key, sealed []byte) (uint64, error) {
	value, err := unseal(key, sealed)
	if err != nil || len(value) != numberLen {
		return 0, errRecord
	}
	return binary.BigEndian.Uint64(value), nil
}

func sealEntry(key string, value []byte, revision uint64) (at, sealed []byte) {
	at = entryKey(key)
	return at, seal(at, append(binary.BigEndian.AppendUint64(nil, revision), value...))
}

// unsealEntry returns the entry of a record. It shares no memory with it.
func unsealEntry(at, sealed []byte) (store.Entry, error) {
	value, err := unseal(at, sealed)
	if err != nil || len(value) < numberLen || len(at) == 0 || at[0] != keyTag {
		return store.Entry{}, errRecord
	}
	e := store.Entry{Key: string(at[1:]), Revision: binary.BigEndian.Uint64(value)}
	e.Value = append([]byte{}, value[numberLen:]...)
	if e.Revision == 0 || store.CheckKey(e.Key) != nil {
		return store.Entry{}, errRecord
	}
	return e, nil
}

func sealMessage(m *store.Message) (at, sealed []byte) {
	at = messageKey(m.Stream, m.Seq)
	value := binary.BigEndian.AppendUint64(nil, uint64(m.Time.UnixNano()))
	value = append(value, byte(len(m.ID)))
	value = append(value, m.ID...)
	return at, seal(at, append(value, m.Data...))
}

// unsealMessage returns the message of a record. It shares no memory with it.
func unsealMessage(at, sealed []byte) (m store.Message, err error) {
	stream, seq, ok := splitMessageKey(at)
	if !ok {
		return m, errRecord
	}
	return unsealMessageOf(stream, seq, at, sealed)
}

// unsealMessageOf returns the message of a record whose key is known to have this stream and
// number.
func unsealMessageOf(stream string, seq uint64, at, sealed []byte) (m store.Message, err error) {
	value, err := unseal(at, sealed)
	if err != nil || len(value) < numberLen+1 {
		return m, errRecord
	}
	nanos := int64(binary.BigEndian.Uint64(value))
	n, rest := int(value[numberLen]), value[numberLen+1:]
	if n > len(rest) {
		return m, errRecord
	}
	m = store.Message{Stream: stream, Seq: seq, ID: string(rest[:n]), Time: time.Unix(0, nanos).UTC()}
	m.Data = append([]byte{}, rest[n:]...)
	if store.CheckName(m.ID) != nil {
		return store.Message{}, errRecord
	}
	return m, nil
}

func splitMessageKey(at []byte) (stream string, seq uint64, ok bool) {
	cut := len(at) - numberLen - 1
	if cut < 1 || at[0] != messageTag || at[cut] != 0 {
		return "", 0, false
	}
	stream = string(at[1:cut])
	return stream, binary.BigEndian.Uint64(at[cut+1:]), store.CheckName(stream) == nil
}

func splitNameKey(at []byte) (stream, id string, ok bool) {
	if len(at) == 0 || at[0] != nameTag {
		return "", "", false
	}
	stream, id, ok = strings.Cut(string(at[1:]), "\x00")
	return stream, id, ok && store.CheckName(stream) == nil && store.CheckName(id) == nil
}
