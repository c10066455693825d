package zstd

// The codes of a sequence, in the order in which their tables come: how many
// literals, from how far back, how many bytes from there.
const (
	literalLength = iota
	matchOffset
	matchLength
)

// codes are the number of codes of each kind, and the accuracy of a table of them.
var codes = [3]struct{ symbols, log int }{{36, 9}, {32, 8}, {53, 9}}

// sequencesHeader reads how many sequences a block has and the tables of their
// codes (section 3.1.1.3.2.1), and returns what comes behind them.
func (r *Reader) sequencesHeader(src []byte) (count int, rest []byte, err error) {
	cut := CorruptError("sequences that are cut off")
	if len(src) == 0 {
		return 0, nil, cut
	}
	length := 1
	switch first := int(src[0]); {
	case first < 128:
		count = first
	case len(src) < 2 || first == 255 && len(src) < 3:
		return 0, nil, cut
	case first < 255:
		count, length = (first-128)<<8+int(src[1]), 2
	default:
		count, length = int(src[1])+int(src[2])<<8+0x7f00, 3
	}
	src = src[length:]
	if count == 0 {
		if len(src) > 0 {
			return 0, nil, CorruptError("something behind the end of a block")
		}
		return 0, nil, nil
	}
	if len(src) == 0 {
		return 0, nil, cut
	}
	modes := src[0]
	if modes&3 != 0 {
		return 0, nil, CorruptError("sequences of a reserved kind")
	}
	src = src[1:]
	for kind := range r.tables {
		if src, err = r.choose(kind, modes>>(6-2*kind)&3, src); err != nil {
			return 0, nil, err
		}
	}
	return count, src, nil
}

// choose sets the table of one kind of code, and returns what comes behind its
// description.
func (r *Reader) choose(kind int, mode byte, src []byte) (rest []byte, err error) {
	values := func(symbol int) (uint32, uint8) { return value(kind, symbol) }
	own := &r.custom[kind]
	switch mode {
	case 0: // as RFC 8878 gives it
		if r.preset[kind] == nil {
			r.preset[kind] = new(table)
			d := usual(kind)
			r.preset[kind].build(&d, values)
		}
		r.tables[kind] = r.preset[kind]
		return src, nil
	case 1: // one code for all
		if len(src) == 0 || int(src[0]) >= codes[kind].symbols {
			return nil, CorruptError("a code that there is not")
		}
		own.only(values(int(src[0])))
		r.tables[kind] = own
		return src[1:], nil
	case 2:
		var d distribution
		if rest, err = d.read(src, codes[kind].symbols, codes[kind].log); err != nil {
			return nil, err
		}
		own.build(&d, values)
		r.tables[kind] = own
		return rest, nil
	}
	if r.tables[kind] == nil {
		return nil, CorruptError("sequences without a table")
	}
	return src, nil
}

// sequences carries out so many sequences (section 3.1.1.3.2.1.2 and 3.1.2.4):
// each appends some literals to history, and then a piece of history. History
// may grow to most bytes.
func (r *Reader) sequences(src []byte, count, most int) error {
	b, err := newBackward(src)
	if err != nil {
		return err
	}
	ll, of, ml := r.tables[literalLength], r.tables[matchOffset], r.tables[matchLength]
	b.fill()
	atLL, atOF, atML := b.get(ll.log), b.get(of.log), b.get(ml.log)
	literals, history := r.literals, r.history
	for i := range count {
		l, o, m := ll.states[atLL&(1<<maxLog-1)], of.states[atOF&(1<<maxLog-1)], ml.states[atML&(1<<maxLog-1)]
		b.fill() // an offset and a length take 47 bits at most
		offset := int(o.base) + int(b.get(int(o.extra)))
		length := int(m.base) + int(b.get(int(m.extra)))
		b.fill() // another length and three states take 42
		run := int(l.base) + int(b.get(int(l.extra)))
		if i < count-1 {
			atLL = uint64(l.next) + b.get(int(l.width))
			atML = uint64(m.next) + b.get(int(m.width))
			atOF = uint64(o.next) + b.get(int(o.width))
		}
		if b.n < 0 {
			return CorruptError("sequences that are cut off")
		}
		offset = r.repeated(offset, run == 0)
		switch {
		case run > len(literals):
			return CorruptError("a sequence of more literals than there are")
		case len(history)+run+length > most:
			return CorruptError("a block unpacks to more than a block may hold")
		}
		if n := len(history); run <= 16 && len(literals) >= 16 && n+16 <= cap(history) {
			*(*[16]byte)(history[n : n+16]) = *(*[16]byte)(literals)
			history = history[:n+run]
		} else {
			history = append(history, literals[:run]...)
		}
		literals = literals[run:]
		if offset <= 0 || offset > r.window || offset > len(history) {
			return CorruptError("a match before the beginning")
		}
		history = match(history, offset, length)
	}
	if !b.finished() {
		return CorruptError("sequences that do not fill their stream")
	}
	r.literals, r.history = literals, history
	return nil
}

// match appends what stands so far back. It may reach into what it appends. As
// most matches are short, they are copied 16 bytes at once where there is room.
func match(history []byte, offset, length int) []byte {
	from := len(history) - offset
	if n := len(history); length <= 16 && offset >= 16 && n+16 <= cap(history) {
		*(*[16]byte)(history[n : n+16]) = *(*[16]byte)(history[from:])
		return history[:n+length]
	}
	for length > offset {
		history = append(history, history[from:]...)
		length -= offset
		offset *= 2
	}
	return append(history, history[from:from+length]...)
}

// repeated is the offset that a code stands for: the first three mean those that
// were used last (section 3.1.2.5). bare says that no literals come before the
// match.
func (r *Reader) repeated(code int, bare bool) int {
	last := &r.repeats
	if code > 3 {
		*last = [3]int{code - 3, last[0], last[1]}
		return last[0]
	}
	if bare {
		code++
	}
	switch code {
	case 1:
	case 2:
		*last = [3]int{last[1], last[0], last[2]}
	case 3:
		*last = [3]int{last[2], last[0], last[1]}
	default:
		*last = [3]int{last[0] - 1, last[0], last[1]}
	}
	return last[0]
}
