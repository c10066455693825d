package xmlscan

// Peek returns what is read of the document and not scanned yet: at least so many bytes,
// unless it ends before or is in the middle of an empty element. It begins behind the last
// token. A format that knows what most of a large document looks like reads that itself,
// passes over it with [Scanner.Discard] and leaves the rest to Next: whole elements and
// whole texts, never a part of one. The bytes are in UTF-8 and valid until the next call of
// a method.
func (s *Scanner) Peek(least int) []byte {
	if s.closing || !s.started || s.failed != nil {
		return nil
	}
	for s.end-s.pos < least && s.fill() {
	}
	return s.buf[s.pos:s.end]
}

// Discard passes over the first n of the bytes that Peek returned.
func (s *Scanner) Discard(n int) { s.pos += n }

// Raw returns the name of the last Start or End as it is written.
func (s *Scanner) Raw() string { return s.current.raw }
