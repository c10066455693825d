// Package documents gives tools the text of documents: to search in, or to show a document
// that is no file of the workspace.
package documents

import (
	"context"
	"io"

	"github.com/helve-dev/helve/pkg/document/open"
	"github.com/helve-dev/helve/pkg/files/kind"
	"github.com/helve-dev/helve/pkg/search"
	"github.com/helve-dev/helve/pkg/tool"
)

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
		k := kind.Of(head[:min(len(head), headBytes)], name, file, size)
		if k.Class != kind.Document || !open.Reads(k.MIME) {
			return nil, false, nil
		}
		text, err := cache.Text(ctx, k.MIME, file, size)
		return text, true, err
	}
}
