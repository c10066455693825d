package client

import "bytes"

// lines cuts what a server prints into lines.
type lines struct {
	most int    // bytes of a line
	rest []byte // of the line that is not complete yet
}

// add takes what was printed next and calls each with the lines that it completes, without
// their ends and without empty ones; each may keep them. It reports false once a line is
// too long; what comes after that is not looked at.
func (l *lines) add(printed []byte, each func(line []byte)) bool {
	for {
		line, after, whole := bytes.Cut(printed, []byte{'\n'})
		if len(l.rest)+len(line) > l.most {
			l.rest = nil
			return false
		}
		if !whole {
			l.rest = append(l.rest, line...)
			return true
		}
		line = append(l.rest, line...)
		l.rest = nil
		if line = bytes.TrimSpace(line); len(line) > 0 {
			each(line)
		}
		printed = after
	}
}

// tail keeps the last bytes of what is written to it.
type tail struct {
	most int
	kept []byte
}

func (t *tail) write(b []byte) {
	t.kept = append(t.kept, b[max(0, len(b)-t.most):]...)
	if over := len(t.kept) - t.most; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
}
