package msg

import (
	"encoding/binary"

	"github.com/helve-dev/helve/pkg/fault"
)

// begun fills the beginning of the window of compressed rich text ([MS-OXRTFCP] 2.1.2.1).
const begun = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0` + "\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// unpacked returns compressed rich text ([MS-OXRTFCP] 2.2) as it was.
func unpacked(b []byte) ([]byte, error) {
	const head = 16
	if len(b) < head {
		return nil, damagedText()
	}
	size := min(int(binary.LittleEndian.Uint32(b[4:])), maxStream)
	kind := binary.LittleEndian.Uint32(b[8:])
	b = b[head:]
	switch kind {
	case 0x414C454D: // "MELA": it is not compressed
		return b[:min(size, len(b))], nil
	case 0x75465A4C: // "LZFu"
	default:
		return nil, damagedText()
	}
	var window [4096]byte
	at := copy(window[:], begun)
	var out []byte
	put := func(c byte) {
		out = append(out, c)
		window[at] = c
		at = (at + 1) % len(window)
	}
	for len(b) > 0 && len(out) < size {
		control := b[0]
		b = b[1:]
		for bit := range 8 {
			switch {
			case control>>bit&1 == 0 && len(b) > 0:
				put(b[0])
				b = b[1:]
			case control>>bit&1 == 1 && len(b) > 1:
				token := int(binary.BigEndian.Uint16(b))
				b = b[2:]
				from := token >> 4
				if from == at {
					return out, nil
				}
				for range token&0xf + 2 {
					put(window[from])
					from = (from + 1) % len(window)
				}
			default:
				return out, nil
			}
		}
	}
	return out, nil
}

func damagedText() error {
	return fault.New(fault.BadDocument, fault.T("its rich text is damaged")).
		WithHint(fault.T("get the file again, or save the message as text"))
}
