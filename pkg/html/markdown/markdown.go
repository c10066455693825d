// Package markdown writes a tree of HTML as Markdown or as plain text. It writes all
// of the tree: package extract chooses the content.
package markdown

import (
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Of writes a tree as Markdown. [Normalize] must have prepared the tree, which Of
// takes apart.
func Of(n *html.Node) (string, error) {
	out, err := library().ConvertNode(n)
	if err != nil {
		return "", err
	}
	return tidy(string(out)), nil
}

// library returns the converter. It differs from the defaults: no comment between
// two lists, no links without words, a header for every table, no padding of cells, which
// would only cost tokens, and code in quotes.
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
	c.Register.RendererFor("blockquote", converter.TagTypeBlock, quote, converter.PriorityEarly)
	return c
})

// raw writes an element of [dom.Raw] without escapes. Only a bar would end the cell
// of a table.
func raw(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	text := dom.RawText(n)
	if dom.Inside(n, atom.Td, atom.Th) {
		text = strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
	}
	if _, err := w.WriteString(text); err != nil {
		return converter.RenderTryNext
	}
	return converter.RenderSuccess
}
