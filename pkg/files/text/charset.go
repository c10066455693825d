package text

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Names of encodings with special treatment. The others have the names of the WHATWG
// Encoding Standard or, if it has none, of IANA.
const (
	UTF8    = "utf-8"
	UTF16LE = "utf-16le"
	UTF16BE = "utf-16be"
	UTF32LE = "utf-32le"
	UTF32BE = "utf-32be"
	// ISO2022JP is plain ASCII to who does not look at its escape sequences.
	ISO2022JP = "iso-2022-jp"
	// Raw8Bit is the view of a file whose encoding is unknown. Byte b is shown as the
	// character U+00b, so that nothing is lost, and edits may only add ASCII.
	Raw8Bit = "raw-8bit"
)

// charset is an encoding with what this package needs to know of it.
type charset struct {
	name string
	enc  encoding.Encoding
	// lines says that the bytes 0x0A and 0x0D always stand for themselves and that no
	// state crosses them, so that lines can be split before decoding.
	lines bool
}

func utf8Charset() charset { return charset{UTF8, unicode.UTF8, true} }
func rawCharset() charset  { return charset{Raw8Bit, charmap.ISO8859_1, true} }
func utf16Charset(bigEndian bool) charset {
	if bigEndian {
		return charset{UTF16BE, unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), false}
	}
	return charset{UTF16LE, unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), false}
}

func utf32Charset(bigEndian bool) charset {
	if bigEndian {
		return charset{UTF32BE, utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), false}
	}
	return charset{UTF32LE, utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), false}
}

// lookup finds the encoding of a name, which is any label of WHATWG or IANA in any
// case. Where the two differ, IANA's narrower meaning holds: browsers read
// "iso-8859-1" as windows-1252 to tolerate pages, not to write files.
func lookup(name string) (charset, bool) {
	name = familiar(strings.ToLower(strings.TrimSpace(name)))
	switch name {
	case "utf-8", "utf8", "utf-8-sig", "utf-8-bom", "csutf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8",
		"us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us", "csascii", "646", "iso-ir-6", "ansi_x3.4-1986", "iso_646.irv:1991", "us", "ibm367", "cp367":
		return utf8Charset(), true
	case "utf-16", "utf16", "utf-16le", "utf16le", "csutf16", "csutf16le", "unicode", "csunicode", "unicodefeff", "ucs-2", "iso-10646-ucs-2":
		return utf16Charset(false), true
	case "utf-16be", "utf16be", "csutf16be", "unicodefffe":
		return utf16Charset(true), true
	case "utf-32", "utf32", "utf-32le", "utf32le", "csutf32", "csutf32le", "ucs-4", "ucs-4le", "iso-10646-ucs-4":
		return utf32Charset(false), true
	case "utf-32be", "utf32be", "csutf32be", "ucs-4be":
		return utf32Charset(true), true
	case Raw8Bit:
		return rawCharset(), true
	}
	if cs, known := ianaOnly(name); known {
		return cs, true
	}
	canonical, enc := WHATWG(name)
	if enc == nil {
		return charset{}, false
	}
	cs := charset{canonical, enc, true}
	switch enc {
	case japanese.ISO2022JP:
		cs.lines = false
	case japanese.ShiftJIS:
		cs.enc = preferring{enc, shiftJISCodes}
	case traditionalchinese.Big5:
		cs.enc = preferring{enc, big5Codes}
	}
	return cs, true
}

// familiar replaces names that programs use, but no registry has, by registered
// ones.
func familiar(name string) string {
	switch name {
	case "cp932", "ms932":
		return "shift_jis"
	case "cp936", "ms936":
		return "gbk"
	case "cp949", "ms949", "uhc":
		return "euc-kr"
	case "cp950", "ms950":
		return "big5"
	case "eucjp", "euc_jp":
		return "euc-jp"
	case "euckr", "euc_kr":
		return "euc-kr"
	case "latin-2":
		return "iso-8859-2"
	case "latin9", "latin-9":
		return "iso-8859-15"
	case "macroman", "mac-roman":
		return "macintosh"
	case "maccyrillic", "mac-cyrillic":
		return "x-mac-cyrillic"
	}
	return name
}

// ianaOnly finds the encodings that the WHATWG standard lacks or reads differently.
func ianaOnly(name string) (charset, bool) {
	var enc encoding.Encoding
	lines := true
	switch name {
	case "iso-8859-1", "iso_8859-1", "iso_8859-1:1987", "iso8859-1", "iso88591", "latin1", "latin-1", "l1", "iso-ir-100", "csisolatin1", "ibm819", "cp819":
		name, enc = "iso-8859-1", charmap.ISO8859_1
	case "iso-8859-9", "iso_8859-9", "iso_8859-9:1989", "iso8859-9", "iso88599", "latin5", "latin-5", "l5", "iso-ir-148", "csisolatin5":
		name, enc = "iso-8859-9", charmap.ISO8859_9
	case "iso-8859-6-e", "iso_8859-6-e", "csiso88596e":
		name, enc = "iso-8859-6", charmap.ISO8859_6
	case "iso-8859-6-i", "iso_8859-6-i", "csiso88596i":
		name, enc = "iso-8859-6", charmap.ISO8859_6
	case "cp437", "ibm437", "437", "cspc8codepage437":
		name, enc = "ibm437", charmap.CodePage437
	case "cp850", "ibm850", "850", "cspc850multilingual":
		name, enc = "ibm850", charmap.CodePage850
	case "cp852", "ibm852", "852", "cspcp852":
		name, enc = "ibm852", charmap.CodePage852
	case "cp855", "ibm855", "855", "csibm855":
		name, enc = "ibm855", charmap.CodePage855
	case "cp858", "ibm00858", "ccsid00858", "cp00858", "pc-multilingual-850+euro", "csibm00858":
		name, enc = "ibm00858", charmap.CodePage858
	case "cp860", "ibm860", "860", "csibm860":
		name, enc = "ibm860", charmap.CodePage860
	case "cp862", "ibm862", "862", "cspc862latinhebrew":
		name, enc = "ibm862", charmap.CodePage862
	case "cp863", "ibm863", "863", "csibm863":
		name, enc = "ibm863", charmap.CodePage863
	case "cp865", "ibm865", "865", "csibm865":
		name, enc = "ibm865", charmap.CodePage865
	case "cp037", "ibm037", "ebcdic-cp-us", "ebcdic-cp-ca", "ebcdic-cp-wt", "ebcdic-cp-nl", "csibm037":
		name, enc, lines = "ibm037", charmap.CodePage037, false
	case "cp1047", "ibm1047", "ibm-1047", "csibm1047":
		name, enc, lines = "ibm1047", charmap.CodePage1047, false
	case "cp01140", "cp1140", "ibm01140", "ccsid01140", "ebcdic-us-37+euro", "csibm01140":
		name, enc, lines = "ibm01140", charmap.CodePage1140, false
	case "hz-gb-2312", "hz":
		name, enc, lines = "hz-gb-2312", simplifiedchinese.HZGB2312, false
	}
	return charset{name, enc, lines}, enc != nil
}
