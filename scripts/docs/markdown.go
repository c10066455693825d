package main

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// repository begins the address of a file of the repository that is not on the page.
const repository = "https://github.com/helve-dev/helve/blob/main/"

// markdown returns the converter from Markdown to HTML.
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

// guide is the README, with what is before its first section apart, and the documents that it
// lists, each as a section.
type guide struct {
	Lead, Body template.HTML
	Sections   []section
}

// guideOf makes the guide of a README and of the documents in docs that its table lists. Headings go down to the level of a section, and the tables of tools give
// way to the reference. read returns a file by its name in the repository.
func guideOf(readme []byte, read func(string) ([]byte, error)) (guide, error) {
	readme, ok1 := withoutTable(readme)
	title, rest, ok2 := bytes.Cut(readme, []byte("\n"))
	lead, rest, ok3 := bytes.Cut(rest, []byte("\n## "))
	if !ok1 || !ok2 || !ok3 || string(title) != "# helve" {
		return guide{}, fmt.Errorf("the README is not as expected: it begins with %q", title)
	}
	d := documents{ids: parser.NewContext().IDs(), guides: listed(readme)}
	var g guide
	var err error
	if g.Lead, err = d.rendered(lead, "", nil); err != nil {
		return guide{}, err
	}
	add := func(source []byte, dir string, down int) error {
		body, err := d.rendered(source, dir, func(n *ast.Heading) {
			n.Level += down
			if n.Level == 3 {
				id, _ := n.AttributeString("id")
				g.Sections = append(g.Sections, section{string(id.([]byte)), string(n.Lines().Value(source))})
			}
		})
		g.Body += body
		return err
	}
	if err := add(append([]byte("## "), rest...), "", 1); err != nil {
		return guide{}, err
	}
	for _, name := range d.guides {
		source, err := read(name)
		if err != nil {
			return guide{}, err
		}
		source, _ = withoutTable(source)
		if err := add(source, path.Dir(name), 2); err != nil {
			return guide{}, err
		}
	}
	return g, nil
}

// withoutTable puts a link to the reference in the place of the table of tools.
func withoutTable(source []byte) ([]byte, bool) {
	head, rest, ok1 := bytes.Cut(source, []byte("<!-- tools"))
	_, tail, ok2 := bytes.Cut(rest, []byte("<!-- /tools -->"))
	if !ok1 || !ok2 {
		return source, false
	}
	return bytes.Join([][]byte{head, []byte("The [reference](#tool-reference) has every tool with its arguments, its result and examples.\n"), tail}, nil), true
}

// listed returns the documents that begin the rows of a README's table.
func listed(readme []byte) []string {
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^\| \[[^]]*\]\((docs/[a-z-]+\.md)\)`).FindAllSubmatch(readme, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// documents renders documents of one page, whose headings share their ids.
type documents struct {
	ids    parser.IDs
	guides []string // the documents on the page
}

// rendered returns Markdown in a directory of the repository as HTML, without pictures: the page
// loads nothing.
func (d documents) rendered(source []byte, dir string, heading func(*ast.Heading)) (template.HTML, error) {
	m := markdown()
	doc := m.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(d.ids))))
	var pictures []ast.Node
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if entering && heading != nil {
				heading(n)
			}
		case *ast.Image:
			if entering {
				pictures = append(pictures, n.Parent())
			}
		case *ast.Link:
			if entering {
				n.Destination = []byte(d.target(string(n.Destination), dir))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	for _, p := range pictures {
		p.Parent().RemoveChild(p.Parent(), p)
	}
	return written(m, doc, source)
}

// target returns where a link in a document of the directory leads on the page: to a heading
// where the document is on it, and to the repository otherwise.
func (d documents) target(to, dir string) string {
	if strings.HasPrefix(to, "#") || strings.Contains(to, "://") {
		return to
	}
	file, heading, _ := strings.Cut(to, "#")
	switch file = path.Join(dir, file); {
	case file == "scripts/docs/recipes":
		return "#recipes"
	case !slices.Contains(d.guides, file):
		return repository + file
	case heading != "":
		return "#" + heading
	}
	return "#" + strings.TrimSuffix(path.Base(file), ".md") // the id of its title
}

// written returns a document as HTML. A cell of a table's head that is empty heads nothing.
func written(m goldmark.Markdown, doc ast.Node, source []byte) (template.HTML, error) {
	var b bytes.Buffer
	if err := m.Renderer().Render(&b, source, doc); err != nil {
		return "", err
	}
	return template.HTML(strings.ReplaceAll(b.String(), "<th></th>", "<td></td>")), nil // goldmark leaves out HTML that is in the source
}
