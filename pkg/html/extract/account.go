package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// The limits of [pruner.isBoilerplate] bound each removal. These bound all that go for
// their names, by the share of the prose of the page that they have together.
const (
	shareRepeated = 0.15 // from which on parts of one shape are content, such as its sections
	shareTogether = 0.3  // from which on the largest of the others are
	fewestAlike   = 3    // parts of one shape that are repeated
)

// shape groups the parts that go for the same reason: elements of one tag and class,
// numbers apart.
type shape struct {
	tag  atom.Atom
	mark string
}

func shapeOf(n *html.Node) shape {
	mark := dom.Attr(n, "class")
	if mark == "" {
		mark = dom.Attr(n, "id")
	}
	return shape{n.DataAtom, strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, mark[:min(len(mark), kindBytes)])}
}

// group is the removed parts of one shape.
type group struct {
	shape        shape
	parts, prose int
}

// settle puts the largest groups of removed parts back if all of them together have too
// much of the prose of the page, or of the part of it that its author marked as the main one.
func (p *pruner) settle(body *html.Node) {
	all, sum := p.prose, 0
	main := dom.First(body, atom.Main)
	if main == nil {
		main = body
	} else {
		all = p.tallies[main].prose
	}
	groups := map[shape]group{}
	for _, r := range p.removed {
		if prose := p.tallies[r.node].prose; prose > 0 && p.goesByName(r.node) && dom.Contains(main, r.parent) {
			sum += prose
			g := groups[shapeOf(r.node)]
			groups[shapeOf(r.node)] = group{shapeOf(r.node), g.parts + 1, g.prose + prose}
		}
	}
	back := map[shape]bool{}
	for _, limit := range [...]struct {
		alike int
		share float64
	}{{fewestAlike, shareRepeated}, {1, shareTogether}} {
		for _, g := range slices.SortedFunc(maps.Values(groups), bySize) {
			if float64(sum) <= limit.share*float64(all) {
				break
			}
			if g.parts >= limit.alike && !back[g.shape] {
				back[g.shape] = true
				sum -= g.prose
			}
		}
	}
	if len(back) > 0 {
		p.removed.undo(func(r removal) bool {
			return !back[shapeOf(r.node)] || !p.goesByName(r.node) || !dom.Contains(main, r.parent)
		})
	}
}

// bySize sorts the largest group first.
func bySize(a, b group) int {
	return cmp.Or(cmp.Compare(b.prose, a.prose), strings.Compare(a.shape.mark, b.shape.mark), cmp.Compare(a.shape.tag, b.shape.tag))
}

// goesByName reports whether little but the name of a removed part says that it is
// boilerplate: no tag or role does, and it is neither a foot nor a notice of the site.
func (p *pruner) goesByName(n *html.Node) bool {
	return (!surrounds(n) || n.DataAtom == atom.Aside) && p.role(n)&(p.out|unseen|placed|notice) == 0
}
