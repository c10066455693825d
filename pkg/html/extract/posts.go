package extract

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// returnPosts puts the posts of a thread that the article lacks back into it, from the
// region: the reader view drops short answers among long ones. What is a post is known by
// its class alone, as it repeats, and as the article has some of it; on a page that is not
// known to be a thread, at least half.
func returnPosts(article, region *html.Node, thread bool) {
	class := lostClass(alikeIn(article), alikeIn(region), thread)
	if class == "" {
		return
	}
	posts := postsIn(region, class)
	units := make([]*html.Node, len(posts)) // before any of them moves
	for i, p := range posts {
		units[i] = unitOf(p, region, class)
	}
	kept := map[string]*html.Node{}
	for _, p := range postsIn(article, class) {
		unit := unitOf(p, article, class)
		for _, t := range texts(p) {
			kept[t.Data] = unit
		}
	}
	elsewhere := map[string]int{} // in the article
	count(article, elsewhere)
	var waiting []*html.Node // for a post after them that the article has
	var last *html.Node
	for i, p := range posts {
		said := longest(p)
		switch unit := kept[said]; {
		case unit != nil:
			for _, w := range waiting {
				dom.Remove(w)
				unit.Parent.InsertBefore(w, unit)
			}
			last, waiting = unit, nil
		case elsewhere[said] > 0 || units[i].Parent == nil: // it is there by another class, or is the region
		case last == nil:
			waiting = append(waiting, units[i])
		default:
			dom.Remove(units[i])
			last.Parent.InsertBefore(units[i], last.NextSibling)
			last = units[i]
		}
	}
}

// longest returns the longest text in n.
func longest(n *html.Node) string {
	text := ""
	for _, t := range texts(n) {
		if len(t.Data) > len(text) {
			text = t.Data
		}
	}
	return text
}

// alike counts the elements of a class that hold text.
type alike struct {
	parts, chars int
	prose        bool // one of them is prose
}

// alikeIn counts the elements of n by class.
func alikeIn(n *html.Node) map[string]alike {
	counts := map[string]alike{}
	measure(n, func(n *html.Node, t tally) {
		if class := dom.Attr(n, "class"); class != "" && t.chars > t.links {
			c := counts[class]
			counts[class] = alike{c.parts + 1, c.chars + t.chars - t.links, c.prose || t.prose > 0}
		}
	})
	return counts
}

// lostClass returns the class of the most text of which the article has some parts, or at
// least half, and lacks others, "" for none.
func lostClass(article, region map[string]alike, some bool) string {
	lost, most := "", 0
	for class, all := range region {
		has := article[class].parts
		if all.prose && 0 < has && has < all.parts && (some || 2*has >= all.parts && !placesParts(class)) && (all.chars > most || all.chars == most && class < lost) {
			lost, most = class, all.chars
		}
	}
	return lost
}

// placesParts reports whether a class says where parts of any kind stand beside each other.
func placesParts(class string) bool {
	return dom.ContainsAny(strings.ToLower(class), "container", "row", "col-", "column", "flex", "grid", "wrap")
}

// postsIn returns the outermost elements of a class that hold text, in order.
func postsIn(n *html.Node, class string) []*html.Node {
	var all []*html.Node
	for d := range n.Descendants() {
		if dom.Attr(d, "class") == class && (len(all) == 0 || !dom.Contains(all[len(all)-1], d)) && hasChars(d, 1) {
			all = append(all, d)
		}
	}
	return all
}

// unitOf returns the largest element that holds a post and no other one: the post with
// who wrote it, and when.
func unitOf(post, within *html.Node, class string) *html.Node {
	for post != within && post.Parent != within && holdsOne(post.Parent, class) {
		post = post.Parent
	}
	return post
}

// holdsOne reports whether n holds one post. It stops at the second.
func holdsOne(n *html.Node, class string) bool {
	var first *html.Node
	for d := range n.Descendants() {
		switch {
		case dom.Attr(d, "class") != class, first != nil && dom.Contains(first, d), !hasChars(d, 1):
		case first != nil:
			return false
		default:
			first = d
		}
	}
	return first != nil
}
