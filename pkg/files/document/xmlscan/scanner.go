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
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

// Limits of a document.
const (
	// MaxDepth is how deep elements may be nested.
	MaxDepth = 256
	// maxTag is the longest tag with its attributes, comment or declaration that is
	// looked at, in bytes.
	maxTag = 1 << 20
	// bufferBytes is how much is read at once, and about the longest text that comes in
	// one piece.
	bufferBytes = 64 << 10
	// maxNames is how many names are remembered at a time.
	maxNames = 4096
)

// Kind is what [Scanner.Next] found.
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
	pos, end int // what of buf is not read yet
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
		s.fail(fault.T("it ends within %s", "它在 %s 内中断", s.stack[len(s.stack)-1].full))
		s.pop()
		return End
	}
	if s.failed == nil {
		s.failed = s.broken
	}
	return EOF
}

// Skip goes on to the End of the element that the last Start opened.
func (s *Scanner) Skip() { s.leaveTo(s.Depth() - 1) }

// leaveTo goes on until no more elements than so many are open.
func (s *Scanner) leaveTo(depth int) {
	for s.Depth() > depth && s.Next() != EOF {
	}
}

// Children calls yield with the name of each element within the one that the last Start
// opened, and goes on to the End of that. What yield leaves of an element is skipped.
func (s *Scanner) Children(yield func(name string) bool) {
	for depth := s.Depth(); ; {
		switch s.Next() {
		case Start:
			child := s.Depth()
			if !yield(s.Name()) {
				return
			}
			s.leaveTo(child - 1)
		case End:
			if s.Depth() < depth {
				return
			}
		case EOF:
			return
		}
	}
}

// Descendants calls yield with the name of each element within the one that the last Start
// opened, however deep and in the order of their beginnings, and goes on to the End of it.
func (s *Scanner) Descendants(yield func(name string) bool) {
	for depth := s.Depth(); ; {
		kind := s.Next()
		if kind == EOF || s.Depth() < depth || kind == Start && !yield(s.Name()) || s.Depth() < depth {
			return
		}
	}
}

// All returns the text of the element that the last Start opened, at most so many bytes of
// it, and goes on to its End.
func (s *Scanner) All(most int) []byte {
	var all []byte
	for depth := s.Depth(); ; {
		switch s.Next() {
		case Text:
			all = append(all, s.text[:max(0, min(len(s.text), most-len(all)))]...)
		case End:
			if s.Depth() < depth {
				return all
			}
		case EOF:
			return all
		}
	}
}

// fill reads more behind what is left in the buffer. It reports whether there is more.
func (s *Scanner) fill() bool {
	if s.ended {
		return false
	}
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
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

// markup reads what begins with "<". It reports whether that is a token.
func (s *Scanner) markup() (Kind, bool) {
	for s.end-s.pos < 4 && s.fill() {
	}
	switch rest := s.buf[s.pos:s.end]; {
	case bytes.HasPrefix(rest, []byte("<!--")):
		s.skipTo("-->")
		return 0, false
	case bytes.HasPrefix(rest, []byte("<![")):
		return Text, s.readCDATA()
	case bytes.HasPrefix(rest, []byte("<?")):
		s.skipTo("?>")
		return 0, false
	case bytes.HasPrefix(rest, []byte("<!")):
		s.skipDeclaration()
		return 0, false
	}
	tag := s.readTag()
	switch {
	case tag == nil:
		return 0, false
	case tag[0] == '/':
		return End, s.close(bytes.TrimRight(tag[1:], " \t\r\n"))
	}
	return Start, s.open(tag)
}

// readTag returns what is between "<" and ">", without them; nil if there is no tag.
func (s *Scanner) readTag() []byte {
	var quote byte
	for at := s.pos + 1; ; {
		for ; at < s.end; at++ {
			switch c := s.buf[at]; {
			case quote != 0:
				if c == quote {
					quote = 0
				} else if i := bytes.IndexByte(s.buf[at:s.end], quote); i > 0 {
					at += i - 1
				} else {
					at = s.end - 1 // the value goes on in what is read next
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '>':
				tag := s.buf[s.pos+1 : at]
				s.pos = at + 1
				if len(tag) == 0 {
					return nil
				}
				return tag
			}
		}
		seen := at - s.pos
		if seen > maxTag {
			s.failed = damaged(fault.T("a tag in it takes more than %d bytes", "其中一个标签超过 %d 字节", maxTag))
			return nil
		}
		if !s.fill() {
			s.pos = s.end
			s.fail(fault.T("it ends within a tag", "它在标签内中断"))
			return nil
		}
		at = s.pos + seen
	}
}

// open begins an element.
func (s *Scanner) open(tag []byte) bool {
	empty := tag[len(tag)-1] == '/'
	if empty {
		tag = tag[:len(tag)-1]
	}
	raw, rest := cutName(tag)
	if len(raw) == 0 {
		return false
	}
	s.attrs = s.attrs[:0]
	for {
		rest = trimSpace(rest)
		if len(rest) == 0 {
			break
		}
		var a attribute
		if a.name, rest = cutName(rest); len(a.name) == 0 {
			rest = rest[1:]
			continue
		}
		if rest = trimSpace(rest); len(rest) == 0 || rest[0] != '=' {
			continue
		}
		if rest = trimSpace(rest[1:]); len(rest) == 0 {
			break
		}
		if quote := rest[0]; quote == '"' || quote == '\'' {
			i := bytes.IndexByte(rest[1:], quote)
			if i < 0 {
				break
			}
			a.value, rest = rest[1:1+i], rest[i+2:]
		} else {
			a.value, rest = cutName(rest)
		}
		if bytes.HasPrefix(a.name, []byte("xmlns")) {
			s.space.declare(a.name, a.value, len(s.stack)+1)
		}
		s.attrs = append(s.attrs, a)
	}
	s.current = s.space.lookup(raw, true)
	if len(s.stack) == MaxDepth {
		s.failed = damaged(fault.T("its elements are nested more than %d deep", "其元素嵌套超过 %d 层", MaxDepth))
		return false
	}
	s.stack = append(s.stack, s.current)
	if empty {
		s.closing = true
		s.stack = s.stack[:len(s.stack)-1]
	}
	return true
}

// close ends an element. An end tag that nothing opened is passed over; one that closes
// an outer element closes what is in that, too.
func (s *Scanner) close(raw []byte) bool {
	n := len(s.stack)
	if n == 0 {
		return false
	}
	if s.stack[n-1].raw == string(raw) {
		s.pop()
		return true
	}
	if !slices.ContainsFunc(s.stack, func(open *name) bool { return open.raw == string(raw) }) {
		return false
	}
	// The tag is read again after each that it closes.
	s.pos -= len(raw) + len("</>")
	copy(s.buf[s.pos+2:], raw) // first, as it may lie where the "</" goes
	copy(s.buf[s.pos:], "</")
	s.buf[s.pos+2+len(raw)] = '>'
	s.pop()
	return true
}

func (s *Scanner) pop() {
	s.current = s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	s.leave()
}

// leave forgets the namespaces of the element that ended.
func (s *Scanner) leave() {
	s.attrs = s.attrs[:0]
	s.space.leave(len(s.stack) + 1)
}

// skipTo skips a comment or instruction.
func (s *Scanner) skipTo(mark string) {
	s.pos += 2
	for {
		if i := bytes.Index(s.buf[s.pos:s.end], []byte(mark)); i >= 0 {
			s.pos += i + len(mark)
			return
		}
		s.pos = max(s.pos, s.end-len(mark)+1)
		if !s.fill() {
			s.pos = s.end
			return
		}
	}
}

// skipDeclaration skips a document type, with what it declares.
func (s *Scanner) skipDeclaration() {
	depth := 0
	for {
		for ; s.pos < s.end; s.pos++ {
			switch s.buf[s.pos] {
			case '<':
				depth++
			case '>':
				if depth--; depth <= 0 {
					s.pos++
					return
				}
			}
		}
		if !s.fill() {
			return
		}
	}
}

// readCDATA reads a section of literal text, or a piece of it.
func (s *Scanner) readCDATA() bool {
	const begin, end = "<![CDATA[", "]]>"
	for s.end-s.pos < len(begin) && s.fill() {
	}
	if !bytes.HasPrefix(s.buf[s.pos:s.end], []byte(begin)) {
		s.skipDeclaration()
		return false
	}
	for {
		if i := bytes.Index(s.buf[s.pos:s.end], []byte(end)); i >= 0 {
			s.text = s.buf[s.pos+len(begin) : s.pos+i]
			s.pos += i + len(end)
			return len(s.stack) > 0
		}
		if s.end-s.pos > maxTag || !s.fill() {
			s.text = s.buf[min(s.pos+len(begin), s.end):s.end]
			s.pos = s.end
			return len(s.stack) > 0
		}
	}
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
	return fault.New(fault.BadDocument, fault.T("the XML is damaged: %s", "XML 已损坏：%s", why)).
		WithHint(fault.T("it may be incomplete: get the file again", "它可能不完整：请重新获取该文件"))
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\n' || b[0] == '\t' || b[0] == '\r') {
		b = b[1:]
	}
	return b
}

// cutName cuts a name off the beginning.
func cutName(b []byte) (name, rest []byte) {
	for i, c := range b {
		switch c {
		case ' ', '\n', '\t', '\r', '=', '"', '\'', '/', '<', '>':
			return b[:i], b[i:]
		}
	}
	return b, nil
}
