package odf

import (
	"github.com/helve-dev/helve/pkg/document/xmlscan"
)

// list is a list with those within it: they share their numbers.
type list struct {
	style  *listStyle
	name   string // of the style
	counts *counters
}

// item is an item that is being read.
type item struct {
	of      *list
	level   int // from 0
	start   *int
	header  bool // it has no number
	counted bool
	nested  bool // it had a list within
	label   string
}

// list reads the list that just began.
func (r *reader) list(p place) {
	name := r.s.String("text:style-name")
	continues := r.s.String("text:continue-numbering") == "true"
	level := 0
	l := &list{name: name}
	if outer := p.item; outer != nil {
		level = outer.level + 1
		l.counts = outer.of.counts
		if name == "" {
			l.name, l.style = outer.of.name, outer.of.style
		}
		if outer.nested && !continues && level < maxLevels {
			l.counts[level].begun = false
		}
		outer.nested = true
	} else if before := r.lists[r.s.String("text:continue-list")]; before != nil {
		l.counts = before.counts
		if name == "" {
			l.name = before.name
		}
	} else if before := r.lastLists[name]; continues && before != nil {
		l.counts = before.counts
	}
	if l.counts == nil {
		l.counts = &counters{}
	}
	if l.style == nil {
		l.style = r.styles.lists[l.name]
	}
	if level == 0 && len(r.lists) < maxStyles && len(r.lastLists) < maxStyles {
		r.lastLists[l.name] = l
		if id := r.s.String("xml:id"); id != "" {
			r.lists[id] = l
		}
	}
	for depth := r.s.Depth(); !r.done(); {
		k := r.s.Next()
		if k == xmlscan.EOF || k == xmlscan.End && r.s.Depth() < depth {
			return
		}
		if k != xmlscan.Start {
			continue
		}
		it := &item{of: l, level: level}
		switch r.s.Name() {
		case "text:list-header":
			it.header = true
		case "text:list-item":
			if n, ok := r.s.Int("text:start-value"); ok {
				it.start = &n
			}
		default:
			r.block(p) // a mark of a change
			continue
		}
		within := p
		within.item = it
		r.blocks(within)
	}
}

// numbered reads a paragraph that is a list by itself.
func (r *reader) numbered(p place) {
	id := r.s.String("text:list-id")
	level, _ := r.s.Int("text:level")
	l := r.lists[id]
	if l == nil {
		l = &list{name: r.s.String("text:style-name"), counts: &counters{}}
		l.style = r.styles.lists[l.name]
		if len(r.lists) < maxStyles {
			r.lists[id] = l
		}
	}
	it := &item{of: l, level: max(level-1, 0)}
	if n, ok := r.s.Int("text:start-value"); ok {
		it.start = &n
	}
	p.item = it
	r.blocks(p)
}

// count numbers the item, once, and returns its label.
func (i *item) count() string {
	if i.counted {
		return i.label
	}
	i.counted = true
	if i.header {
		return ""
	}
	level := min(i.level, maxLevels-1)
	if l := i.of.style; l == nil || !l.levels[level].bullet {
		i.of.counts.next(l, level, i.start)
	}
	i.label = i.of.counts.label(i.of.style, level)
	return i.label
}

// block returns a paragraph of the item.
func (i *item) block(text string) block {
	if i.counted {
		return block{what: innerBlock, level: i.level, text: text}
	}
	label := i.count()
	if label == "" {
		return block{what: innerBlock, level: i.level, text: text}
	}
	return block{what: itemBlock, level: i.level, label: label, text: text}
}
