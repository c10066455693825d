// Package documents gives tools the text of documents: to search in, or to show a document
// that is no file of the workspace.
package documents

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/helve-dev/helve/pkg/document/notebook"
	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
)

// IsNotebook reports whether a name is that of a notebook.
func IsNotebook(name string) bool { return strings.EqualFold(path.Ext(name), ".ipynb") }

// Notebook is a [search.Converter] of notebooks: a search is about their cells, by the lines
// that read shows. One that is damaged is searched as it is.
func Notebook(head []byte, name string, file io.ReaderAt, size int64) ([]byte, bool, error) {
	if kind.Of(head[:min(len(head), headBytes)], name, file, size).Class != kind.Notebook || size > notebook.MaxBytes {
		return nil, false, nil
	}
	raw := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(file, 0, size), raw); err != nil {
		return nil, false, err
	}
	text, err := notebook.Render(raw, func(notebook.Image) string { return "[image]" })
	return []byte(text), err == nil, nil
}

// headBytes is the number of bytes of a file that show its type.
const headBytes = 8 << 10

// Converter returns what [search.GrepOptions] takes. Without a cache, or in a read-only
// run, nothing is kept.
func Converter(ctx context.Context, call *tool.Call) search.Converter {
	cache, err := tool.Service[*open.Texts](call.Env)
	if err != nil || call.Env.ReadOnly {
		cache = nil // slower, and the same
	}
	return func(head []byte, name string, file io.ReaderAt, size int64) ([]byte, bool, error) {
		if IsNotebook(name) {
			return Notebook(head, name, file, size)
		}
		k := kind.Of(head[:min(len(head), headBytes)], name, file, size)
		if k.Class != kind.Document || !open.Reads(k.MIME) {
			return nil, false, nil
		}
		text, err := cache.Text(ctx, k.MIME, file, size)
		return text, true, err
	}
}
