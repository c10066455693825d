package change

import (
	"strings"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// insert puts lines behind an item, which is shown as a kind: those of the same kind with its
// format, and text without one.
func (c *changes) insert(like *item, kind string, news []string) error {
	at := like.cells[0][0].node.End
	if like.row != nil {
		at = like.row.End
	}
	var b strings.Builder
	for _, line := range news {
		if like.row == nil {
			own, format := kindOf(line), like.cells[0][0]
			switch {
			case isRow(line):
				return kindDiffers()
			case own != kind && own != "":
				return fault.New(fault.InvalidArguments, fault.T("%q has another mark than the paragraph before it", clip(line))).
					WithHint(fault.T("put it behind a paragraph with that mark, or leave the mark out for plain text"))
			case own != kind:
				format = &paragraph{node: &xmlscan.Node{}}
			}
			text := plain(line)
			b.WriteString(c.newParagraph(format, text, true))
			c.result.Changed = append(c.result.Changed, Changed{After: text})
			continue
		}
		cells := splitRow(line)
		if len(cells) != len(like.cells) {
			return kindDiffers()
		}
		b.WriteString(c.newRow(like, cells))
		c.result.Changed = append(c.result.Changed, Changed{After: line})
	}
	c.splice(at, at, b.String())
	return nil
}

// newParagraph returns a paragraph with the format of another one.
func (c *changes) newParagraph(like *paragraph, text string, marked bool) string {
	w := c.prefix()
	var props strings.Builder
	if n := like.node.Child("w:pPr"); n != nil {
		for _, child := range n.Children {
			switch child.Name {
			case "w:rPr", "w:sectPr", "w:pPrChange":
			default:
				props.Write(c.tree.Bytes(child))
			}
		}
	}
	format := ""
	if len(like.pieces) > 0 {
		format = c.properties(like.pieces[0].run)
	}
	run := ""
	if text != "" {
		run = "<" + w + "r>" + format + c.texts(text, "t") + "</" + w + "r>"
	}
	if c.Author != "" {
		if run != "" {
			run = "<" + w + "ins" + c.mark() + ">" + run + "</" + w + "ins>"
		}
		if marked {
			props.WriteString("<" + w + "rPr><" + w + "ins" + c.mark() + "/></" + w + "rPr>")
		}
	}
	out := "<" + w + "p>"
	if props.Len() > 0 {
		out += "<" + w + "pPr>" + props.String() + "</" + w + "pPr>"
	}
	return out + run + "</" + w + "p>"
}

// newRow returns a row with the format of another one.
func (c *changes) newRow(like *item, cells []string) string {
	w := c.prefix()
	var b strings.Builder
	b.WriteString("<" + w + "tr>")
	mark := ""
	if c.Author != "" {
		mark = "<" + w + "ins" + c.mark() + "/>"
	}
	if n := like.row.Child("w:trPr"); n != nil {
		b.WriteString("<" + w + "trPr>")
		for _, child := range n.Children {
			switch child.Name {
			case "w:ins", "w:del", "w:trPrChange", "w:tblHeader":
			default:
				b.Write(c.tree.Bytes(child))
			}
		}
		b.WriteString(mark + "</" + w + "trPr>")
	} else if mark != "" {
		b.WriteString("<" + w + "trPr>" + mark + "</" + w + "trPr>")
	}
	i := 0
	like.row.Walk(func(n *xmlscan.Node) bool {
		if n.Name != "w:tc" {
			return true
		}
		b.WriteString("<" + w + "tc>")
		if props := n.Child("w:tcPr"); props != nil {
			b.Write(c.tree.Bytes(props))
		}
		p := &paragraph{node: &xmlscan.Node{}}
		if len(like.cells[i]) > 0 {
			p = like.cells[i][0]
		}
		b.WriteString(c.newParagraph(p, cells[i], false) + "</" + w + "tc>")
		i++
		return false
	})
	b.WriteString("</" + w + "tr>")
	return b.String()
}
