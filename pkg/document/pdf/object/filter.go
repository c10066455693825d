package object

import "bytes"

// fullFilter returns the full name of a filter: table 92.
func fullFilter(name Name) Name {
	switch name {
	case "AHx":
		return "ASCIIHexDecode"
	case "A85":
		return "ASCII85Decode"
	case "LZW":
		return "LZWDecode"
	case "Fl":
		return "FlateDecode"
	case "RL":
		return "RunLengthDecode"
	case "CCF":
		return "CCITTFaxDecode"
	case "DCT":
		return "DCTDecode"
	}
	return name
}

// decode decodes data with one filter: 7.4. It returns false for a filter that is left to
// others. With an error, it returns the data decoded before, of at most limit bytes.
func (f *File) decode(filter Name, parms Dict, data []byte, limit int) ([]byte, bool, error) {
	var err error
	switch filter {
	case "FlateDecode":
		data, err = f.inflate(data, limit)
	case "LZWDecode":
		early, ok := f.Int(parms["EarlyChange"])
		data, err = unLZW(data, limit, !ok || early != 0)
	case "ASCIIHexDecode":
		return unHex(data), true, nil
	case "ASCII85Decode":
		data, err = un85(data, limit)
		return data, true, err
	case "RunLengthDecode":
		data, err = unRun(data, limit)
		return data, true, err
	case "Crypt": // was done before
		return data, true, nil
	default:
		return data, false, nil
	}
	if predictor, _ := f.Int(parms["Predictor"]); predictor > 1 {
		data = f.unpredict(data, parms, predictor)
	}
	return data, true, err
}

// unHex decodes ASCIIHexDecode: 7.4.2.
func unHex(data []byte) []byte {
	l := Lexer{data: data}
	return l.hex()
}

// un85 decodes ASCII85Decode: 7.4.3.
func un85(data []byte, limit int) ([]byte, error) {
	out := make([]byte, 0, min(len(data)/5*4+4, limit))
	var group uint32
	n := 0
	data = bytes.TrimPrefix(bytes.TrimLeft(data, "\x00\t\n\f\r "), []byte("<~")) // as others write it
	for _, c := range data {
		switch {
		case len(out) > limit-4:
			return out, errLarge
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case '!' <= c && c <= 'u':
			group = group*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(group>>24), byte(group>>16), byte(group>>8), byte(group))
				group, n = 0, 0
			}
		case c == '~':
			return end85(out, group, n), nil
		}
	}
	return end85(out, group, n), nil
}

// end85 adds the last group, of n digits.
func end85(out []byte, group uint32, n int) []byte {
	if n < 2 {
		return out
	}
	for range 5 - n {
		group = group*85 + 84
	}
	return append(out, []byte{byte(group >> 24), byte(group >> 16), byte(group >> 8)}[:n-1]...)
}

// unRun decodes RunLengthDecode: 7.4.5.
func unRun(data []byte, limit int) ([]byte, error) {
	var out []byte
	for len(data) > 0 && data[0] != 128 {
		n := int(data[0])
		data = data[1:]
		switch {
		case len(out) > limit-128:
			return out, errLarge
		case n < 128:
			n = min(n+1, len(data))
			out = append(out, data[:n]...)
			data = data[n:]
		case len(data) > 0:
			for range 257 - n {
				out = append(out, data[0])
			}
			data = data[1:]
		}
	}
	return out, nil
}
