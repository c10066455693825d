package object

import "bytes"

// Next returns the next operand or [Operator] of a content stream; false at its end. An
// inline image is an operand, a [*Stream], whose operator is EI: its keys, filters and
// colour space have their full names.
func (l *Lexer) Next() (Value, bool) {
	if l.inImage {
		l.inImage = false
		return Operator("EI"), true
	}
	for {
		l.values = 0
		v, ok := l.next(0)
		switch v {
		case closing("]"), closing(">>"):
			continue
		case Operator("BI"):
			l.inImage = true
			return l.image(), true
		}
		return v, ok
	}
}

// image reads an inline image after BI: 8.9.7.
func (l *Lexer) image() *Stream {
	d := Dict{}
	for {
		before := l.pos
		key, ok := l.next(0)
		if !ok {
			return &Stream{Dict: d}
		}
		if word, is := key.(Operator); is {
			if word != "ID" {
				l.pos = before // not an image at all
				return &Stream{Dict: d}
			}
			break
		}
		name, ok := key.(Name)
		if !ok {
			continue
		}
		before = l.pos
		value, ok := l.next(0)
		if _, word := value.(Operator); word || !ok {
			l.pos = before
			continue
		}
		name = fullKey(name)
		if name == "ColorSpace" || name == "Filter" {
			value = fullValue(name, value)
		}
		d[name] = value
	}
	if l.pos < len(l.data) && class(l.data[l.pos]) == space {
		l.pos++
	}
	return &Stream{Dict: d, inline: l.imageData(d)}
}

// imageData returns the bytes up to EI. The data may contain these letters: a length that
// can be computed is believed if EI follows, else the first EI counts that text follows.
func (l *Lexer) imageData(d Dict) []byte {
	data := l.data[l.pos:]
	if n := imageLength(d); n >= 0 && n <= len(data) {
		if rest := bytes.TrimLeft(data[n:], "\x00\t\n\f\r "); bytes.HasPrefix(rest, []byte("EI")) && len(data)-len(rest)-n <= 4 {
			l.pos = len(l.data) - len(rest) + 2
			return data[:n]
		}
	}
	first, end := -1, -1
	for at := 0; end < 0; at += 2 {
		i := bytes.Index(data[at:], []byte("EI"))
		if i < 0 {
			break
		}
		at += i
		if at > 0 && class(data[at-1]) != space || at+2 < len(data) && class(data[at+2]) != space {
			continue
		}
		if first < 0 {
			first = at
		}
		if isText(data[at+2 : min(at+18, len(data))]) {
			end = at
		}
	}
	if end < 0 {
		end = first
	}
	if end < 0 {
		l.pos = len(l.data)
		return data
	}
	l.pos += end + 2
	return data[:max(end-1, 0)]
}

// isText reports whether bytes can be those of operators and operands.
func isText(b []byte) bool {
	for _, c := range b {
		if c >= 0x7f || c < ' ' && class(c) != space || c == 0 {
			return false
		}
	}
	return true
}

// imageLength returns how long an unfiltered inline image is, or what it says itself; -1
// where neither is known.
func imageLength(d Dict) int {
	if n, ok := d["Length"].(int64); ok && n >= 0 && n < 1<<31 {
		return int(n)
	}
	width, _ := d["Width"].(int64)
	height, _ := d["Height"].(int64)
	bits, _ := d["BitsPerComponent"].(int64)
	components := int64(1)
	switch d["ColorSpace"] {
	case Name("DeviceRGB"):
		components = 3
	case Name("DeviceCMYK"):
		components = 4
	}
	if mask, _ := d["ImageMask"].(bool); mask {
		bits, components = 1, 1
	}
	if d["Filter"] != nil || width <= 0 || height <= 0 || bits <= 0 || width > 1<<16 || height > 1<<16 || bits > 16 {
		return -1
	}
	return int((width*bits*components + 7) / 8 * height)
}

// fullKey returns the full name of a key of an inline image: table 91.
func fullKey(key Name) Name {
	switch key {
	case "BPC":
		return "BitsPerComponent"
	case "CS":
		return "ColorSpace"
	case "D":
		return "Decode"
	case "DP":
		return "DecodeParms"
	case "F":
		return "Filter"
	case "H":
		return "Height"
	case "IM":
		return "ImageMask"
	case "I":
		return "Interpolate"
	case "L":
		return "Length"
	case "W":
		return "Width"
	}
	return key
}

// fullValue returns the full names of filters or of a colour space: table 92.
func fullValue(key Name, value Value) Value {
	switch v := value.(type) {
	case Array:
		for i := range v {
			if i < maxFilters {
				v[i] = fullValue(key, v[i])
			}
		}
		return v
	case Name:
		if key == "Filter" {
			return fullFilter(v)
		}
		switch v {
		case "G":
			return Name("DeviceGray")
		case "RGB":
			return Name("DeviceRGB")
		case "CMYK":
			return Name("DeviceCMYK")
		case "I":
			return Name("Indexed")
		}
	}
	return value
}
