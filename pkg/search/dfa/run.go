package dfa

import "bytes"

const (
	// lanes is the number of parts of a buffer that are read at the same time. Each
	// look-up has to wait for the one before it in its lane, so the lanes wait together.
	lanes = 4
	// shortLane is the length of a lane, in bytes, from which lanes are faster.
	shortLane = 128
	// settled is the number of bytes after which settle is called.
	settled = 16 << 10
	// rare is the most bytes in 256 of text that may lead away from the start state for
	// skipping to be faster than reading each byte.
	rare = 6
)

// Lines appends to hits, for each line of data that matches, the offset of a byte in
// it or of the line break at its end. It stops after most lines. The last line need
// not end in a line break.
func (d *DFA) Lines(data []byte, hits []int, most int) []int {
	most += len(hits)
	if !d.decided {
		if d.fed += len(data); d.fed > settled {
			d.settle()
		}
	}
	if d.skips || len(data) < lanes*shortLane {
		return d.lane(data, 0, d.start, hits, most)
	}
	// Each lane starts at the start of a line.
	var bounds [lanes + 1]int
	bounds[lanes] = len(data)
	for i := 1; i < lanes; i++ {
		at := max(len(data)/lanes*i, bounds[i-1])
		nl := bytes.IndexByte(data[at:], '\n')
		if nl < 0 {
			bounds[i] = len(data)
			continue
		}
		bounds[i] = at + nl + 1
	}
	return d.lockstep(data, bounds, hits, most)
}

// lockstep reads the lanes in turn, one byte of each.
func (d *DFA) lockstep(data []byte, bounds [lanes + 1]int, hits []int, most int) []int {
	var at [lanes]int
	var state [lanes]int32
	var found [lanes][]int
	for i := range lanes {
		at[i], state[i] = bounds[i], d.start
	}
	for {
		n := len(data)
		for i := range lanes {
			n = min(n, bounds[i+1]-at[i])
		}
		if n < shortLane/4 {
			break
		}
		p0, p1, p2, p3 := data[at[0]:][:n], data[at[1]:][:n], data[at[2]:][:n], data[at[3]:][:n]
		s0, s1, s2, s3 := state[0], state[1], state[2], state[3]
		rows := d.rows
		done := n
		for j := range p0 {
			t0, t1, t2, t3 := rows[s0][p0[j]], rows[s1][p1[j]], rows[s2][p2[j]], rows[s3][p3[j]]
			if t0|t1|t2|t3 < 0 {
				done = j
				break
			}
			s0, s1, s2, s3 = t0, t1, t2, t3
		}
		state = [lanes]int32{s0, s1, s2, s3}
		for i := range at {
			at[i] += done
		}
		if done == n {
			continue
		}
		if d.full() {
			d.renew(&state[0], &state[1], &state[2], &state[3])
		}
		for i := range lanes {
			t := d.advance(state[i], data[at[i]])
			if t != match {
				at[i]++
				state[i] = t
				continue
			}
			found[i] = append(found[i], at[i])
			if i == 0 && len(hits)+len(found[0]) >= most {
				return append(hits, found[0]...)
			}
			if at[i] = nextLine(data[:bounds[i+1]], at[i]); at[i] == len(data) {
				state[i] = match // do not report the last line twice
				continue
			}
			state[i] = d.start
		}
	}
	for i := range lanes {
		hits = append(hits, found[i]...)
		last := i == lanes-1 && state[i] != match && bounds[i] < bounds[i+1]
		if len(hits) < most && (at[i] < bounds[i+1] || last) {
			// A renewal must keep the states of the following lanes.
			hits = d.lane(data[:bounds[i+1]], at[i], state[i], hits, most, state[i+1:]...)
		}
		if len(hits) >= most {
			return hits[:most]
		}
	}
	return hits
}

func nextLine(data []byte, at int) int {
	nl := bytes.IndexByte(data[at:], '\n')
	if nl < 0 {
		return len(data)
	}
	return at + nl + 1
}

// lane reads data from at on, in state s. A renewal keeps the states others.
func (d *DFA) lane(data []byte, at int, s int32, hits []int, most int, others ...int32) []int {
	for at < len(data) {
		if s == d.start && d.skips {
			skip := d.exits.Index(data[at:])
			if skip < 0 {
				return hits // no match starts in the rest
			}
			at += skip
		}
		rows := d.rows
		p := data[at:]
		var j int
		for j = 0; j < len(p); j++ { //nolint:intrange // a range would leave j at len(p)-1 when it runs to the end
			t := rows[s][p[j]]
			if t < 0 || t == d.start && d.skips {
				break
			}
			s = t
		}
		at += j
		if at == len(data) {
			break
		}
		if d.full() {
			keep := make([]*int32, 0, lanes+1)
			keep = append(keep, &s)
			for i := range others {
				keep = append(keep, &others[i])
			}
			d.renew(keep...)
		}
		if t := d.advance(s, data[at]); t != match {
			at++
			s = t
			continue
		}
		if hits = append(hits, at); len(hits) >= most {
			return hits
		}
		at = nextLine(data, at)
		s = d.start
		if at == len(data) {
			return hits
		}
	}
	// After a line break at the end of the text there is no further line.
	if len(data) > 0 && data[len(data)-1] != '\n' && d.ends(s) {
		hits = append(hits, len(data)-1)
	}
	return hits
}

// settle decides whether to skip bytes in the start state: if few bytes lead away
// from it, and no assertion depends on the bytes before.
func (d *DFA) settle() {
	d.decided = true
	if d.program.Conditions != 0 || d.start == match {
		return
	}
	for b := range 256 {
		if d.advance(d.start, byte(b)) != d.start {
			d.exits.Add(byte(b))
		}
	}
	d.skips = d.exits.Cost() <= rare
}

// Text reports whether a text has a match, and returns an offset at or after its
// end: no match ends before the last character before that offset.
func (d *DFA) Text(data []byte) (at int, ok bool) {
	t := d.Stream()
	if at, ok := t.Feed(data); ok {
		return at, true
	}
	return len(data), t.End()
}

// Stream is a text that arrives in parts.
type Stream struct {
	d *DFA
	s int32
}

// Stream starts a text. Unless the pattern is multiline, the text must be one line
// without its line break. The automaton must not be used for another text before the
// stream ends.
func (d *DFA) Stream() Stream {
	if !d.decided {
		d.settle()
	}
	return Stream{d, d.start}
}

// Feed reads the next part. It reports a match once, with an offset in the part at or
// after the end of the match. After that the stream must not be used.
func (t *Stream) Feed(data []byte) (at int, ok bool) {
	d, s := t.d, t.s
	for at < len(data) {
		if s == d.start && d.skips {
			skip := d.exits.Index(data[at:])
			if skip < 0 {
				break
			}
			at += skip
		}
		rows := d.rows
		p := data[at:]
		var j int
		for j = 0; j < len(p); j++ { //nolint:intrange // a range would leave j at len(p)-1 when it runs to the end
			next := rows[s][p[j]]
			if next < 0 || next == d.start && d.skips {
				break
			}
			s = next
		}
		at += j
		if at == len(data) {
			break
		}
		if d.full() {
			d.renew(&s)
		}
		next := d.advance(s, data[at])
		if next == match {
			return at, true
		}
		at++
		s = next
	}
	t.s = s
	return len(data), false
}

// End reports whether a match ends with the text.
func (t *Stream) End() bool { return t.d.ends(t.s) }
