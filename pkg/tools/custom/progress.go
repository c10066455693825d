package custom

import (
	"bytes"
	"encoding/json"
	"math"
	"sync"
	"unicode/utf8"

	"github.com/helve-dev/helve/pkg/shell/run"
)

const (
	// maxProgress limits the lines of progress of a program.
	maxProgress = 10_000
	// maxLine is the longest line of progress, in bytes.
	maxLine = 8 << 10
)

// printed collects a program's output as content while it runs. Lines of progress come
// first, and are passed on as they come; the rest is the result.
type printed struct {
	most int // bytes of the result that are kept
	tell func(done, total float64, message string)
	stop func() // ends the program

	mu    sync.Mutex
	begun bool // the result has begun
	kept  []byte
	total int64 // bytes of the result
	lines int   // of progress
	last  float64
}

// newPrinted returns what takes the output of one run. tell may be nil.
func newPrinted(most int, tell func(done, total float64, message string), stop func()) *printed {
	return &printed{most: most, tell: tell, stop: stop, last: math.Inf(-1)}
}

// take takes a piece of the output.
func (p *printed) take(c run.Chunk) {
	if c.Stderr {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	data := c.Data
	for !p.begun && p.lines <= maxProgress {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		if !whole {
			break
		}
		p.kept = append(p.kept, line...)
		if len(bytes.TrimSpace(p.kept)) == 0 || p.report(p.kept) {
			p.kept, data = p.kept[:0], rest
			continue
		}
		p.begun, p.total = true, int64(len(p.kept))
		data = data[len(line):]
	}
	switch {
	case p.lines > maxProgress:
		p.kept = nil
		return
	case !p.begun && len(p.kept)+len(data) > maxLine: // no line of progress any more
		p.begun, p.total = true, int64(len(p.kept))
	case !p.begun:
		p.kept = append(p.kept, data...)
		return
	}
	p.total += int64(len(data))
	p.kept = append(p.kept, data[:min(len(data), max(p.most-len(p.kept), 0))]...)
}

// report passes a line of progress on; false if it is none. The protocol has progress
// increase: what does not is left out.
func (p *printed) report(line []byte) bool {
	var one struct {
		Type     *string  `json:"type"`
		Progress *float64 `json:"progress"`
		Total    float64  `json:"total"`
		Message  string   `json:"message"`
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if len(line) > maxLine || !utf8.Valid(line) || d.Decode(&one) != nil || d.InputOffset() != int64(len(bytes.TrimRight(line, " \t\r"))) ||
		one.Progress == nil || one.Type != nil && *one.Type != "progress" {
		return false
	}
	if p.lines++; p.lines > maxProgress {
		p.stop()
		return true
	}
	if *one.Progress > p.last {
		p.last = *one.Progress
		if p.tell != nil {
			p.tell(*one.Progress, one.Total, one.Message)
		}
	}
	return true
}

// endless reports whether there was too much progress.
func (p *printed) endless() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines > maxProgress
}

// rest returns what was printed after the progress, as far as it is kept, and how many
// bytes it has. A last line of progress needs no line end.
func (p *printed) rest() ([]byte, int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun {
		if p.report(p.kept) {
			p.kept = nil
		}
		return bytes.Clone(p.kept), int64(len(p.kept))
	}
	return bytes.Clone(p.kept), p.total
}
