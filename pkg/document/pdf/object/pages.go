package object

import (
	"iter"
	"math"
)

// Limits of the tree of pages.
const (
	maxPages     = 200_000
	maxPageDepth = 64
	maxContents  = 10_000 // streams of one page
	nodeWork     = 256    // bytes of maxWork that a node counts as
)

// Page is a page with what it inherits: 7.7.3.
type Page struct {
	Number    int // from 1
	Ref       Ref // zero where the tree holds the page itself
	Dict      Dict
	Resources Dict
	MediaBox  Rect
	CropBox   Rect // the part of MediaBox that is shown
	Rotate    int  // 0, 90, 180 or 270, clockwise
}

// Rect is a rectangle in points: X0 <= X1 and Y0 <= Y1.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// leaf is a page that was found in the tree.
type leaf struct {
	value     Value // the reference, or the dictionary itself
	inherited *inherited
	unseen    bool // its object was not looked at
}

// inherited holds the attributes that pages inherit from the nodes above them.
type inherited struct{ resources, mediaBox, cropBox, rotate Value }

// Pages iterates over the pages. Pages that nobody asks for cost little.
func (f *File) Pages() iter.Seq[*Page] {
	return func(yield func(*Page) bool) {
		for n := 1; n <= f.PageCount(); n++ {
			if !yield(f.Page(n)) {
				return
			}
		}
	}
}

// PageCount returns how many pages there are. It walks their tree once, whose own count it
// believes where a node claims as many pages as it has children.
func (f *File) PageCount() int {
	if f.walked {
		return len(f.leaves)
	}
	f.walked = true
	f.walkPages()
	if (f.missing || len(f.leaves) == 0) && f.Repair() {
		f.walkPages()
	}
	if loose := f.scanned.pages; f.missing && len(loose) > len(f.leaves) || len(f.leaves) == 0 {
		f.leaves = nil
		for _, ref := range loose {
			f.leaves = append(f.leaves, leaf{value: ref})
		}
	}
	return len(f.leaves)
}

func (f *File) walkPages() {
	f.leaves, f.missing = nil, false
	f.walk(f.Dict(f.trailer["Root"])["Pages"], &inherited{}, make(map[int]bool), 0)
}

// walk adds the pages below a node. A node that is met again is left out: the tree has a
// cycle, or pretends to be larger than it is. Nodes without a number cannot be recognised
// again, so each counts as work.
func (f *File) walk(v Value, from *inherited, seen map[int]bool, depth int) {
	f.work += nodeWork
	node := f.Dict(v)
	kids := f.Array(node["Kids"])
	kind := f.Name(node["Type"])
	switch {
	case node == nil:
		f.missing = true
		return
	case kids == nil || kind == "Page":
		if kind != "Pages" && kind != "Catalog" && len(f.leaves) < maxPages {
			f.leaves = append(f.leaves, leaf{value: v, inherited: from})
		}
		return
	case depth > maxPageDepth:
		return
	}
	if ref, ok := v.(Ref); ok {
		if seen[ref.Num] {
			return
		}
		seen[ref.Num] = true
	}
	below := from.with(node)
	all := f.allPages(node, kids)
	for _, kid := range kids {
		if all && len(f.leaves) < maxPages {
			f.leaves = append(f.leaves, leaf{kid, below, true})
			continue
		}
		if len(f.leaves) >= maxPages || f.Exhausted() {
			return
		}
		f.walk(kid, below, seen, depth+1)
	}
}

// allPages reports whether the children of a node are pages, each one: then they need not be
// looked at to be counted. The first and the last one must be, as some writers count the
// children where they should count pages.
func (f *File) allPages(node Dict, kids Array) bool {
	count, ok := f.Int(node["Count"])
	if f.rebuilt || !ok || count != int64(len(kids)) || len(kids) < 3 {
		return false
	}
	isPage := func(v Value) bool { return f.Name(f.Dict(v)["Type"]) == "Page" }
	return isPage(kids[0]) && isPage(kids[len(kids)-1]) && !f.rebuilt
}

// only descends from a child that counts as one page to that page, and returns it with the
// attributes that it inherits.
func (f *File) only(at leaf) leaf {
	for depth := 0; at.unseen && depth < maxPageDepth; depth++ {
		node := f.Dict(at.value)
		kids := f.Array(node["Kids"])
		if len(kids) == 0 || f.Name(node["Type"]) == "Page" {
			break
		}
		at = leaf{kids[0], at.inherited.with(node), true}
	}
	return at
}

// with returns what the children of a node inherit.
func (from *inherited) with(node Dict) *inherited {
	return &inherited{
		first(node["Resources"], from.resources), first(node["MediaBox"], from.mediaBox),
		first(node["CropBox"], from.cropBox), first(node["Rotate"], from.rotate),
	}
}

// first returns a unless it is nil, else b.
func first(a, b Value) Value {
	if a != nil {
		return a
	}
	return b
}

// Page returns a page by its number, from 1; nil if there is none.
func (f *File) Page(n int) *Page {
	if n < 1 || n > f.PageCount() {
		return nil
	}
	at := f.only(f.leaves[n-1])
	p := &Page{Number: n, Dict: f.Dict(at.value)}
	if p.Dict == nil && f.Repair() {
		p.Dict = f.Dict(at.value)
	}
	p.Ref, _ = at.value.(Ref)
	from := at.inherited
	if from == nil {
		from = f.climb(p.Dict)
	}
	p.Resources = f.Dict(first(p.Dict["Resources"], from.resources))
	p.MediaBox = f.Rect(first(p.Dict["MediaBox"], from.mediaBox))
	if p.MediaBox == (Rect{}) {
		p.MediaBox = Rect{0, 0, 612, 792} // as other readers do
	}
	p.CropBox = f.Rect(first(p.Dict["CropBox"], from.cropBox)).intersect(p.MediaBox)
	if p.CropBox == (Rect{}) {
		p.CropBox = p.MediaBox
	}
	turn, _ := f.Int(first(p.Dict["Rotate"], from.rotate))
	p.Rotate = int((turn/90*90%360 + 360) % 360)
	return p
}

// climb returns what a page inherits that no tree has led to.
func (f *File) climb(d Dict) *inherited {
	var from inherited
	for range maxPageDepth {
		if d = f.Dict(d["Parent"]); d == nil {
			break
		}
		from = inherited{
			first(from.resources, d["Resources"]), first(from.mediaBox, d["MediaBox"]),
			first(from.cropBox, d["CropBox"]), first(from.rotate, d["Rotate"]),
		}
	}
	return &from
}

// PageNumber returns the number of the page that v is or refers to, 0 if it is none.
func (f *File) PageNumber(v Value) int {
	ref, ok := v.(Ref)
	if !ok {
		return 0
	}
	if f.numbers == nil {
		f.numbers = make(map[int]int, f.PageCount())
		for i, at := range f.leaves {
			if ref, ok := at.value.(Ref); ok && f.numbers[ref.Num] == 0 {
				f.numbers[ref.Num] = i + 1
			}
		}
	}
	for range maxPageDepth {
		if n := f.numbers[ref.Num]; n > 0 {
			return n
		}
		if ref, ok = f.Dict(ref)["Parent"].(Ref); !ok { // the node may be counted as one page
			break
		}
	}
	return 0
}

// Contents returns the content of a page, its streams one after the other. With an error,
// it returns the data decoded before.
func (f *File) Contents(p *Page) ([]byte, error) {
	switch v := f.Resolve(p.Dict["Contents"]).(type) {
	case *Stream:
		data, _, err := f.Data(v)
		return data, err
	case Array:
		var all []byte
		var failed error
		if len(v) > maxContents {
			failed = errLarge
		}
		for _, part := range v[:min(len(v), maxContents)] {
			data, _, err := f.Data(f.Stream(part))
			if err != nil {
				failed = err
			}
			if len(all)+len(data) > maxInflate {
				return all, errLarge
			}
			all = append(append(all, data...), '\n') // words end where streams do
		}
		return all, failed
	}
	return nil, nil
}

// Rect returns the rectangle that v is or refers to: 7.9.5. It is zero if there is none, or
// if it is empty.
func (f *File) Rect(v Value) Rect {
	a := f.Array(v)
	if len(a) < 4 {
		return Rect{}
	}
	var n [4]float64
	for i := range n {
		x, ok := f.Number(a[i])
		if !ok || math.Abs(x) > 1e9 {
			return Rect{}
		}
		n[i] = x
	}
	return Rect{min(n[0], n[2]), min(n[1], n[3]), max(n[0], n[2]), max(n[1], n[3])}.intersect(Rect{-1e9, -1e9, 1e9, 1e9})
}

// intersect returns what is in both, zero if nothing is.
func (r Rect) intersect(s Rect) Rect {
	r = Rect{max(r.X0, s.X0), max(r.Y0, s.Y0), min(r.X1, s.X1), min(r.Y1, s.Y1)}
	if r.X0 >= r.X1 || r.Y0 >= r.Y1 {
		return Rect{}
	}
	return r
}
