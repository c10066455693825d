// Package codepage finds encodings by the numbers that Windows and Office give them.
package codepage

import (
	"strconv"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/helve-dev/helve/pkg/files/text"
)

// Encoding returns the encoding of a code page, or Windows-1252 where there is none by
// the number.
func Encoding(number int) encoding.Encoding {
	label := ""
	switch number {
	case 437:
		return charmap.CodePage437
	case 850:
		return charmap.CodePage850
	case 852:
		return charmap.CodePage852
	case 855:
		return charmap.CodePage855
	case 858:
		return charmap.CodePage858
	case 860:
		return charmap.CodePage860
	case 862:
		return charmap.CodePage862
	case 863:
		return charmap.CodePage863
	case 865:
		return charmap.CodePage865
	case 866:
		return charmap.CodePage866
	case 936, 10008:
		return simplifiedchinese.GBK
	case 54936:
		return simplifiedchinese.GB18030
	case 932, 10001:
		label = "shift_jis"
	case 949, 1361, 10003:
		label = "euc-kr"
	case 950, 10002:
		label = "big5"
	case 874:
		label = "windows-874"
	case 10000, 32768: // Excel for Macintosh writes the second
		label = "macintosh"
	case 10007:
		label = "x-mac-cyrillic"
	case 20866:
		label = "koi8-r"
	case 21866:
		label = "koi8-u"
	case 28591, 28592, 28593, 28594, 28595, 28596, 28597, 28598, 28599, 28605:
		label = "iso-8859-" + strconv.Itoa(number-28590)
	case 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258:
		label = "windows-" + strconv.Itoa(number)
	}
	if _, enc := text.WHATWG(label); enc != nil {
		return enc
	}
	return charmap.Windows1252
}
