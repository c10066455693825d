package text

// Indent is how a text is indented.
type Indent struct {
	Style string `json:"style"` // tab, space, mixed or none
	// Width is how many spaces one level takes; 0 where no line is indented by
	// spaces or the steps do not tell.
	Width int `json:"width"`
}

// IndentWidth returns how many spaces one level of indentation takes in a text, 0
// if no line is indented by spaces.
func IndentWidth(s string) int {
	var p profiler
	p.add([]byte(s))
	return p.indent.width()
}

// indenter collects the leading white space of lines. Lines of nothing but
// white space say nothing, nor does the one space before the "*" of a block
// comment.
type indenter struct {
	tabs, spaces int    // of the current line so far
	tabFirst     bool   // the current line starts with a tab
	done         bool   // the current line's lead is over
	byTab        int    // lines
	bySpace      int    // lines
	before       int    // the last line's spaces
	steps        [9]int // how often a line is that much deeper than the one before
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
			// Either half an ending or the line is blank so far; no lead either way.
		default:
			in.end(c)
			return
		}
	}
}

// end notes the finished lead of a line whose first character is c.
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

// width is the commonest step; a single space counts only where nothing else
// does, as it is mostly alignment.
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
