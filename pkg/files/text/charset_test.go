package text

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// table is what an encoding makes of each byte.
func table(enc encoding.Encoding) string {
	var b strings.Builder
	for c := range 256 {
		s, err := enc.NewDecoder().String(string([]byte{byte(c)}))
		if err != nil {
			s = err.Error()
		}
		b.WriteString(s)
	}
	return b.String()
}

func TestLookupAgreesWithIANA(t *testing.T) {
	for name := range strings.FieldsSeq(`
		UTF-8 US-ASCII UTF-16LE UTF-16BE ISO-8859-1 ISO_8859-1:1987 latin1 l1 IBM819 CP819 csISOLatin1 ISO-8859-2 latin2 ISO-8859-3
		ISO-8859-4 ISO-8859-5 cyrillic ISO-8859-6 ISO-8859-6-E ISO-8859-6-I ISO-8859-7 greek ISO-8859-8 ISO-8859-8-I ISO-8859-9 latin5
		csISOLatin5 ISO-8859-10 ISO-8859-13 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874
		windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258
		IBM037 ebcdic-cp-us cp437 IBM437 437 cp850 IBM852 IBM855 IBM00858 CCSID00858 IBM860 cp862 IBM863 IBM865 IBM866 IBM1047 IBM01140
		EUC-JP ISO-2022-JP Shift_JIS EUC-KR GB18030 GBK HZ-GB-2312 Big5`) {
		want, err := ianaindex.IANA.Encoding(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cs, known := lookup(name)
		if !known {
			t.Errorf("%s is not known", name)
			continue
		}
		if table(cs.enc) != table(want) && cs.name != UTF8 {
			t.Errorf("%s means %s, which is another table", name, cs.name)
		}
		if again, known := lookup(cs.name); !known || again.name != cs.name {
			t.Errorf("%s has the name %s, which means %s", name, cs.name, again.name)
		}
	}
}

// All labels of the WHATWG standard mean the same here, except where the standard
// gives a name a wider meaning than its registry.
func TestLookupAgreesWithWHATWG(t *testing.T) {
	for name := range strings.FieldsSeq(`
		unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8 866 cp866 csibm866 ibm866 csisolatin2 iso-8859-2 iso-ir-101
		iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3
		latin3 csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4 csisolatincyrillic cyrillic iso-8859-5
		iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6
		iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987 csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7
		iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138
		iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical csisolatin6 iso-8859-10 iso-ir-157 iso8859-10
		iso885910 l6 latin6 iso-8859-13 iso8859-13 iso885913 iso-8859-14 iso8859-14 iso885914 csisolatin9 iso-8859-15 iso8859-15 iso885915
		iso_8859-15 l9 iso-8859-16 cskoi8r koi koi8 koi8-r koi8_r koi8-ru koi8-u csmacintosh mac macintosh x-mac-roman dos-874 iso-8859-11
		iso8859-11 iso885911 tis-620 windows-874 cp1250 windows-1250 x-cp1250 cp1251 windows-1251 x-cp1251 ansi_x3.4-1968 ascii cp1252 cp819
		csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252 cp1253
		windows-1253 x-cp1253 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
		cp1255 windows-1255 x-cp1255 cp1256 windows-1256 x-cp1256 cp1257 windows-1257 x-cp1257 cp1258 windows-1258 x-cp1258 x-mac-cyrillic
		x-mac-ukrainian chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk gb18030 big5 big5-hkscs cn-big5 csbig5
		x-x-big5 cseucpkdfmtjapanese euc-jp x-euc-jp csiso2022jp iso-2022-jp csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
		cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949 unicodefffe utf-16be csunicode
		iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le x-user-defined`) {
		enc, err := htmlindex.Get(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := htmlindex.Name(enc)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		cs, known := lookup(" " + strings.ToUpper(name))
		if read := want + " is " + cs.name; read == "windows-1252 is iso-8859-1" || read == "windows-1254 is iso-8859-9" || read == "windows-1252 is utf-8" {
			continue
		}
		if !known || cs.name != want || table(cs.enc) != table(enc) {
			t.Errorf("%s means %q, not %s", name, cs.name, want)
		}
	}
	for name := range strings.FieldsSeq("replacement iso-2022-cn iso-2022-cn-ext iso-2022-kr csiso2022kr") {
		if cs, known := lookup(name); known { // the standard has these labels so that they are not decoded
			t.Errorf("%s means %q", name, cs.name)
		}
	}
}

// Every code of the base sets survives decoding and encoding.
func TestPreferredCodes(t *testing.T) {
	for _, tt := range []struct {
		name    string
		enc     encoding.Encoding
		lo, hi  int
		doubles string // characters whose codes here are not the ones to write
	}{
		// Two characters that Big5 has twice by mistake, and some signs
		// whose other code the standard prefers.
		{"big5", traditionalchinese.Big5, 0xA1, 0xF9, "兀嗀═╞╪╡十卅╭╮╰╯〃仝"},
		// The standard has 13 characters of NEC's row 13 and of IBM's extensions in
		// the base set or in an earlier row too.
		{"shift_jis", japanese.ShiftJIS, 0x81, 0x9F, "≒≡∫√⊥∠∵∩∪"},
		{"shift_jis", japanese.ShiftJIS, 0xE0, 0xEA, ""},
		{"shift_jis", japanese.ShiftJIS, 0xFA, 0xFC, "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ￢㈱№℡∵"},
	} {
		cs, known := lookup(tt.name)
		if !known {
			t.Fatal(tt.name)
		}
		n := 0
		eachCode(tt.enc, tt.lo, tt.hi, func(r rune, code [2]byte) {
			n++
			got, err := cs.enc.NewEncoder().String(string(r))
			if (err != nil || got != string(code[:])) && !strings.ContainsRune(tt.doubles, r) {
				t.Errorf("%s: %c is % x in the file and % x after encoding (%v)", tt.name, r, code, got, err)
			}
		})
		if n < 300 {
			t.Errorf("%s: only %d codes", tt.name, n)
		}
	}
}

// The encoder accepts input in any pieces, also cut within characters and with
// too little room for the output.
func TestPreferringEncoderInPieces(t *testing.T) {
	cs, _ := lookup("big5")
	text := strings.Repeat("包a中包包\n瓩x", 50)
	want, err := cs.enc.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for room := 2; room < 6; room++ {
		enc := cs.enc.NewEncoder()
		var got []byte
		src, have := []byte(text), 0
		for dst := make([]byte, room); len(src) > 0; {
			have = min(have+1, len(src))
			nDst, nSrc, err := enc.Transform(dst, src[:have], have == len(src))
			if nDst == 0 && nSrc == 0 && have == len(src) {
				t.Fatalf("stuck: %v", err)
			}
			got = append(got, dst[:nDst]...)
			src, have = src[nSrc:], have-nSrc
		}
		if string(got) != want {
			t.Errorf("with room for %d bytes the result is different", room)
		}
	}
}
