package charset

import "golang.org/x/text/encoding/charmap"

// table names an encoding of package charmap. The variables of that package are not
// constants, so a list of them would be filled at every start.
type table byte

const (
	ibm437 table = iota
	ibm850
	ibm852
	ibm855
	ibm866
	iso2
	iso4
	iso5
	iso6
	iso7
	iso8
	iso13
	iso15
	koi8r
	koi8u
	macRoman
	macCyrillic
	win1250
	win1251
	win1252
	win1253
	win1254
	win1255
	win1256
	win1257
	win1258
	win874
)

// charmap returns the encoding.
func (t table) charmap() *charmap.Charmap {
	return [...]*charmap.Charmap{
		ibm437:      charmap.CodePage437,
		ibm850:      charmap.CodePage850,
		ibm852:      charmap.CodePage852,
		ibm855:      charmap.CodePage855,
		ibm866:      charmap.CodePage866,
		iso2:        charmap.ISO8859_2,
		iso4:        charmap.ISO8859_4,
		iso5:        charmap.ISO8859_5,
		iso6:        charmap.ISO8859_6,
		iso7:        charmap.ISO8859_7,
		iso8:        charmap.ISO8859_8,
		iso13:       charmap.ISO8859_13,
		iso15:       charmap.ISO8859_15,
		koi8r:       charmap.KOI8R,
		koi8u:       charmap.KOI8U,
		macRoman:    charmap.Macintosh,
		macCyrillic: charmap.MacintoshCyrillic,
		win1250:     charmap.Windows1250,
		win1251:     charmap.Windows1251,
		win1252:     charmap.Windows1252,
		win1253:     charmap.Windows1253,
		win1254:     charmap.Windows1254,
		win1255:     charmap.Windows1255,
		win1256:     charmap.Windows1256,
		win1257:     charmap.Windows1257,
		win1258:     charmap.Windows1258,
		win874:      charmap.Windows874,
	}[t]
}
