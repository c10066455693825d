package font

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// The tables are sorted, and every line of them is found.
func TestTables(t *testing.T) {
	for name, table := range map[string]string{"glyphs": glyphs, "widths": widths} {
		last, n := "", 0
		for line := range strings.Lines(table) {
			key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if key <= last {
				t.Errorf("%s: %q after %q", name, key, last)
			}
			if got, ok := lookup(table, key); !ok || got != value {
				t.Errorf("%s: %q is %q, not %q", name, key, got, value)
			}
			last = key
			n++
		}
		if n < 300 {
			t.Errorf("%s has %d lines", name, n)
		}
		for _, none := range []string{"", " ", "AA", "zzz", "\xff"} {
			if got, ok := lookup(table, none); ok {
				t.Errorf("%s: %q is %q", name, none, got)
			}
		}
	}
	if n := len(strings.Fields(cffStrings)); n != 391 {
		t.Errorf("%d strings of CFF", n)
	}
	for name, want := range map[string]string{"StandardEncoding": "quoteright", "WinAnsiEncoding": "quotesingle", "MacRomanEncoding": "quotesingle", "SymbolEncoding": "suchthat", "ZapfDingbatsEncoding": "a119"} {
		if e, ok := predefined(name); !ok || e['\''] != want {
			t.Errorf("%s: %q", name, e['\''])
		}
	}
}

func TestGlyphText(t *testing.T) {
	for name, want := range map[string]string{
		"A": "A", "Aacute": "Á", "A.small": "A", "f_f_i": "ffi", "fi": "fi", "uni0041": "A", "uni00410042": "AB", "u1F600": "😀", "Lcommaaccent": "Ļ",
		"uni004": "", "uniD800": "", "u110000": "", ".notdef": "", "": "", "a12": "", "g7": "", "A_uni0301.x_y": "A\u0301", "afii10017": "А",
		strings.Repeat("A", 200): "",
	} {
		if got := glyphText(name); got != want {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
	}
	for name, want := range map[string]int{"g12": 12, "cid:34": 34, "glyph56": 56, "a100": 100, "x": -1, "12": -1, "": -1, "abcdefghij12": -1, "g99999": -1} {
		if got, ok := numbered(name); ok != (want >= 0) || ok && got != want {
			t.Errorf("%q: %d %v", name, got, ok)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"abc": "abc", "ﬁn": "fin", "ﻻ": "لا", "ﷲ": "الله", "שּׁ": "שּׁ", "\u00a0x\u3000": " x ", "\u200b\ufeff\x00": "", "\uf0b7": "•", "⼈": "人", "می\u200cشود": "می\u200cشود",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}

const sample = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def
2 begincodespacerange <00> <7f> <8140> <fefe> endcodespacerange
2 beginbfchar <01> <0041> <8141> <D83DDE00> endbfchar
3 beginbfrange <10> <12> <0061> <20> <21> [<0066006C> /eacute] <8142> <8144> <0058 0030> endbfrange
endcmap`

func TestCMap(t *testing.T) {
	m := parseCMap([]byte(sample))
	for code, want := range map[uint32]string{1: "A", 0x8141: "😀", 0x10: "a", 0x12: "c", 0x13: "", 0x20: "fl", 0x8144: "X2", 0: "", 0xffffffff: ""} {
		if got := m.text(code); got != want {
			t.Errorf("%x is %q, not %q", code, got, want)
		}
	}
	for s, want := range map[string]string{"\x01\x81\x41": "1 1", "\x81\x41": "8141 2", "\xff\xff": "ff 1", "\x81": "81 1"} {
		code, n := m.next([]byte(s))
		if got := fmt.Sprintf("%x %d", code, n); got != want {
			t.Errorf("%q: %s, not %s", s, got, want)
		}
	}
	var none *cmap
	if none.text(1) != "" {
		t.Error("no CMap has a text")
	}
}

// The codes of CMaps of many codings have lengths and texts of their own.
func TestPredefined(t *testing.T) {
	for _, c := range []struct{ name, s, want string }{
		{"GBK-EUC-H", "a\xd6\xd0", "a|中"}, {"GBK2K-V", "\x81\x30\x81\x30a", "\u0080|a"}, {"90ms-RKSJ-H", "\x93\xfa\xb1a", "日|ｱ|a"}, {"EUC-H", "\xc6\xfca", "日|a"},
		{"H", "\x46\x7c", "日"}, {"ETen-B5-H", "\xa4\xe5", "文"}, {"KSCms-UHC-H", "\xc7\xd1 ", "한| "}, {"UniGB-UCS2-H", "\x4e\x2d", "中"},
		{"UniJIS-UTF16-H", "\xd8\x3d\xde\x00", "😀"}, {"UniKS-UTF32-H", "\x00\x01\xf6\x00", "😀"}, {"UniGB-UTF8-H", "中a", "中|a"}, {"Identity-H", "\x00\x01\x02", "|"},
	} {
		coding := predefinedCoding(c.name)
		var got []string
		for s := []byte(c.s); len(s) > 0; {
			n := coding.length(s)
			got = append(got, coding.text(s[:n]))
			s = s[n:]
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("%s: %q, not %q", c.name, text, c.want)
		}
	}
}

// CIDs without a CMap to Unicode mean what their collection says.
func TestCollections(t *testing.T) {
	for ordering, want := range map[string]struct {
		text string
		cids []uint32
	}{
		"Japan1": {"A日本語あ", []uint32{34, 3284, 3722, 1952, 843}},
		"GB1":    {"A中文", []uint32{34, 4559, 3795}},
		"CNS1":   {"A中文", []uint32{34, 661, 726}},
		"Korea1": {"A한글", []uint32{34, 3296, 1238}},
	} {
		c := newCollection(ordering)
		got := ""
		for _, cid := range want.cids {
			got += c.text(cid)
		}
		if got != want.text || c.text(65535) != "" || c.text(0) != "" {
			t.Errorf("%s: %q, not %q", ordering, got, want.text)
		}
	}
	if newCollection("Identity") != nil {
		t.Error("Identity is a collection")
	}
}

// A CMap is read to its end, whatever it holds, and gives valid text.
func FuzzCMap(f *testing.F) {
	f.Add([]byte(sample), []byte("\x01\x81\x41\xff"))
	f.Add([]byte(sample[:len(sample)/2]), []byte("\x10"))
	f.Add([]byte("<00> <ffffffff> <d800> endbfrange <ff> <00> <41> endbfrange <00> endcodespacerange"), []byte("\x00\x01"))
	f.Fuzz(func(t *testing.T, data, s []byte) {
		m := parseCMap(data)
		if len(m.spans) > maxMappings {
			t.Errorf("%d mappings", len(m.spans))
		}
		for len(s) > 0 {
			code, n := m.next(s)
			if n < 1 || n > len(s) {
				t.Fatalf("%d of %d bytes", n, len(s))
			}
			if text := Plain(m.text(code)); !utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
			s = s[n:]
		}
	})
}

// Font programs are read without a fault of ours, and what is read is bounded.
func FuzzProgram(f *testing.F) {
	f.Add([]byte("%!PS-AdobeFont\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /A put\nreadonly def eexec"))
	f.Add([]byte("\x01\x00\x04\x01\x00\x01\x01\x01\x02a\x00\x01\x01\x01\x04\x8b\x11\x8b\x0f"))
	f.Add([]byte("\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00cmap\x00\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x28\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c\x00\x06\x00\x00\x00\x00\x00\x41\x00\x02\x00\x01\x00\x02"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &program{}
		p.parse(data)
		if len(p.names) > maxGlyphs || p.sfnt != nil && len(p.sfnt.names) > maxGlyphs {
			t.Error("too many glyphs")
		}
		for code := range 256 {
			if text := p.code(byte(code)) + p.glyph(code); !utf8.ValidString(text) {
				t.Errorf("%q", text)
			}
		}
	})
}

// The three kinds of font programs tell what their glyphs are.
func TestPrograms(t *testing.T) {
	p := &program{}
	p.parse([]byte("\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00cmap\x00\x00\x00\x00\x00\x00\x00\x1c\x00\x00\x00\x1a" +
		"\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c\x00\x06\x00\x0e\x00\x00\x00\x41\x00\x02\x00\x01\x00\x02"))
	if got := p.glyph(1) + p.glyph(2) + p.glyph(3); got != "AB" {
		t.Errorf("TrueType: %q", got)
	}
	p = &program{}
	p.parse([]byte("%!PS-AdobeFont-1.0\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 65 /eacute put\nreadonly def\ndup 66 /B put eexec"))
	if p.encoding == nil || p.encoding[65] != "eacute" || p.encoding[66] != "" {
		t.Errorf("Type1: %v", p.encoding)
	}
	// A CFF font: its name, a top dictionary with a charset, an encoding and two glyphs.
	p = &program{}
	p.parse([]byte("\x01\x00\x04\x01" + "\x00\x01\x01\x01\x02f" + "\x00\x01\x01\x01\x0d" + "\x1c\x00\x1f\x0f" + "\x1c\x00\x22\x10" + "\x1c\x00\x25\x11" +
		"\x00\x00" + "\x00\x00" + "\x00\x00\x22" + "\x00\x01\x41" + "\x00\x02\x01\x01\x02\x03xy"))
	if len(p.names) != 2 || p.names[1] != "A" || p.encoding == nil || p.encoding['A'] != "A" {
		t.Errorf("CFF: %q %v", p.names, p.encoding != nil)
	}
}
