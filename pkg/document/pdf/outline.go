package pdf

import (
	"context"
	"strings"

	"github.com/helve-dev/helve/pkg/document"
	"github.com/helve-dev/helve/pkg/document/pdf/content"
	"github.com/helve-dev/helve/pkg/document/pdf/layout"
	"github.com/helve-dev/helve/pkg/document/pdf/meta"
)

// maxOutlinePages limits the pages read for the headings of a file without bookmarks.
const maxOutlinePages = 50

// Outline implements [document.Outliner]: the bookmarks, or, in a file that has none, the
// headings of its first pages.
func (d *Document) Outline(ctx context.Context, q *document.Request) ([]document.Entry, error) {
	if entries := meta.Outline(d.file); len(entries) > 0 {
		return entries, nil
	}
	var entries []document.Entry
	r := renderer{Document: d, q: q, content: content.New(d.file, d.hidden())}
	most := min(d.file.PageCount(), maxOutlinePages)
	for n := 1; n <= most; n++ {
		q.At(n, most)
		shown, _ := r.run(ctx, d.file.Page(n)) // what there is of a damaged page
		if err := ctx.Err(); err != nil {
			return entries, err
		}
		blocks := layout.Page(shown.Glyphs)
		body := bodySize(blocks)
		for i := range blocks {
			if isHeading(&blocks[i], body) {
				entries = append(entries, document.Entry{Title: title(&blocks[i]), Level: 1, Page: n})
			}
		}
	}
	return entries, nil
}

// title returns the text of a heading.
func title(b *layout.Block) string {
	lines := make([]string, len(b.Lines))
	for i, line := range b.Lines {
		lines[i] = line.String()
	}
	return strings.Join(lines, " ")
}
