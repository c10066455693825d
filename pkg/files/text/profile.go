package text

import "bytes"

// Profile describes the lines of a text.
type Profile struct {
	EOL          string `json:"eol"`           // lf, crlf, cr, mixed or none
	FinalNewline bool   `json:"final_newline"` // whether the last line has an ending
	Indent       Indent `json:"indent"`
	TotalLines   int    `json:"total_lines"`
	// Dominant is the ending that most lines have, the first one on a tie, "" if no
	// line has any.
	Dominant string `json:"-"`
}

// Describe returns the profile of a text.
func Describe(s string) Profile {
	var p profiler
	p.add([]byte(s))
	return p.profile()
}

// profiler makes the profile of a text that arrives in pieces of any kind. It counts
// line feeds and carriage returns, as only the end of the text tells whether a lone
// "\r" ends a line.
type profiler struct {
	lf, crlf, cr int  // line feeds (crlf of them after a "\r"), and all "\r"
	firstCRLF    bool // the first line feed came after a "\r"
	last         byte
	any          bool
	indent       indenter
}

// add takes the next piece.
func (p *profiler) add(b []byte) {
	p.cr += bytes.Count(b, []byte{'\r'})
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			p.segment(b)
			return
		}
		p.segment(b[:i])
		if p.any && p.last == '\r' {
			p.crlf++
			p.firstCRLF = p.firstCRLF || p.lf == 0
		}
		p.lf++
		p.indent.newline()
		p.last, p.any = '\n', true
		b = b[i+1:]
	}
}

// segment takes bytes without a line feed.
func (p *profiler) segment(b []byte) {
	if len(b) == 0 {
		return
	}
	p.last, p.any = b[len(b)-1], true
	if p.lf > 0 || p.cr == 0 {
		p.indent.write(b)
		return
	}
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			p.indent.write(b)
			return
		}
		p.indent.write(b[:i])
		p.indent.newline()
		b = b[i+1:]
	}
}

func (p *profiler) profile() Profile {
	out := Profile{EOL: "none", Indent: p.indent.result()}
	if !p.any {
		return out
	}
	ends, end := p.lf, byte('\n')
	switch {
	case p.lf == 0 && p.cr > 0:
		ends, end = p.cr, '\r'
		out.EOL, out.Dominant = "cr", "\r"
	case p.lf == 0:
	case p.crlf == 0:
		out.EOL, out.Dominant = "lf", "\n"
	case p.crlf == p.lf:
		out.EOL, out.Dominant = "crlf", "\r\n"
	default:
		out.EOL, out.Dominant = "mixed", "\n"
		if 2*p.crlf > p.lf || 2*p.crlf == p.lf && p.firstCRLF {
			out.Dominant = "\r\n"
		}
	}
	out.FinalNewline = ends > 0 && p.last == end
	out.TotalLines = ends
	if !out.FinalNewline {
		out.TotalLines++
	}
	return out
}
