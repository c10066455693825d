package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// languageOf returns the language of code, which is named by the element itself, by
// the code element in it, or by what a highlighter puts around it.
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

// languageAt returns the language that an element names.
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

// named returns the name of a language for a fence; "" for anything else.
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

// isHuman reports whether a lang attribute names a human language.
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

// isLanguage reports whether a class is the name of a programming language.
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
