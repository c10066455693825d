package change

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/document/xmlscan"
	"github.com/helve-dev/helve/pkg/fault"
)

// replace puts a text in the place of a part of a paragraph. What both have in common at
// their ends stays as it is, and so does the format of the first run that changes.
func (c *changes) replace(p *paragraph, at, size int, text string) error {
	old := p.text[at : at+size]
	if c.gone[p] {
		return overlapping(old)
	}
	head, tail := commonEnds(old, text)
	from, to, text := at+head, at+size-tail, text[head:len(text)-tail]
	if from == to && text == "" {
		return nil
	}
	for _, other := range c.pending[p] {
		if from < other.to && to > other.from || from == other.from && to == other.to {
			return overlapping(p.text[from:to])
		}
	}
	first, err := p.first(from, to)
	if err != nil {
		return err
	}
	if c.pending[p] == nil {
		c.order = append(c.order, p)
	}
	c.pending[p] = append(c.pending[p], part{from, to, first, text})
	return nil
}

func overlapping(text string) error {
	return fault.New(fault.Overlap, fault.T("two edits change the same text: %q", clip(text))).
		WithHint(fault.T("make one edit of them"))
}

// finish writes the changes of parts of paragraphs.
func (c *changes) finish() error {
	for _, p := range c.order {
		parts := c.pending[p]
		slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
		after, at := "", 0
		for _, x := range parts {
			after += p.text[at:x.from] + x.text
			at = x.to
		}
		c.result.Changed = append(c.result.Changed, Changed{p.text, after + p.text[at:]})
		if c.Author == "" {
			c.direct(p, parts)
			continue
		}
		for _, x := range merged(p, parts) {
			if err := c.tracked(p, x.first, x.from, x.to, x.text); err != nil {
				return err
			}
		}
	}
	return nil
}

// merged joins changes that touch the same run: it is divided once.
func merged(p *paragraph, parts []part) (all []part) {
	for _, x := range parts {
		if n := len(all) - 1; n >= 0 && p.runAt(all[n].to, all[n].first) == p.pieces[x.first].run {
			all[n].text += p.text[all[n].to:x.from] + x.text
			all[n].to = x.to
			continue
		}
		all = append(all, x)
	}
	return all
}

// runAt returns the last run that a change up to an offset touches.
func (p *paragraph) runAt(to, first int) *xmlscan.Node {
	run := p.pieces[first].run
	for _, x := range p.pieces[first:] {
		if x.at < to {
			run = x.run
		}
	}
	return run
}

// commonEnds returns how many bytes two texts have in common at their ends: whole words, so
// that a change reads as one.
func commonEnds(a, b string) (head, tail int) {
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	for head > 0 && (head < len(a) && !utf8.RuneStart(a[head]) || head < len(b) && !utf8.RuneStart(b[head])) {
		head--
	}
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && (!utf8.RuneStart(a[len(a)-tail]) || !utf8.RuneStart(b[len(b)-tail])) {
		tail--
	}
	return head, tail
}

// first returns the piece in which a change begins.
func (p *paragraph) first(from, to int) (int, error) {
	first := -1
	for i, x := range p.pieces {
		if x.at+x.size < from || x.at > to {
			continue
		}
		inside := x.at < to && x.at+x.size > from
		if x.field && (inside || from == to && x.at < from && x.at+x.size > from) {
			return 0, fault.New(fault.UnsupportedContent, fault.T("%q comes from a field, which a program works out again", clip(p.text[x.at:x.at+x.size]))).
				WithHint(fault.T("change what the field refers to, or the text beside it"))
		}
		if x.plain && !x.field && (first < 0 || inside && (p.pieces[first].at+p.pieces[first].size <= from)) {
			first = i
		}
	}
	if first < 0 {
		return 0, fault.New(fault.UnsupportedContent, fault.T("there is no text at this place that could be changed: %q", clip(p.text))).
			WithHint(fault.T("take some of the text beside it into old_text"))
	}
	return first, nil
}

// direct changes the texts of runs.
func (c *changes) direct(p *paragraph, parts []part) {
	for i, x := range p.pieces {
		whole, at, end, touched := "", x.at, x.at+x.size, false
		for _, ch := range parts {
			put := ""
			if ch.first == i {
				put = ch.text
			} else if ch.from >= end || ch.to <= x.at {
				continue
			}
			touched = true
			whole += p.text[at:max(at, min(ch.from, end))] + put
			at = max(at, min(ch.to, end))
		}
		switch {
		case !touched:
		case !x.plain:
			c.splice(x.node.Start, x.node.End, "")
		default:
			c.splice(x.node.Start, x.node.End, c.texts(whole+p.text[at:end], "t"))
		}
	}
}

// texts returns a text as elements of a run: tabs and line breaks are elements of their own.
func (c *changes) texts(text, name string) string {
	w := c.prefix()
	var b strings.Builder
	start := 0
	flush := func(end int) {
		if end > start {
			b.WriteString("<" + w + name + ` xml:space="preserve">` + string(xmlscan.AppendEscaped(nil, text[start:end])) + "</" + w + name + ">")
		}
	}
	for i := range len(text) {
		switch text[i] {
		case '\t':
			flush(i)
			b.WriteString("<" + w + "tab/>")
			start = i + 1
		case '\n':
			flush(i)
			b.WriteString("<" + w + "br/>")
			start = i + 1
		}
	}
	flush(len(text))
	return b.String()
}

// properties returns the properties of a run, as they are written.
func (d *Document) properties(run *xmlscan.Node) string {
	if n := run.Child("w:rPr"); n != nil {
		return string(d.tree.Bytes(n))
	}
	return ""
}

// tracked changes a text so that both can be seen: runs are divided where it begins and ends.
func (c *changes) tracked(p *paragraph, first, from, to int, text string) error {
	w := c.prefix()
	added := ""
	if text != "" {
		added = "<" + w + "ins" + c.mark() + "><" + w + "r>" + c.properties(p.pieces[first].run) + c.texts(text, "t") + "</" + w + "r></" + w + "ins>"
	}
	var runs []*xmlscan.Node
	for i, x := range p.pieces {
		if i == first || x.at < to && x.at+x.size > from {
			if n := len(runs); n == 0 || runs[n-1] != x.run {
				runs = append(runs, x.run)
			}
		}
	}
	for _, run := range runs {
		if run.Name != "w:r" {
			return fault.New(fault.UnsupportedContent, fault.T("the text stands in an unusual place, where changes cannot be tracked")).
				WithHint(fault.T("leave out track"))
		}
		before, removed, after := c.divided(p, run, from, to)
		out := c.run(run, before)
		if removed != "" {
			out += "<" + w + "del" + c.mark() + ">" + c.run(run, removed) + "</" + w + "del>"
		}
		if run == p.pieces[first].run {
			out += added
		}
		c.splice(run.Start, run.End, out+c.run(run, after))
	}
	return nil
}

// run returns a run with other content; nothing if there is none.
func (c *changes) run(like *xmlscan.Node, content string) string {
	if content == "" {
		return ""
	}
	return string(c.tree.Tag(like)) + c.properties(like) + content + "</" + like.Raw + ">"
}

// divided returns the content of a run before, in and behind a part of its paragraph.
func (c *changes) divided(p *paragraph, run *xmlscan.Node, from, to int) (before, removed, after string) {
	at := 0
	for _, x := range p.pieces {
		if x.run == run {
			at = x.at
			break
		}
	}
	for _, n := range run.Children {
		if n.Name == "w:rPr" {
			continue
		}
		i := pieceOf(p, n)
		switch {
		case i < 0 && at <= from:
			before += string(c.tree.Bytes(n))
			continue
		case i < 0:
			after += string(c.tree.Bytes(n))
			continue
		}
		x := p.pieces[i]
		at = x.at + x.size
		start, end := min(max(from, x.at), at), max(min(to, at), x.at)
		if !x.plain {
			switch {
			case x.at < from:
				before += string(c.tree.Bytes(n))
			case x.at >= to:
				after += string(c.tree.Bytes(n))
			default:
				removed += string(c.tree.Bytes(n))
			}
			continue
		}
		before += c.texts(p.text[x.at:start], "t")
		if end > start {
			removed += c.texts(p.text[start:end], "delText")
		}
		after += c.texts(p.text[max(start, end):at], "t")
	}
	return before, removed, after
}

func pieceOf(p *paragraph, n *xmlscan.Node) int {
	for i, x := range p.pieces {
		if x.node == n {
			return i
		}
	}
	return -1
}

// rewrite replaces whole paragraphs and rows, which begin at an item, by lines.
func (c *changes) rewrite(at int, old, next []string) error {
	var items []*item
	for i := at; len(items) < len(old); i++ {
		if c.items[i].row == nil && strings.TrimSpace(c.items[i].text()) == "" {
			continue
		}
		items = append(items, &c.items[i])
	}
	head := 0
	for head < len(old) && head < len(next) && old[head] == next[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(next)-head && old[len(old)-1-tail] == next[len(next)-1-tail] {
		tail++
	}
	olds, news := items[head:len(items)-tail], next[head:len(next)-tail]
	for len(olds) > 0 && len(news) > 0 { // change what is there
		if err := c.reline(olds[0], news[0]); err != nil {
			return err
		}
		olds, news = olds[1:], news[1:]
		head++
	}
	for _, it := range olds {
		if err := c.remove(it); err != nil {
			return err
		}
	}
	if len(news) == 0 {
		return nil
	}
	if head == 0 {
		return fault.New(fault.InvalidArguments, fault.T("new_text does not begin with a paragraph or row of old_text")).
			WithHint(fault.T("put what is new behind a paragraph that stays"))
	}
	return c.insert(items[head-1], kindOf(next[head-1]), news)
}

// reline gives a paragraph or a row the text of a line.
func (c *changes) reline(it *item, line string) error {
	if it.row == nil {
		if isRow(line) {
			return kindDiffers()
		}
		p := it.cells[0][0]
		return c.replace(p, 0, len(p.text), plain(line))
	}
	cells := splitRow(line)
	if len(cells) != len(it.cells) {
		return kindDiffers()
	}
	for i, text := range cells {
		cell := it.cells[i]
		if strings.TrimSpace(cellText(cell)) == strings.TrimSpace(text) {
			continue
		}
		if len(cell) != 1 || len(cell[0].pieces) == 0 {
			return fault.New(fault.UnsupportedContent, fault.T("a cell of the row is empty or has several paragraphs")).
				WithHint(fault.T("change a paragraph of the cell by a part of its text"))
		}
		if err := c.replace(cell[0], 0, len(cell[0].text), text); err != nil {
			return err
		}
	}
	return nil
}

func kindDiffers() error {
	return fault.New(fault.InvalidArguments, fault.T("a row cannot take the place of a paragraph, or one with other cells that of a row")).
		WithHint(fault.T("give rows for rows, with as many cells"))
}

// removable refuses to take out a paragraph that has more than text.
func removable(p *paragraph) error {
	if p.fixed || p.node.Child("w:pPr").Child("w:sectPr") != nil {
		return fault.New(fault.UnsupportedContent, fault.T("the paragraph %q has more in it than text, such as a picture, a note, a field or a comment", clip(p.text))).
			WithHint(fault.T("change a part of its text, or take it out with the program that the document belongs to"))
	}
	return nil
}

// remove takes out a paragraph or a row.
func (c *changes) remove(it *item) error {
	node := it.row
	for _, cell := range it.cells {
		for _, p := range cell {
			if err := removable(p); err != nil {
				return err
			}
			if len(c.pending[p]) > 0 || c.gone[p] {
				return overlapping(p.text)
			}
			c.gone[p] = true
			if node == nil {
				node = p.node
			}
		}
	}
	c.result.Changed = append(c.result.Changed, Changed{Before: it.text()})
	if c.Author == "" {
		c.splice(node.Start, node.End, "")
		return nil
	}
	for _, cell := range it.cells {
		for _, p := range cell {
			if first, err := p.first(0, len(p.text)); err == nil {
				if err := c.tracked(p, first, 0, len(p.text), ""); err != nil {
					return err
				}
			}
			if it.row == nil {
				c.markEnd(p.node, "del")
			}
		}
	}
	if it.row != nil {
		c.markRow(it.row, "del")
	}
	return nil
}

// markEnd tracks that the end of a paragraph was deleted.
func (c *changes) markEnd(p *xmlscan.Node, what string) {
	w := c.prefix()
	mark := "<" + w + what + c.mark() + "/>"
	props := p.Child("w:pPr")
	switch {
	case props == nil:
		c.splice(p.Inner, p.Inner, "<"+w+"pPr><"+w+"rPr>"+mark+"</"+w+"rPr></"+w+"pPr>")
	case props.Inner == props.End: // <w:pPr/>
		c.splice(props.Start, props.End, "<"+w+"pPr><"+w+"rPr>"+mark+"</"+w+"rPr></"+w+"pPr>")
	case props.Child("w:rPr") == nil:
		at := props.Close
		if n := props.Child("w:pPrChange"); n != nil {
			at = n.Start
		}
		c.splice(at, at, "<"+w+"rPr>"+mark+"</"+w+"rPr>")
	case props.Child("w:rPr").Inner == props.Child("w:rPr").End:
		n := props.Child("w:rPr")
		c.splice(n.Start, n.End, "<"+w+"rPr>"+mark+"</"+w+"rPr>")
	default:
		at := props.Child("w:rPr").Inner
		c.splice(at, at, mark)
	}
}

// markRow tracks that a row was deleted.
func (c *changes) markRow(row *xmlscan.Node, what string) {
	w := c.prefix()
	mark := "<" + w + what + c.mark() + "/>"
	props := row.Child("w:trPr")
	switch {
	case props == nil:
		at := row.Inner
		if n := row.Child("w:tblPrEx"); n != nil {
			at = n.End
		}
		c.splice(at, at, "<"+w+"trPr>"+mark+"</"+w+"trPr>")
	case props.Inner == props.End:
		c.splice(props.Start, props.End, "<"+w+"trPr>"+mark+"</"+w+"trPr>")
	default:
		c.splice(props.Close, props.Close, mark)
	}
}
