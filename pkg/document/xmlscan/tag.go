package xmlscan

import (
	"bytes"
	"slices"

	"github.com/helve-dev/helve/pkg/fault"
)

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
				s.tag = len(tag) + len("<>")
				if len(tag) == 0 {
					s.mended = true
					return nil
				}
				return tag
			}
		}
		seen := at - s.pos
		if seen > maxTag {
			s.failed = damaged(fault.T("a tag in it takes more than %d bytes", maxTag))
			return nil
		}
		if !s.fill() {
			s.pos = s.end
			s.fail(fault.T("it ends within a tag"))
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
		s.mended = true
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
	if len(s.stack) == maxDepth {
		s.failed = damaged(fault.T("its elements are nested more than %d deep", maxDepth))
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
		s.mended = true
		return false
	}
	if s.stack[n-1].raw == string(raw) {
		s.pop()
		return true
	}
	s.mended = true
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
