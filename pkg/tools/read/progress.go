package read

import (
	"io"
	"sync/atomic"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/fault"
	"github.com/helve-dev/helve/pkg/tool"
	"github.com/helve-dev/helve/pkg/tool/screen"
)

// watch returns a file of so many bytes as one that says how much of it was read; the file
// itself if nobody listens.
func watch(call *tool.Call, f io.ReaderAt, size int64, path string) io.ReaderAt {
	if !call.Watched() {
		return f
	}
	return &watched{ReaderAt: f, call: call, size: size, path: path}
}

// watched says how much was read of it, however often a part of it.
type watched struct {
	io.ReaderAt
	call *tool.Call
	size int64
	path string
	read atomic.Int64
}

func (w *watched) ReadAt(p []byte, at int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, at)
	read := min(w.read.Add(int64(n)), w.size)
	w.call.Progress(float64(read), float64(w.size), fault.T("%s of %s of %s", screen.Size(read), screen.Size(w.size), screen.Name(w.path)))
	return n, err
}

// turning returns what [document.Request] takes, to say which page of a document is read;
// nil if nobody listens.
func turning(call *tool.Call, about document.Info, path string) func(n, of int) {
	if !call.Watched() {
		return nil
	}
	return func(n, of int) {
		what := fault.T("page %d of %d of %s", n, of, screen.Name(path))
		if about.Slides > 0 {
			what = fault.T("slide %d of %d of %s", n, of, screen.Name(path))
		}
		call.Progress(float64(n-1), float64(of), what)
	}
}
