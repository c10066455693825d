package main

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// recipeFiles are the recipes, one Markdown file each, in the order of their names. A test of
// package cmd runs them.
//
//go:embed recipes/*.md
var recipeFiles embed.FS

// recipe is one of them.
type recipe struct {
	ID, Title string
	source    []byte   // Markdown
	body      ast.Node // without the title
}

func recipes() ([]recipe, error) {
	names, err := fs.Glob(recipeFiles, "recipes/*.md")
	if err != nil {
		return nil, err
	}
	var all []recipe
	for _, name := range names {
		source, err := recipeFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		doc := goldmark.DefaultParser().Parse(text.NewReader(source))
		title, ok := doc.FirstChild().(*ast.Heading)
		if !ok || title.Level != 1 {
			return nil, fmt.Errorf("%s does not begin with a title", name)
		}
		doc.RemoveChild(doc, title)
		_, id, _ := strings.Cut(strings.TrimSuffix(name, ".md"), "-")
		all = append(all, recipe{"recipe-" + id, string(title.Lines().Value(source)), source, doc})
	}
	return all, nil
}

// recipesPage returns helve-recipes(7).
func recipesPage(date string) (string, error) {
	all, err := recipes()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(top("helve-recipes", 7, date, "agents that are built with helve"))
	for _, r := range all {
		b.WriteString(".SH " + escape(strings.ToUpper(r.Title)) + "\n")
		for n := r.body.FirstChild(); n != nil; n = n.NextSibling() {
			if n.PreviousSibling() != nil && n.Kind() != ast.KindList {
				b.WriteString(".PP\n")
			}
			if err := roff(&b, n, r.source); err != nil {
				return "", fmt.Errorf("%s: %w", r.ID, err)
			}
		}
	}
	b.WriteString(seeAlso("helve (1)", "helve-config (5)"))
	return b.String(), nil
}

// roff writes a block of Markdown in the macros man(7).
func roff(b *strings.Builder, n ast.Node, source []byte) error {
	switch n := n.(type) {
	case *ast.Paragraph:
		return roffText(b, n, source)
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			b.WriteString(".IP \\(bu 2\n")
			for part := item.FirstChild(); part != nil; part = part.NextSibling() {
				if err := roffText(b, part, source); err != nil {
					return err
				}
			}
		}
	case *ast.FencedCodeBlock:
		if _, name := info(n, source); name != "" {
			b.WriteString("The file \\fB" + escape(name) + "\\fR:\n.PP\n")
		}
		b.WriteString(".RS 4\n.nf\n")
		for line := range strings.Lines(string(n.Lines().Value(source))) {
			b.WriteString(escape(strings.TrimRight(line, "\n")) + "\n")
		}
		b.WriteString(".fi\n.RE\n")
	default:
		return fmt.Errorf("there is no form in a manual page for %s", n.Kind())
	}
	return nil
}

// roffText writes the text of a block.
func roffText(b *strings.Builder, block ast.Node, source []byte) error {
	for n := block.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(escape(string(n.Value(source))))
			if n.SoftLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.CodeSpan:
			var code strings.Builder
			for part := n.FirstChild(); part != nil; part = part.NextSibling() {
				if t, ok := part.(*ast.Text); ok {
					code.Write(t.Value(source))
				}
			}
			b.WriteString("\\fB" + escape(strings.ReplaceAll(code.String(), "\n", " ")) + "\\fR")
		default:
			return fmt.Errorf("there is no form in a manual page for %s", n.Kind())
		}
	}
	b.WriteString("\n")
	return nil
}

// info returns the language of a fenced block and the name of the file that it is, if it is
// one.
func info(n *ast.FencedCodeBlock, source []byte) (language, name string) {
	if n.Info != nil {
		language, name, _ = strings.Cut(string(n.Info.Segment.Value(source)), " ")
	}
	return language, name
}
