package run

import "bytes"

// stripANSI removes the control sequences of ECMA-48 from b, in place, and all
// control characters except tab, newline, carriage return and backspace.
func stripANSI(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == 0x1b:
			i += sequence(b[i+1:])
		case c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\b', c == 0x7f:
		default:
			out = append(out, c)
		}
	}
	return out
}

// sequence returns how many bytes after an ESC belong to its sequence.
func sequence(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch b[0] {
	case '[': // CSI: parameters, intermediates and a final byte
		for i := 1; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 || b[i] > 0x7e {
				return i // incomplete
			}
		}
		return len(b)
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC: to BEL or ST
		for i := 1; i < len(b); i++ {
			switch {
			case b[i] == 0x07:
				return i + 1
			case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
				return i + 2
			case b[i] == '\n':
				return i // incomplete
			}
		}
		return len(b)
	}
	n := 0
	for n < len(b) && b[n] >= 0x20 && b[n] <= 0x2f { // intermediates
		n++
	}
	if n < len(b) && b[n] >= 0x30 && b[n] <= 0x7e {
		n++
	}
	return n
}

// overwrite returns what a terminal would show in the end where lines are written
// over by carriage returns and backspaces, as progress bars do.
func overwrite(b []byte) []byte {
	if bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, '\b') < 0 {
		return b
	}
	var out []byte
	for line := range bytes.Lines(b) {
		text, ended := bytes.CutSuffix(line, []byte("\n"))
		text = bytes.TrimRight(text, "\r")
		var shown []byte
		for piece := range bytes.SplitSeq(text, []byte("\r")) {
			piece = backspaces(piece)
			if len(piece) >= len(shown) {
				shown = piece
			} else {
				shown = append(bytes.Clone(piece), shown[len(piece):]...)
			}
		}
		out = append(out, shown...)
		if ended {
			out = append(out, '\n')
		}
	}
	return out
}

// backspaces applies the backspaces of a line.
func backspaces(b []byte) []byte {
	if bytes.IndexByte(b, '\b') < 0 {
		return b
	}
	var out []byte
	for _, c := range b {
		if c != '\b' {
			out = append(out, c)
		} else if len(out) > 0 {
			out = out[:len(out)-1]
		}
	}
	return out
}
