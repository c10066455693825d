package read

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/notebook"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/workspace"
)

// cells shows a notebook as Markdown, page by page like any text. Its images
// become files that the reader can open.
func cells(ctx context.Context, call *tool.Call, root *workspace.Root, f *os.File, size int64, r Result, a Args) (Result, error) {
	raw, err := io.ReadAll(io.LimitReader(f, notebook.MaxBytes+1))
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	if len(raw) > notebook.MaxBytes {
		return Result{}, fault.New(fault.TooLarge, fault.T("the notebook has %d bytes; at most %d are rendered", "notebook 共 %d 字节，最多可渲染 %d 字节", size, notebook.MaxBytes)).
			WithHint(fault.T("encoding=utf-8 reads it as the text it is, page by page", "encoding=utf-8 可按纯文本分页读取"))
	}
	s := shelf{call: call, root: root, sha: text.Sum(raw)}
	rendered, err := notebook.Render(raw, s.show)
	if err != nil {
		return Result{}, err
	}
	p, err := text.Read(ctx, strings.NewReader(rendered), int64(len(rendered)), text.Request{Offset: a.Offset, Limit: a.Limit, MaxBytes: a.MaxBytes, Ranges: a.Range})
	if err != nil {
		return Result{}, err
	}
	r.Language = "Jupyter Notebook"
	r.fill(p, a.Numbered)
	r.SHA, r.Bytes, r.Media, r.Recommend = s.sha, size, s.media, nil
	return r, nil
}

// shelf keeps the images of a document where the caller can read them.
type shelf struct {
	call   *tool.Call
	root   *workspace.Root
	sha    string
	media  []Media
	failed bool
}

// show keeps one image and gives the Markdown that stands for it.
func (s *shelf) show(i notebook.Image) string {
	m := Media{MIME: i.MIME, Bytes: int64(len(i.Data)), Alt: i.Alt}
	m.Width, m.Height, _ = kind.ImageSize(i.MIME, strings.NewReader(string(i.Data)))
	path, err := s.keep(i)
	if err != nil {
		if !s.failed {
			s.call.Warn(fault.T("images could not be kept: %s", "无法保存图片：%s", fault.As(err).Message))
		}
		s.failed = true
		return fmt.Sprintf("[image: %s, %d bytes]", i.MIME, len(i.Data))
	}
	m.Path = path
	s.media = append(s.media, m)
	return fmt.Sprintf("![%s](%s)", i.Alt, path)
}

func (s *shelf) keep(i notebook.Image) (string, error) {
	if s.call.Env.ReadOnly {
		return "", fault.New(fault.Denied, fault.T("this is a read-only run", "当前为只读模式"))
	}
	artifacts, dir, err := s.root.Artifacts(s.call.Env.Session)
	if err != nil {
		return "", err
	}
	defer artifacts.Close()
	name := text.Sum(i.Data) + extension(i.MIME) // the same image is the same file
	if _, err := artifacts.Stat(name); err == nil {
		return dir + "/" + name, nil
	}
	if _, err := artifacts.WriteFile(name, i.Data, workspace.WriteOptions{}); err != nil {
		return "", err
	}
	return dir + "/" + name, nil
}

func extension(mime string) string {
	switch mime {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/svg+xml":
		return ".svg"
	}
	return ".bin"
}
