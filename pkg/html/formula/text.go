package formula

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Protect keeps the TeX in the texts below root from being escaped: $…$, $$…$$,
// \(…\), \[…\] and \begin{…}…\end{…}. Code stays as it is.
func Protect(root *html.Node) {
	for c := root.FirstChild; c != nil; {
		follows := c.NextSibling
		switch {
		case c.Type == html.TextNode:
			protect(c)
		case c.Type == html.ElementNode && (dom.Is(c, atom.Pre, atom.Code, atom.Kbd, atom.Samp, atom.Tt) || c.Data == dom.RawName || dom.Silent(c)):
		default:
			Protect(c)
		}
		c = follows
	}
}

// protect replaces the TeX in a text node by raw elements.
func protect(n *html.Node) {
	if !strings.ContainsAny(n.Data, "$\\") || n.Parent == nil {
		return
	}
	text, at := n.Data, 0
	f := finder{text: text, budget: workPerByte*len(text) + maxDisplay}
	for i := 0; i < len(text); {
		end := f.end(i)
		if end == 0 {
			i++
			continue
		}
		if at < i {
			n.Parent.InsertBefore(dom.NewText(text[at:i]), n)
		}
		n.Parent.InsertBefore(dom.Raw(oneLine(text[i:end])), n)
		i, at = end, end
	}
	if at > 0 {
		if n.Data = text[at:]; n.Data == "" {
			dom.Remove(n)
		}
	}
}

// oneLine returns TeX on one line, unless a comment ends at a line break.
func oneLine(tex string) string {
	if strings.Contains(tex, "%") {
		return tex
	}
	return dom.Collapse(tex)
}

const (
	maxInline  = 1000 // bytes of the longest formula between single dollar signs
	maxDisplay = 8000 // bytes of the longest formula
	// workPerByte limits the bytes searched for each byte of a text. Without it, the time
	// would grow with the square of the number of unclosed signs.
	workPerByte = 8
)

// finder finds the TeX in a text.
type finder struct {
	text   string
	budget int // bytes that may yet be searched
}

// end returns where the TeX ends that begins at an offset; 0 if none begins there.
func (f *finder) end(at int) int {
	text, rest := f.text, f.text[at:]
	switch {
	case at > 0 && text[at-1] == '\\' && (at < 2 || text[at-2] != '\\'): // an escaped sign
		return 0
	case strings.HasPrefix(rest, "$$"):
		return f.closed(at, "$$", "$$")
	case strings.HasPrefix(rest, "$"):
		return f.dollars(at)
	case strings.HasPrefix(rest, `\(`):
		return f.closed(at, `\(`, `\)`)
	case strings.HasPrefix(rest, `\[`):
		return f.closed(at, `\[`, `\]`)
	case strings.HasPrefix(rest, `\begin{`):
		name, _, ok := strings.Cut(rest[len(`\begin{`):min(len(rest), 40)], "}")
		if !ok || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ*") != "" {
			return 0
		}
		return f.closed(at, `\begin{`+name+"}", `\end{`+name+"}")
	}
	return 0
}

// closed returns the end of what begins with open and ends with the next end.
func (f *finder) closed(at int, open, end string) int {
	from := at + len(open)
	window := f.window(from, maxDisplay)
	i := strings.Index(window, end)
	f.spend(i, len(window))
	if i <= 0 || dom.Blank(window[:i]) {
		return 0
	}
	return from + i + len(end)
}

// dollars returns the end of $…$, by the rule of Pandoc: no white space at its
// inner ends, and no digit behind it, so that prices are none. It holds what only
// TeX has.
func (f *finder) dollars(at int) int {
	text, from := f.text, at+1
	window := f.window(from, maxInline)
	for i := range len(window) {
		f.budget--
		if window[i] != '$' || i > 0 && window[i-1] == '\\' {
			continue
		}
		inner := window[:i]
		behind := from + i + 1
		switch {
		case inner == "", strings.TrimSpace(inner) != inner, behind < len(text) && text[behind] >= '0' && text[behind] <= '9':
			return 0
		case !strings.ContainsAny(inner, `\^_*={}<>+|~`), strings.Contains(inner, "\n\n"):
			return 0
		}
		return behind
	}
	return 0
}

// window returns what may be searched from an offset on.
func (f *finder) window(from, most int) string {
	return f.text[from:min(len(f.text), from+min(most, max(f.budget, 0)))]
}

// spend counts a search that found what it looked for at an offset, or read all.
func (f *finder) spend(at, all int) {
	if at < 0 {
		at = all
	}
	f.budget -= at + 1
}
