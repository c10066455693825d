package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/helve-dev/helve/pkg/fault"
)

// The first 8 KiB decide whether a file is binary.
func TestHead(t *testing.T) {
	if _, err := Decode([]byte(strings.Repeat("a", 8191)+"\x00"), ""); !fault.Is(err, fault.BinaryFile) {
		t.Errorf("NUL within the head: %v", err)
	}
	if _, err := Decode([]byte(strings.Repeat("a", 8192)+"\x00"), ""); err != nil {
		t.Errorf("NUL behind the head: %v", err)
	}
}

func TestMostRanges(t *testing.T) {
	if _, err := parseRanges(strings.Repeat("1,", 31) + "1"); err != nil {
		t.Errorf("32 ranges: %v", err)
	}
	if _, err := parseRanges(strings.Repeat("1,", 32) + "1"); !fault.Is(err, fault.InvalidArguments) {
		t.Errorf("33 ranges: %v", err)
	}
}

func TestDamagedLinesListed(t *testing.T) {
	d, err := Decode([]byte(strings.Repeat("ééééé\xff\n", 25)), "")
	if err != nil || len(d.Damaged) != 20 {
		t.Errorf("%d lines, %v", len(d.Damaged), err)
	}
}

func TestUnencodableListed(t *testing.T) {
	d, err := Decode([]byte("caf\xe9\n"), "iso-8859-1")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range 25 {
		b.WriteRune(rune('一' + i))
	}
	_, err = d.Encode(b.String())
	details, ok := fault.As(err).Details.(Unencodable)
	if !ok || len(details.Characters) != 20 || details.Total != 25 {
		t.Errorf("details %+v", details)
	}
}

// Files of up to 8 MiB are read into memory, larger ones are streamed.
func TestReadInMemory(t *testing.T) {
	for _, size := range []int{8 << 20, 8<<20 + 1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			text := strings.Repeat("a\n", size/2) + strings.Repeat("b", size%2)
			p, err := Read(t.Context(), strings.NewReader(text), int64(size), Request{Limit: 1})
			if err != nil || (p.Document == nil) != (size > 8<<20) {
				t.Errorf("document %v, %v", p.Document != nil, err)
			}
		})
	}
}

// A cut moves back by up to 31 characters to keep a cluster together.
func TestClusters(t *testing.T) {
	s := strings.Repeat("x", 9) + "e" + strings.Repeat("\u0301", 50)
	for _, tt := range []struct{ cut, chars int }{{9 + 31, 9}, {9 + 32, 41}} {
		if _, chars := prefix(s, tt.cut); chars != tt.chars {
			t.Errorf("cut at %d: %d characters, want %d", tt.cut, chars, tt.chars)
		}
	}
}

func TestWasCut(t *testing.T) {
	for line, want := range map[string]bool{
		"abc…[12 more characters]":        true,
		"abc…[12 more characters] and on": true,
		"…[x] …[3 more characters]":       true,
		"abc…[ more characters]":          false,
		"abc [12 more characters]":        false,
		"abc" + moreChars(1_000_000):      true,
		"":                                false,
	} {
		if WasCut(line) != want {
			t.Errorf("WasCut(%q) = %v", line, !want)
		}
	}
}

// The detection of an encoding looks at 256 KiB from the first byte beyond ASCII.
func TestSampleOfDetection(t *testing.T) {
	russian := "\xfd\xf2\xee \xf2\xe5\xea\xf1\xf2 \xed\xe0 \xf0\xf3\xf1\xf1\xea\xee\xec \xff\xe7\xfb\xea\xe5, \xe8 \xe5\xe3\xee \xe4\xee\xf1\xf2\xe0\xf2\xee\xf7\xed\xee\n"
	for _, tt := range []struct {
		at   int
		want string
	}{{200 << 10, "windows-1251"}, {300 << 10, "iso-8859-1"}} {
		raw := "caf\xe9\n" + strings.Repeat("ascii\n", tt.at/6) + strings.Repeat(russian, 5)
		d, err := Decode([]byte(raw), "")
		if err != nil || d.Encoding != tt.want {
			t.Errorf("at %d: %v, %v", tt.at, d.Encoding, err)
		}
	}
}
