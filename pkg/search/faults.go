package search

import "github.com/helve-dev/helve/pkg/fault"

// outside returns the error for a start that is not below the root.
func outside(path string) *fault.Error {
	return fault.New(fault.OutsideWorkspace, fault.T("%s is outside the workspace", "%s 在工作区之外", path)).
		WithHint(fault.T("use a path relative to the workspace root", "请使用相对于工作区根目录的路径"))
}

// notFound returns the error for a start that [Scope.Deny] hides.
func notFound(path string) *fault.Error {
	return fault.New(fault.NotFound, fault.T("file not found: %s", "文件不存在: %s", path))
}

// neverSearched returns the error for a directory of version control or of helve.
func neverSearched(path string) *fault.Error {
	return fault.New(fault.InvalidArguments,
		fault.T("%s is a directory of version control or of helve, which is never searched", "%s 是版本控制或 helve 的目录，不会被搜索", path)).
		WithHint(fault.T("name a single file in it, or list it with ls", "请指定其中的单个文件，或用 ls 列出"))
}

// notAFile returns the error for a start that is a link, a pipe or a device.
func notAFile(path string) *fault.Error {
	return fault.New(fault.NotAFile, fault.T("%s is neither a file nor a directory", "%s 既不是文件也不是目录", path)).
		WithHint(fault.T("name the directory or file itself", "请直接指定目录或文件本身"))
}
