package extract

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// removal remembers where a part of the page was.
type removal struct{ node, parent, before *html.Node }

// removals are the removed parts, in the order of their removal.
type removals []removal

func (r *removals) remove(n *html.Node) {
	*r = append(*r, removal{n, n.Parent, n.NextSibling})
	n.Parent.RemoveChild(n)
}

// undo puts every part back except those that stay away.
func (r *removals) undo(stays func(removal) bool) {
	for _, one := range slices.Backward(*r) {
		one.parent.InsertBefore(one.node, one.before)
	}
	var still removals
	for _, one := range *r {
		if stays(one) {
			still.remove(one.node)
		}
	}
	*r = still
}

// nothing stays away.
func nothing(removal) bool { return false }

// restoreWithin puts back what was removed from within n, if that makes n worth
// reading, and reports whether it does.
func (p *pruner) restoreWithin(n *html.Node) bool {
	if p.tallies[n].chars < minContent {
		return false
	}
	p.removed.undo(func(r removal) bool { return !dom.Contains(n, r.parent) || p.role(r.node)&unseen != 0 })
	return true
}

// restoreLargest puts back the largest part that was removed for its name alone,
// if that makes the page worth reading, and reports whether it does.
func (p *pruner) restoreLargest() bool {
	var largest *html.Node
	most := 0
	for _, r := range p.removed {
		t := p.tallies[r.node]
		// Text outside links belongs to this page, and menus have no headings.
		if own := t.chars - t.links + entryChars*t.headings; t.chars >= minContent && own > most && !p.surelyBoilerplate(r.node) {
			largest, most = r.node, own
		}
	}
	if largest == nil {
		return false
	}
	p.removed.undo(func(r removal) bool { return r.node != largest })
	return true
}

// entryChars is the number of characters that the heading of an entry counts for.
const entryChars = 40

// surelyBoilerplate reports whether more than the name of a part shows that it is
// boilerplate.
func (p *pruner) surelyBoilerplate(n *html.Node) bool {
	return dom.Is(n, atom.Nav, atom.Header, atom.Footer) || dom.Has(n, "role") || p.role(n)&(unseen|placed) != 0
}

// remarks returns how many characters outside of links were removed as what readers or
// buyers wrote.
func (p *pruner) remarks() int {
	sum := 0
	for _, r := range p.removed {
		if p.role(r.node)&p.out&(remarks|reviews) != 0 {
			sum += p.tallies[r.node].chars - p.tallies[r.node].links
		}
	}
	return sum
}
