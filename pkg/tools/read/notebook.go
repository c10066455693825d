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
	"github.com/helve-dev/helve/pkg/files/tokens"
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
	var p *text.Page
	err = tokens.Fit(a.MaxBytes, a.MaxTokens, func(bytes int) (_ string, err error) {
		if p, err = text.Read(ctx, strings.NewReader(rendered), int64(len(rendered)), request(a, bytes)); err != nil {
			return "", err
		}
		return joined(p.Windows, a.Numbered), nil
	})
	if err != nil {
		return Result{}, err
	}
	r.Language = "Jupyter Notebook"
	r.fill(p, a.Numbered)
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
	m := Media{MIME: i.MIME, Bytes: int64(len(i.Data)), Alt: i.Alt}
	m.Width, m.Height, _ = kind.ImageSize(i.MIME, strings.NewReader(string(i.Data)))
	path, err := artifact.Image(s.call, i.Data, i.MIME)
	if err != nil {
		if !s.failed {
			s.call.Warn(fault.T("images could not be saved: %s", "无法保存图片：%s", fault.As(err).Message))
		}
		s.failed = true
		return fmt.Sprintf("[image: %s, %d bytes]", i.MIME, len(i.Data))
	}
	m.Path = path
	s.media = append(s.media, m)
	return fmt.Sprintf("![%s](%s)", i.Alt, path)
}
