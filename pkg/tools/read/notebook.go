package read

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/files/notebook"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/artifact"
)

// cells shows a notebook as Markdown, page by page like any text. Its images are
// saved as files.
func cells(ctx context.Context, call *tool.Call, f *os.File, size int64, r Result, a Args) (Result, error) {
	raw, err := io.ReadAll(io.LimitReader(f, notebook.MaxBytes+1))
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	if len(raw) > notebook.MaxBytes {
		return Result{}, fault.New(fault.TooLarge, fault.T("the notebook has %d bytes; the limit is %d", "notebook 共 %d 字节，最多可渲染 %d 字节", size, notebook.MaxBytes)).
			WithHint(fault.T("pass encoding=utf-8 to read it as JSON text, page by page", "encoding=utf-8 可按纯文本分页读取"))
	}
	s := saver{call: call, sha: text.Sum(raw)}
	rendered, err := notebook.Render(raw, s.show)
	if err != nil {
		return Result{}, err
	}
	a.Encoding = "" // that of the file
	if err := r.turn(ctx, []byte(rendered), a); err != nil {
		return Result{}, err
	}
	r.Language = "Jupyter Notebook"
	r.SHA, r.Bytes, r.Media, r.Recommend = s.sha, size, s.media, nil
	return r, nil
}

// saver saves the images of a notebook where the caller can read them.
type saver struct {
	call   *tool.Call
	sha    string
	media  []Media
	failed bool
}

// show saves one image and returns Markdown that shows it.
func (s *saver) show(i notebook.Image) string {
	path := s.save(i.Data, i.MIME, i.Alt)
	if path == "" {
		return fmt.Sprintf("[image: %s, %d bytes]", i.MIME, len(i.Data))
	}
	return fmt.Sprintf("![%s](%s)", i.Alt, path)
}

// save saves one image and returns its path. If that fails, the call warns, once, and the
// path is "".
func (s *saver) save(data []byte, mime, alt string) (path string) {
	m := Media{MIME: mime, Bytes: int64(len(data)), Alt: alt}
	m.Width, m.Height, _ = kind.ImageSize(mime, bytes.NewReader(data))
	path, err := artifact.Image(s.call, data, mime)
	if err != nil {
		if !s.failed {
			s.call.Warn(fault.T("images could not be saved: %s", "无法保存图片：%s", fault.As(err).Message))
		}
		s.failed = true
		return ""
	}
	m.Path = path
	s.media = append(s.media, m)
	return path
}
