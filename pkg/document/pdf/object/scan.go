package object

import "bytes"

// Limits of looking for objects.
const (
	scanStep  = 1 << 20
	scanBack  = 32      // "4294967295 65535 obj", with some space
	scanLimit = 1 << 20 // of one object, without the bytes of its stream
)

// scanned holds the results of a scan of a file, besides its entries.
type scanned struct {
	packs   []int // object streams, in the order of the file
	catalog Ref
	pages   []Ref // each once
	isPage  map[int]bool
	encrypt Ref
}

// scan finds the objects of a file without its tables: "N G obj", wherever it is written.
// Of two with the same number, the later one counts, as it is an update.
func (f *File) scan() {
	f.rebuilt, f.base = true, 0
	f.entries = make(map[int]entry)
	f.cache, f.packs = nil, nil
	f.scanned = scanned{isPage: make(map[int]bool)}
	found := Dict{} // the trailer
	for at := int64(0); at < f.source.size && !f.Exhausted(); {
		back := min(at, scanBack)
		w := f.source.window(at-back, back+scanStep+scanBack)
		w = w[:min(int64(len(w)), back+scanStep+scanBack)]
		f.work += int64(len(w)) / 4 // searching is quicker than reading objects
		end := f.scanWindow(w, at-back, int(back), found)
		at = max(end, at+scanStep)
	}
	for key, value := range f.trailer { // what was read before the tables went wrong
		if found[key] == nil {
			found[key] = value
		}
	}
	f.trailer = found
	if found["Encrypt"] == nil && f.scanned.encrypt.Num > 0 && found["Root"] == nil {
		found["Encrypt"] = f.scanned.encrypt // its trailer is lost
	}
}

// scanWindow looks through a part of the file that starts at an offset, from a place in it
// on, and returns where to go on: an object may end behind it.
func (f *File) scanWindow(w []byte, start int64, from int, trailer Dict) int64 {
	keywords := keywords{text: w}
	for at := from; !f.Exhausted(); {
		i := keywords.after(at)
		if i < 0 {
			break
		}
		at = i
		if w[at] == 't' {
			at += len("trailer")
			mergeTrailer(trailer, f.dictAt(start+int64(at), scanLimit))
			continue
		}
		head := headerBefore(w[:at])
		at += len("obj")
		if head < 0 {
			continue
		}
		offset := start + int64(head)
		o := f.objectAt(offset, scanLimit)
		if !o.ok || f.Exhausted() {
			continue
		}
		f.note(o, offset, trailer)
		if stream, ok := o.value.(*Stream); ok {
			// Text in a stream is not an object of this file.
			if length, ok := stream.Dict["Length"].(int64); ok && length >= 0 && f.endsAt(o.end+length) {
				o.end += length
			} else if end := f.search(o.end, "endstream"); end >= 0 {
				o.end = end
			}
		}
		if o.end >= start+int64(len(w)) {
			return o.end
		}
		at = max(at, int(o.end-start))
	}
	return 0
}

// keywords finds "obj" and "trailer" in a text.
type keywords struct {
	text         []byte
	obj, trailer int // where the next ones stand; len(text) if there are none
}

// after returns where the next one stands from a place on, -1 if there is none.
func (k *keywords) after(at int) int {
	next := func(known int, word string) int {
		if known >= at && known > 0 {
			return known
		}
		if i := bytes.Index(k.text[min(at, len(k.text)):], []byte(word)); i >= 0 {
			return at + i
		}
		return len(k.text)
	}
	k.obj, k.trailer = next(k.obj, "obj"), next(k.trailer, "trailer")
	if first := min(k.obj, k.trailer); first < len(k.text) {
		return first
	}
	return -1
}

// headerBefore returns where the "N G " starts that b ends with, -1 if it does not.
func headerBefore(b []byte) int {
	digits := func(i int) int {
		for i > 0 && isDigit(b[i-1]) {
			i--
		}
		return i
	}
	spaces := func(i int) int {
		for i > 0 && class(b[i-1]) == space {
			i--
		}
		return i
	}
	genEnd := spaces(len(b))
	gen := digits(genEnd)
	numEnd := spaces(gen)
	num := digits(numEnd)
	if gen == genEnd || numEnd == gen || num == numEnd {
		return -1
	}
	return num
}

// note adds an object that was found.
func (f *File) note(o found, offset int64, trailer Dict) {
	if _, known := f.entries[o.id.Num]; !known && len(f.entries) >= maxObjects {
		return
	}
	f.entries[o.id.Num] = entry{kind: plain, offset: offset}
	dict, _ := o.value.(Dict)
	if stream, ok := o.value.(*Stream); ok {
		switch stream.Dict["Type"] {
		case Name("XRef"):
			mergeTrailer(trailer, stream.Dict)
		case Name("ObjStm"):
			f.scanned.packs = append(f.scanned.packs, o.id.Num)
		}
	}
	f.noteDict(o.id, dict)
}

// noteDict remembers a dictionary that is needed where the trailer or the pages are lost.
func (f *File) noteDict(id Ref, d Dict) {
	switch {
	case d["Type"] == Name("Catalog"):
		f.scanned.catalog = id
	case d["Type"] == Name("Page") && !f.scanned.isPage[id.Num]:
		f.scanned.pages = append(f.scanned.pages, id)
		f.scanned.isPage[id.Num] = true
	case d["Filter"] == Name("Standard") && d["O"] != nil && d["U"] != nil:
		f.scanned.encrypt = id
	}
}

// mergeTrailer adds the entries of a later trailer.
func mergeTrailer(trailer, later Dict) {
	for _, key := range []Name{"Root", "Info", "Encrypt", "ID"} {
		if v := later[key]; v != nil {
			trailer[key] = v
		}
	}
}

// unpack adds the objects in object streams to those that were found, once they can be
// decrypted, and finds the catalog where no trailer names it.
func (f *File) unpack() {
	f.packs = nil // were read without decrypting, maybe
	for _, num := range f.scanned.packs {
		p := f.pack(num)
		if p == nil {
			continue
		}
		container := f.entries[num].offset
		for i, n := range p.numbers {
			if f.Exhausted() {
				break
			}
			old, known := f.entries[n]
			if known && old.kind == plain && old.offset > container || !known && len(f.entries) >= maxObjects || n == num {
				continue
			}
			f.entries[n] = entry{kind: packed, offset: int64(num), index: i}
			if v, ok := f.unpacked(num, i, n); ok {
				d, _ := v.(Dict)
				f.noteDict(Ref{Num: n}, d)
			}
		}
	}
	f.cache = nil // objects may have been missing until now
	if root := f.Dict(f.trailer["Root"]); (root == nil || f.Dict(root["Pages"]) == nil) && f.scanned.catalog.Num > 0 {
		f.trailer["Root"] = f.scanned.catalog
	}
}
