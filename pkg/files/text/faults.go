package text

import (
	"errors"

	"github.com/helve-dev/helve/pkg/fault"
)

// Faults of reading.

func unsupported(name string) error {
	return fault.New(fault.EncodingUnsupported, fault.T("the encoding %q is not supported", "不支持编码 %q", name)).
		WithHint(fault.T("leave out the encoding to have it detected, or name one such as utf-8, utf-16le, gbk, big5, shift_jis or windows-1252",
			"省略编码即可自动检测，或使用 utf-8、utf-16le、gbk、big5、shift_jis、windows-1252 等编码名"))
}

func notIn(name string) error {
	return fault.New(fault.EncodingUnsupported, fault.T("the file cannot be read as %s", "无法按 %s 编码读取该文件", name)).
		WithHint(fault.T("leave out the encoding to have it detected", "省略编码即可自动检测"))
}

func binaryFault() error {
	return fault.New(fault.BinaryFile, fault.T("the file is binary, not text", "该文件是二进制文件，不是文本")).
		WithHint(fault.T("if it is text, pass its encoding, as in encoding=gbk", "如果它确实是文本，请指定其编码，如 encoding=gbk"))
}

func noSize() error {
	return fault.New(fault.TooLarge, fault.T("the file does not say how large it is and has more than %d bytes", "该文件未声明大小，且内容超过 %d 字节", inMemory)).
		WithHint(fault.T("read the part you need with a command such as head", "请用 head 等命令读取需要的部分"))
}

// errChanged is the cause of a fault of a file that changed while it was read.
type errChanged struct{}

func (errChanged) Error() string { return "changed while being read" }

func changedFault() error {
	return fault.New(fault.Unavailable, fault.T("the file changed while it was read", "读取过程中文件发生了变化")).
		WithHint(fault.T("call again", "请重试")).Because(errChanged{})
}

// IsChanged reports whether err says that a file changed while it was read, so
// that reading it again is likely to succeed.
func IsChanged(err error) bool { return errors.As(err, new(errChanged)) }

// Faults of requests.

func notPositive(name string, value int) error {
	return fault.New(fault.InvalidArguments, fault.T("%s must be at least 1, not %d", "%s 至少为 1，不能是 %d", name, value))
}

func offsetAndRanges() error {
	return fault.New(fault.InvalidArguments, fault.T("offset and ranges cannot be combined", "offset 与 ranges 不能同时使用")).
		WithHint(fault.T("leave out one of them", "请只保留其中一个"))
}

func tooManyRanges(n int) error {
	return fault.New(fault.InvalidArguments,
		fault.T("%d ranges are too many; at most %d are allowed", "范围过多：%d 个，最多 %d 个", n, maxRanges)).
		WithHint(fault.T("read the others with further calls", "请分多次调用读取其余范围"))
}

func notRange(item string) error {
	return fault.New(fault.InvalidArguments, fault.T("%q is not a range of lines", "%q 不是有效的行范围", item)).
		WithHint(fault.T("write 5-16, 40, 960- (to the end), -60 (the last 60 lines) or 7:2001-4000 (characters of line 7), with commas between them",
			"请使用 5-16、40、960-（到末尾）、-60（最后 60 行）或 7:2001-4000（第 7 行的字符），多个范围以逗号分隔"))
}

// beyond is the details of out_of_range.
type beyond struct {
	TotalLines int `json:"total_lines"`
	Line       int `json:"line,omitzero"`
	Chars      int `json:"chars,omitzero"` // how many characters that line has
}

func beyondLines(line, total int) error {
	return fault.New(fault.OutOfRange, fault.T("line %d is beyond the end; the file has %d lines", "第 %d 行超出末尾；文件共 %d 行", line, total)).
		WithHint(fault.T("use an offset up to %d, or a negative one to count from the end", "请使用不超过 %d 的行号，或用负数从末尾计数", total)).
		WithDetails(beyond{TotalLines: total})
}

func beyondChars(line, chars, first int) error {
	return fault.New(fault.OutOfRange, fault.T("line %d has only %d characters; there is no character %d", "第 %d 行只有 %d 个字符，没有第 %d 个及之后的字符", line, chars, first)).
		WithHint(fault.T("ask for characters up to %d", "请使用不超过 %d 的字符位置", chars)).
		WithDetails(beyond{Line: line, Chars: chars})
}

// Faults of writing.

func notUTF8() error {
	return fault.New(fault.EncodingUnrepresentable, fault.T("the new text is not valid UTF-8", "新文本不是有效的 UTF-8"))
}

func onlyASCII(line int, added rune) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("line %d adds %q, but the file's encoding is unknown and only ASCII can be added", "第 %d 行新增了 %q，但该文件编码未知，只能新增 ASCII 字符", line, string(added))).
		WithHint(fault.T("add only ASCII, or convert the file to UTF-8 first", "新增内容请只用 ASCII，或先把文件转换为 UTF-8"))
}

func notClean(encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("the file is not clean %s; a change would also change other bytes", "该文件不是规范的 %s，修改会影响其他字节", encoding)).
		WithHint(fault.T("convert the file to UTF-8 with a program that knows its encoding, or write it anew", "请先用支持该编码的程序把文件转换为 UTF-8，或整体重写"))
}

func damagedLine(line int, encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("line %d has U+FFFD, which stands for bytes that are not valid %s and can only be kept in unchanged lines",
			"第 %d 行含有 U+FFFD，它代表无效的 %s 字节，只能在未改动的行中保留", line, encoding)).
		WithHint(fault.T("leave that line as it is, or replace it without the U+FFFD", "请保持该行不变，或用不含 U+FFFD 的内容替换它"))
}

func unrepresentable(missing Unencodable) error {
	first := missing.Characters[0]
	return fault.New(fault.EncodingUnrepresentable,
		fault.T("the file's encoding %s has no %s (%s), first in line %d; %d such characters in total", "文件编码 %s 中没有字符 %s（%s），首次出现在第 %d 行；这类字符共 %d 个",
			missing.Encoding, first.Char, first.Code, first.Line, missing.Total)).
		WithHint(fault.T("use characters that the encoding has, or convert the file to UTF-8 first", "请改用该编码中已有的字符，或先把文件转换为 UTF-8")).
		WithDetails(missing)
}

func notKept(encoding string) error {
	return fault.New(fault.EncodingUnsupported,
		fault.T("the text would not be the same after being written as %s", "以 %s 写入后文本会发生变化", encoding)).
		WithHint(fault.T("convert the file to UTF-8 first", "请先把文件转换为 UTF-8"))
}
