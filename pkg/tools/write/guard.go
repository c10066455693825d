package write

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/edit"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// check refuses to overwrite what the caller does not know.
func check(call *tool.Call, a Args, old *textfile.File) error {
	if old.Exists && a.Mode == create {
		return fault.New(fault.AlreadyExists, fault.T("already exists: %s", "已存在: %s", a.Path)).
			WithHint(fault.T("choose another path, or mode=overwrite to replace it", "请换一个路径，或用 mode=overwrite 替换")).
			WithDetails(map[string]any{"sha": old.SHA, "bytes": len(old.Raw)})
	}
	if err := old.Expect(a.ExpectSHA); err != nil {
		return err
	}
	if !old.Exists {
		return nil
	}
	if !a.Exact && old.Document == nil {
		return fault.As(old.Problem).WithHint(fault.T("exact=true replaces it with the content as it is", "exact=true 可直接以内容字节替换"))
	}
	if a.Mode == appendMode || a.ExpectSHA != "" {
		return nil
	}
	known, err := old.Known()
	if err != nil || known.Current || call.Env.RequireRead == "off" {
		return err
	}
	if call.Env.RequireRead == "on" {
		return fault.New(fault.Unread, fault.T("%s would be overwritten, and this session has not read it", "%s 将被覆盖，而本会话并不了解其内容", a.Path)).
			WithHint(fault.T("read it first, or pass its sha as expect_sha", "请先读取，或以 expect_sha 给出其 sha")).
			WithDetails(map[string]any{"sha": old.SHA, "bytes": len(old.Raw)})
	}
	if known.Known {
		call.Warn(fault.T("%s has changed since this session read it", "%s 自本会话上次读取后已变化", a.Path))
	} else {
		call.Warn(fault.T("%s was overwritten although this session has not read it", "%s 在本会话中未读取过就被覆盖", a.Path))
	}
	return nil
}

// shrinkLines is from how many lines on replacing a file by less than half of it
// needs allow_shrink.
const shrinkLines = 200

// guard refuses what looks like a model's answer that was cut off or that left
// something out.
func guard(a Args, old *textfile.File, next string) error {
	if strings.ContainsRune(a.Content, 0) && !a.Exact {
		return schema.Invalid("/content", fault.T("contains a NUL, which would make the file binary", "含有 NUL，会使文件变成二进制文件")).
			WithHint(fault.T("remove it, or set exact=true to write it as it is", "请去掉；exact=true 可原样写入"))
	}
	if a.Mode != overwrite || old.Document == nil {
		return nil
	}
	if line, words := edit.Placeholder(old.Text(), next); line > 0 && !a.Exact {
		return fault.New(fault.Placeholder, fault.T("line %d is a placeholder for text that was left out: %s", "第 %d 行是省略内容的占位符：%s", line, words)).
			WithHint(fault.T("write the complete text, or change only a part with edit; exact=true writes it as it is", "请提供完整文本，或用 edit 局部修改；exact=true 可原样写入"))
	}
	was, is := text.Describe(old.Text()).TotalLines, text.Describe(next).TotalLines
	if a.AllowShrink || was < shrinkLines || is*2 >= was {
		return nil
	}
	return fault.New(fault.Shrink, fault.T("%s has %d lines and would be left with %d", "%s 现有 %d 行，写入后仅剩 %d 行", a.Path, was, is)).
		WithHint(fault.T("write the complete text, or set allow_shrink=true if this is intended; to change a part use edit", "请提供完整文本；若确有此意请设 allow_shrink=true；局部修改请用 edit")).
		WithDetails(map[string]any{"lines": was, "lines_after": is, "sha": old.SHA})
}
