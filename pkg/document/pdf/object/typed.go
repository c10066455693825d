package object

import (
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// Dict returns the dictionary that v is or refers to, that of a stream too; nil if it is
// none.
func (f *File) Dict(v Value) Dict {
	switch v := f.Resolve(v).(type) {
	case Dict:
		return v
	case *Stream:
		return v.Dict
	}
	return nil
}

// Stream returns the stream that v is or refers to, nil if it is none.
func (f *File) Stream(v Value) *Stream {
	s, _ := f.Resolve(v).(*Stream)
	return s
}

// Array returns the array that v is or refers to, nil if it is none.
func (f *File) Array(v Value) Array {
	a, _ := f.Resolve(v).(Array)
	return a
}

// Name returns the name that v is or refers to, "" if it is none.
func (f *File) Name(v Value) Name {
	n, _ := f.Resolve(v).(Name)
	return n
}

// Int returns the whole number that v is or refers to. A real number is cut.
func (f *File) Int(v Value) (int64, bool) {
	switch v := f.Resolve(v).(type) {
	case int64:
		return v, true
	case float64:
		if math.Abs(v) < 1<<62 {
			return int64(v), true
		}
	}
	return 0, false
}

// Number returns the number that v is or refers to.
func (f *File) Number(v Value) (float64, bool) {
	switch v := f.Resolve(v).(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Bool returns the boolean that v is or refers to.
func (f *File) Bool(v Value) (value, ok bool) {
	value, ok = f.Resolve(v).(bool)
	return value, ok
}

// Text returns the text of the string that v is or refers to, "" if it is none: 7.9.2.2.
func (f *File) Text(v Value) string {
	s, _ := f.Resolve(v).(String)
	return decodeText(s)
}

// decodeText decodes a text string: UTF-16 or UTF-8 with a byte order mark, else
// PDFDocEncoding.
func decodeText(s String) string {
	switch {
	case len(s) >= 2 && s[0] == 0xfe && s[1] == 0xff:
		return decodeUTF16(s[2:], 1, 0)
	case len(s) >= 2 && s[0] == 0xff && s[1] == 0xfe: // not allowed, but found
		return decodeUTF16(s[2:], 0, 1)
	case len(s) >= 3 && s[0] == 0xef && s[1] == 0xbb && s[2] == 0xbf:
		return string([]rune(string(s[3:]))) // valid, with U+FFFD for what is not
	}
	ascii := true
	for _, c := range s {
		ascii = ascii && c < 0x80 && (c >= 0x20 || c == '\n' || c == '\t' || c == '\r')
	}
	if ascii {
		return string(s)
	}
	out := make([]byte, 0, len(s)+len(s)/2)
	for _, c := range s {
		out = utf8.AppendRune(out, docRune(c))
	}
	return string(out)
}

// decodeUTF16 decodes UTF-16 without the escapes that name a language: 7.9.2.2.2.
func decodeUTF16(s String, low, high int) string {
	units := make([]uint16, 0, len(s)/2)
	escaped := false
	for ; len(s) >= 2; s = s[2:] {
		unit := uint16(s[high])<<8 | uint16(s[low])
		switch {
		case unit == 0x1b:
			escaped = !escaped
		case !escaped:
			units = append(units, unit)
		}
	}
	return string(utf16.Decode(units))
}

// docRune returns the character of a code of PDFDocEncoding: D.3.
func docRune(c byte) rune {
	switch {
	case 0x18 <= c && c <= 0x1f:
		return []rune("˘ˇˆ˙˝˛˚˜")[c-0x18]
	case 0x80 <= c && c <= 0xa0:
		return []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\uFFFD€")[c-0x80]
	case c == 0x7f || c == 0xad:
		return utf8.RuneError
	}
	return rune(c)
}
