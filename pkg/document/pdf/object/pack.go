package object

import "slices"

// pack is a decoded object stream: 7.5.7.
type pack struct {
	data    []byte // from the first object on
	numbers []int
	offsets []int
	extends Value
}

// Limits of object streams.
const (
	maxPack    = 32 << 20 // bytes of one, and of a cross-reference stream
	maxPacked  = 32 << 20 // bytes of those that are kept
	maxExtends = 16
)

// unpacked returns an object of an object stream. It returns false if it is not there.
func (f *File) unpacked(container, index, num int) (Value, bool) {
	for range maxExtends {
		p := f.pack(container)
		if p == nil || f.Exhausted() {
			return nil, f.Exhausted()
		}
		if index >= len(p.numbers) || p.numbers[index] != num {
			index = slices.Index(p.numbers, num)
			f.work += int64(len(p.numbers)) / 4
		}
		if index >= 0 {
			l := Lexer{data: p.data, pos: min(p.offsets[index], len(p.data)), refs: true, words: f.words}
			start := l.pos
			value, _ := l.next(0)
			f.work += int64(l.pos - start)
			switch value.(type) {
			case Operator, closing:
				value = nil
			}
			return value, true
		}
		ref, ok := p.extends.(Ref)
		if !ok {
			return nil, false
		}
		container, index = ref.Num, 0
	}
	return nil, false
}

// pack returns an object stream, nil if there is none.
func (f *File) pack(num int) *pack {
	if p, ok := f.packs[num]; ok {
		return p
	}
	e := f.entries[num]
	if e.kind != plain || f.loading[num] || f.Exhausted() {
		return nil
	}
	f.loading[num] = true // its length may be in itself
	defer delete(f.loading, num)
	o := f.objectAt(e.offset, maxObject)
	stream, _ := o.value.(*Stream)
	if stream == nil || o.id.Num != num {
		return nil
	}
	data, _, _ := f.data(stream, maxPack) // a damaged one has its first objects
	first, _ := f.Int(stream.Dict["First"])
	count, _ := f.Int(stream.Dict["N"])
	if first < 0 || first > int64(len(data)) {
		return nil
	}
	p := &pack{data: data[first:], extends: stream.Dict["Extends"]}
	l := Lexer{data: data[:first], refs: true}
	for range min(count, maxObjects) {
		n, ok := l.natural()
		offset, also := l.natural()
		if !ok || !also {
			break
		}
		p.numbers, p.offsets = append(p.numbers, n), append(p.offsets, offset)
	}
	f.work += int64(l.pos)
	if f.packedBytes += len(data); f.packedBytes > maxPacked || f.packs == nil {
		f.packs, f.packedBytes = make(map[int]*pack), len(data)
	}
	f.packs[num] = p
	return p
}
