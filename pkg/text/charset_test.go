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

// The labels of the WHATWG standard mean the same here, but for those where the
// standard reads more into a name than the name's own registry.
func TestLookupAgreesWithWHATWG(t *testing.T) {
	for name := range strings.FieldsSeq(`
		utf8 unicode-1-1-utf-8 866 cp866 csisolatin2 iso_8859-2:1987 l2 latin4 arabic asmo-708 ecma-118 sun_eu_greek logical latin6
		l9 koi koi8_r koi8-ru mac dos-874 tis-620 cp1250 x-cp1251 cp1253 x-mac-ukrainian chinese gb2312 x-gbk iso-ir-58 big5-hkscs cn-big5
		x-euc-jp ms_kanji sjis x-sjis windows-31j ks_c_5601-1987 korean windows-949 ksc5601 utf-16`) {
		enc, err := htmlindex.Get(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := htmlindex.Name(enc)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if cs, known := lookup(" " + strings.ToUpper(name)); !known || cs.name != want {
			t.Errorf("%s means %q, not %s", name, cs.name, want)
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

// The encoder takes its input as it comes, also cut within characters and with
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
