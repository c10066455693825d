package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/diff"
)

// Encode turns the text that is to replace d.Text into the bytes of the file,
// byte order mark included. The result decodes to text again, or there is none.
// If d is exact every unchanged character keeps its bytes; otherwise lines that
// stay keep theirs and only changed ones are encoded.
//
// The faults are encoding_unrepresentable with [Unencodable] as details, where
// the encoding lacks characters of text, and encoding_unsupported, where the
// bytes of the file cannot be kept: a changed line holds damaged characters, or
// something other than ASCII is added to a [Raw8Bit] file.
func (d *Document) Encode(text string) ([]byte, error) {
	if !utf8.ValidString(text) {
		return nil, fault.New(fault.EncodingUnrepresentable, fault.T("the new text is not valid UTF-8", "新文本不是有效的 UTF-8"))
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

// encodeRaw maps characters back to the bytes they stand for. Beyond ASCII only
// sequences that stand in the file already may be used, since nobody knows
// which bytes the file would have for others.
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
		return nil, fault.New(fault.EncodingUnsupported,
			fault.T("line %d adds %q, but the file's encoding is unknown and only ASCII can be added", "第 %d 行新增了 %q，但该文件编码未知，只能新增 ASCII 字符", line, string(shown))).
			WithHint(fault.T("use ASCII in what you add, or read the file with its encoding named", "新增内容请只用 ASCII，或在读取时指定文件的编码"))
	}
	return d.charset.encode(text, 0)
}

// foreignRuns yields the longest stretches of s without ASCII, each with the
// number of the line it is in.
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

// encodeChanged encodes the lines of text that are not lines of the file, and
// copies the bytes of those that are.
func (d *Document) encodeChanged(text string) ([]byte, error) {
	oldText, oldBytes, newText := Lines(d.Text), Lines(string(d.body)), Lines(text)
	if !d.charset.lines || len(oldText) != len(oldBytes) {
		return nil, fault.New(fault.EncodingUnsupported,
			fault.T("the file is not clean %s, and changing it would change other bytes than those meant", "该文件不是规范的 %s，修改会影响其他字节", d.Encoding)).
			WithHint(fault.T("convert the file to UTF-8 with a program that knows its encoding, or write it anew", "请先用支持该编码的程序把文件转换为 UTF-8，或整体重写"))
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
			return nil, fault.New(fault.EncodingUnsupported,
				fault.T("line %d holds U+FFFD, which stands for bytes that are not valid %s and can be kept only in unchanged lines",
					"第 %d 行含有 U+FFFD，它代表无效的 %s 字节，只能在未改动的行中保留", i+1, d.Encoding)).
				WithHint(fault.T("leave that line as it is, or replace it without the U+FFFD", "请保持该行不变，或用不含 U+FFFD 的内容替换它"))
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

// encode gives text in the encoding; it stands before lines further lines. What
// comes out decodes to text again: some encoders write a look-alike, such as
// "\" for "¥", without a word.
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
	first := missing.Characters[0]
	return nil, fault.New(fault.EncodingUnrepresentable,
		fault.T("the file's encoding %s has no %s (%s), first in line %d; %d such characters in all", "文件编码 %s 中没有字符 %s（%s），首次出现在第 %d 行；这类字符共 %d 个",
			cs.name, first.Char, first.Code, first.Line, missing.Total)).
		WithHint(fault.T("use characters the encoding has, or convert the file to UTF-8 first", "请改用该编码中已有的字符，或先把文件转换为 UTF-8")).
		WithDetails(missing)
}

func notKept(encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("the text would not be the same after being written as %s", "以 %s 写入后文本会发生变化", encoding)).
		WithHint(fault.T("convert the file to UTF-8 first", "请先把文件转换为 UTF-8"))
}

// unencodableListed is how many characters an [Unencodable] lists.
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
