package xmlscan

import (
	"bytes"
	"strconv"
	"strings"
)

// Attr returns an attribute of the element that the last Start opened, and whether it has
// it. "r:id" names one with its usual prefix; "val" is one that has no prefix, or that of
// the element. The value is valid until the next call of a method.
func (s *Scanner) Attr(wanted string) ([]byte, bool) {
	for i := range s.attrs {
		if a := &s.attrs[i]; string(a.name) == wanted {
			return s.unescape(a.value), true
		}
	}
	prefixed := strings.IndexByte(wanted, ':') >= 0
	for i := range s.attrs {
		a := &s.attrs[i]
		if bytes.IndexByte(a.name, ':') < 0 || !prefixed && !bytes.HasSuffix(a.name, []byte(wanted)) {
			continue
		}
		n := s.space.lookup(a.name, false)
		if prefixed && n.full == wanted || !prefixed && n.local == wanted && n.space == s.current.space {
			return s.unescape(a.value), true
		}
	}
	return nil, false
}

// String returns an attribute as a string, "" if the element does not have it.
func (s *Scanner) String(wanted string) string {
	v, _ := s.Attr(wanted)
	return string(v)
}

// Int returns an attribute that is a decimal number. It reports false if the element does
// not have it, or something else.
func (s *Scanner) Int(wanted string) (int, bool) {
	v, ok := s.Attr(wanted)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(v)))
	return n, err == nil
}

// Bool returns a Boolean attribute, or absent if there is none: in Office's formats an
// element such as <w:b/> without it is true.
func (s *Scanner) Bool(wanted string, absent bool) bool {
	v, ok := s.Attr(wanted)
	if !ok {
		return absent
	}
	switch string(bytes.TrimSpace(v)) {
	case "0", "false", "off", "none", "f", "no":
		return false
	}
	return true
}

// Attrs calls yield with each attribute, by its name with the usual prefix.
func (s *Scanner) Attrs(yield func(name string, value []byte) bool) {
	for i := range s.attrs {
		a := &s.attrs[i]
		n := s.space.lookup(a.name, false)
		if !n.isNamespace && !yield(n.full, s.unescape(a.value)) {
			return
		}
	}
}
