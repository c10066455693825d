package extract

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/helve-dev/helve/pkg/html/dom"
)

// noun names the parts of a page that are many of a kind.
type noun uint8

// The nouns.
const (
	_ noun = iota
	Cards
	Questions
	Answers
	Comments
	Reviews
	Posts
	nouns
)

// Left counts the parts of one kind that are not in the content.
type Left struct {
	Of    noun
	Count int
}

// nounOf returns what the class of n calls it.
func (r *reader) nounOf(n *html.Node) noun {
	class := dom.Attr(n, "class")
	if class == "" || len(class) > kindBytes {
		return 0
	}
	named, known := r.nouns[class]
	if !known {
		named = nounIn(class)
		r.nouns[class] = named
	}
	return named
}

// nounIn returns the noun of the last class that is one, or ends in one: a part of a
// card, such as card-body, is none.
func nounIn(class string) noun {
	var named noun
	for word := range strings.FieldsSeq(strings.ToLower(class)) {
		last := word[strings.LastIndexAny(word, "-_")+1:]
		switch last {
		case "card", "tile":
			named = Cards
		case "question", "faq":
			named = Questions
		case "answer":
			named = Answers
		case "comment", "reply":
			named = Comments
		case "review", "testimonial":
			named = Reviews
		case "post", "message":
			named = Posts
		}
	}
	return named
}

// left lists the named parts of which the content has nothing, where several are of a kind,
// the most frequent first.
func (l *loss) left() []Left {
	var counts [nouns]int
	for _, e := range l.entries {
		if e.kept == 0 && e.missing > 0 {
			counts[e.noun]++
		}
	}
	var all []Left
	for named, count := range counts {
		if count >= fewestAlike {
			all = append(all, Left{noun(named), count})
		}
	}
	slices.SortStableFunc(all, func(a, b Left) int { return cmp.Compare(b.Count, a.Count) })
	return all
}
