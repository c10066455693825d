package object

// The codes of LZW: 7.4.4.2. Its variant of TIFF, with codes that grow one code early, is
// not what compress/lzw reads.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwFirst = 258
	lzwMost  = 4096
)

// unLZW decodes LZWDecode. Codes grow one code early unless the parameters say otherwise.
func unLZW(data []byte, limit int, early bool) ([]byte, error) {
	var (
		out    []byte
		starts [lzwMost]int // where the bytes of a code stand in out
		ends   [lzwMost]int
		next   = lzwFirst
		width  = 9
		last   = -1 // where the bytes of the code before start
		bits   uint32
		have   int
	)
	ahead := 0
	if early {
		ahead = 1
	}
	for {
		for ; have < width; have += 8 {
			if len(data) == 0 {
				return out, nil // without its end, but nothing is lost
			}
			bits = bits<<8 | uint32(data[0])
			data = data[1:]
		}
		have -= width
		code := int(bits>>have) & (1<<width - 1)
		switch {
		case code == lzwEnd:
			return out, nil
		case code == lzwClear:
			next, width, last = lzwFirst, 9, -1
			continue
		case code > next || code == next && last < 0 || code >= lzwFirst && last < 0:
			return out, errFilter
		}
		start := len(out)
		switch {
		case code < lzwClear:
			out = append(out, byte(code))
		case code == next:
			out = append(out, out[last:start]...)
			out = append(out, out[last])
		default:
			out = append(out, out[starts[code]:ends[code]]...)
		}
		if len(out) > limit {
			return out[:limit], errLarge
		}
		if last >= 0 && next < lzwMost {
			starts[next], ends[next] = last, start+1
			next++
		}
		last = start
		if next+ahead >= 1<<width && width < 12 {
			width++
		}
	}
}
