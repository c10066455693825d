// Package xmlscan reads the XML of documents as a stream: in memory that does not grow
// with the document, forgiving towards what is damaged, and deaf to what XML can be made
// to do (there are no document types and no entities but the five of XML).
//
// Names of elements and attributes have the usual prefix of their namespace, whatever the
// document calls it: "w:p" is a paragraph of WordprocessingML in files that declare the
// transitional namespace, the strict one or, being broken, none.
//
// The format is XML 1.0 (https://www.w3.org/TR/xml/) with namespaces
// (https://www.w3.org/TR/xml-names/).
package xmlscan

import (
	"bytes"
	"errors"
	"io"

	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of a document.
const (
	// maxDepth limits the nesting of elements.
	maxDepth = 256
	// maxTag is the longest tag with its attributes, comment or declaration that is
	// looked at, in bytes.
	maxTag = 1 << 20
	// bufferBytes is the number of bytes read at once, and about the longest text that
	// comes in one piece.
	bufferBytes = 64 << 10
	// maxNames limits the names that are remembered at a time.
	maxNames = 4096
)

// Kind is the kind of an event of [Scanner.Next].
type Kind uint8

// The kinds. An empty element is a Start and an End.
const (
	EOF Kind = iota
	Start
	End
	Text
)

// Scanner reads a document from its beginning to its end.
type Scanner struct {
	src      io.Reader
	buf      []byte
	pos, end int   // what of buf is not read yet
	before   int64 // bytes that were read before those in buf
	tag      int   // bytes of the last tag
	mended   bool
	ended    bool

	stack   []*name // the open elements
	current *name   // of the last Start or End
	attrs   []attribute
	text    []byte // of the last Text
	scratch []byte // text and values with their entities replaced
	closing bool   // the element that began is empty: its End is due
	space   namespaces
	broken  error // of the reader; what it read before is used
	failed  error
	started bool
}

// name is the name of an element or attribute.
type name struct {
	raw         string
	full        string // with the usual prefix
	space       string // that prefix
	local       string
	isNamespace bool // it declares one
}

type attribute struct {
	name  []byte // as it is written
	value []byte // with entities
}

// New returns a scanner of a document in UTF-8, UTF-16 or the encoding that it declares.
func New(r io.Reader) *Scanner {
	return &Scanner{src: r, buf: make([]byte, bufferBytes), space: newNamespaces()}
}

// Err returns why the document ended early: a bad_document if it is cut off or damaged,
// or the error of the reader. It is nil while there is more, and after a complete document.
func (s *Scanner) Err() error { return s.failed }

// Name returns the name of the last Start or End with the usual prefix of its namespace,
// such as "w:p".
func (s *Scanner) Name() string { return s.current.full }

// Local returns the same name without a prefix.
func (s *Scanner) Local() string { return s.current.local }

// Text returns the last Text. It is valid until the next call of Next. Long text comes in
// several pieces.
func (s *Scanner) Text() []byte { return s.text }

// Depth returns how many elements are open: 1 after the Start of the outermost.
func (s *Scanner) Depth() int {
	if s.closing {
		return len(s.stack) + 1
	}
	return len(s.stack)
}

// Parent returns the name of the element around the one that the last Start opened, or
// around the last Text; "" if there is none.
func (s *Scanner) Parent() string {
	open := s.stack
	if s.current != nil && !s.closing && len(open) > 0 && open[len(open)-1] == s.current {
		open = open[:len(open)-1]
	}
	if len(open) == 0 {
		return ""
	}
	return open[len(open)-1].full
}

// Next goes on to the next token.
func (s *Scanner) Next() Kind {
	if !s.started {
		s.started = true
		s.src, s.failed = Decoded(s.src)
	}
	if s.closing {
		s.closing = false
		s.leave()
		return End
	}
	for s.failed == nil {
		if s.pos == s.end && !s.fill() {
			break
		}
		if s.buf[s.pos] != '<' {
			if s.readText() {
				return Text
			}
			continue
		}
		kind, ok := s.markup()
		if ok {
			return kind
		}
	}
	if len(s.stack) > 0 { // cut off: what is open ends here
		s.fail(fault.T("it ends within %s", s.stack[len(s.stack)-1].full))
		s.pop()
		return End
	}
	if s.failed == nil {
		s.failed = s.broken
	}
	return EOF
}

// fill reads more behind what is left in the buffer. It reports whether there is more.
func (s *Scanner) fill() bool {
	if s.ended {
		return false
	}
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.before += int64(s.pos)
		s.pos = 0
	}
	if s.end == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for empty := 0; ; empty++ {
		n, err := s.src.Read(s.buf[s.end:])
		s.end += n
		switch {
		case errors.Is(err, io.EOF):
			s.ended = true
			return n > 0
		case err != nil:
			s.ended, s.broken = true, err
			return n > 0
		case n > 0:
			return true
		case empty == 100:
			s.ended, s.broken = true, io.ErrNoProgress
			return false
		}
	}
}

// readText reads text up to the next tag or the end of the buffer. It reports whether
// there was any within an element.
func (s *Scanner) readText() bool {
	stop := bytes.IndexByte(s.buf[s.pos:s.end], '<')
	for stop < 0 && s.end-s.pos < bufferBytes/2 {
		seen := s.end - s.pos
		if !s.fill() {
			break
		}
		if stop = bytes.IndexByte(s.buf[s.pos+seen:s.end], '<'); stop >= 0 {
			stop += seen
		}
	}
	piece := s.buf[s.pos:s.end]
	if stop >= 0 {
		piece = piece[:stop]
	} else if !s.ended {
		piece = piece[:whole(piece)]
	}
	s.pos += len(piece)
	s.text = s.unescape(piece)
	return len(s.stack) > 0
}

// fail notes the first reason for an early end.
func (s *Scanner) fail(why fault.Text) {
	switch {
	case s.failed != nil:
	case s.broken != nil:
		s.failed = s.broken
	default:
		s.failed = damaged(why)
	}
}

func damaged(why fault.Text) *fault.Error {
	return fault.New(fault.BadDocument, fault.T("the XML is damaged: %s", why)).
		WithHint(fault.T("it may be incomplete: get the file again"))
}
