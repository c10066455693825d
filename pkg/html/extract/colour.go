package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// colour is a colour, if it is known.
type colour struct {
	r, g, b int
	known   bool
	clear   bool // all of what is behind it shows
	painted bool // letters show in another way, too: by a shadow, or by the background in them
}

var (
	white = colour{r: 255, g: 255, b: 255, known: true}
	glass = colour{clear: true}
)

// like reports whether two colours look the same.
func (c colour) like(o colour) bool {
	near := func(a, b int) bool { return a-b <= sameColour && b-a <= sameColour }
	return near(c.r, o.r) && near(c.g, o.g) && near(c.b, o.b)
}

// ink returns the colour in which an element writes, in one that writes in before. What
// a sheet at another address says of a class is not known.
func (c *concealer) ink(n *html.Node, d declarations, before colour) colour {
	before.painted = before.painted || d.set("text-shadow", "background-clip", "-webkit-background-clip")
	unknown := colour{painted: before.painted}
	value := d["color"]
	if fill := d["-webkit-text-fill-color"]; fill != "" {
		value = fill
	}
	switch {
	case d.set("background-clip", "-webkit-background-clip"): // the letters show the background
		return unknown
	case value == "" && dom.Has(n, "color"):
		value = dom.Attr(n, "color")
	case value == "" && c.sheet.foreign && dom.Has(n, "class"):
		return unknown
	case value == "" && dom.Is(n, atom.A, atom.Button, atom.Mark): // have colours of their own
		return unknown
	case value == "", value == "inherit":
		return before
	}
	at := colourOf(value)
	at.painted = before.painted
	return at
}

// background returns the colour behind an element, in one that is before another.
func (c *concealer) background(n *html.Node, d declarations, before colour) colour {
	value := d["background-color"]
	if value == "" {
		value = d["background"]
	}
	switch {
	case d.set("background-image"), strings.Contains(value, "url("), strings.Contains(value, "gradient"):
		return colour{}
	case value == "" && dom.Has(n, "bgcolor"):
		value = dom.Attr(n, "bgcolor")
	case dom.Has(n, "background"):
		return colour{}
	case value == "" && c.sheet.foreign && (dom.Has(n, "class") || dom.Has(n, "id")):
		return colour{}
	case value == "", value == "none", value == "transparent", value == "inherit", value == "initial":
		return before
	}
	if at := colourOf(value); !at.clear {
		return at
	}
	return before
}

// colourOf reads a colour as CSS and HTML write it: #rgb, #rrggbb, rgb(…) or a common name.
// A colour that lets others through in part is not known.
func colourOf(value string) colour {
	value = strings.ToLower(strings.TrimSpace(value))
	if isClear(value) {
		return glass
	}
	if hex, ok := strings.CutPrefix(value, "#"); ok {
		if len(hex) == 3 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil || len(hex) != 6 {
			return colour{}
		}
		return colour{r: int(n >> 16), g: int(n >> 8 & 0xff), b: int(n & 0xff), known: true}
	}
	if inner, ok := strings.CutPrefix(value, "rgb"); ok {
		inner = strings.Trim(strings.TrimPrefix(inner, "a"), "() ")
		parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
		if len(parts) < 3 || len(parts) > 3 && parts[3] != "1" && parts[3] != "100%" {
			return colour{}
		}
		var n [3]int
		for i := range n {
			v, err := strconv.Atoi(parts[i])
			if err != nil || v < 0 || v > 255 {
				return colour{}
			}
			n[i] = v
		}
		return colour{r: n[0], g: n[1], b: n[2], known: true}
	}
	switch value {
	case "white":
		return white
	case "black":
		return colour{r: 0, g: 0, b: 0, known: true}
	case "red":
		return colour{r: 255, g: 0, b: 0, known: true}
	case "blue":
		return colour{r: 0, g: 0, b: 255, known: true}
	case "yellow":
		return colour{r: 255, g: 255, b: 0, known: true}
	case "gray", "grey":
		return colour{r: 128, g: 128, b: 128, known: true}
	case "silver":
		return colour{r: 192, g: 192, b: 192, known: true}
	case "navy":
		return colour{r: 0, g: 0, b: 128, known: true}
	case "snow":
		return colour{r: 255, g: 250, b: 250, known: true}
	case "ivory":
		return colour{r: 255, g: 255, b: 240, known: true}
	case "whitesmoke":
		return colour{r: 245, g: 245, b: 245, known: true}
	}
	return colour{}
}

// isClear reports whether a colour shows nothing but what is behind it.
func isClear(value string) bool {
	if value == "transparent" {
		return true
	}
	if hex, ok := strings.CutPrefix(value, "#"); ok {
		return len(hex) == 4 && hex[3] == '0' || len(hex) == 8 && hex[6:] == "00"
	}
	if !strings.HasPrefix(value, "rgb") && !strings.HasPrefix(value, "hsl") {
		return false
	}
	_, inner, _ := strings.Cut(value, "(")
	parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' || r == '/' || r == ')' })
	if len(parts) != 4 {
		return false
	}
	opacity, err := strconv.ParseFloat(strings.TrimSuffix(parts[3], "%"), 64)
	return err == nil && opacity == 0
}
