package parse

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sinceMarker returns the index after the last marker in the list of active
// formatting elements.
func (b *builder) sinceMarker() int {
	i := len(b.active)
	for i > 0 && b.active[i-1] != nil {
		i--
	}
	return i
}

// marks returns how many formatting elements may be opened again.
func (b *builder) marks() int { return len(b.active) - b.sinceMarker() }

func (b *builder) clearToMarker() {
	b.active = b.active[:max(0, b.sinceMarker()-1)]
}

func (b *builder) addMarker() { b.active = append(b.active, nil) }

// format inserts the element of a start tag and adds it to the list of active
// formatting elements, which has at most three that are alike (section 13.2.4.3).
func (b *builder) format(t *Token) {
	n := b.insert(t)
	alike, first := 0, 0
	for i := len(b.active) - 1; i >= 0 && b.active[i] != nil; i-- {
		if e := b.active[i]; e.DataAtom == n.DataAtom && sameAttributes(e.Attr, n.Attr) {
			alike, first = alike+1, i
		}
	}
	if alike >= 3 {
		b.active = slices.Delete(b.active, first, first+1)
	}
	b.active = append(b.active, n)
}

// sameAttributes reports whether both have the same attributes, in any order.
func sameAttributes(a, b []html.Attribute) bool {
	if len(a) != len(b) {
		return false
	}
	if slices.Equal(a, b) {
		return true
	}
	order := func(a, b html.Attribute) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Val, b.Val))
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, order)
	slices.SortFunc(b, order)
	return slices.Equal(a, b)
}

// reconstruct opens the active formatting elements again that are not open (section
// 13.2.4.3).
func (b *builder) reconstruct() {
	from := len(b.active)
	for from > 0 && b.active[from-1] != nil && b.depth(b.active[from-1]) < 0 {
		from--
	}
	for i := from; i < len(b.active); i++ {
		e := b.active[i]
		n := b.element(e.DataAtom, e.Data, e.Attr)
		b.push(n)
		b.active[i] = n
	}
}

// forget removes an element from the list of active formatting elements.
func (b *builder) forget(n *html.Node) {
	if i := slices.Index(b.active, n); i >= 0 {
		b.active = slices.Delete(b.active, i, i+1)
	}
}

// listed returns the index of an element in the list after the last marker; -1 for
// none.
func (b *builder) listed(n *html.Node) int {
	for i := len(b.active) - 1; i >= 0 && b.active[i] != nil; i-- {
		if b.active[i] == n {
			return i
		}
	}
	return -1
}

// lastFormatting returns the last active formatting element with a tag; nil for
// none.
func (b *builder) lastFormatting(tag atom.Atom) *html.Node {
	for i := len(b.active) - 1; i >= 0 && b.active[i] != nil; i-- {
		if b.active[i].DataAtom == tag {
			return b.active[i]
		}
	}
	return nil
}

// adopt is the adoption agency algorithm: it closes a formatting element around
// blocks, which keep its format for their content so far (section 13.2.6.4.7).
func (b *builder) adopt(t *Token) {
	if b.current(t.Atom) && !slices.Contains(b.active, b.top().node) {
		b.pop()
		return
	}
	for range 8 {
		mark := b.lastFormatting(t.Atom)
		if mark == nil {
			b.endOther(t)
			return
		}
		at := b.depth(mark)
		if at < 0 {
			b.forget(mark)
			return
		}
		for _, e := range b.stack[at+1:] {
			if e.traits&boundary != 0 {
				return // not in scope
			}
		}
		block := at + 1
		for block < len(b.stack) && b.stack[block].traits&special == 0 {
			block++
		}
		if block == len(b.stack) {
			b.stack = b.stack[:at]
			b.forget(mark)
			return
		}
		b.rehang(mark, at, block)
	}
}

// rehang moves the block, at the index block of the stack, out of mark, at the index
// at, and puts copies of the formatting elements between the block and its content.
func (b *builder) rehang(mark *html.Node, at, block int) {
	furthest := b.stack[block].node
	bookmark := b.listed(mark)
	last := furthest
	kept := block // the stack is kept from here on
	for i, steps := block-1, 1; i > at; i, steps = i-1, steps+1 {
		n := b.stack[i].node
		where := b.listed(n)
		if where >= 0 && steps > 3 {
			b.active = slices.Delete(b.active, where, where+1)
			if where < bookmark {
				bookmark--
			}
			where = -1
		}
		if where < 0 {
			continue // it leaves the stack
		}
		again := b.element(n.DataAtom, n.Data, n.Attr)
		b.active[where] = again
		kept--
		b.stack[kept] = opened(again)
		if last == furthest {
			bookmark = where + 1
		}
		move(last, place{parent: again})
		last = again
	}
	ancestor := b.stack[at-1]
	copied := b.element(mark.DataAtom, mark.Data, mark.Attr)
	// The element leaves the stack, with those that were not copied.
	b.stack = slices.Delete(b.stack, at, kept)
	move(last, b.placeIn(ancestor))
	for c := furthest.FirstChild; c != nil; c = furthest.FirstChild {
		move(c, place{parent: copied})
	}
	furthest.AppendChild(copied)
	b.active = slices.Insert(b.active, bookmark, copied)
	b.forget(mark)
	b.stack = slices.Insert(b.stack, b.depth(furthest)+1, opened(copied))
}

// move moves a node to another place.
func move(n *html.Node, to place) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
	to.put(n)
}
