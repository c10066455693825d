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

// extensions are those of media types whose files other programs know by their names.
var extensions = [...][2]string{
	{"image/jpeg", ".jpg"},
	{"image/svg+xml", ".svg"},
	{"image/x-icon", ".ico"},
	{"image/vnd.microsoft.icon", ".ico"},
	{"audio/mpeg", ".mp3"},
	{"audio/wav", ".wav"},
	{"audio/x-wav", ".wav"},
	{"audio/ogg", ".ogg"},
	{"audio/flac", ".flac"},
	{"audio/mp4", ".m4a"},
	{"audio/webm", ".webm"},
	{"video/mp4", ".mp4"},
	{"video/webm", ".webm"},
	{"video/quicktime", ".mov"},
	{"application/pdf", ".pdf"},
	{"application/zip", ".zip"},
	{"application/gzip", ".gz"},
	{"application/x-tar", ".tar"},
	{"application/json", ".json"},
	{"application/xml", ".xml"},
	{"text/xml", ".xml"},
	{"text/plain", ".txt"},
	{"text/markdown", ".md"},
	{"text/csv", ".csv"},
	{"text/html", ".html"},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"},
	{"application/vnd.openxmlformats-officedocument.presentationml.presentation", ".pptx"},
}

// extension returns the extension for the name of a file of a media type, which may have
// parameters.
func extension(media string) string {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	media = strings.TrimSpace(media)
	for _, known := range extensions {
		if known[0] == media {
			return known[1]
		}
	}
	if name, ok := strings.CutPrefix(media, "image/"); ok && len(name) <= 5 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
		return "." + name
	}
	return ".bin"
}
