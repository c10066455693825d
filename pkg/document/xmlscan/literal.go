package xmlscan

import "bytes"

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
