package artifact

import (
	"errors"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// Image saves one image and returns its path.
func Image(call *tool.Call, data []byte, mime string) (path string, err error) {
	images, err := OpenImages(call)
	if err != nil {
		return "", err
	}
	path, err = images.Save(data, mime)
	return path, errors.Join(err, images.Close())
}

// Images is the directory for images of a session. The same bytes are the same file.
type Images struct {
	dir  *workspace.Root
	path func(name string) string
}

// OpenImages makes the directory, if there is none. A read-only run has none: that is
// denied.
func OpenImages(call *tool.Call) (*Images, error) {
	if call.Env.ReadOnly {
		return nil, fault.New(fault.Denied, fault.T("this is a read-only run"))
	}
	root, err := call.Env.Root()
	if err != nil {
		return nil, err
	}
	artifacts, dir, err := root.Artifacts(call.Env.Artifacts, call.Env.Session)
	if err != nil {
		return nil, err
	}
	return &Images{artifacts, func(name string) string { return root.Show(dir + "/" + name) }}, nil
}

// Path returns the path under which [Images.Save] saves an image.
func (i *Images) Path(data []byte, mime string) string { return i.path(imageName(data, mime)) }

// Save saves an image and returns its path.
func (i *Images) Save(data []byte, mime string) (path string, err error) {
	name := imageName(data, mime)
	at := i.dir.At(name)
	if _, err := i.dir.Stat(at); err != nil {
		if _, err := i.dir.WriteFile(at, data, workspace.WriteOptions{}); err != nil {
			return "", err
		}
	}
	return i.path(name), nil
}

// Close closes the directory.
func (i *Images) Close() error { return i.dir.Close() }

func imageName(data []byte, mime string) string { return text.Sum(data) + extension(mime) }

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
