package font

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/pdf/object"
)

// Limits of a CMap.
const (
	maxBytes    = 8 << 20 // of its text
	maxMappings = 1 << 17 // ranges and single codes
	maxOperands = 1 << 16 // before one operator
)

// span maps the codes from low to high, of length bytes each.
type span struct {
	low, high uint32
	length    uint8
	cid       uint32   // of low, in a CMap to CIDs
	text      string   // of low, in a CMap to Unicode
	list      []string // of each code; instead of text
}

// cmap is an embedded CMap: 9.7.5.4, or a ToUnicode CMap: 9.10.3.
type cmap struct {
	spaces   []span // the codespace ranges
	spans    []span // sorted by low
	vertical bool
	use      string // the predefined CMap that it extends
	mappings int    // of maxMappings
}

// parseCMap reads a CMap. What it cannot read it leaves out.
func parseCMap(data []byte) *cmap {
	m := &cmap{}
	lexer := object.NewLexer(data[:min(len(data), maxBytes)])
	var operands []object.Value
	for {
		v, ok := lexer.Next()
		if !ok {
			break
		}
		operator, ok := v.(object.Operator)
		if !ok {
			if len(operands) < maxOperands {
				operands = append(operands, v)
			}
			continue
		}
		m.operate(string(operator), operands)
		operands = operands[:0]
	}
	// Where two ranges start alike, the later one holds.
	slices.SortStableFunc(m.spans, func(a, b span) int {
		if a.low != b.low {
			return int(int64(a.low) - int64(b.low))
		}
		return int(a.length) - int(b.length)
	})
	return m
}

func (m *cmap) operate(operator string, operands []object.Value) {
	switch operator {
	case "endcodespacerange":
		for ; len(operands) >= 2; operands = operands[2:] {
			if s, ok := codes(operands[0], operands[1]); ok && len(m.spaces) < 256 {
				m.spaces = append(m.spaces, s)
			}
		}
	case "endbfchar", "endcidchar":
		for ; len(operands) >= 2; operands = operands[2:] {
			m.add(operands[0], operands[0], operands[1])
		}
	case "endbfrange", "endcidrange":
		for ; len(operands) >= 3; operands = operands[3:] {
			m.add(operands[0], operands[1], operands[2])
		}
	case "usecmap":
		if len(operands) > 0 {
			name, _ := operands[len(operands)-1].(object.Name)
			m.use = string(name)
		}
	case "def":
		if n := len(operands); n >= 2 && operands[n-2] == object.Value(object.Name("WMode")) {
			m.vertical = operands[n-1] == object.Value(int64(1))
		}
	}
}

// codes reads the two ends of a range.
func codes(low, high object.Value) (span, bool) {
	a, ok := low.(object.String)
	b, ok2 := high.(object.String)
	if !ok || !ok2 || len(a) == 0 || len(a) > 4 || len(b) == 0 || len(b) > 4 {
		return span{}, false
	}
	s := span{low: number(a), high: number(b), length: uint8(len(a))}
	return s, s.low <= s.high
}

// add maps a range of codes to a CID, or to text.
func (m *cmap) add(low, high, to object.Value) {
	s, ok := codes(low, high)
	if m.mappings++; !ok || m.mappings > maxMappings {
		return
	}
	switch to := to.(type) {
	case int64:
		if to < 0 || to > 0xffff {
			return
		}
		s.cid = uint32(to)
	case object.String:
		s.text = utf16Text(to)
	case object.Name:
		s.text = glyphText(string(to))
	case object.Array:
		m.mappings += len(to)
		for _, v := range to[:min(len(to), int(s.high-s.low)+1)] {
			text, _ := v.(object.String)
			s.list = append(s.list, utf16Text(text))
		}
	default:
		return
	}
	m.spans = append(m.spans, s)
}

// find returns the range that a code is in. The code's length counts where length is not 0.
func (m *cmap) find(code uint32, length uint8) *span {
	if m == nil {
		return nil
	}
	i, _ := slices.BinarySearchFunc(m.spans, code, func(s span, code uint32) int {
		if s.low <= code {
			return -1
		}
		return 1
	})
	// Ranges may overlap, but few do: look back a little.
	for j := i - 1; j >= 0 && j >= i-8; j-- {
		if s := &m.spans[j]; code <= s.high && (length == 0 || s.length == length) {
			return s
		}
	}
	return nil
}

// text returns what a code means in a ToUnicode CMap, and nothing if it does not say.
func (m *cmap) text(code uint32) string {
	s := m.find(code, 0)
	if s == nil {
		return ""
	}
	step := code - s.low
	if s.list != nil {
		if int(step) < len(s.list) {
			return s.list[step]
		}
		return ""
	}
	if step == 0 || s.text == "" {
		return s.text
	}
	last, size := utf8.DecodeLastRuneInString(s.text)
	return s.text[:len(s.text)-size] + string(last+rune(step))
}

// next returns the first code of s and its length by the codespace ranges; two bytes where
// they say nothing.
func (m *cmap) next(s []byte) (uint32, int) {
	for n := 1; n <= 4 && n <= len(s); n++ {
		for i := range m.spaces {
			if space := &m.spaces[i]; int(space.length) == n && within(s[:n], space) {
				return number(s[:n]), n
			}
		}
	}
	n := 2
	if len(m.spaces) > 0 {
		n = int(m.spaces[0].length)
		for _, space := range m.spaces {
			n = min(n, int(space.length))
		}
	}
	n = min(n, len(s))
	return number(s[:n]), n
}

// within reports whether each byte of a code is within the range of that byte.
func within(code []byte, space *span) bool {
	for i, c := range code {
		shift := 8 * (len(code) - 1 - i)
		if c < byte(space.low>>shift) || c > byte(space.high>>shift) {
			return false
		}
	}
	return true
}

// number reads a code, its first byte being the highest.
func number(s []byte) uint32 {
	n := uint32(0)
	for _, c := range s {
		n = n<<8 | uint32(c)
	}
	return n
}

// utf16Text reads UTF-16BE. A single byte is a character too.
func utf16Text(s []byte) string {
	const maxText = 512 // bytes; the standard's own limit
	if len(s) > maxText {
		s = s[:maxText]
	}
	if len(s) == 1 {
		return string(rune(s[0]))
	}
	units := make([]uint16, 0, len(s)/2)
	for ; len(s) >= 2; s = s[2:] {
		units = append(units, uint16(s[0])<<8|uint16(s[1]))
	}
	return string(utf16.Decode(units))
}

// toUnicode reads a font's ToUnicode entry. It may be nil.
func toUnicode(file *object.File, value object.Value) *cmap {
	stream, ok := file.Resolve(value).(*object.Stream)
	if !ok {
		if name := file.Name(value); name == "Identity-H" || name == "Identity-V" {
			return &cmap{spans: []span{{low: 1, high: 0xd7ff, text: "\x01"}}}
		}
		return nil
	}
	data, _, err := file.Data(stream)
	if err != nil && len(data) == 0 {
		return nil
	}
	return parseCMap(data)
}
