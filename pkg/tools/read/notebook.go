package read

import (
	"context"
	"io"
	"os"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/files/text"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tools/internal/textfile"
)

// cells shows a notebook as Markdown, page by page like any text. Its images are
// saved as files.
func cells(ctx context.Context, call *tool.Call, f *os.File, size int64, r Result, a Args) (Result, error) {
	raw, err := io.ReadAll(io.LimitReader(f, notebook.MaxBytes+1))
	if err != nil {
		return Result{}, fault.System(err, a.Path)
	}
	if len(raw) > notebook.MaxBytes {
		return Result{}, fault.New(fault.TooLarge, fault.T("the notebook has %d bytes; the limit is %d", size, notebook.MaxBytes)).
			WithHint(fault.T("pass encoding=utf-8 to read it as JSON text, page by page"))
	}
	g := newGallery(call, a.Images, nil)
	defer g.close()
	q := document.Request{Image: g.adder()}
	rendered, err := notebook.Render(raw, func(i notebook.Image) string {
		return q.Show(document.Image{MIME: i.MIME, Data: i.Data, Alt: i.Alt})
	})
	if err != nil {
		return Result{}, err
	}
	a.Encoding = "" // that of the file
	p, err := pageOf(ctx, []byte(rendered), a)
	if err != nil {
		return Result{}, err
	}
	r.fill(p, a.Numbered)
	r.Language = "Jupyter Notebook"
	r.SHA, r.Bytes, r.Media, r.Recommend = text.Sum(raw), size, g.hang(r.Content.Content, r.StartLine, r.EndLine), nil
	real, err := realOf(call, a.Path)
	if err != nil {
		return Result{}, err
	}
	textfile.RecordCells(call, real, r.SHA, raw, rangesOf(p))
	return r, nil
}
