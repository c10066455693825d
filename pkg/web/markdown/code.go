package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// block makes of a pre element, however highlighters have dressed it up, the
// code alone and the name of its language.
func block(pre *html.Node) {
	language := languageOf(pre)
	var b strings.Builder
	codeText(&b, pre)
	text := strings.Trim(strings.ReplaceAll(b.String(), "\r\n", "\n"), "\n")
	text = strings.ReplaceAll(text, "\u00a0", " ")
	if dom.Blank(text) {
		dom.Remove(pre)
		return
	}
	code := dom.Element(atom.Code)
	if language != "" {
		code.Attr = []html.Attribute{{Key: "class", Val: "language-" + language}}
	}
	code.AppendChild(dom.NewText(text))
	clean := dom.Element(atom.Pre)
	clean.AppendChild(code)
	dom.Replace(frame(pre), clean)
}

// frame is the table that a highlighter lays code out with, to put line numbers
// beside it; pre itself if there is none.
func frame(pre *html.Node) *html.Node {
	for a := range pre.Ancestors() {
		if a.DataAtom != atom.Table {
			continue
		}
		if strings.Contains(dom.Mark(a), "highlight") || strings.Contains(dom.Mark(a), "code") || dom.First(a, atom.Th) == nil && numbers(a, pre) {
			return a
		}
		break
	}
	return pre
}

// numbers reports whether a table holds nothing but numbers beside pre.
func numbers(table, pre *html.Node) bool {
	for d := range table.Descendants() {
		if d.Type == html.TextNode && !dom.Contains(pre, d) && strings.Trim(d.Data, "0123456789 \t\r\n") != "" {
			return false
		}
	}
	return true
}

// codeText reads code off the tree: a line for each line element and each line
// break, without line numbers and buttons.
func codeText(b *strings.Builder, n *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode, isGutter(c):
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		default:
			line := isLine(c)
			if line {
				newLine(b)
			}
			at := b.Len()
			codeText(b, c)
			if line && (b.Len() == at || !strings.HasSuffix(b.String()[at:], "\n")) && c.NextSibling != nil {
				b.WriteByte('\n')
			}
		}
	}
}

// newLine ends the line, if there is one.
func newLine(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] != '\n' {
		b.WriteByte('\n')
	}
}

// isLine reports whether an element of code is a line of it. Lines that are
// spans end in a line break of their own, as a rule, or in none at all.
func isLine(n *html.Node) bool {
	if dom.Is(n, atom.Div, atom.P, atom.Li, atom.Tr) {
		return true
	}
	next := n.NextSibling
	return dom.HasClass(n, "line", "code-line", "view-line", "token-line") &&
		next != nil && !(next.Type == html.TextNode && strings.HasPrefix(next.Data, "\n")) && !strings.HasSuffix(dom.RawText(n), "\n")
}

// isGutter reports whether an element stands beside the code and is none of it.
func isGutter(n *html.Node) bool {
	if dom.Is(n, atom.Button, atom.Script, atom.Style, atom.Svg, atom.Textarea) {
		return true
	}
	return !dom.Is(n, atom.Code) && dom.HasClass(n,
		"gutter", "linenos", "lineno", "linenodiv", "line-number", "line-numbers", "linenumber", "line-numbers-rows", "ln", "lnt", "blob-num",
		"copy", "copy-btn", "copybtn", "copy-button", "copy-code", "clipboard", "hljs-ln-numbers", "code-copy")
}

// languageOf finds the name of the language of code: on the element itself, on
// the code in it, or on what highlighters put round it.
func languageOf(pre *html.Node) string {
	if l := languageAt(pre); l != "" {
		return l
	}
	if c := dom.First(pre, atom.Code); c != nil {
		if l := languageAt(c); l != "" {
			return l
		}
	}
	level := 0
	for a := range pre.Ancestors() {
		if level++; level > 6 || dom.Is(a, atom.Body, atom.Article, atom.Main) || a.Type != html.ElementNode {
			break
		}
		if len(dom.All(a, atom.Pre)) > 1 && !strings.Contains(dom.Mark(a), "highlight") {
			break
		}
		if l := languageAt(a); l != "" {
			return l
		}
	}
	return ""
}

func languageAt(n *html.Node) string {
	for _, key := range [...]string{"data-lang", "data-language", "data-code-language", "data-syntax", "data-enlighter-language", "data-programming-language"} {
		if l := named(dom.Attr(n, key)); l != "" {
			return l
		}
	}
	if n.DataAtom == atom.Pre || n.DataAtom == atom.Code {
		if l := named(dom.Attr(n, "lang")); l != "" && !isHuman(l) {
			return l
		}
	}
	class := strings.ToLower(dom.Attr(n, "class"))
	if _, brush, ok := strings.Cut(class, "brush:"); ok {
		brush = strings.TrimLeft(brush, " ")
		if end := strings.IndexAny(brush, " ;"); end >= 0 {
			brush = brush[:end]
		}
		return named(brush)
	}
	words := strings.Fields(class)
	for _, w := range words {
		for _, prefix := range [...]string{"language-", "lang-", "highlight-source-", "highlight-text-", "brush-", "code-", "codehilite-", "sourcecode-"} {
			if rest, ok := strings.CutPrefix(w, prefix); ok && (prefix != "code-" || isLanguage(rest)) {
				if l := named(rest); l != "" {
					return l
				}
			}
		}
		if rest, ok := strings.CutPrefix(w, "highlight-"); ok && isLanguage(rest) { // Sphinx
			return named(rest)
		}
	}
	for i, w := range words {
		switch w {
		case "hljs", "prettyprint", "sourcecode", "sourceCode", "highlight", "chroma", "shiki", "codeblock", "prism", "rouge", "src":
			for j, other := range words {
				if j != i && isLanguage(strings.TrimPrefix(other, "src-")) {
					return named(strings.TrimPrefix(other, "src-"))
				}
			}
		}
	}
	if n.DataAtom == atom.Pre || n.DataAtom == atom.Code {
		for _, w := range words {
			if isLanguage(w) {
				return named(w)
			}
		}
	}
	return ""
}

// named is a name of a language as it stands behind a fence; "" for what is none.
func named(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "", "none", "plain", "plaintext", "text", "txt", "nohighlight", "no-highlight", "default", "ipython3-notranslate", "notranslate", "undefined", "null", "auto", "unknown", "output":
		return ""
	case "ipython3", "ipython", "pycon", "python3", "py3", "default-python":
		return "python"
	case "shell-session", "console", "terminal":
		return "console"
	}
	if len(s) > 24 {
		return ""
	}
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '+' && r != '#' && r != '-' && r != '_' && r != '.' {
			return ""
		}
	}
	return s
}

// isHuman reports whether the value of a lang attribute is a human language.
func isHuman(s string) bool {
	if base, _, ok := strings.Cut(s, "-"); ok && len(base) == 2 {
		return true
	}
	switch s {
	case "en", "de", "fr", "es", "it", "pt", "nl", "pl", "zh", "ja", "ko", "ar", "he", "fa", "tr", "sv", "da", "fi", "no", "hu", "el", "uk", "vi", "th", "id":
		return true
	}
	return false
}

// isLanguage reports whether a bare word is the name of a language that pages
// show code in.
func isLanguage(s string) bool {
	switch s {
	case "bash", "sh", "shell", "zsh", "console", "c", "cpp", "c++", "csharp", "cs", "css", "scss", "sass", "less", "clojure", "cmake", "dart", "diff",
		"docker", "dockerfile", "elixir", "elm", "erlang", "fsharp", "go", "golang", "graphql", "groovy", "haskell", "hcl", "html", "http", "ini", "java",
		"javascript", "js", "json", "json5", "jsonc", "jsx", "julia", "kotlin", "latex", "tex", "lisp", "lua", "makefile", "markdown", "md", "matlab", "nginx",
		"nix", "objc", "objectivec", "ocaml", "perl", "php", "powershell", "prolog", "protobuf", "proto", "python", "py", "python3", "ipython3", "ipython", "r",
		"ruby", "rb", "rust", "rs", "scala", "scheme", "sql", "svelte", "swift", "terraform", "toml", "ts", "tsx", "typescript", "vb", "vim", "vue", "wasm",
		"xml", "yaml", "yml", "zig", "pycon", "rst", "emacs-lisp", "elisp", "coldfusion", "cfm", "solidity", "verilog", "vhdl", "asm", "nasm", "awk", "sed":
		return true
	}
	return false
}
