package font

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// coding is the encoding of a predefined CMap: 9.7.5.2, table 116.
type coding uint8

const (
	identity coding = iota // two bytes, which are the CID
	ucs2                   // UTF-16BE, surrogates too
	utf8s
	utf32
	gbk
	gb18030
	shiftJIS
	eucJP
	jis // two bytes of ISO 2022
	big5
	uhc
)

// predefinedCoding returns the coding of a predefined CMap. One that nobody knows is read
// as Identity.
func predefinedCoding(name string) coding {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "-H"), "-V")
	switch name {
	case "GBK-EUC", "GBKp-EUC", "GB-EUC", "GBpc-EUC":
		return gbk
	case "GBK2K":
		return gb18030
	case "90ms-RKSJ", "90msp-RKSJ", "90pv-RKSJ", "83pv-RKSJ", "Add-RKSJ", "Ext-RKSJ", "RKSJ":
		return shiftJIS
	case "EUC":
		return eucJP
	case "H", "V":
		return jis
	case "B5pc", "ETen-B5", "ETenms-B5", "HKscs-B5":
		return big5
	case "KSC-EUC", "KSCms-UHC", "KSCms-UHC-HW", "KSCpc-EUC":
		return uhc
	}
	if strings.HasPrefix(name, "Uni") {
		switch {
		case strings.HasSuffix(name, "UTF8"):
			return utf8s
		case strings.HasSuffix(name, "UTF32"):
			return utf32
		}
		return ucs2
	}
	return identity
}

// length returns how many bytes of s are its first code.
func (c coding) length(s []byte) int {
	n := 2
	switch c {
	case ucs2:
		if len(s) >= 4 && s[0]&0xfc == 0xd8 {
			n = 4
		}
	case utf8s:
		_, n = utf8.DecodeRune(s)
	case utf32:
		n = 4
	case gbk, big5, uhc, eucJP:
		if s[0] < 0x81 || s[0] == 0xff {
			n = 1
		}
	case gb18030:
		if s[0] < 0x81 || s[0] == 0xff {
			n = 1
		} else if len(s) >= 4 && s[1] >= '0' && s[1] <= '9' {
			n = 4
		}
	case shiftJIS:
		if s[0] < 0x81 || s[0] >= 0xa0 && s[0] < 0xe0 || s[0] >= 0xfd {
			n = 1
		}
	}
	return min(n, len(s))
}

// text returns the character of a code; nothing where the code is a CID.
func (c coding) text(s []byte) string {
	var decoder *encoding.Decoder
	switch c {
	case identity:
		return ""
	case ucs2:
		if len(s) == 4 {
			return string(utf16.DecodeRune(rune(number(s[:2])), rune(number(s[2:]))))
		}
		return string(rune(number(s)))
	case utf8s:
		return string(s)
	case utf32:
		return string(rune(number(s)))
	case gbk:
		decoder = simplifiedchinese.GBK.NewDecoder()
	case gb18030:
		decoder = simplifiedchinese.GB18030.NewDecoder()
	case shiftJIS:
		decoder = japanese.ShiftJIS.NewDecoder()
	case eucJP:
		decoder = japanese.EUCJP.NewDecoder()
	case jis:
		if len(s) < 2 {
			return ""
		}
		s = []byte{s[0] | 0x80, s[1] | 0x80}
		decoder = japanese.EUCJP.NewDecoder()
	case big5:
		decoder = traditionalchinese.Big5.NewDecoder()
	case uhc:
		decoder = korean.EUCKR.NewDecoder()
	}
	text, err := decoder.Bytes(s)
	if err != nil {
		return ""
	}
	return string(text)
}
