package text

import (
	"errors"

	"github.com/helve-dev/helve/pkg/fault"
)

// Faults of reading.

func unsupported(name string) error {
	return fault.New(fault.EncodingUnsupported, fault.T("the encoding %q is not supported", name)).
		WithHint(fault.T("leave out the encoding to have it detected, or name one such as utf-8, utf-16le, gbk, big5, shift_jis or windows-1252"))
}

func notIn(name string) error {
	return fault.New(fault.EncodingUnsupported, fault.T("the file cannot be read as %s", name)).
		WithHint(fault.T("leave out the encoding to have it detected"))
}

func binaryFault() error {
	return fault.New(fault.BinaryFile, fault.T("the file is binary, not text")).
		WithHint(fault.T("if it is text, pass its encoding, as in encoding=gbk"))
}

func noSize() error {
	return fault.New(fault.TooLarge, fault.T("the file does not say how large it is and has more than %d bytes", inMemory)).
		WithHint(fault.T("read the part you need with a command such as head"))
}

// errChanged is the cause of a fault of a file that changed while it was read.
type errChanged struct{}

func (errChanged) Error() string { return "changed while being read" }

func changedFault() error {
	return fault.New(fault.Unavailable, fault.T("the file changed while it was read")).
		WithHint(fault.T("call again")).Because(errChanged{})
}

// IsChanged reports whether err says that a file changed while it was read, so
// that reading it again is likely to succeed.
func IsChanged(err error) bool { return errors.As(err, new(errChanged)) }

// Faults of requests.

func notPositive(name string, value int) error {
	return fault.New(fault.InvalidArguments, fault.T("%s must be at least 1, not %d", name, value))
}

func offsetAndRanges() error {
	return fault.New(fault.InvalidArguments, fault.T("offset and ranges cannot be combined")).
		WithHint(fault.T("leave out one of them"))
}

func tooManyRanges(n int) error {
	return fault.New(fault.InvalidArguments,
		fault.T("%d ranges are too many; at most %d are allowed", n, maxRanges)).
		WithHint(fault.T("read the others with further calls"))
}

func notRange(item string) error {
	return fault.New(fault.InvalidArguments, fault.T("%q is not a range of lines", item)).
		WithHint(fault.T("write 5-16, 40, 960- (to the end), -60 (the last 60 lines) or 7:2001-4000 (characters of line 7), with commas between them"))
}

// beyond is the details of out_of_range.
type beyond struct {
	TotalLines int `json:"total_lines"`
	Line       int `json:"line,omitzero"`
	Chars      int `json:"chars,omitzero"` // how many characters that line has
}

func beyondLines(line, total int) error {
	return fault.New(fault.OutOfRange, fault.T("line %d is beyond the end; the file has %d lines", line, total)).
		WithHint(fault.T("use an offset up to %d, or a negative one to count from the end", total)).
		WithDetails(beyond{TotalLines: total})
}

func beyondChars(line, chars, first int) error {
	return fault.New(fault.OutOfRange, fault.T("line %d has only %d characters; there is no character %d", line, chars, first)).
		WithHint(fault.T("ask for characters up to %d", chars)).
		WithDetails(beyond{Line: line, Chars: chars})
}

// Faults of writing.

func notUTF8() error {
	return fault.New(fault.EncodingUnrepresentable, fault.T("the new text is not valid UTF-8"))
}

func onlyASCII(line int, added rune) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("line %d adds %q, but the file's encoding is unknown and only ASCII can be added", line, string(added))).
		WithHint(fault.T("add only ASCII, or convert the file to UTF-8 first"))
}

func notClean(encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("the file is not clean %s; a change would also change other bytes", encoding)).
		WithHint(fault.T("convert the file to UTF-8 with a program that knows its encoding, or write it anew"))
}

func damagedLine(line int, encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("line %d has U+FFFD, which stands for bytes that are not valid %s and can only be kept in unchanged lines", line, encoding)).
		WithHint(fault.T("leave that line as it is, or replace it without the U+FFFD"))
}

func unrepresentable(missing Unencodable) error {
	first := missing.Characters[0]
	return fault.New(fault.EncodingUnrepresentable,
		fault.T("the file's encoding %s has no %s (%s), first in line %d; %d such characters in total",
			missing.Encoding, first.Char, first.Code, first.Line, missing.Total)).
		WithHint(fault.T("use characters that the encoding has, or convert the file to UTF-8 first")).
		WithDetails(missing)
}

func notKept(encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("the text would not be the same after being written as %s", encoding)).
		WithHint(fault.T("convert the file to UTF-8 first"))
}
