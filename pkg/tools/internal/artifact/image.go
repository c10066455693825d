package artifact

import (
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Image saves an image and returns its path. The same bytes are the same file.
func Image(call *tool.Call, data []byte, mime string) (path string, err error) {
	if call.Env.ReadOnly {
		return "", fault.New(fault.Denied, fault.T("this is a read-only run", "当前为只读模式"))
	}
	root, err := call.Env.Root()
	if err != nil {
		return "", err
	}
	artifacts, dir, err := root.Artifacts(call.Env.Artifacts, call.Env.Session)
	if err != nil {
		return "", err
	}
	defer artifacts.Close()
	name := text.Sum(data) + extension(mime)
	if _, err := artifacts.Stat(name); err != nil {
		if _, err := artifacts.WriteFile(name, data, workspace.WriteOptions{}); err != nil {
			return "", err
		}
	}
	return root.Show(dir + "/" + name), nil
}

// extension returns the extension for the name of an image.
func extension(mime string) string {
	switch mime {
	case "image/jpeg":
		return ".jpg"
	case "image/svg+xml":
		return ".svg"
	case "image/x-icon", "image/vnd.microsoft.icon":
		return ".ico"
	}
	if name, ok := strings.CutPrefix(mime, "image/"); ok && len(name) <= 5 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
		return "." + name
	}
	return ".bin"
}
