package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// colour is a colour, if it is known.
type colour struct {
	r, g, b int
	known   bool
}

var white = colour{255, 255, 255, true}

// like reports whether two colours look the same.
func (c colour) like(o colour) bool {
	near := func(a, b int) bool { return a-b <= sameColour && b-a <= sameColour }
	return near(c.r, o.r) && near(c.g, o.g) && near(c.b, o.b)
}

// ink returns the colour in which an element writes, in one that writes in before. What
// a sheet at another address says of a class is not known.
func (c *concealer) ink(n *html.Node, d declarations, before colour) colour {
	value := d["color"]
	if fill := d["-webkit-text-fill-color"]; fill != "" {
		value = fill
	}
	switch {
	case d.set("background-clip", "-webkit-background-clip"): // the letters show the background
		return colour{}
	case value == "" && dom.Has(n, "color"):
		value = dom.Attr(n, "color")
	case value == "" && c.sheet.foreign && dom.Has(n, "class"):
		return colour{}
	case value == "" && dom.Is(n, atom.A, atom.Button, atom.Mark): // have colours of their own
		return colour{}
	case value == "", value == "inherit":
		return before
	}
	return colourOf(value)
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
	return colourOf(value)
}

// colourOf reads a colour as CSS and HTML write it: #rgb, #rrggbb, rgb(…) or a common name.
// A colour that lets others through is not known.
func colourOf(value string) colour {
	value = strings.ToLower(strings.TrimSpace(value))
	if hex, ok := strings.CutPrefix(value, "#"); ok {
		if len(hex) == 3 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil || len(hex) != 6 {
			return colour{}
		}
		return colour{int(n >> 16), int(n >> 8 & 0xff), int(n & 0xff), true}
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
		return colour{n[0], n[1], n[2], true}
	}
	switch value {
	case "white":
		return white
	case "black":
		return colour{0, 0, 0, true}
	case "red":
		return colour{255, 0, 0, true}
	case "blue":
		return colour{0, 0, 255, true}
	case "yellow":
		return colour{255, 255, 0, true}
	case "gray", "grey":
		return colour{128, 128, 128, true}
	case "silver":
		return colour{192, 192, 192, true}
	case "navy":
		return colour{0, 0, 128, true}
	case "snow":
		return colour{255, 250, 250, true}
	case "ivory":
		return colour{255, 255, 240, true}
	case "whitesmoke":
		return colour{245, 245, 245, true}
	}
	return colour{}
}
