package xmlscan

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/fault"
)

// Splice is a change of a document: other bytes in the place of those from Start to End,
// counted as [Scanner.Offset] does.
type Splice struct {
	Start, End int64
	New        []byte
}

// headBytes is enough of a document's beginning for its declaration.
const headBytes = 256

// Spliced copies a document with changes, which do not overlap. All other bytes are copied
// as they are.
func Spliced(w io.Writer, r io.Reader, all []Splice) error {
	in := bufio.NewReaderSize(r, bufferBytes)
	head, _ := in.Peek(headBytes) // an error comes again with the next reading
	mark, err := Mark(head)
	if err != nil {
		return err
	}
	at := -mark
	slices.SortStableFunc(all, func(a, b Splice) int { return cmp.Compare(a.Start, b.Start) })
	for _, s := range all {
		if s.Start < max(at, 0) || s.End < s.Start {
			return fault.New(fault.Internal, fault.T("the changes of a part overlap"))
		}
		if _, err := io.CopyN(w, in, s.Start-at); err != nil {
			return err
		}
		if _, err := w.Write(s.New); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, in, s.End-s.Start); err != nil {
			return err
		}
		at = s.End
	}
	_, err = io.Copy(w, in)
	return err
}

// Mark returns the length of the byte order mark that a document begins with; head is its
// beginning. A document in another encoding than UTF-8 is refused: its bytes are not those
// that are scanned.
func Mark(head []byte) (int64, error) {
	const mark = "\xef\xbb\xbf"
	if bytes.HasPrefix(head, []byte(mark)) {
		return int64(len(mark)), nil
	}
	switch name := declaredEncoding(head); {
	case name != "" && name != "utf-8" && name != "utf8" && name != "us-ascii" && name != "ascii",
		len(head) > 1 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe):
		return 0, fault.New(fault.UnsupportedContent, fault.T("the XML is not in UTF-8, in which alone it can be changed")).
			WithHint(fault.T("save a copy with the program that it belongs to, and change that"))
	}
	return 0, nil
}

// AppendEscaped appends text as it stands between tags and in attributes. What XML cannot
// hold is left out.
func AppendEscaped(dst []byte, text string) []byte {
	for _, r := range text {
		switch r {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\r':
			dst = append(dst, "&#13;"...)
		case '\t', '\n':
			dst = append(dst, byte(r))
		default:
			if r >= ' ' && r != '\ufffe' && r != '\uffff' {
				dst = utf8.AppendRune(dst, r)
			}
		}
	}
	return dst
}

// Qualified returns a name with the prefix that another one, of the same namespace, has as
// it is written: "x:v" for "v" and "x:c".
func Qualified(name, like string) string {
	if i := strings.IndexByte(like, ':'); i >= 0 {
		return like[:i+1] + name
	}
	return name
}

// SetAttr returns a tag as it is written, "<a b="c">", with an attribute set, or without it
// if the value is nil.
func SetAttr(tag []byte, name string, value *string) []byte {
	from, to := attrSpan(tag, name)
	var text []byte
	if value != nil {
		text = append(append(append(text, ' '), name...), `="`...)
		text = append(AppendEscaped(text, *value), '"')
	}
	if from < 0 {
		if from = len(tag) - 1; from > 0 && tag[from-1] == '/' {
			from--
		}
		for from > 0 && (tag[from-1] == ' ' || tag[from-1] == '\n' || tag[from-1] == '\t' || tag[from-1] == '\r') {
			from--
		}
		to = from
	}
	return slices.Concat(tag[:from], text, tag[to:])
}

// attrSpan returns where an attribute stands in a tag, with the space before it; -1 if
// there is none.
func attrSpan(tag []byte, name string) (from, to int) {
	_, rest := cutName(tag[1:])
	for len(rest) > 0 {
		start := len(tag) - len(rest)
		rest = trimSpace(rest)
		var found []byte
		if found, rest = cutName(rest); len(found) == 0 {
			return -1, -1
		}
		rest = trimSpace(rest)
		if len(rest) == 0 || rest[0] != '=' {
			continue
		}
		if rest = trimSpace(rest[1:]); len(rest) == 0 {
			return -1, -1
		}
		i := bytes.IndexByte(rest[1:], rest[0])
		if rest[0] != '"' && rest[0] != '\'' || i < 0 {
			return -1, -1
		}
		rest = rest[i+2:]
		if string(found) == name {
			return start, len(tag) - len(rest)
		}
	}
	return -1, -1
}
