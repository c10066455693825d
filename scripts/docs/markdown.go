package main

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// repository is where a link of the README to a file of the repository leads.
const repository = "https://github.com/helve-dev/helve/blob/main/"

// markdown returns what reads Markdown and writes it as HTML.
func markdown() goldmark.Markdown {
	return goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(blocks{}, 1))))
}

// blocks writes fenced blocks: the name of the file that one is, and what is typed in a
// session apart from what is printed.
type blocks struct{}

func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		n := node.(*ast.FencedCodeBlock)
		language, name := info(n, source)
		_, err := io.WriteString(w, string(block(language, name, string(n.Lines().Value(source)))))
		return ast.WalkSkipChildren, err
	})
}

// block returns a block of code.
func block(language, name, code string) template.HTML {
	var b strings.Builder
	b.WriteString("<figure class=\"code\">\n")
	if name != "" {
		b.WriteString("<figcaption>" + html.EscapeString(name) + "</figcaption>\n")
	}
	b.WriteString("<pre><code>")
	for line := range strings.Lines(code) {
		b.WriteString(codeLine(language, strings.TrimSuffix(line, "\n")) + "\n")
	}
	b.WriteString("</code></pre>\n</figure>\n")
	return template.HTML(b.String()) // every part of it is escaped
}

func codeLine(language, line string) string {
	part := func(class, text string) string {
		return "<span class=\"" + class + "\">" + html.EscapeString(text) + "</span>"
	}
	first, rest, _ := strings.Cut(line, " ")
	switch {
	case language == "console" || language == "chat":
		switch first {
		case "$":
			return part("prompt", "$ ") + part("typed", rest)
		case "bot:", "you:":
			return part(strings.TrimSuffix(first, ":"), first) + " " + html.EscapeString(rest)
		}
		return part("printed", line)
	case (language == "sh" || language == "python") && strings.HasPrefix(strings.TrimSpace(line), "# "), language == "js" && strings.HasPrefix(line, "// "):
		return part("remark", line)
	}
	return html.EscapeString(line)
}

// section is a part of a document, by its heading.
type section struct {
	ID, Title string
}

// guide is the README: what is before its first section, and the rest.
type guide struct {
	Lead, Body template.HTML
	Sections   []section
}

// guideOf makes the guide of a README. Its headings go one level down, and its table of tools
// gives way to the reference.
func guideOf(source []byte) (guide, error) {
	head, rest, ok1 := bytes.Cut(source, []byte("<!-- tools"))
	_, tail, ok2 := bytes.Cut(rest, []byte("<!-- /tools -->"))
	title, head, ok3 := bytes.Cut(head, []byte("\n"))
	lead, head, ok4 := bytes.Cut(head, []byte("\n## "))
	if !ok1 || !ok2 || !ok3 || !ok4 || string(title) != "# helve" {
		return guide{}, fmt.Errorf("the README is not as expected: it begins with %q", title)
	}
	source = bytes.Join([][]byte{[]byte("## "), head, []byte("The [reference](#tool-reference) has every tool with its arguments, its result and examples.\n"), tail}, nil)
	var g guide
	var err error
	if g.Lead, err = rendered(lead, nil); err != nil {
		return guide{}, err
	}
	g.Body, err = rendered(source, func(n *ast.Heading) {
		if n.Level == 2 {
			id, _ := n.AttributeString("id")
			g.Sections = append(g.Sections, section{string(id.([]byte)), string(n.Lines().Value(source))})
		}
		n.Level++
	})
	return g, err
}

// rendered returns Markdown as HTML. Links to files lead to the repository.
func rendered(source []byte, heading func(*ast.Heading)) (template.HTML, error) {
	m := markdown()
	doc := m.Parser().Parse(text.NewReader(source))
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if entering && heading != nil {
				heading(n)
			}
		case *ast.Link:
			switch to := string(n.Destination); {
			case !entering || strings.HasPrefix(to, "#") || strings.Contains(to, "://"):
			case to == "scripts/docs/recipes": // they are on the page
				n.Destination = []byte("#recipes")
			default:
				n.Destination = []byte(repository + to)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	return written(m, doc, source)
}

// written returns a document as HTML. A cell of a table's head that is empty heads nothing.
func written(m goldmark.Markdown, doc ast.Node, source []byte) (template.HTML, error) {
	var b bytes.Buffer
	if err := m.Renderer().Render(&b, source, doc); err != nil {
		return "", err
	}
	return template.HTML(strings.ReplaceAll(b.String(), "<th></th>", "<td></td>")), nil // goldmark leaves out HTML that is in the source
}
