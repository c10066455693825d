package write

import (
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/schema"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// exists returns the fault of mode=create for a file that exists.
func exists(f *textfile.File) error {
	return fault.New(fault.AlreadyExists, fault.T("already exists: %s", f.Path)).
		WithHint(fault.T("choose another path, or mode=overwrite to replace it")).
		WithDetails(present(f))
}

// unread returns the fault of overwriting what the session has not read.
func unread(f *textfile.File) error {
	return fault.New(fault.Unread, fault.T("%s would be overwritten, and this session has not read it", f.Path)).
		WithHint(fault.T("read it first, or pass its sha as expect_sha")).
		WithDetails(present(f))
}

func present(f *textfile.File) map[string]any {
	return map[string]any{"sha": f.SHA, "bytes": f.Bytes}
}

func containsNUL() error {
	return schema.Invalid("/content", fault.T("contains a NUL, which would make the file binary")).
		WithHint(fault.T("remove it, or set exact=true to write it as it is"))
}

// placeholder returns the fault of words in place of text that was left out.
func placeholder(line int, words string) error {
	return fault.New(fault.Placeholder, fault.T("line %d is a placeholder for text that was left out: %s", line, words)).
		WithHint(fault.T("write the complete text, or change only a part with edit; exact=true writes it as it is"))
}

// shrinks returns the fault of replacing many lines by few.
func shrinks(f *textfile.File, was, is int) error {
	return fault.New(fault.Shrink, fault.T("%s has %d lines and would be left with %d", f.Path, was, is)).
		WithHint(fault.T("write the complete text, or set allow_shrink=true if this is intended; to change a part use edit")).
		WithDetails(map[string]any{"lines": was, "lines_after": is, "sha": f.SHA})
}
