package text

// Indent describes how a text is indented.
type Indent struct {
	Style string `json:"style"` // tab, space, mixed or none
	// Width is the number of spaces of one level, 0 if no line is indented by spaces or
	// the width is unclear.
	Width int `json:"width"`
}

// IndentWidth returns how many spaces one level of indentation takes in a text, 0
// if no line is indented by spaces.
func IndentWidth(s string) int {
	var p profiler
	p.add([]byte(s))
	return p.indent.width()
}

// indenter counts the leading white space of lines. It ignores blank lines and the
// space before the "*" of a block comment.
type indenter struct {
	tabs, spaces int    // of the current line so far
	tabFirst     bool   // the current line starts with a tab
	done         bool   // the current line's indentation is complete
	byTab        int    // lines
	bySpace      int    // lines
	before       int    // the last line's spaces
	steps        [9]int // counts the lines that are deeper than the one before, by the difference
}

// write takes bytes of the current line.
func (in *indenter) write(b []byte) {
	if in.done {
		return
	}
	for _, c := range b {
		switch c {
		case '\t':
			in.tabFirst = in.tabFirst || in.spaces == 0
			in.tabs++
		case ' ':
			in.spaces++
		case '\r':
			// Half of a line ending, or the line is blank so far.
		default:
			in.end(c)
			return
		}
	}
}

// end records the indentation of a line whose first character is c.
func (in *indenter) end(c byte) {
	in.done = true
	switch {
	case c == '*' && in.spaces%2 == 1:
		return
	case in.tabFirst:
		in.byTab++
		return
	case in.tabs > 0:
		// Spaces and then a tab: neither style.
		in.byTab++
		in.bySpace++
		return
	case in.spaces > 0:
		in.bySpace++
	}
	if step := in.spaces - in.before; step > 0 && step < len(in.steps) {
		in.steps[step]++
	}
	in.before = in.spaces
}

func (in *indenter) newline() {
	in.tabs, in.spaces, in.tabFirst, in.done = 0, 0, false, false
}

func (in *indenter) result() Indent {
	total := in.byTab + in.bySpace
	switch {
	case total == 0:
		return Indent{Style: "none"}
	case in.bySpace*10 <= total:
		return Indent{Style: "tab"}
	case in.byTab*10 <= total:
		return Indent{Style: "space", Width: in.width()}
	}
	return Indent{Style: "mixed", Width: in.width()}
}

// width returns the most common step. A single space is mostly alignment, so it
// counts only if there is no other step.
func (in *indenter) width() int {
	best := 0
	for step := 2; step < len(in.steps); step++ {
		if in.steps[step] > in.steps[best] {
			best = step
		}
	}
	if best == 0 && in.steps[1] > 0 {
		best = 1
	}
	return best
}
