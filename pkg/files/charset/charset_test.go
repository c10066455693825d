package charset_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/unicode/norm"

	"github.com/helve-dev/helve/pkg/files/charset"
)

// encoded is a text with what it is in an encoding.
type encoded struct {
	language, encoding, text string
	raw                      []byte
}

// excerpts are parts of the samples with n characters beyond ASCII, beginning
// at several words; long ones go round the sample several times.
func excerpts(t *testing.T, n int, code bool) []encoded {
	t.Helper()
	var out []encoded
	for _, s := range samples {
		for name := range strings.FieldsSeq(s.encodings) {
			enc, err := htmlindex.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			text := s.text
			if name == "windows-1258" {
				text = apart(text)
			}
			text = encodable(enc, text)
			words := strings.SplitAfter(text, " ")
			for from := 0; from < len(words); from += max(len(words)/4, 1) {
				part := around(words, from, n)
				if code {
					part = "package main\n\nfunc main() {\n\t// " + part + "\n\tfor i := range 10 {\n\t\tprintln(i, x[i]*2)\n\t}\n}\n"
				}
				raw, err := enc.NewEncoder().Bytes([]byte(part))
				if err != nil {
					t.Fatalf("%s in %s: %v", s.language, name, err)
				}
				if !utf8.Valid(raw) {
					out = append(out, encoded{s.language, name, part, raw})
				}
			}
		}
	}
	return out
}

// around takes words from one on until n characters beyond ASCII are there.
func around(words []string, from, n int) string {
	var b strings.Builder
	for i := from; n > 0; i++ {
		for _, r := range words[i%len(words)] {
			if n <= 0 {
				break
			}
			b.WriteRune(r)
			if r >= utf8.RuneSelf {
				n--
			}
		}
	}
	return b.String()
}

// encodable replaces the typographic marks that an encoding lacks.
func encodable(enc encoding.Encoding, text string) string {
	e := enc.NewEncoder()
	plain := strings.NewReplacer("’", "'", "“", "\"", "”", "\"", "–", "-", "—", "-", "…", "...").Replace
	var b strings.Builder
	for _, r := range text {
		s := string(r)
		if _, err := e.String(s); err != nil {
			s = plain(s)
		}
		b.WriteString(s)
	}
	return b.String()
}

// apart writes the tones of Vietnamese as windows-1258 has them, after the
// letters.
func apart(text string) string {
	var b strings.Builder
	for _, r := range text {
		letter, tone := "", ""
		for _, d := range norm.NFD.String(string(r)) {
			if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", d) {
				tone += string(d)
			} else {
				letter += string(d)
			}
		}
		b.WriteString(norm.NFC.String(letter) + tone)
	}
	return b.String()
}

func reads(name string, e encoded) bool {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return false
	}
	text, err := enc.NewDecoder().String(string(e.raw))
	return err == nil && text == e.text
}

// The guess is nearly always right for samples with some words, mostly right for
// those with a few letters, and always right more often than chardet's.
func TestSamples(t *testing.T) {
	for _, tt := range []struct {
		size, atLeast int // characters beyond ASCII; percent
	}{{3, 90}, {8, 98}, {20, 99}, {60, 100}, {200, 100}, {2000, 100}} {
		if raceDetector && tt.size != 20 {
			continue // two guesses at a time are enough for it
		}
		for _, code := range []bool{false, true} {
			where := "alone"
			if code {
				where = "in code"
			}
			t.Run(fmt.Sprintf("%d %s", tt.size, where), func(t *testing.T) {
				t.Parallel()
				all, ours, theirs := 0, 0, 0
				for _, e := range excerpts(t, tt.size, code) {
					all++
					guesses := charset.Guess(e.raw)
					if len(guesses) > 0 && reads(guesses[0], e) {
						ours++
					} else {
						t.Logf("%s in %s: %v", e.language, e.encoding, guesses[:min(len(guesses), 3)])
					}
					if reads(chardet.Detect(e.raw).Encoding, e) {
						theirs++
					}
				}
				t.Logf("%d of %d right, chardet %d", ours, all, theirs)
				if all < 200 || ours*100 < tt.atLeast*all || ours <= theirs {
					t.Errorf("%d of %d right, chardet %d; want %d %%", ours, all, theirs, tt.atLeast)
				}
			})
		}
	}
}

// The sample may begin and end with half a character.
func TestTornSamples(t *testing.T) {
	for _, e := range excerpts(t, 200, false) {
		whole := charset.Guess(e.raw)
		for _, part := range [][]byte{e.raw[1:], e.raw[:len(e.raw)-1], e.raw[1 : len(e.raw)-1]} {
			if got := charset.Guess(part); len(got) == 0 || got[0] != whole[0] {
				t.Errorf("%s in %s: %v, and %v without bytes at the ends", e.language, e.encoding, whole, got)
			}
		}
	}
}

func TestGuess(t *testing.T) {
	noise := make([]byte, 10_000)
	if _, err := rand.NewChaCha8([32]byte{}).Read(noise); err != nil {
		t.Fatal(err)
	}
	far := strings.Repeat("plain text\n", 20_000) + "caf\xE9 d\xE9j\xE0 vu\n"
	for _, tt := range []struct{ name, sample, want string }{
		{"nothing", "", ""},
		{"ascii", "plain text, and no escape\n", ""},
		{"escapes of a terminal", "\x1B[31mred\x1B[0m $B \x1B(B\n", ""},
		{"iso-2022-jp", "x \x1B$B4X?t\x1B(B y\n", "iso-2022-jp"},
		{"iso-2022-kr", "\x1B$)C \x0E0!\x0F\n", ""},
		{"escapes and bytes beyond ASCII", "\x1B$B \xE9t\xE9\n", "windows-1252"},
		{"noise", string(noise), ""},
		{"one letter", "// caf\xE9\n", "windows-1252"},
		{"a name", "// Author: J\xF6rg M\xFCller <jm@example.com>\n", "windows-1252"},
		{"a copyright", "/* \xA9 2001 ACME */\n", "windows-1252"},
		{"a degree", "t = 20; // \xB0C\n", "windows-1252"},
		{"an apostrophe of Windows", "don\x92t\n", "windows-1252"},
		{"an apostrophe of the Mac", "don\xD5t and isn\xD5t\n", "macintosh"},
		{"an ellipsis", "run [files \x85]\nrun \x85 again\nand \x85 again\n", "windows-1252"},
		{"euro of iso-8859-15", "le c\xBDur co\xFBte 5 \xA4, d\xE9j\xE0 pay\xE9\n", "iso-8859-15"},
		{"far down", far, "windows-1252"},
		{"a word of Chinese", "// \xB2\xE2\xCA\xD4\n", "gbk"},
		{"four bytes", "\xD5\xE2\xB8\xF6\xD7\xD6\xCA\xC7\x81\x39\xEF\x30\xA3\xAC\xCE\xD2\xC3\xC7\xBF\xB4\xB2\xBB\xBC\xFB\n", "gb18030"},
		{"half-width katakana", "\xC3\xBD\xC4 \xB6\xC5 \xC3\xDE\xBD\xA1 \x83e\x83X\x83g\x82\xC5\x82\xB7\n", "shift_jis"},
		{"a frame of DOS", "\xC9\xCD\xCD\xCD\xBB\n\xBA x \xBA\n\xC8\xCD\xCD\xCD\xBC\n", "ibm866"},
	} {
		got := charset.Guess([]byte(tt.sample))
		if tt.want == "" && got != nil || tt.want != "" && (len(got) == 0 || got[0] != tt.want) {
			t.Errorf("%s: %v, want %q first", tt.name, got, tt.want)
		}
	}
}

func TestGuessDOS(t *testing.T) {
	for _, tt := range []struct{ name, sample, want string }{
		{"german", "Die Gr\x94\xE1e m\x81sse gepr\x81ft werden, \x84ndern verboten.\n", "ibm850"},
		{"polish", "Za\xBE\xA2\x86 g\xA9\x98l\xA5 ja\xAB\xE4, pi\xA9kna \xA2d\xAB.\n", "ibm852"},
		{"french of Windows", "L'\xE9t\xE9 o\xF9 j'ai \xE9t\xE9.\n", "windows-1252"},
	} {
		if got := charset.GuessDOS([]byte(tt.sample)); len(got) == 0 || got[0] != tt.want {
			t.Errorf("%s: %v, want %s first", tt.name, got, tt.want)
		}
		for _, name := range charset.Guess([]byte(tt.sample)) {
			if strings.HasPrefix(name, "ibm") && name != "ibm866" {
				t.Errorf("%s: Guess names %s, which WHATWG does not", tt.name, name)
			}
		}
	}
}

// The package does no work at the start of a program.
func TestNoInit(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(trace), "init unicode @") {
		t.Fatalf("%v: %s", err, trace)
	}
	for line := range strings.Lines(string(trace)) {
		if strings.HasPrefix(line, "init github.com/helve-dev/helve/pkg/files/charset @") {
			t.Error(line)
		}
	}
}

func FuzzGuess(f *testing.F) {
	f.Add([]byte("caf\xE9"))
	f.Add([]byte("\x82\xA0\x82\xA2\xB1\xB2 \x81\x30\x81\x30\x8F\xA1\xA1\x8E"))
	f.Add([]byte("\x1B$B4X?t\x1B(B"))
	f.Add([]byte("\x88\x62\x88\x64\xFE\xFE\xA0\x80\xFF"))
	f.Fuzz(func(t *testing.T, sample []byte) {
		before := bytes.Clone(sample)
		names := charset.Guess(sample)
		if !bytes.Equal(before, sample) {
			t.Error("the sample has changed")
		}
		if again := charset.Guess(sample); !slices.Equal(names, again) {
			t.Errorf("%v, then %v", names, again)
		}
		for i, name := range names {
			enc, err := htmlindex.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			if canonical, err := htmlindex.Name(enc); err != nil || canonical != name {
				t.Errorf("%s is called %s (%v)", name, canonical, err)
			}
			if slices.Contains(names[:i], name) {
				t.Errorf("%s twice in %v", name, names)
			}
		}
		for _, name := range charset.GuessDOS(sample) {
			if _, err := ianaindex.IANA.Encoding(name); err != nil && name != "x-mac-cyrillic" && name != "windows-874" {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
