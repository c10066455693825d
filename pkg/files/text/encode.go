package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/helve-dev/helve/pkg/files/diff"
)

// Encode returns the bytes of the file after d.Text has become text, byte order mark
// included. They always decode to text again. If d is exact, every unchanged
// character keeps its bytes. Otherwise unchanged lines keep theirs and only changed
// lines are encoded.
//
// The faults are encoding_unrepresentable, with [Unencodable] as details, if the
// encoding lacks characters of text; and encoding_unsupported if bytes of the file
// cannot be kept, because a changed line has damaged characters or more than ASCII
// is added to a [Raw8Bit] file.
func (d *Document) Encode(text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, notUTF8()
	}
	var body []byte
	var err error
	switch {
	case d.charset.name == Raw8Bit:
		body, err = d.encodeRaw(text)
	case !d.exact:
		body, err = d.encodeChanged(text)
	case d.charset.name == UTF8:
		body = []byte(text)
	default:
		body, err = d.charset.encode(text, 0)
	}
	if err != nil {
		return nil, err
	}
	if len(d.mark) == 0 {
		return body, nil
	}
	return slices.Concat(d.mark, body), nil
}

// encodeRaw maps characters back to the bytes they stand for. Beyond ASCII it accepts
// only sequences that the file already has: the bytes of others are unknown.
func (d *Document) encodeRaw(text string) ([]byte, error) {
	known := map[string]bool{}
	for run := range foreignRuns(d.Text) {
		known[run] = true
	}
	const searches = 1000 // each may look through the whole file
	searched := 0
	for run, line := range foreignRuns(text) {
		if known[run] {
			continue
		}
		if searched++; searched <= searches && strings.Contains(d.Text, run) {
			known[run] = true
			continue
		}
		shown, _ := utf8.DecodeRuneInString(run)
		return nil, onlyASCII(line, shown)
	}
	return d.charset.encode(text, 0)
}

// foreignRuns yields the longest stretches of s without ASCII, each with its line.
func foreignRuns(s string) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		line, start := 1, -1
		for i := 0; i <= len(s); i++ {
			foreign := i < len(s) && s[i] >= utf8.RuneSelf
			if foreign && start < 0 {
				start = i
			}
			if !foreign && start >= 0 {
				if !yield(s[start:i], line) {
					return
				}
				start = -1
			}
			if i < len(s) && s[i] == '\n' {
				line++
			}
		}
	}
}

// encodeChanged encodes changed lines and copies the bytes of unchanged ones.
func (d *Document) encodeChanged(text string) ([]byte, error) {
	oldText, oldBytes, newText := Lines(d.Text), Lines(string(d.body)), Lines(text)
	if !d.charset.lines || len(oldText) != len(oldBytes) {
		return nil, notClean(d.Encoding)
	}
	bodies := func(lines []Line) []string {
		out := make([]string, len(lines))
		for i, l := range lines {
			out[i] = l.Body
		}
		return out
	}
	partner := diff.Align(bodies(oldText), bodies(newText))
	var out bytes.Buffer
	for i, l := range newText {
		switch {
		case partner[i] >= 0:
			out.WriteString(oldBytes[partner[i]].Body)
		case len(d.Damaged) > 0 && strings.ContainsRune(l.Body, utf8.RuneError):
			return nil, damagedLine(i+1, d.Encoding)
		default:
			encoded, err := d.charset.encode(l.Body, i)
			if err != nil {
				return nil, err
			}
			out.Write(encoded)
		}
		out.WriteString(l.EOL)
	}
	decoded, err := d.charset.enc.NewDecoder().Bytes(out.Bytes())
	if err != nil || string(decoded) != text {
		return nil, notKept(d.Encoding)
	}
	return out.Bytes(), nil
}

// encode returns text in the encoding. before is the number of lines that precede it. The
// result is checked to decode to text again: some encoders silently write a look-alike,
// such as "\" for "¥".
func (cs charset) encode(text string, before int) ([]byte, error) {
	out, err := cs.enc.NewEncoder().Bytes([]byte(text))
	if err == nil {
		var decoded []byte
		decoded, err = cs.enc.NewDecoder().Bytes(out)
		if err == nil && string(decoded) == text {
			return out, nil
		}
	}
	missing := cs.missing(text, before)
	if len(missing.Characters) == 0 {
		return nil, notKept(cs.name)
	}
	return nil, unrepresentable(missing)
}

// unencodableListed limits the characters that an [Unencodable] lists.
const unencodableListed = 20

// Unencodable is the details of encoding_unrepresentable.
type Unencodable struct {
	Encoding string `json:"encoding"`
	// Characters are the first ones, in the order of the text.
	Characters []UnencodableChar `json:"characters"`
	Total      int               `json:"total"` // different characters
}

// UnencodableChar is a character that an encoding lacks.
type UnencodableChar struct {
	Char  string `json:"char"`
	Code  string `json:"code"` // as in "U+4E2D"
	Line  int    `json:"line"` // the first line it is in, counted from 1
	Count int    `json:"count"`
}

// missing lists the characters of text that the encoding lacks.
func (cs charset) missing(text string, before int) Unencodable {
	out := Unencodable{Encoding: cs.name, Characters: []UnencodableChar{}}
	enc, dec := cs.enc.NewEncoder(), cs.enc.NewDecoder()
	known := map[rune]int{} // index in Characters; -1 for one that can be encoded, -2 for one not listed
	line := before + 1
	for _, r := range text {
		if r == '\n' {
			line++
		}
		at, seen := known[r]
		if !seen {
			switch {
			case representable(enc, dec, r):
				at = -1
			case len(out.Characters) == unencodableListed:
				at = -2
				out.Total++
			default:
				at = len(out.Characters)
				out.Total++
				out.Characters = append(out.Characters, UnencodableChar{Char: string(r), Code: fmt.Sprintf("%U", r), Line: line})
			}
			known[r] = at
		}
		if at >= 0 {
			out.Characters[at].Count++
		}
	}
	return out
}

func representable(enc *encoding.Encoder, dec *encoding.Decoder, r rune) bool {
	encoded, err := enc.String(string(r))
	if err != nil {
		return false
	}
	back, err := dec.String(encoded)
	return err == nil && back == string(r)
}
