package extract

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/web/dom"
)

// removal remembers where a part of the page was.
type removal struct{ node, parent, before *html.Node }

// removals remember what was removed, in the order in which it was.
type removals []removal

func (r *removals) remove(n *html.Node) {
	*r = append(*r, removal{n, n.Parent, n.NextSibling})
	n.Parent.RemoveChild(n)
}

// undo puts everything back, except what is to stay away.
func (r *removals) undo(stays func(removal) bool) {
	for _, one := range slices.Backward(*r) {
		one.parent.InsertBefore(one.node, one.before)
	}
	for _, one := range *r {
		if stays(one) {
			dom.Remove(one.node)
		}
	}
	*r = nil
}

// nothing stays away.
func nothing(removal) bool { return false }

// restore puts back what was removed from within n, if that makes n worth
// reading, and reports whether it does.
func (p *pruner) restore(n *html.Node) bool {
	if p.tallies[n].chars < tooLittle {
		return false
	}
	p.removed.undo(func(r removal) bool { return !dom.Contains(n, r.parent) || p.role(r.node)&unseen != 0 })
	return true
}

// house puts back the largest part that was taken for furniture by its name
// alone, if that makes the page worth reading, and reports whether it does.
func (p *pruner) house() bool {
	var largest *html.Node
	most := 0
	for _, r := range p.removed {
		t := p.tallies[r.node]
		// what is no link is said here, and menus have no headings
		if said := t.chars - t.links + entryChars*t.headings; t.chars >= tooLittle && said > most && !p.isFurniture(r.node) {
			largest, most = r.node, said
		}
	}
	if largest == nil {
		return false
	}
	p.removed.undo(func(r removal) bool { return r.node != largest })
	return true
}

// entryChars is how many characters the heading of an entry counts for.
const entryChars = 40

// isFurniture reports whether a part says by more than its name that it is no
// content.
func (p *pruner) isFurniture(n *html.Node) bool {
	return dom.Is(n, atom.Nav, atom.Header, atom.Footer) || dom.Has(n, "role") || p.role(n)&(unseen|placed) != 0
}
