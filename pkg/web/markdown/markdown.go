// Package markdown writes a tree of HTML as Markdown or as plain text. It does
// not choose what is worth writing.
package markdown

import (
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// Of writes a tree as Markdown. [Normalize] must have gone over it, and it is
// used up.
func Of(n *html.Node) (string, error) {
	out, err := library().ConvertNode(n)
	if err != nil {
		return "", err
	}
	return tidy(string(out)), nil
}

// library is the converter. What differs from its defaults: no comment between
// two lists, nothing for links without words, tables with a header whatever the
// page has, and no padding of cells, which costs a model and tells it nothing.
var library = sync.OnceValue(func() *converter.Converter {
	c := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(
			commonmark.WithListEndComment(false),
			commonmark.WithLinkEmptyContentBehavior(commonmark.LinkBehaviorSkip),
			commonmark.WithLinkEmptyHrefBehavior(commonmark.LinkBehaviorSkip),
		),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(
			table.WithHeaderPromotion(true),
			table.WithSpanCellBehavior(table.SpanBehaviorMirror),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			table.WithSkipEmptyRows(true),
		),
	))
	c.Register.RendererFor(dom.RawName, converter.TagTypeInline, raw, converter.PriorityEarly)
	return c
})

// raw writes what is not to be escaped.
func raw(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if _, err := w.WriteString(dom.RawText(n)); err != nil {
		return converter.RenderTryNext
	}
	return converter.RenderSuccess
}
