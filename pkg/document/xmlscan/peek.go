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

// Offset returns how many bytes of the document there are before the end of the last token.
// They are counted in UTF-8, without a byte order mark.
func (s *Scanner) Offset() int64 { return s.before + int64(s.pos) }

// Tag returns how many bytes the tag has that the last Start or End read.
func (s *Scanner) Tag() int { return s.tag }

// Mended reports whether tags were passed over or supplied, as the document is damaged: then
// offsets say nothing.
func (s *Scanner) Mended() bool { return s.mended || s.failed != nil }

// Written returns the tag that the last Start or End read, as it is written. It is valid
// until the next call of a method.
func (s *Scanner) Written() []byte { return s.buf[s.pos-s.tag : s.pos] }
