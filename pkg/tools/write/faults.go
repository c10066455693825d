package write

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// exists returns the fault of mode=create for a file that exists.
func exists(f *textfile.File) error {
	return fault.New(fault.AlreadyExists, fault.T("already exists: %s", "已存在: %s", f.Path)).
		WithHint(fault.T("choose another path, or mode=overwrite to replace it", "请换一个路径，或用 mode=overwrite 替换")).
		WithDetails(present(f))
}

// unread returns the fault of overwriting what the session has not read.
func unread(f *textfile.File) error {
	return fault.New(fault.Unread, fault.T("%s would be overwritten, and this session has not read it", "%s 将被覆盖，而本会话并不了解其内容", f.Path)).
		WithHint(fault.T("read it first, or pass its sha as expect_sha", "请先读取，或以 expect_sha 给出其 sha")).
		WithDetails(present(f))
}

func present(f *textfile.File) map[string]any {
	return map[string]any{"sha": f.SHA, "bytes": f.Bytes}
}

func containsNUL() error {
	return schema.Invalid("/content", fault.T("contains a NUL, which would make the file binary", "含有 NUL，会使文件变成二进制文件")).
		WithHint(fault.T("remove it, or set exact=true to write it as it is", "请去掉；exact=true 可原样写入"))
}

// placeholder returns the fault of words in place of text that was left out.
func placeholder(line int, words string) error {
	return fault.New(fault.Placeholder, fault.T("line %d is a placeholder for text that was left out: %s", "第 %d 行是省略内容的占位符：%s", line, words)).
		WithHint(fault.T("write the complete text, or change only a part with edit; exact=true writes it as it is", "请提供完整文本，或用 edit 局部修改；exact=true 可原样写入"))
}

// shrinks returns the fault of replacing many lines by few.
func shrinks(f *textfile.File, was, is int) error {
	return fault.New(fault.Shrink, fault.T("%s has %d lines and would be left with %d", "%s 现有 %d 行，写入后仅剩 %d 行", f.Path, was, is)).
		WithHint(fault.T("write the complete text, or set allow_shrink=true if this is intended; to change a part use edit", "请提供完整文本；若确有此意请设 allow_shrink=true；局部修改请用 edit")).
		WithDetails(map[string]any{"lines": was, "lines_after": is, "sha": f.SHA})
}
