// Package numfmt shows a number as a spreadsheet shows it: it reads number formats such
// as `#,##0.00;[Red]-#,##0.00` (ECMA-376 Part 1, 18.8.30 and 18.8.31) and applies them
// as Excel does. It knows nothing of cells and files.
package numfmt

// Format is a number format that was parsed. It may be used by several goroutines.
type Format struct {
	sections []section // one to three for numbers, by their conditions
	text     *section  // for text, or nil: text is shown as it is
	class    Class
}

// Options are settings of a workbook that affect its formats.
type Options struct {
	// Date1904 says that day 0 is 1 January 1904, not 31 December 1899.
	Date1904 bool
}

// Class is the kind of value that a format is made for, taken from its first section.
type Class uint8

// The classes of formats.
const (
	General    Class = iota
	Number           // 0.00
	Currency         // $0.00
	Percent          // 0%
	Scientific       // 0.0E+00
	Fraction         // # ?/?
	Date             // yyyy-mm-dd
	Time             // h:mm
	DateTime         // yyyy-mm-dd h:mm
	Elapsed          // [h]:mm
	Text             // @
)

// IsDate reports whether values of the class are dates or times of day.
func (c Class) IsDate() bool { return c == Date || c == Time || c == DateTime }

// longest limits the bytes of a format that are read. Excel takes 255 characters.
const longest = 2048

// Parse reads a format. A code that is no format is treated as General; a character that
// has no meaning where it stands is shown as it is. Parsing costs far more than
// showing a value: callers keep the result.
func Parse(code string) *Format {
	f := &Format{}
	if code == "" || len(code) > longest {
		code = "General"
	}
	parts := split(code)
	for i, part := range parts {
		s, ok := parseSection(part)
		if !ok {
			return &Format{sections: []section{{general: true}}}
		}
		if i == 3 || i < 3 && i == len(parts)-1 && s.text && !s.dates {
			f.text = &s
			continue
		}
		if len(f.sections) < 3 {
			f.sections = append(f.sections, s)
		}
	}
	if len(f.sections) == 0 {
		f.sections = append(f.sections, section{general: true})
		f.class = Text
	} else {
		f.class = f.sections[0].class()
	}
	return f
}

// Class returns the kind of value that the format is made for.
func (f *Format) Class() Class { return f.class }

// Text returns value as the format displays it. A date that does not exist, such as a
// negative one, is ########.
func (f *Format) Text(value float64, o Options) string {
	return string(f.Append(make([]byte, 0, 32), value, o))
}

// Append appends what [Format.Text] returns.
func (f *Format) Append(dst []byte, value float64, o Options) []byte {
	s, bare := f.choose(value)
	if s == nil {
		return append(dst, overflow...)
	}
	return s.append(dst, value, bare, o)
}

// TextOf returns text as the format displays it: by its section for text, if it has one.
func (f *Format) TextOf(text string) string {
	if f.text == nil || f.text.plain() {
		return text
	}
	return string(f.AppendTextOf(nil, text))
}

// AppendTextOf appends what [Format.TextOf] returns.
func (f *Format) AppendTextOf(dst []byte, text string) []byte {
	if f.text == nil {
		return append(dst, text...)
	}
	for _, t := range f.text.tokens {
		if t.kind == textMark {
			dst = append(dst, text...)
		} else {
			dst = t.literal(dst)
		}
	}
	return dst
}

// overflow replaces a value that cannot be shown: Excel fills the cell with it.
const overflow = "########"

// choose returns the section for a value, and whether the section shows the value
// without its sign. It is nil where no section's condition holds.
func (f *Format) choose(value float64) (chosen *section, bare bool) {
	s := f.sections
	if len(s) == 1 {
		if s[0].when != always && !s[0].holds(value) {
			return nil, false
		}
		return &s[0], false
	}
	first, second := value >= 0, value < 0
	if len(s) == 3 {
		first = value > 0
	}
	if s[0].when != always {
		first = s[0].holds(value)
		// With a condition on the first section alone, the second has the rest
		// where there are two, and what is negative where there are three.
		second = second || len(s) == 2
	}
	if s[1].when != always {
		second = s[1].holds(value)
	}
	switch {
	case first:
		return &s[0], s[0].negative()
	case second && s[1].when != always:
		return &s[1], s[1].negative()
	case second:
		return &s[1], s[0].when == always || len(s) == 3 || s[0].positive()
	case len(s) == 3:
		return &s[2], false
	}
	return nil, false
}
