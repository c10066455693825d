package text

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
)

// detectEnough is how many bytes of lines beyond ASCII make a sample.
const detectEnough = 2 << 10

// telling are the first lines of a sample that hold more than ASCII.
func telling(sample []byte) []byte {
	const context = 16 // bytes before those beyond ASCII
	sample = sample[:min(len(sample), sampleBytes)]
	var out []byte
	for len(sample) > 0 && len(out) < detectEnough {
		line := sample
		if i := bytes.IndexAny(sample, "\r\n"); i >= 0 {
			line = sample[:i+1]
		}
		sample = sample[len(line):]
		if at := foreign(line); at < len(line) {
			out = append(out, line[max(at-context, 0):]...)
		}
	}
	return out[:min(len(out), detectEnough)]
}

// attempt returns the sample in an encoding, "" if it is not valid in it. The
// sample may end within a character.
func attempt(sample []byte, name string) string {
	cs, _ := lookup(name)
	text, err := cs.enc.NewDecoder().String(string(sample))
	if err != nil {
		return ""
	}
	if len(sample) == detectEnough {
		text = strings.TrimRight(text, "\uFFFD")
	}
	if strings.Contains(text, "\uFFFD") {
		return ""
	}
	return text
}

// corpus calls f with the files that chardet was tested with, by the encoding
// that their directory names.
func corpus(t *testing.T, f func(cs charset, path string, raw []byte)) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/wlynxg/chardet").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "test", "testdata", "*", "*"))
	if err != nil || len(files) < 300 {
		t.Fatalf("%d files in the corpus (%v)", len(files), err)
	}
	for i, path := range files {
		if raceDetector && i%4 != 0 {
			continue // each directory is of one encoding and has more files than that
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		// As in "windows-1250-czech".
		name := strings.ToLower(filepath.Base(filepath.Dir(path)))
		cs, known := lookup(name)
		for !known && strings.Contains(name, "-") {
			name = name[:strings.LastIndexByte(name, '-')]
			cs, known = lookup(name)
		}
		if known && cs.lines && !utf8.Valid(raw) && attempt(raw, cs.name) != "" {
			f(cs, path, raw)
		}
	}
}

// The first guess for a text that does not declare its encoding decodes the right
// characters, and does so more often than chardet. Of several encodings that agree
// on them, any will do.
func TestGuessesAgainstChardet(t *testing.T) {
	for _, size := range []int{detectEnough, 300, 80} {
		files, ours, theirs := 0, 0, 0
		corpus(t, func(cs charset, path string, raw []byte) {
			sample := telling(raw)
			if len(sample) > size {
				// Cut at a space, not within a character.
				sample = sample[:max(bytes.LastIndexByte(sample[:size], ' '), size/2)]
			}
			want := attempt(sample, cs.name)
			if utf8.Valid(sample) || want == "" {
				return
			}
			files++
			if first := guesses(nil, sample); len(first) > 0 && attempt(sample, first[0].name) == want {
				ours++
			}
			if cs, known := lookup(chardet.Detect(sample).Encoding); known && attempt(sample, cs.name) == want {
				theirs++
			}
		})
		t.Logf("%d bytes: %d of %d right, chardet %d", size, ours, files, theirs)
		if ours < theirs || ours*100 < files*90 || size == detectEnough && ours*100 < files*97 {
			t.Errorf("with %d bytes only %d of %d are right, and %d by chardet", size, ours, files, theirs)
		}
	}
}

// The corpus survives being decoded and encoded, and reads as it should.
func TestCorpusRoundTrip(t *testing.T) {
	files, wrong := 0, 0
	corpus(t, func(cs charset, path string, raw []byte) {
		files++
		d, err := Decode(raw, "")
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		if want, err := cs.enc.NewDecoder().String(string(raw)); err != nil || d.Text != want {
			t.Logf("%s was read as %s", path, d.Encoding)
			wrong++
		}
		if back, err := d.Encode(d.Text); err != nil || string(back) != string(raw) {
			t.Errorf("%s: as %s it does not come back (%v)", path, d.Encoding, err)
		}
		// A line put before everything changes nothing after it.
		if back, err := d.Encode("x\n" + d.Text); err != nil || string(back) != "x\n"+string(raw) {
			t.Errorf("%s: as %s it is not the same behind a new line (%v)", path, d.Encoding, err)
		}
	})
	if wrong*100 > files*2 {
		t.Errorf("%d of %d files were misread", wrong, files)
	}
}

func TestDeclared(t *testing.T) {
	for in, want := range map[string]string{
		`<?xml version="1.0" encoding="Shift_JIS"?>`:                       "shift_jis",
		`<html><meta http-equiv=content-type content='a; charset=gb2312'>`: "gb2312",
		`<!doctype html><meta charset=big5>`:                               "big5",
		`@charset "iso-8859-15";`:                                          "iso-8859-15",
		"#!/usr/bin/python\n# -*- coding: latin-1 -*-\n":                   "latin-1",
		"# vim: set fileencoding=koi8-r :\n":                               "koi8-r",
		";; -*- coding: iso-8859-2-unix; mode: lisp -*-":                   "iso-8859-2",
		"a\nb\n# coding: gbk\n":                                            "",
		"var encoding, charset;":                                           "",
		"<p>the charset of this page</p>":                                  "",
		"encoding=" + strings.Repeat("x", 100):                             strings.Repeat("x", 40),
		"":                                                                 "",
	} {
		if got := declared([]byte(in)); got != want {
			t.Errorf("declared(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzGuesses(f *testing.F) {
	f.Add([]byte("caf\xE9"))
	f.Add([]byte("\x82\xA0\x82\xA2 coding: euc-kr"))
	f.Fuzz(func(t *testing.T, sample []byte) {
		for _, cs := range guesses(sample, sample) {
			if again, known := lookup(cs.name); !known || again.name != cs.name {
				t.Errorf("guessed %q, which is no encoding", cs.name)
			}
		}
	})
}
