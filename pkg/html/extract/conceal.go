package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// Text can be in its place and yet unseen: beside the screen, clipped away, transparent, of
// no size, or in the colour of its background. No reader of the page sees it, but a model
// would, so it can carry instructions. Some of it is harmless: labels for screen readers,
// and what fades in when scripts run.

const (
	// farOut is the distance, in pixels, beyond which text is moved out of sight.
	farOut = 500
	// softShare is the share of a page, one in so many, that may be hidden in ways that
	// scripts or other sheets may undo. If it is more, it is the page.
	softShare = 3
	// labelChars is the longest label for screen readers, in characters. What is longer is no
	// label, whatever its class says.
	labelChars = 80
	// sameColour is the most that each part of two colours may differ by if they look the same.
	sameColour = 10
)

// concealment is a way of hiding text.
type concealment uint8

const (
	seen     concealment = iota
	folded               // not laid out, as menus and dialogs that are closed are
	soft                 // perhaps until a script runs
	aloud                // in the way in which labels for screen readers are
	deceives             // in its place, but not to be seen
)

// removeConcealed removes what the sheets and styles of a page hide, and returns how many
// characters of that were in their places and yet not to be seen.
func removeConcealed(body *html.Node, panels map[string]bool) int {
	c := concealer{sheet: sheetOf(body), panels: panels}
	paper := white
	if c.sheet.foreign {
		paper = colour{}
	}
	d, _ := c.sheet.of(body)
	c.walk(body, c.ink(body, d, colour{}), c.background(body, d, paper))
	doubtful, hidden := 0, 0
	for _, one := range c.found {
		if one.how != deceives {
			doubtful += one.chars
		}
	}
	// What another sheet or a script may show is the page itself if it is most of it.
	keep := (c.sheet.foreign || c.sheet.scripts) && doubtful > 0 && doubtful*softShare > chars(body)
	for _, one := range c.found {
		if keep && one.how != deceives {
			continue
		}
		dom.Remove(one.node)
		if one.how != folded {
			hidden += one.chars
		}
	}
	return hidden
}

// concealer finds concealed elements and texts. It looks at each node once.
type concealer struct {
	sheet  *sheet
	panels map[string]bool
	found  []concealed
}

type concealed struct {
	node  *html.Node
	how   concealment
	chars int
}

// walk looks through n, which writes in one colour on another.
func (c *concealer) walk(n *html.Node, ink, paper colour) {
	invisible := ink.clear && !ink.painted || ink.known && paper.known && ink.like(paper)
	for child := range n.ChildNodes() {
		switch {
		case child.Type == html.TextNode && invisible && !dom.Blank(child.Data):
			how := deceives
			if c.sheet.foreign {
				how = soft
			}
			c.found = append(c.found, concealed{child, how, dom.Length(child.Data)})
		case child.Type == html.ElementNode && !dom.Silent(child):
			c.look(child, ink, paper)
		}
	}
}

// look looks at an element in one that writes in a colour on another.
func (c *concealer) look(n *html.Node, ink, paper colour) {
	d, own := c.sheet.of(n)
	how := c.judge(n, d, own)
	if how == seen || canOpen(n) || c.panels[dom.Attr(n, "id")] {
		c.walk(n, c.ink(n, d, ink), c.background(n, d, paper))
		return
	}
	if count := chars(n); count > 0 && dom.First(n, atom.Math) == nil { // formulas have a form to be read aloud
		c.found = append(c.found, concealed{n, how, count})
	}
}

// judge returns how the declarations of an element hide it. own reports that they are its
// own, and not those of a sheet, which another sheet may undo.
func (c *concealer) judge(n *html.Node, d declarations, own bool) concealment {
	how := d.conceals()
	switch {
	case how == aloud || how == seen && isForScreenReaders(n):
		how = seen
		if hasChars(n, labelChars+1) {
			how = deceives
		}
	case how == seen && d.isZero("font-size") && !resets(n) && (own || !dom.HoldsBlock(n)): // else a gap between blocks is closed so
		how = deceives
	}
	return how
}

// isForScreenReaders reports whether n has a class whose text is only read aloud.
func isForScreenReaders(n *html.Node) bool {
	return dom.HasClass(n, "sr-only", "visually-hidden", "visuallyhidden", "screen-reader-text", "screenreader", "screen-reader-only", "u-sronly", "show-for-sr")
}

// resets reports whether a child of n sets a size of its own.
func resets(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if style := declared(dom.Attr(c, "style")); style["font-size"] != "" && !style.isZero("font-size") {
			return true
		}
	}
	return false
}

// hides reports whether the declarations hide in any way.
func (d declarations) hides() bool { return d.conceals() != seen || d.isZero("font-size") }

// conceals returns how declarations hide an element.
func (d declarations) conceals() concealment {
	switch {
	case len(d) == 0:
		return seen
	case d["display"] == "none", d["visibility"] == "hidden", d["visibility"] == "collapse", d["content-visibility"] == "hidden":
		return folded
	case d.isZero("opacity"), d.isFilteredOut():
		if d.set("transform", "transition", "animation", "will-change") {
			return seen // it fades in
		}
		return soft
	}
	absolute := d["position"] == "absolute" || d["position"] == "fixed"
	clips := strings.Contains(d["overflow"]+d["overflow-x"]+d["overflow-y"], "hidden") || strings.Contains(d["overflow"], "clip")
	switch {
	case absolute && (d.far("left") || d.far("top") || d.far("right") || d.far("bottom")), d.far("text-indent"), d.far("margin-left"), d.far("margin-top"),
		clips && !absolute && d.small("width") && d.small("height"),
		strings.Contains(strings.ReplaceAll(d["transform"], " ", ""), "scale(0)"), d.isMovedFar():
		return deceives
	case absolute && clipsAll(d["clip"]), clipsAll(d["clip-path"]), clips && (d.small("width") || d.small("height")) && absolute:
		return aloud
	}
	return seen
}

// set reports whether one of these properties is declared.
func (d declarations) set(names ...string) bool {
	for _, name := range names {
		if v := d[name]; v != "" && v != "none" && v != "initial" && v != "auto" {
			return true
		}
	}
	return false
}

// number reads a length or a plain number.
func (d declarations) number(name string) (n float64, unit string, ok bool) { return measured(d[name]) }

func measured(v string) (n float64, unit string, ok bool) {
	end := strings.IndexFunc(v, func(r rune) bool { return !(r >= '0' && r <= '9' || r == '.' || r == '-' || r == '+') })
	if end < 0 {
		end = len(v)
	}
	n, err := strconv.ParseFloat(v[:end], 64)
	return n, strings.TrimSpace(v[end:]), err == nil
}

func (d declarations) isZero(name string) bool {
	n, unit, ok := d.number(name)
	if name == "font-size" && unit == "px" {
		return ok && n >= 0 && n <= 1
	}
	return ok && n >= 0 && n < 0.02
}

// small reports whether a size is at most a pixel.
func (d declarations) small(name string) bool {
	n, unit, ok := d.number(name)
	return ok && n >= 0 && (n == 0 || n <= 1 && unit == "px")
}

// far reports whether an offset moves text off the screen.
func (d declarations) far(name string) bool { return isFar(d[name]) }

func isFar(value string) bool {
	n, unit, ok := measured(value)
	switch unit {
	case "px", "":
		return ok && n <= -farOut
	case "em", "rem", "vw", "vh", "ch":
		return ok && n <= -farOut/16
	case "%":
		return ok && n <= -farOut
	}
	return false
}

// isMovedFar reports whether a transformation moves text off the screen.
func (d declarations) isMovedFar() bool {
	moves := d["translate"]
	for rest := d["transform"]; ; {
		_, after, found := strings.Cut(rest, "translate")
		if !found {
			break
		}
		_, after, _ = strings.Cut(after, "(")
		inner, further, _ := strings.Cut(after, ")")
		moves, rest = moves+" "+inner, further
	}
	for one := range strings.FieldsFuncSeq(moves, func(r rune) bool { return r == ' ' || r == ',' }) {
		if isFar(one) {
			return true
		}
	}
	return false
}

// isFilteredOut reports whether a filter leaves nothing to see.
func (d declarations) isFilteredOut() bool {
	_, after, found := strings.Cut(d["filter"], "opacity(")
	opacity, _, _ := strings.Cut(after, ")")
	n, _, ok := measured(strings.TrimSpace(opacity))
	return found && ok && n >= 0 && n < 0.02
}

// clipsAll reports whether a clip leaves nothing to see.
func clipsAll(value string) bool {
	value = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(value, " ", ""), ",", ""), "px", "") // each style asks: nothing is built
	switch value {
	case "rect(0000)", "rect(1111)", "rect(0000)auto", "rect(0101)", "rect(0)", "inset(50%)", "inset(100%)", "inset(0100%00)", "inset(00100%0)", "circle(0)", "circle(0%)", "polygon(000000)", "polygon(00000000)":
		return true
	}
	return false
}
