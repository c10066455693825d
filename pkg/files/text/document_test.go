package text

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/helve-dev/helve/pkg/fault"
)

func encoded(t *testing.T, enc encoding.Encoding, s string) []byte {
	t.Helper()
	out, err := enc.NewEncoder().Bytes([]byte(s))
	if err != nil {
		t.Fatalf("%v cannot express the sample: %v", enc, err)
	}
	return out
}

const (
	chinese     = "package 示例\r\n// 这是一个用于测试的文件，里面有一些中文注释。\r\n// 我们希望编码能够被正确地识别出来，并且原样写回。\r\nfunc main() {}\r\n"
	traditional = "// 這是一個用來測試的檔案，裡面有一些中文註解。\n// 我們希望編碼能夠被正確地識別出來，並且原樣寫回。\nfunc main() {}\n"
	japaneseS   = "// これはテスト用のファイルです。日本語のコメントがあります。\n// 文字コードが正しく判別されることを確認します。\nfunc main() {}\n"
	koreanS     = "// 이것은 시험용 파일입니다. 한국어 주석이 들어 있습니다.\n// 문자 집합을 올바르게 알아내는지 확인합니다.\nfunc main() {}\n"
	russian     = "// Это проверочный файл, в котором есть комментарии на русском языке.\n// Мы хотим, чтобы кодировка была распознана правильно.\nfunc main() {}\n"
	german      = "// Dies ist eine Prüfdatei mit Umlauten: größer, schöner, für Übungen.\nfunc main() {}\n"
	french      = "// Ceci est un fichier d’essai — « voilà », déjà été, où ça coûte 5 € peut-être.\nfunc main() {}\n"
	polish      = "// Zażółć gęślą jaźń, to jest plik próbny.\nfunc main() {}\n"
)

func TestDecodeKnowsEncodings(t *testing.T) {
	for _, tt := range []struct {
		name string // expected
		hint string
		enc  encoding.Encoding
		text string
	}{
		{"utf-8", "", unicode.UTF8, chinese},
		{"gbk", "", simplifiedchinese.GBK, chinese},
		{"gb18030", "gb18030", simplifiedchinese.GB18030, chinese + "😀\n"},
		{"big5", "", traditionalchinese.Big5, traditional},
		{"shift_jis", "", japanese.ShiftJIS, japaneseS},
		{"euc-jp", "", japanese.EUCJP, japaneseS},
		{"iso-2022-jp", "ISO-2022-JP", japanese.ISO2022JP, japaneseS},
		{"euc-kr", "", korean.EUCKR, koreanS},
		{"windows-1251", "", charmap.Windows1251, russian},
		{"koi8-r", "", charmap.KOI8R, russian},
		{"windows-1252", "", charmap.Windows1252, french},
		{"iso-8859-1", "", charmap.ISO8859_1, german},
		{"iso-8859-2", "latin2", charmap.ISO8859_2, polish},
		{"iso-8859-2", "", charmap.ISO8859_2, "# -*- coding: iso-8859-2 -*-\n" + polish},
		{"windows-1250", "", charmap.Windows1250, "<?xml version='1.0' encoding='windows-1250'?>\n" + polish},
		{"windows-1250", "", charmap.Windows1250, "<html><meta charset=\"windows-1250\">\n" + polish},
		{"iso-8859-15", "ISO-8859-15", charmap.ISO8859_15, "coût: 5 €\n"},
		{"ibm437", "cp437", charmap.CodePage437, "╔═╗\r\n║x║\r\n╚═╝\r\n"},
		{"ibm1047", "IBM1047", charmap.CodePage1047, "mainframe\n"},
		{"utf-16le", "", unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), chinese},
		{"utf-16be", "", unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), chinese},
		{"utf-16le", "", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), german + "𝔘\r\n"},
		{"utf-16be", "", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), german},
		{"utf-16be", "utf-16", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), chinese},
		{"utf-16le", "UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), chinese},
		{"utf-8", "", unicode.UTF8BOM, chinese},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := encoded(t, tt.enc, tt.text)
			d, err := Decode(raw, tt.hint)
			if err != nil {
				t.Fatal(err)
			}
			if d.Text != tt.text || d.Encoding != tt.name || !d.exact || d.Damaged != nil {
				t.Fatalf("decoded as %s (exact %v, damaged %v): %q", d.Encoding, d.exact, d.Damaged, d.Text)
			}
			back, err := d.Encode(d.Text)
			if err != nil || !bytes.Equal(back, raw) {
				t.Fatalf("encoded back to % x (%v), not % x", back, err, raw)
			}
			// A small change keeps all other bytes.
			changed, err := d.Encode("first\n" + strings.Replace(d.Text, "func", "type", 1))
			if err != nil {
				t.Fatal(err)
			}
			want := encoded(t, tt.enc, "first\n"+strings.Replace(tt.text, "func", "type", 1))
			if !bytes.Equal(changed, want) {
				t.Errorf("after a change % x, not % x", changed, want)
			}
		})
	}
}

func TestDecodeFaults(t *testing.T) {
	for _, tt := range []struct {
		name, raw, hint string
		want            fault.Code
	}{
		{"hint unknown", "a", "klingon", fault.EncodingUnsupported},
		{"hint without a decoder", "a", "iso-2022-kr", fault.EncodingUnsupported},
		{"NUL", "abc\x00def", "", fault.BinaryFile},
		{"NUL in valid UTF-8", "中文\x00中文", "", fault.BinaryFile},
		{"NUL at the end of the head", strings.Repeat("a", 8<<10-1) + "\x00", "", fault.BinaryFile},
		{"zeros", strings.Repeat("\x00", 100), "", fault.BinaryFile},
		{"like UTF-16 but with U+0000", "a\x00b\x00\x00\x00c\x00d\x00e\x00f\x00g\x00", "", fault.BinaryFile},
		{"like UTF-16 but of odd length", "a\x00b\x00c\x00d\x00e", "", fault.BinaryFile},
		{"like UTF-16 but with half a pair", "a\x00b\x00c\x00d\x00e\x00f\x00g\x00h\x00i\x00\x00\xD8", "", fault.BinaryFile},
		{"one character of utf-32", "a\x00\x00\x00", "", fault.BinaryFile},
		{"like UTF-32 but beyond Unicode", "a\x00\x00\x00b\x00\x11\x00", "", fault.BinaryFile},
		{"like UTF-32 but with a control character", "a\x00\x00\x00\x01\x00\x00\x00", "", fault.BinaryFile},
		{"control characters", strings.Repeat("\x01\x02\x03\xFF\xFE\x99ab", 20), "", fault.BinaryFile},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Decode([]byte(tt.raw), tt.hint)
			if !fault.Is(err, tt.want) {
				t.Errorf("got %+v, %v; want %s", d, err, tt.want)
			}
		})
	}
}

// A damaged text is shown as far as it is valid, and keeps its bytes.
func TestDamagedTexts(t *testing.T) {
	for _, tt := range []struct {
		name, raw, hint string
		encoding        string
		text            string
		damaged         []int
		change          [2]string // replaced in the text; the bytes must follow
	}{
		{"stray byte in UTF-8", "这是中文\nb\xE9b\nend\n", "", "utf-8", "这是中文\nb\uFFFDb\nend\n", []int{2}, [2]string{"end", "结束"}},
		{"overlong", "中文\n\xC0\xAF\nend\n", "utf-8", "utf-8", "中文\n\uFFFD\uFFFD\nend\n", []int{2}, [2]string{"end", "x"}},
		{"surrogate in UTF-8", "中文\n\xED\xA0\x80\nend\n", "utf-8", "utf-8", "中文\n\uFFFD\uFFFD\uFFFD\nend\n", []int{2}, [2]string{"end", "x"}},
		{"cut character after a mark", "\xEF\xBB\xBFab\nc\xE4\xB8", "", "utf-8", "ab\nc\uFFFD", []int{2}, [2]string{"ab", "甲"}},
		{"genuine U+FFFD beside a stray byte", "中文中文\uFFFD\n\xFF\r\nend", "", "utf-8", "中文中文\uFFFD\n\uFFFD\r\nend", []int{2}, [2]string{"end", "x"}},
		{"second code of a character", "\x81\xE0\n\x87\x90\nend\n", "shift_jis", "shift_jis", "≒\n≒\nend\n", nil, [2]string{"end", "≒"}},
		{"raw", "\xC9\x93\x94\xFF\xFE\xF0\x98caf\xE9\n\x85\x86end\n", "raw-8bit", "raw-8bit", "É\u0093\u0094ÿþð\u0098café\n\u0085\u0086end\n", nil, [2]string{"end", "END"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Decode([]byte(tt.raw), tt.hint)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]any{tt.encoding, tt.text, tt.damaged}, []any{d.Encoding, d.Text, d.Damaged}); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			back, err := d.Encode(d.Text)
			if err != nil || string(back) != tt.raw {
				t.Fatalf("encoded back to %q (%v)", back, err)
			}
			back, err = d.Encode(strings.Replace(d.Text, tt.change[0], tt.change[1], 1))
			if err != nil {
				t.Fatal(err)
			}
			added, err := d.charset.enc.NewEncoder().String(tt.change[1])
			if want := strings.Replace(tt.raw, tt.change[0], added, 1); err != nil || string(back) != want {
				t.Errorf("after the change %q (%v), want %q", back, err, want)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	gbk := encoded(t, simplifiedchinese.GBK, chinese)
	for _, tt := range []struct {
		name, raw, hint string
		text            func(string) string
		want            fault.Code
	}{
		{"not in the encoding", string(gbk), "", func(s string) string { return s + "😀" }, fault.EncodingUnrepresentable},
		{"a look-alike", "a\\b\n", "shift_jis", func(s string) string { return s + "¥" }, fault.EncodingUnrepresentable},
		{"invalid UTF-8", "abc", "", func(s string) string { return s + "\xFF" }, fault.EncodingUnrepresentable},
		{"damaged line changed", "中文中文\na\xFFb\n", "", func(s string) string { return strings.Replace(s, "b", "c", 1) }, fault.EncodingUnsupported},
		{"damaged line copied", "中文中文\na\xFFb\n", "", func(s string) string { return s + "x\uFFFD\n" }, fault.EncodingUnsupported},
		{"addition to raw", "caf\xE9\n", "raw-8bit", func(s string) string { return s + "ü" }, fault.EncodingUnsupported},
		{"half a sequence beyond raw", "caf\xE9\xE8\n", "raw-8bit", func(s string) string { return "éé" }, fault.EncodingUnsupported},
		{"beyond a byte in raw", "caf\xE9\n", "raw-8bit", func(s string) string { return s + "中" }, fault.EncodingUnsupported},
		{"UTF-16 of odd length", "\xFF\xFEa\x00b", "", func(s string) string { return "x" + s }, fault.EncodingUnsupported},
		{"UTF-16 with half a pair", "\xFF\xFEa\x00\x00\xD8b\x00", "", func(s string) string { return "x" + s }, fault.EncodingUnsupported},
		{"redundant escapes", "\x1b(B\x1b$B$\"\x1b(B\n", "iso-2022-jp", func(s string) string { return "x" + s }, fault.EncodingUnsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Decode([]byte(tt.raw), tt.hint)
			if err != nil {
				t.Fatal(err)
			}
			out, err := d.Encode(tt.text(d.Text))
			if !fault.Is(err, tt.want) {
				t.Errorf("got %q, %v; want %s", out, err, tt.want)
			}
		})
	}
}

func TestRawKeepsAndMoves(t *testing.T) {
	d, err := Decode([]byte("caf\xE9\xE8\nx\n"), "raw-8bit")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"y\ncaféè\n": "y\ncaf\xE9\xE8\n",
		"è cafés\n":  "\xE8 caf\xE9s\n",
		"plain\n":    "plain\n",
	} {
		got, err := d.Encode(text)
		if err != nil || string(got) != want {
			t.Errorf("Encode(%q) = %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestUnencodableDetails(t *testing.T) {
	d, err := Decode(encoded(t, charmap.Windows1252, french), "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Encode("ok é\n中 ok\nok 中😀\n中")
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatal(err)
	}
	want := Unencodable{"windows-1252", []UnencodableChar{{"中", "U+4E2D", 2, 3}, {"😀", "U+1F600", 3, 1}}, 2}
	if diff := cmp.Diff(want, f.Details); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file of random bytes is decoded without loss or not at all.
func TestDetectedTextIsLossless(t *testing.T) {
	for _, raw := range []string{
		"\x93caf\xE9\x94\n", "\xA4\xA4\xA4\xE5\n", "\x8F\x90\x91\xFF\n", "plain \x80\x81\x8D\x8F\x90\x9D\n", "\xFF\n", "a\xA0b",
	} {
		d, err := Decode([]byte(raw), "")
		if err != nil {
			t.Errorf("%q: %v", raw, err)
			continue
		}
		if back, err := d.Encode(d.Text); err != nil || string(back) != raw || strings.Contains(d.Text, "\uFFFD") {
			t.Errorf("%q was read as %s %q and became %q, %v", raw, d.Encoding, d.Text, back, err)
		}
	}
}

func goRoot(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// eachSource calls f with the files of the Go source tree.
func eachSource(t *testing.T, f func(path string, raw []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(filepath.Join(goRoot(t), "src"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if n++; raceDetector && n%10 != 0 {
			return nil // a tenth of the files is enough to find races
		}
		raw, err := os.ReadFile(path)
		if err == nil {
			f(path, raw)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGoSourceTree(t *testing.T) {
	files := 0
	eachSource(t, func(path string, raw []byte) {
		d, err := Decode(raw, "")
		if err != nil {
			// As for git, an early NUL makes a file binary.
			if !fault.Is(err, fault.BinaryFile) || utf8.Valid(raw) && bytes.IndexByte(raw[:min(len(raw), 8000)], 0) < 0 {
				t.Errorf("%s: %v", path, err)
			}
			return
		}
		files++
		if back, err := d.Encode(d.Text); err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%s: not the same after decoding as %s and encoding (%v)", path, d.Encoding, err)
		}
		if utf8.Valid(raw) && (d.Encoding != UTF8 || d.BOM != bytes.HasPrefix(raw, []byte("\xEF\xBB\xBF"))) {
			t.Errorf("%s: read as %s", path, d.Encoding)
		}
		page, err := Read(t.Context(), bytes.NewReader(raw), int64(len(raw)), Request{MaxBytes: 64 << 20, Limit: 1 << 30})
		if err != nil || page.Windows[0].Content() != d.Text || page.TruncatedBy != "" {
			t.Errorf("%s: a page of all is not all (%v)", path, err)
		}
		if got, _ := Conform(d.Text, normalised(d.Text), "\n"); got != d.Text {
			t.Errorf("%s: not the same after its endings were restored", path)
		}
	})
	if files < 1000 {
		t.Errorf("only %d files", files)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a\r\nb", "\xEF\xBB\xBFa", "\xFF\xFEa\x00", "\xFE\xFF\x00a\xD8", "caf\xE9", "中\xFF", "\x82\xA0\x82\xA2", "\x1b$B$\"", "<?xml encoding='big5'?>\xA5\x5D"} {
		f.Add([]byte(s), "", "x\r\ny")
		f.Add([]byte(s), "iso-2022-jp", "あ")
		f.Add([]byte(s), "big5", "包")
		f.Add([]byte(s), "raw-8bit", "é")
		f.Add([]byte(s), "hz-gb-2312", "~中")
	}
	f.Fuzz(func(t *testing.T, raw []byte, hint, addition string) {
		kept := bytes.Clone(raw)
		d, err := Decode(raw, hint)
		if err != nil {
			if !fault.Is(err, fault.BinaryFile) && !fault.Is(err, fault.EncodingUnsupported) {
				t.Fatal(err)
			}
			return
		}
		if !utf8.ValidString(d.Text) {
			t.Fatalf("%s gave invalid UTF-8", d.Encoding)
		}
		if !bytes.Equal(d.Raw(), kept) || !bytes.Equal(raw, kept) {
			t.Fatal("the bytes changed")
		}
		if utf8.Valid(raw) && hint == "" && d.Encoding == UTF8 && d.Damaged != nil {
			t.Fatal("damage in valid UTF-8")
		}
		back, err := d.Encode(d.Text)
		if err == nil && !bytes.Equal(back, kept) {
			t.Fatalf("as %s %q became %q", d.Encoding, kept, back)
		}
		if err != nil && (d.exact || hint == "" && d.charset.lines) {
			t.Fatalf("as %s %q cannot be written: %v", d.Encoding, kept, err)
		}
		// Everything that can be written is read as the same text.
		text := d.Text + addition
		if out, err := d.Encode(text); err == nil {
			again := &Document{mark: out[:len(d.mark)], body: out[len(d.mark):]}
			if !again.as(d.charset) || again.Text != text {
				t.Fatalf("as %s %q was written as %q and reads %q", d.Encoding, text, out, again.Text)
			}
		}
	})
}
